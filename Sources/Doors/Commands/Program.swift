import App
import Bytes
import Glibc
import Markup
import Storage
import Transfer
import Web
import WebAssets
import Work

/// The command line from its words to its exit code.
public struct Program: Sendable {
    private let terminal: Terminal
    private let environment: [String: String]
    private let folder: String

    init(terminal: Terminal, environment: [String: String], folder: String) {
        self.terminal = terminal
        self.environment = environment
        self.folder = folder
    }

    /// As the process was called; ends with the code to exit with.
    public static func main(_ words: [String]) -> Int32 {
        // A reader that goes away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // One that was closed would become the next file we open, such as the database, and be written into.
        for file in [0, 1, 2] as [Int32] where fcntl(file, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
        let environment = Machine.environment
        let program = Program(
            terminal: .standard(environment), environment: environment, folder: currentFolder())
        return program.run(words, cancelledBySignals: true).rawValue
    }

    func run(
        _ words: [String], cancellation: Cancellation = Cancellation(), cancelledBySignals: Bool = false
    ) -> ExitCode {
        let code = said(words, cancellation, cancelledBySignals)
        guard code == .done, let trouble = terminal.trouble() else { return code }
        let failure = Failure(outputTrouble: trouble)
        terminal.writeError("\(terminal.errorStyle.bad("quire:")) \(inReadersLanguage(failure))\n")
        return ExitCode(failure.code)
    }

    private func said(
        _ words: [String], _ cancellation: Cancellation, _ cancelledBySignals: Bool
    ) -> ExitCode {
        let parser = Parser(root: .quire)
        do throws(UsageError) {
            let parsed = try parser.parse(words)
            if parsed.has(.version) {
                terminal.write(Version.line + "\n")
                return .done
            }
            if parsed.has(.help) || words.isEmpty {
                show(parsed)
                return .done
            }
            try parser.check(parsed)
            if cancelledBySignals { Signals.cancel(cancellation) }
            return carryOut(parsed, cancellation)
        } catch {
            return complain(error, inJSON: words.contains("--json"))
        }
    }

    private func show(_ parsed: Parsed) {
        let help = Help(parsed: parsed, style: terminal.outputStyle, width: min(terminal.width, 100))
        terminal.write(help.text)
    }

    private func carryOut(_ parsed: Parsed, _ cancellation: Cancellation) -> ExitCode {
        let invocation = Invocation(
            title: parsed.title, options: parsed.options, arguments: parsed.arguments, root: .quire,
            terminal: terminal, environment: environment, folder: folder, cancellation: cancellation)
        do {
            try parsed.command.run?(invocation)
            return .done
        } catch let error as UsageError {
            return complain(error, inJSON: invocation.isJSON)
        } catch let verdict as ExitCode {
            // The command has said itself what is wrong.
            return verdict
        } catch {
            return complain(Complaint(error), invocation)
        }
    }

    private func complain(_ error: UsageError, inJSON: Bool) -> ExitCode {
        if inJSON {
            let view: JSON = [
                "error": ["code": "usage", "message": .string(error.message), "hint": .string(error.hint)]
            ]
            terminal.writeError(view.text + "\n")
        } else {
            terminal.writeError("\(terminal.errorStyle.bad("quire:")) \(error.message). \(error.hint)\n")
        }
        return .usage
    }

    private func complain(_ complaint: Complaint, _ invocation: Invocation) -> ExitCode {
        let failure = complaint.failure
        if invocation.isJSON {
            let view: JSON = [
                "error": [
                    "code": .string(complaint.isOurs ? "internal" : failure.code.rawValue),
                    "message": .string(inReadersLanguage(failure)), "field": .optional(failure.field),
                    "cause": .optional(failure.cause),
                ]
            ]
            terminal.writeError(view.text + "\n")
        } else {
            var text =
                "\(terminal.errorStyle.bad("quire:")) \(TextTable.harmless(inReadersLanguage(failure)))\n"
            if let cause = failure.cause, invocation.isVerbose || complaint.isOurs {
                text += "  \(TextTable.harmless(cause))\n"
            }
            terminal.writeError(text)
        }
        return complaint.isOurs ? .mistakeOfOurs : ExitCode(failure.code)
    }

    /// As the locale wishes. English needs no catalog.
    private func inReadersLanguage(_ failure: Failure) -> String {
        let language = environment.language
        return language == .english ? failure.message : Texts(Assets().catalog, language)(failure)
    }

    private static func currentFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }
}

/// A command may end with a verdict of its own, such as `doctor` that has found something.
extension ExitCode: Error {}

extension [String: String] {
    /// That of the locale: `fr_CA.UTF-8`; English for those without a language.
    var language: Language {
        let tag = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        return Language.choose(preference: nil, acceptLanguage: String(tag))
    }

    /// `fr_CA.UTF-8`; empty when nothing is said.
    var locale: String {
        ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { self[$0] }.first { !$0.isEmpty } ?? ""
    }
}

/// Any error as a person is told it.
struct Complaint {
    var failure: Failure
    /// Not a `Failure`: a mistake in Quire.
    var isOurs = false

    init(_ error: any Error) {
        switch error {
        case let error as Failure: failure = error
        case is Cancelled: failure = Failure(.cancelled, "Cancelled. What was not finished was not begun.")
        case let error as TransferError: failure = Self.failure(error)
        default:
            failure = Failure(
                .unavailable, "Something went wrong inside Quire. Please report it with the line below.",
                cause: String(reflecting: error))
            isOurs = true
        }
    }

    private static func failure(_ error: TransferError) -> Failure {
        switch error {
        case .cancelled: Failure(.cancelled, "Cancelled.")
        case .invalidAddress: Failure(.invalid, "\(error). Write it like https://desk.example.org.")
        case .nameNotFound:
            Failure(.unavailable, "\(error). Check the spelling, and whether this machine is online.")
        case .unreachable, .timedOut:
            Failure(
                .unavailable, "\(error). Check that the desk is being served there and the address is right.")
        case .certificate:
            Failure(
                .denied,
                "\(error). If the desk made its certificate itself, name it with --server-certificate.")
        case .local(let path, let why): Failure(.unavailable, "\(path) cannot be read or written: \(why).")
        default: Failure(.unavailable, "\(error).")
        }
    }
}
