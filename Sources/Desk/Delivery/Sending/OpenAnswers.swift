import Synchronization
import Work

/// The letters of a mailing whose last line has left and whose answer is not written down yet.
///
/// Only these are uncertain when the program ends without warning, and somebody has to find out about each. However many
/// connections there are and however long a server thinks, they are at most one letter in fifty (one where there are
/// fewer): the others wait for their turn with all but the last line at the server, where ending costs nothing.
final class OpenAnswers: Sendable {
    let most: Int
    private let count = Monitor(0)

    init(of letters: Int) {
        most = max(1, letters / 50)
    }

    /// Waits for a turn; it is over when the answer is closed, or forgotten.
    func open() -> Answer {
        _ = count.wait { count -> Void? in
            guard count < most else { return nil }
            count += 1
            return ()
        }
        return Answer(self)
    }

    private func close() { count.update { $0 -= 1 } }

    final class Answer: Sendable {
        private let answers: Mutex<OpenAnswers?>

        fileprivate init(_ answers: OpenAnswers) {
            self.answers = Mutex(answers)
        }

        deinit { close() }

        func close() {
            let answers = answers.withLock { answers in
                defer { answers = nil }
                return answers
            }
            answers?.close()
        }
    }
}
