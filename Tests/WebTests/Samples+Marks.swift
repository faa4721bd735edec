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
        return [
            MarksPage(line: documents[0], version: 1, sheets: sheets, marks: []),
            MarksPage(
                line: documents[0], version: 3, sheets: sheets, marks: notes,
                broken: .init(byNotes: nil, byDrawing: "Ana Gómez")),
            MarksPage(
                line: documents[0], version: 3, sheets: sheets, marks: notes,
                broken: .init(byNotes: "Ana Gómez", byDrawing: "Ana Gómez")),
        ]
    }
}
