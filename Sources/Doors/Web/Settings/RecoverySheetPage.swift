import Access
import App
import Bytes
import Codes
import HTTP
import Markup
import Starters
import Storage
import WebAssets
import Work

/// What is on the sheet that opens encrypted backups: told once to whoever asks for it in person, as a page to print, as a
/// PDF, or to a program on the machine.
struct RecoverySheetPage: Sendable {
    var desk: String
    var key: RecoveryKey
    /// Where encrypted backups go or went, the one that counts first.
    var folders: [String]
    var version: String
    var madeAt: Moment

    /// What is typed on a new machine; the key is asked for, so that it stands in no list of commands.
    var command: String {
        "quire restore \(folders.first.map(Config.quoted) ?? "FOLDER") --home NEW_FOLDER"
    }

    var json: JSON {
        [
            "key": .string(key.text), "groups": .texts(key.groups), "folders": .texts(folders),
            "desk": .string(desk), "command": .string(command), "madeAt": .string(madeAt.iso8601),
        ]
    }

    fileprivate func steps(_ t: Texts) -> [String] {
        [
            t("sheet.step.install", ["version": .text(version)]),
            t(folders.isEmpty ? "sheet.step.bring.anywhere" : "sheet.step.bring"), t("sheet.step.run"),
        ]
    }

    fileprivate func facts(_ t: Texts, _ zone: TimeZoneRules) -> [(name: String, value: String)] {
        let wall = zone.wallTime(at: madeAt)
        return [
            (t("sheet.desk"), desk),
            (
                t("sheet.folder"),
                folders.isEmpty ? t("sheet.folder.none") : folders.joined(separator: ", ")
            ),
            (t("sheet.date"), wall.dayText),
        ]
    }

    func pdf(_ t: Texts, _ zone: TimeZoneRules) throws -> [UInt8] {
        let code = key.code
        return try RecoverySheet(
            title: t("sheet.title"), lede: t("sheet.lede"), facts: facts(t, zone), keyTitle: t("sheet.key"),
            groups: key.groups, stepsTitle: t("sheet.steps"), steps: steps(t), command: command,
            warning: t("sheet.warning"), language: t.language.tag,
            paper: .usual(in: t.language), codeSize: code?.size ?? 0
        ) { code?[$0, $1] ?? false }.bytes()
    }
}

extension RecoveryKey {
    /// Read again before it is given away: it is needed when nothing else is left. Without it the groups are typed.
    var code: QRCode? { QRCode(text, boosts: true).flatMap { $0.text == text ? $0 : nil } }
}

extension PaperSize {
    /// In Canada and Mexico papers are of the other size.
    static func usual(in language: Language) -> PaperSize { language == .english ? .a4 : .letter }
}

extension Pages {
    static func recoverySheet(_ frame: Frame, _ model: RecoverySheetPage, _ zone: TimeZoneRules) -> HTML {
        let t = frame.texts
        let groups = model.key.groups.map { "<li><code>\($0)</code></li>" as HTML }
        let code = model.key.code.map {
            "<div class=\"card-code\">\(raw: $0.svg(label: t("sheet.code")))</div>" as HTML
        }
        let steps = model.steps(t).map { "<li>\($0)</li>" as HTML }
        return Shell.page(
            frame, title: t("sheet.title"), narrow: true,
            """
            \(Part.header(
                frame, t("sheet.title"), lede: t("sheet.lede"),
                crumbs: [(t("settings.title"), "/settings"), (t("settings.storage"), "/settings/storage")]))
            \(Part.card(
                t("sheet.key"),
                """
                <div class="sheet-key"><ol>\(groups)</ol>\
                \(code)</div>
                <div class="row"><button class="button button-main script-only" type="button" data-command="print">\(frame.icon(.printer))\(t("part.print"))</button>
                \(Form.form(
                    frame, "POST", "/recovery-sheets", css: nil,
                    """
                    <input type="hidden" name="format" value="pdf">\
                    <button class="button" data-no-soft>\(frame.icon(.download))\(t("sheet.pdf"))</button>
                    """))</div>
                """))
            \(Part.card(
                t("sheet.steps"),
                """
                <ol class="sheet-steps">\(steps)</ol><p><code class="sheet-command">\(model.command)</code></p>
                \(Part.facts(model.facts(t, zone).map { ($0.name, HTML(plain: $0.value)) }))
                """))
            \(Part.note(frame, .warn, "<p>\(t("sheet.warning"))</p>"))
            """)
    }
}

extension Site {
    static func recoverySheet(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let format = try input.text("format") ?? "json"
        guard ["json", "pdf"].contains(format) else {
            throw Failure(
                .invalid, "“\(format)” is no format of a recovery sheet: json or pdf.", field: "format")
        }
        let wished = try input.text("language").flatMap { $0.isEmpty ? nil : $0 }
        guard let language = try wished.map({ Language(tag: $0) }) ?? sheetLanguage(visit) else {
            throw Failure(.invalid, "“\(wished ?? "")” is not a language.", field: "language")
        }
        let settings = visit.quire.settings
        let made = try settings.recoverySheet(by: try visit.member())
        let sheet = RecoverySheetPage(
            desk: visit.quire.deskName, key: made.key,
            folders: try visit.quire.maintenance.encryptedFolders(),
            version: Version.number, madeAt: made.at)
        let zone = try settings.zone()
        if format == "pdf" {
            let texts = Texts(visit.site.assets.catalog, language)
            return Response(
                headers: ["Content-Type": "application/pdf"], body: .bytes(try sheet.pdf(texts, zone))
            ).with("Content-Disposition", "attachment; filename=\"recovery-sheet.pdf\"").kept(false)
        }
        guard visit.wantsPage else { return Response.json(sheet.json).kept(false) }
        return visit.page(Pages.recoverySheet(visit.frameAt("/settings/storage"), sheet, zone)).kept(false)
    }

    /// In the browser as the page is; from the command line as the desk is.
    private static func sheetLanguage(_ visit: Visit) throws -> Language? {
        if visit.session != nil { return visit.language }
        return Language(tag: try visit.quire.settings.region().language) ?? visit.language
    }
}
