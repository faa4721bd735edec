import Conversion
import Converting
import Marking
@testable import Web

extension Samples {
    /// Pages to be arranged; and those of a signed paper, with what was typed wrongly.
    static var arranged: [ArrangePage] {
        let sheets = (1...5).map {
            ReadPage.Sheet(number: $0, width: $0 == 2 ? 792 : 612, height: $0 == 2 ? 612 : 792)
        }
        return [
            ArrangePage(line: documents[0], version: 1, sheets: sheets),
            ArrangePage(
                line: documents[0], version: 3, sheets: sheets, signer: "Ana Gómez", order: "1-9",
                trouble: "There is no page 9: the paper has 5."),
        ]
    }

    /// A paper smaller in every way, one that loses things on the way, one that stays as large, and those that are not so far.
    static var smaller: [SmallerPage] {
        var page = SmallerPage(line: documents[0], version: 2, state: .done, trial: "c1", job: "j1")
        page.there = [.fields, .words]
        page.pageCount = 12
        page.page = 3
        page.ways = [
            .init(way: .careful, number: 1, byteCount: 40_000, isOffered: true),
            .init(way: .balanced, number: 2, byteCount: 30_000, isOffered: true),
            .init(way: .strong, number: 3, byteCount: 30_000, isOffered: false),
        ]
        var cost = page
        cost.there = PaperParts.Kind.allCases
        cost.ways[2] = .init(
            way: .strong, number: 3, byteCount: 9_000, lost: PaperParts.Kind.allCases.map { ($0, 2) },
            isOffered: true)
        (cost.chosen, cost.isLarge) = (.strong, true)
        cost.ways.append(.init(way: .fit(5_000), number: 4, byteCount: 8_000, isOffered: true))
        cost.ways.append(.init(way: .dots(150), number: 5, byteCount: 10_000, isOffered: true))
        cost.refused = ("most", "plenty", "“plenty” is no size.")
        var not = page
        for place in not.ways.indices { not.ways[place].isOffered = false }
        var working = SmallerPage(line: documents[0], version: 2, state: .running, trial: "c1", job: "j1")
        working.fraction = 0.3
        var failed = SmallerPage(line: documents[0], version: 2, state: .failed, trial: "c1")
        failed.reason = "“budget.docx” is locked with a password."
        return [page, cost, not, working, failed, SmallerPage(line: documents[0], version: 2)]
    }

    /// A paper with a password, the same after a wrong one and a question, one with limits alone, and one that is open.
    static var locked: [PasswordPage] {
        let asked = PasswordPage(line: documents[0], lock: .password, then: "marks")
        var wrong = asked
        (wrong.error, wrong.asksAboutSignatures) = ("The password does not open this file.", true)
        return [
            asked, wrong, PasswordPage(line: documents[0], lock: .limits),
            PasswordPage(line: documents[0], lock: .none),
        ]
    }

    /// A form with each kind of field; the same with what could not be kept; and papers on which nothing is filled in.
    static var fillingIn: [FillingPage] {
        let sheets = [ReadPage.Sheet(number: 1, width: 612, height: 792)]
        let kinds: [FillingPage.Box.Kind] = [.text, .multiline, .check, .radio, .choice, .list]
        var boxes = kinds.enumerated().map { place, kind in
            FillingPage.Box(
                name: "field\(place)", label: "<Field> \(kind.rawValue)", kind: kind, page: 1, x: 72,
                y: 80 + Double(place) * 60, width: 200, height: kind == .list || kind == .multiline ? 50 : 18,
                value: ["Yes"], state: "Yes", options: [("Yes", "Yes & no"), ("No", "No")],
                isRequired: place == 0
            )
        }
        boxes[0].isComb = true
        boxes[0].maximumLength = 9
        boxes.append(
            FillingPage.Box(
                name: "sum", label: "Sum", kind: .text, page: 1, x: 72, y: 500, width: 80, height: 18,
                isComputed: true))
        boxes.append(
            FillingPage.Box(
                name: "own", label: "Own words", kind: .choice, page: 1, x: 72, y: 540, width: 80, height: 18,
                options: [("a", "A")], takesOwnWords: true))
        let form = FillingPage(
            line: documents[0], version: 1, sheets: sheets, boxes: boxes, missing: 1, isSigned: true)
        var refused = form
        refused.problems = ["Field: “Sabbatical” is none of the choices."]
        refused.mayKeepAnyway = true
        refused.boxes[0].isWrong = true
        return [
            form, refused, FillingPage(line: documents[0], version: 1, sheets: sheets, boxes: []),
            FillingPage(
                line: documents[0], version: 1, sheets: sheets, boxes: boxes,
                hindrance: "The form is certified, and its certificate forbids every change."),
        ]
    }

    /// The same as somebody outside sees it, where one signs; and after a part was refused.
    static var replying: [FillingPage] {
        var form = fillingIn[0]
        form.line = nil
        form.guest = .init(
            token: "x", name: "Trip <to the lake>", askedBy: "Ana Tremblay",
            places: [
                .init(
                    name: "parent", label: "<Signature> of a parent", page: 1, x: 72, y: 600, width: 180,
                    height: 30, isRequired: true, date: ("day", "Date", "mm/dd/yyyy")),
                .init(
                    name: "child", label: "Signature of the child", page: 1, x: 300, y: 600, width: 180,
                    height: 30),
            ])
        var refused = form
        refused.problems = ["“Signature of a parent” is required and still empty."]
        refused.mayKeepAnyway = true
        refused.guest?.places[1].typed = "Bo"
        refused.guest?.places[1].drawn = "{\"text\":\"Bo\"}"
        var plain = form
        plain.guest?.places = []
        return [form, refused, plain]
    }

    /// Before anything is written, and with notes of several hands on a paper that is signed.
    static var marks: [MarksPage] {
        let sheets = [
            ReadPage.Sheet(number: 1, width: 612, height: 792),
            ReadPage.Sheet(number: 2, width: 792, height: 612),
        ]
        let area = Mark.Area(x: 72, y: 90, width: 120, height: 14)
        var settled = FoundMark(
            id: "n1", kind: "highlight", page: 0, area: area, author: "Ana Gómez", time: 1_795_260_900,
            text: "<b>three</b> months?", colour: Mark.Colour(255, 224, 102))
        settled.isDone = true
        settled.replies = [.init(author: "Ben", time: nil, text: "Two & a half.")]
        let notes = [settled, FoundMark(id: "object-12", kind: "polygon", page: 1, area: area)]
        let links = ["https://example.org/<forms>", "#2", ""].enumerated().map {
            FoundMark(id: "link-\($0.offset)", kind: "link", page: 0, area: area, text: $0.element)
        }
        return [
            MarksPage(line: documents[0], version: 1, sheets: sheets, marks: []),
            MarksPage(
                line: documents[0], version: 3, sheets: sheets, marks: notes, links: links,
                broken: .init(byNotes: nil, byDrawing: "Ana Gómez")),
            MarksPage(
                line: documents[0], version: 3, sheets: sheets, marks: notes,
                broken: .init(byNotes: "Ana Gómez", byDrawing: "Ana Gómez")),
        ]
    }
}
