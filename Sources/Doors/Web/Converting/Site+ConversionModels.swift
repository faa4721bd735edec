import App
import Browsing
import Bytes
import Conversion
import Converting
import HTTP
import Kinds
import Library
import Markup
import Storage
import Work

extension Site {
    static func conversionPage(
        _ visit: Visit, _ conversion: Conversion, error: Failure? = nil, asking tool: Tool? = nil
    ) throws -> HTML {
        let path = "/conversions/\(conversion.id)"
        // Hundreds of results are one list too long to look at; all of them are kept and taken out together.
        let shown = conversion.results.prefix(24)
        var model = ConversionPage(
            line: ConversionLine(conversion), job: conversion.job?.text,
            fraction: conversion.progress.fraction, phase: said(conversion.progress.phase, visit.texts),
            papers: conversion.papers.map { ConversionPage.Paper($0, path, visit.texts) },
            results: shown.map { result in
                ConversionPage.Result(result, path, pictures: shown.count > 3 ? 1 : 12)
            }, resultCount: conversion.results.count,
            wishes: ConversionPage.Wishes(conversion, usualSize: visit.usualSize),
            error: error.map(visit.said))
        model.asked = tool
        model.isStepWrong = error?.field == "then" && tool == nil
        model.folders = try visit.quire.documents.folders(by: visit.member()).nodes.map { FolderLine($0) }
        model.folder = conversion.wishes.folder?.text ?? ""
        model.hasPages = conversion.papers.contains { ["html", "svg"].contains($0.kind) }
        if conversion.papers.count == 1, conversion.results.count == 1,
            case .file(let digest)? = conversion.papers.first?.content,
            let paper = try visit.quire.documents.paper(holding: digest, by: visit.member())
        {
            model.versionOf = (paper.id.text, paper.name)
        }
        if let report = conversion.report {
            model.remarks = remarks(report, visit.texts)
            model.assurances = (report["assurances"]?.array ?? []).compactMap(\.string).map(visit.texts.said)
            model.details = details(report, visit.texts)
        }
        return Pages.conversion(visit.frameAt(path), model)
    }

    /// What is being done, without the names of engines: the paper at hand, how many pictures, or the step.
    private static func said(_ phase: String, _ texts: Texts) -> String {
        for engine in Leg.Engine.allCases where phase.hasSuffix(": \(engine.rawValue)") {
            return texts(
                "convert.phase", ["name": .text(String(phase.dropLast(engine.rawValue.count + 2)))])
        }
        for stage in PageStage.allCases where phase.hasSuffix(": \(stage.rawValue)") {
            return texts(
                "convert.page.\(stage)", ["name": .text(String(phase.dropLast(stage.rawValue.count + 2)))])
        }
        if let count = Int(phase.prefix { $0.isNumber }), phase.hasSuffix(" pictures") {
            return texts("convert.papers", ["count": .number(count)])
        }
        if let kind = PaperKind.named(phase) {
            return texts("convert.step.kind.to", ["kind": .text(kind.name.uppercased())])
        }
        guard let choice = StepChoice.of((phase, nil)) ?? StepChoice.of((phase, "")) else { return phase }
        return texts("convert.step.\(choice.key)")
    }

    /// What may make the result other than expected.
    private static func remarks(_ report: JSON, _ texts: Texts) -> [String] {
        var remarks: [String] = []
        for font in (report["substitutedFonts"]?.array ?? []).prefix(5) {
            remarks.append(
                texts(
                    "convert.font",
                    [
                        "wanted": .text(font["wanted"]?.string ?? ""),
                        "taken": .text(font["taken"]?.string ?? "…"),
                    ]))
        }
        for (name, key) in [("blocked", "convert.blocked"), ("failed", "convert.missing")] {
            let list = report[name]?.array ?? []
            for item in list.prefix(3) {
                remarks.append(texts(key, ["address": .text(item["address"]?.string ?? "")]))
            }
            if list.count > 3 { remarks.append(texts("convert.more", ["count": .number(list.count - 3)])) }
        }
        return remarks + (report["remarks"]?.array ?? []).compactMap(\.string).map(texts.said)
    }

    private static func details(_ report: JSON, _ texts: Texts) -> [String] {
        let legs = (report["legs"]?.array ?? []).prefix(30).map { leg in
            let tenths = Int(((leg["seconds"]?.number ?? 0) * 10).rounded())
            return
                "\(leg["paper"]?.string ?? ""): \(leg["engine"]?.string ?? "") \(tenths / 10).\(tenths % 10) s"
        }
        return legs + (report["consoleErrors"]?.array ?? []).prefix(5).compactMap(\.string)
    }
}

extension ConversionLine {
    init(_ conversion: Conversion) {
        let path = "/conversions/\(conversion.id)"
        self.init(
            id: conversion.id.text, name: conversion.name,
            state: State(rawValue: conversion.state.rawValue) ?? .failed, paperCount: conversion.papers.count,
            resultCount: conversion.results.count,
            picture: conversion.results.first.flatMap {
                ConversionPage.Result($0, path, pictures: 1).pictures.first
            },
            reason: conversion.reason, isKept: conversion.isKept, changedAt: conversion.changedAt)
    }
}

extension ConversionPage.Paper {
    init(_ paper: ConversionPaper, _ path: String, _ texts: Texts) {
        switch paper.content {
        case .address(let address):
            self.init(id: paper.id.text, name: paper.name, note: address, turn: paper.turn)
        case .file(let digest):
            let isShown = ["jpg", "png", "webp", "gif"].contains(paper.kind)
            self.init(
                id: paper.id.text, name: paper.name, note: paper.kind.uppercased(),
                byteCount: paper.byteCount, turn: paper.turn,
                picture: isShown ? "\(path)/papers/\(paper.id)/file?of=\(digest.hex.prefix(12))" : nil)
        }
    }
}

extension ConversionPage.Result {
    init(_ result: ConversionResult, _ path: String, pictures most: Int) {
        self.init(
            number: result.place, name: result.name, mediaType: result.blob.mediaType,
            byteCount: result.blob.byteCount, pageCount: result.pageCount, document: result.document?.text)
        // The same place may hold other bytes the next time.
        let version = result.blob.digest.hex.prefix(12)
        if let pages = result.pageCount {
            pictures = (0..<min(pages, most)).map {
                "\(path)/results/\(result.place)/pages/\($0 + 1)?width=240&of=\(version)"
            }
        } else if ["image/jpeg", "image/png", "image/webp"].contains(result.blob.mediaType) {
            pictures = ["\(path)/results/\(result.place)/file?of=\(version)"]
        }
    }
}

extension Visit {
    /// The sheets where this reader is: by the language's region, or the first region the browser names.
    var usualSize: String {
        let asked = Language.wishes(in: request.headers["Accept-Language"] ?? "")
        let tags = (wantsPage ? [language.tag] : []) + asked
        return ConversionOptions.usualSize(of: tags.first { $0.contains("-") } ?? "")
    }
}

extension ConversionPage.Wishes {
    init(_ conversion: Conversion, usualSize: String) {
        let wishes = conversion.wishes
        let kinds = Set(conversion.papers.compactMap { PaperKind.named($0.kind) })
        // What all of them can become, and what is wished now in any case.
        var goals =
            kinds.reduce(nil as Set<PaperKind>?) { found, kind in
                let own = Set(ConversionMap.goals(from: kind) + [kind])
                return found?.intersection(own) ?? own
            } ?? []
        if let goal = PaperKind.named(wishes.goal) { goals.insert(goal) }
        goals.insert(.pdf)
        self.init(
            goal: wishes.goal,
            goals: goals.map(\.name).sorted { ($0 != "pdf" ? 1 : 0, $0) < ($1 != "pdf" ? 1 : 0, $1) },
            isTogether: wishes.isTogether)
        self.usualSize = usualSize
        pageSize = wishes.options["page-size"]?.first ?? usualSize
        scan = wishes.options["scan"]?.first ?? ""
        if kinds.contains(where: { $0.family == .picture && ![.tiff, .gif, .svg].contains($0) }) {
            looks = ScanPage.looks
        }
        isReader = wishes.options["reader"] != nil
        hasBackground = wishes.options["background"] != nil
        steps = wishes.steps
        otherKinds = ConversionMap.goals(from: .pdf).map(\.name).filter { $0 != "pdf" }.sorted()
        isFindable = steps.contains(where: QuickStep.findable.isMeant)
        isSmaller = steps.contains(where: QuickStep.smaller.isMeant)
        isArchive = steps.contains(where: QuickStep.archive.isMeant)
    }
}
