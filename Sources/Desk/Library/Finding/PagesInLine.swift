import PDFReading
import Storage
import Work

/// A paper whose pages are looked at.
struct PaperInLine: Sendable {
    /// A page that somebody has begun with.
    struct Page: Sendable {
        var number: Int
        var isDone = false
        var text: PageText?
        var languages: [String] = []
    }

    let document: Document
    let name: String
    /// Nil until the first page of a paper that is no PDF is looked at.
    var sheets: Sheets?
    /// Pages that nobody has begun with, by number from 1.
    var left: [Int] = []
    /// In order; those done wait here for the ones before them.
    var begun: [Page] = []
    /// The page up to which all is written down.
    var writtenTo = 0
    /// The languages that somebody asked for.
    var wanted = ""
    /// What its page before was written in.
    var languages: [String] = []
}

/// Pages of scans, handed to whichever lane is free, those of one paper after those of the other.
final class PagesInLine: Sendable {
    private struct State {
        var papers: [Int: PaperInLine] = [:]
        var turn = 0
        var done = 0
        var isStopped = false
    }

    private let recognition: PaperRecognition
    private let recognizer: Recognizer
    private let pageCount: Int
    private let progress: Progress
    private let state = Monitor(State())

    init(_ recognition: PaperRecognition, _ recognizer: Recognizer, pageCount: Int, _ progress: Progress) {
        self.recognition = recognition
        self.recognizer = recognizer
        self.pageCount = pageCount
        self.progress = progress
    }

    /// How many pages were looked at.
    var count: Int { state.read { $0.done } }

    /// One lane: page after page, until there are no more and none is being looked at, as more may come meanwhile.
    func work() throws {
        do {
            while true {
                guard let (turn, paper, page) = try take() else {
                    if isOver { return }
                    continue
                }
                let found = try recognition.look(
                    at: page, of: paper, recognition.recognizer(for: paper) ?? recognizer,
                    progress.cancellation)
                try put(found, page: page, turn: turn)
            }
        } catch {
            state.update { $0.isStopped = true }
            throw error
        }
    }

    /// Waits a moment for the other lanes; true when they have nothing to do either.
    private var isOver: Bool {
        state.wait(timeout: .milliseconds(250)) { $0.papers.isEmpty || $0.isStopped ? true : nil } ?? false
    }

    private func take() throws -> (turn: Int, paper: PaperInLine, page: Int)? {
        try progress.check()
        return try state.update { state in
            guard !state.isStopped else { return nil }
            var turn = state.papers.filter { !$0.value.left.isEmpty }.keys.min()
            if turn == nil, let next = try recognition.next(besides: state.papers.values.map(\.document.id)) {
                state.turn += 1
                state.papers[state.turn] = next
                turn = state.turn
                progress.phase(next.name)
            }
            guard let turn, var paper = state.papers[turn] else { return nil }
            let page = paper.left.removeFirst()
            paper.begun.append(PaperInLine.Page(number: page))
            state.papers[turn] = paper
            tell(state)
            return (turn, paper, page)
        }
    }

    /// Written down page by page and in their order, so that a long book that is interrupted goes on where it was.
    private func put(_ found: PaperRecognition.Look, page: Int, turn: Int) throws {
        try state.update { state in
            // Gone when another lane found that it is no longer on the desk.
            guard var paper = state.papers[turn],
                let place = paper.begun.firstIndex(where: { $0.number == page })
            else { return }
            paper.begun[place] = PaperInLine.Page(
                number: page, isDone: true, text: found.text, languages: found.languages)
            if found.text != nil { paper.languages = found.languages }
            if paper.sheets == nil, let sheets = found.sheets {
                paper.sheets = sheets
                paper.left = Array(page..<max(page, min(sheets.count, PaperText.mostPages))).map { $0 + 1 }
            }
            let done = paper.begun.prefix(while: \.isDone)
            paper.begun.removeFirst(done.count)
            let isLast = paper.begun.isEmpty && paper.left.isEmpty
            state.papers[turn] = paper
            guard let last = done.last else { return }
            let isThere = try recognition.keep(done, of: paper, isLast: isLast)
            state.papers[turn]?.writtenTo = last.number
            state.done += done.count
            if isLast || !isThere { state.papers[turn] = nil }
            tell(state)
        }
    }

    private func tell(_ state: State) {
        let known = state.papers.values.reduce(state.done) { $0 + $1.left.count + $1.begun.count }
        progress.set(done: Int64(state.done), total: Int64(max(pageCount, known)))
    }
}
