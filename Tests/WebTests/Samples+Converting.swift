import Work

@testable import Web

/// Receipts photographed, a page of the web, and an office paper that did not work.
extension Samples {
    static let conversions: [ConversionLine] = [
        ConversionLine(
            id: "c1", name: "Recibos de noviembre", state: .done, paperCount: 3, resultCount: 1,
            picture: "/conversions/c1/results/1/pages/1", changedAt: ago(2)),
        ConversionLine(
            id: "c2", name: "example.com", state: .running, paperCount: 1, changedAt: ago(1)),
        ConversionLine(
            id: "c3", name: "Q3 – budget prévisionnel, version longue et définitive", state: .failed,
            paperCount: 1, reason: "“budget.docx” is locked with a password.", changedAt: ago(60)),
        ConversionLine(id: "c4", name: "Untitled", state: .draft, paperCount: 2, changedAt: ago(400)),
        ConversionLine(
            id: "c5", name: "Old", state: .done, paperCount: 2, isKept: true, changedAt: ago(4000)),
    ]

    static func conversion(_ state: ConversionLine.State) -> ConversionPage {
        var line = conversions[0]
        line.state = state
        line.reason = state == .failed ? "“budget.docx” is locked with a password." : nil
        var page = ConversionPage(
            line: line, job: "j1", fraction: state == .running ? 0.4 : nil,
            phase: state == .running ? "budget.docx: libreoffice" : "",
            papers: [
                .init(
                    id: "p1", name: "IMG_0001.jpg", note: "JPG", byteCount: 2_310_442, turn: 90,
                    picture: "/conversions/c1/papers/p1/file"),
                .init(id: "p2", name: "budget <2026>.docx", note: "DOCX", byteCount: 18_204, turn: 0),
                .init(id: "p3", name: "example.com", note: "https://example.com/a?b=c", turn: 0),
            ],
            wishes: .init(
                goal: "pdf", goals: ["pdf", "jpg", "png"],
                steps: ["rotate=90", "author=Ada <A>", "txt", "encrypt"], otherKinds: ["png", "txt"]))
        page.hasPages = true
        if state == .draft { page.papers = [] }
        guard state == .done else { return page }
        page.results = [
            .init(
                number: 1, name: "Recibos de noviembre.pdf", mediaType: "application/pdf",
                byteCount: 5_000_000, pageCount: 3,
                pictures: (1...3).map { "/conversions/c1/results/1/pages/\($0)" }),
            .init(
                number: 2, name: "IMG_0002.png", mediaType: "image/png", byteCount: 500,
                pictures: ["/conversions/c1/results/2/file"]),
            .init(
                number: 3, name: "kept.txt", mediaType: "text/plain", byteCount: 3, document: "d1"),
        ]
        page.resultCount = 30
        page.folders = [
            FolderLine(id: "f1", name: "Steuern", path: "Steuern", depth: 0, count: 2),
            FolderLine(id: "f2", name: "<2026>", path: "Steuern/<2026>", depth: 1, count: 1, parent: "f1"),
        ]
        page.folder = "f2"
        page.remarks = ["The font Calibri is not on this desk’s computer; Carlito was used."]
        page.details = ["budget.docx: libreoffice 0.4 s"]
        return page
    }
}
