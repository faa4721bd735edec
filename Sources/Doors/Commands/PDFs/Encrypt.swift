import Bytes
import Conversion
import Glibc
import Kinds
import PDF
import PDFForms
import Storage

extension Command {
    static let encrypt = Command(
        name: "encrypt", summary: "lock a PDF file with a password (AES-256)",
        discussion: """
            Whoever opens the result needs the password. --allow says what may then be done with it; programs hold to that \
            by courtesy, so it is a request and not a lock. An owner's password opens it without such limits.

            A password typed behind a command can be seen by others on this machine; --password-file reads it from \
            a file, and from what is typed or piped in with a dash. The same file and passwords give the same result. \
            No desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "a PDF file", completion: .file),
            Argument(name: "RESULT", summary: "the file to write", completion: .file),
        ],
        options: [
            Option("user-password", "PASSWORD", "opens the result"),
            Option(
                "password-file", "FILE", "the password that opens the result is the first line of this file",
                completion: .file),
            Option("owner-password", "PASSWORD", "opens the result without limits"),
            Option(
                "allow", "WORDS",
                "what may be done: print, copy, change, annotate, fill, assemble, with commas; or all, none"),
            PDFWork.force, PDFWork.password,
        ],
        examples: [
            Example(
                "quire encrypt letter.pdf locked.pdf --password-file secret.txt",
                "to be opened with a password"),
            Example(
                "quire encrypt form.pdf open.pdf --user-password '' --owner-password boss --allow print,fill",
                "opens for everybody, to be printed and filled only"),
        ],
        run: { call in
            let work = PDFWork(call)
            try withForms {
                let lock = try PDFLock(
                    userPassword: Self.userPassword(call), ownerPassword: call.value("owner-password"),
                    permissions: Self.permissions(call))
                let file = try work.open(call.arguments[0])
                if try Form(bytes: file.bytes, password: call.value("password")).protection != .none {
                    throw Failure(
                        .unsupported, "The file is signed: encrypting it would break the signature.")
                }
                var whole = try file.rewritten()
                if PDFTools.claimedArchivePart(whole) != nil {
                    let paper = Paper(name: call.arguments[0], kind: .pdf, bytes: whole)
                    whole = try withConversion { try PDFTools.unclaimed(paper).bytes }
                    call.hint(
                        "The file was PDF/A; a locked one is none, and the result does not say so any more.")
                }
                let locked = try LockableFile(whole).locked(lock)
                // Read again the way a stranger would, before anybody relies on it.
                _ = try PDFFile(bytes: locked, password: lock.userPassword)
                try work.keep(locked, call.arguments[1], pages: file.pages.count)
            }
        })

    static let decrypt = Command(
        name: "decrypt", summary: "take the password off a PDF file",
        discussion: """
            The result opens for everybody and has no limits any more. The password must be known: nothing is guessed. \
            No desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "a locked PDF file", completion: .file),
            Argument(name: "RESULT", summary: "the file to write", completion: .file),
        ],
        options: [PDFWork.force, PDFWork.password],
        examples: [
            Example("quire decrypt locked.pdf open.pdf --password secret", "a copy without a password")
        ],
        run: { call in
            let work = PDFWork(call)
            try withForms {
                let file = try work.open(call.arguments[0])
                guard let encryption = file.encryption else {
                    throw Failure(.conflict, "“\(call.arguments[0])” has no password; nothing was written.")
                }
                try work.keep(file.rewritten(), call.arguments[1], pages: file.pages.count)
                if !encryption.openedAsOwner, encryption.permissions != .all {
                    call.hint("The file's owner had set limits; the result has none. Mind what was agreed.")
                }
            }
        })

    private static func userPassword(_ call: Invocation) throws -> String {
        if let password = call.value("user-password") { return password }
        guard let path = call.value("password-file") else {
            throw UsageError(
                message: "\(call.title) needs a password",
                hint: "Say --password-file FILE, or --user-password PASSWORD.")
        }
        return try call.firstLine(of: path)
    }

    private static func permissions(_ call: Invocation) throws -> PDFLock.Permissions {
        guard let text = call.value("allow") else { return .all }
        if text == "none" { return [] }
        if text == "all" { return .all }
        var permissions: PDFLock.Permissions = []
        for word in text.split(separator: ",") {
            let name = word.filter { $0 != " " }
            guard let known = PDFLock.Permissions.words.first(where: { $0.word == name }) else {
                throw UsageError(
                    message: "--allow does not know “\(name)”",
                    hint:
                        "It knows \(PDFLock.Permissions.words.map(\.word).joined(separator: ", ")), all, none."
                )
            }
            permissions.formUnion(known.permission)
        }
        return permissions
    }
}
