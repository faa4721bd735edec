import App
import Bytes
import Glibc
import Storage
import Web
import Work

extension Command {
    static let desk = Command(
        name: "desk", summary: "keep the whole desk encrypted on its disk",
        discussion: """
            Everything of the desk is encrypted by the file system: papers and their names, pages, words, people, the \
            database. Who finds or copies the disk reads nothing without the passphrase. While the desk is unlocked all \
            works as ever, so it does not keep out who gets into the running machine. It needs ext4 or f2fs, prepared \
            once by the administrator (tune2fs -O encrypt DEVICE); a database in PostgreSQL stays where it is. Backups \
            are encrypted apart from that: quire backup --encrypt.
            """,
        examples: [
            Example("quire desk encrypt --sheet sheet.pdf", "the desk that is there, or a new one"),
            Example("quire serve --unlock-with /run/keys/quire", "unlocks it, and locks it when it ends"),
            Example("quire desk unlock", "for commands without a server"),
            Example("quire desk lock", "until it is unlocked again"),
        ],
        subcommands: [
            encryptDesk, unlockDesk, lockDesk, passphraseOfDesk, sheetOfDesk, decryptDesk, statusOfDesk,
        ])

    private static let encryptDesk = Command(
        name: "encrypt", summary: "encrypt the desk that is there, or begin an encrypted one",
        discussion: """
            Asks for a passphrase, and gives a recovery key for when that is forgotten; without both the papers are lost \
            for good. No server may run on the desk. Everything is copied into an encrypted folder beside, compared, and \
            only then removed from where it lay; so it needs as much room again. Removed files can be found on a disk \
            until it writes over them: that a desk is encrypted from its beginning is best.
            """,
        options: [
            passphraseFile, recoverySheet,
        ],
        examples: [
            Example("quire desk encrypt --sheet recovery-sheet.pdf", "print it, and put it away"),
            Example("sudo -u quire quire desk encrypt --home /var/lib/quire", "the desk of the service"),
        ],
        run: { call in
            let config = try call.configHere("quire desk encrypt")
            let sheet = call.value("sheet").map(call.absolute)
            try EncryptedHome.requireNone(at: config.home)
            let passphrase = try call.newPassphrase()
            var shown: RecoveryKey?
            _ = try call.withProgress("Encrypting") { progress in
                try EncryptedHome.encrypt(config.home, passphrase: passphrase, progress: progress) { key in
                    shown = try call.hand(key, ofDeskIn: config.home, sheet)
                }
            }
            call.answer([
                "home": .string(config.home), "recoveryKey": .optional(shown?.text),
                "sheet": .optional(sheet),
            ]) { "The desk in \(config.home) is encrypted, and locked.\n" }
            if case .postgres = config.database {
                call.hint(
                    call.terminal.errorStyle.warning(
                        "Its database lies in PostgreSQL, which this does not encrypt: encrypt the disk there."
                    ))
            }
            call.hint("Next: \(call.again("serve", home: config.home))")
        })

    private static let unlockDesk = Command(
        name: "unlock", summary: "unlock the desk, until it is locked or the machine starts anew",
        options: [secretFile], examples: [Example("quire desk unlock", "asks for the passphrase")],
        run: { call in
            let home = try call.encryptedDesk("quire desk unlock")
            let isNew = try home.isUnlocked ? false : home.unlock(call.unlockingSecret(for: home))
            call.answer(["home": .string(home.place), "isUnlocked": true]) {
                isNew ? "The desk is unlocked.\n" : "The desk was unlocked already.\n"
            }
        })

    private static let lockDesk = Command(
        name: "lock", summary: "lock the desk: nobody reads it until it is unlocked again",
        discussion:
            "No server may run on it. A server that unlocked the desk locks it by itself when it ends.",
        examples: [Example("quire desk lock", "before the machine is left alone")],
        run: { call in
            let home = try call.encryptedDesk("quire desk lock")
            guard !DataDirectory(home.place).isBeingServed else {
                throw Failure(.conflict, "A server is running on this desk. End it first; it locks the desk.")
            }
            guard try home.lock() else {
                throw Failure(
                    .conflict,
                    "Another program still has files of the desk open. They can be read until it closes them; then lock once more."
                )
            }
            call.answer(["home": .string(home.place), "isUnlocked": false]) { "The desk is locked.\n" }
        })

    private static let passphraseOfDesk = Command(
        name: "passphrase", summary: "change the passphrase, also with the recovery key",
        discussion:
            "Asks for the passphrase so far, or the recovery key, which stays valid; then for the new one.",
        options: [secretFile, passphraseFile],
        examples: [Example("quire desk passphrase", "when somebody left who knows it")],
        run: { call in
            let home = try call.encryptedDesk("quire desk passphrase")
            let secret = try call.unlockingSecret(for: home, asking: "Passphrase so far, or recovery key: ")
            try home.change(secret, to: try call.newPassphrase())
            call.answer(["home": .string(home.place)]) {
                "From now on the new passphrase unlocks the desk.\n"
            }
        })

    private static let sheetOfDesk = Command(
        name: "sheet", summary: "make a new recovery key; the one so far opens nothing any more",
        options: [secretFile, recoverySheet],
        examples: [
            Example("quire desk sheet --sheet sheet.pdf", "when the old one was lost, or seen by somebody")
        ],
        run: { call in
            let home = try call.encryptedDesk("quire desk sheet")
            let secret = try call.unlockingSecret(for: home)
            let sheet = call.value("sheet").map(call.absolute)
            var shown: RecoveryKey?
            try home.renewRecovery(secret) { shown = try call.hand($0, ofDeskIn: home.place, sheet) }
            call.answer([
                "home": .string(home.place), "recoveryKey": .optional(shown?.text), "sheet": .optional(sheet),
            ]) { "The recovery key so far opens nothing any more.\n" }
        })

    private static let decryptDesk = Command(
        name: "decrypt", summary: "bring the desk back into the open",
        discussion: "Copies and compares as encrypting does; needs as much room again.",
        options: [secretFile],
        examples: [Example("quire desk decrypt", "for a disk that is encrypted as a whole")],
        run: { call in
            let home = try call.encryptedDesk("quire desk decrypt")
            if try !home.isUnlocked { try home.unlock(call.unlockingSecret(for: home)) }
            try call.withProgress("Decrypting") { try home.decrypt(progress: $0) }
            call.answer(["home": .string(home.place)]) {
                "The desk in \(home.place) lies in the open again.\n"
            }
        })

    private static let statusOfDesk = Command(
        name: "status", summary: "say whether the desk is encrypted, and whether it is locked",
        examples: [Example("quire desk status --json", "for scripts")],
        run: { call in
            let config = try call.configHere("quire desk status")
            let home = try EncryptedHome.at(config.home)
            let isUnlocked = try home?.isUnlocked
            call.answer([
                "home": .string(config.home), "isEncrypted": .bool(home != nil),
                "isUnlocked": isUnlocked.map(JSON.bool) ?? .null,
            ]) {
                switch isUnlocked {
                case nil: "The desk in \(config.home) is not encrypted on its disk.\n"
                case true?: "The desk in \(config.home) is encrypted, and unlocked.\n"
                case false?: "The desk in \(config.home) is encrypted, and locked.\n"
                }
            }
        })

    private static let recoverySheet = Option(
        "sheet", "FILE", "write the recovery key as a sheet to print; without it, it is shown once",
        completion: .file)
    private static let secretFile = Option(
        "with", "FILE", "the passphrase or recovery key is the first line of this file; - is standard input",
        completion: .file)
    private static let passphraseFile = Option(
        "passphrase-file", "FILE", "the new passphrase is the first line of this file; - is standard input",
        completion: .file)
}

extension Invocation {
    /// The desk of this machine that is meant, which is encrypted.
    fileprivate func encryptedDesk(_ words: String) throws -> EncryptedHome {
        let config = try configHere(words)
        guard let home = try EncryptedHome.at(config.home) else {
            throw Failure(
                .notFound,
                "The desk in \(config.home) is not encrypted on its disk. Encrypt it with: \(again("desk encrypt"))"
            )
        }
        return home
    }

    /// Gives the recovery key to whoever sits there, before anything depends on it: as a sheet, or told once. A program is
    /// told it in the answer, and gets it back from here.
    fileprivate func hand(_ key: RecoveryKey, ofDeskIn place: String, _ sheet: String?) throws -> RecoveryKey?
    {
        if let sheet {
            let bytes = try EncryptionSheet(
                place: place, key: key, day: String(Clock.system.now().iso8601.prefix(10))
            ).pdf(in: environment.language)
            // Whoever reads it opens the desk.
            let file = try NewFile(sheet, mode: 0o600)
            try bytes.withUnsafeBytes { try file.write($0) }
            try file.finish()
            hint(
                "The recovery sheet is in \(sheet). Print it, put it away from this machine, and delete the file."
            )
            return nil
        }
        guard !isJSON else { return key }
        let text = "The recovery key, shown this once:\n  \(key.text)\n"
        if let trouble = terminal.writeOnce?(text) { throw Failure(outputTrouble: trouble) }
        if terminal.writeOnce == nil { terminal.write(text) }
        hint(
            "Write it down, and put it away from this machine: it opens the desk when the passphrase is forgotten."
        )
        return nil
    }

    fileprivate func newPassphrase() throws -> String {
        if let path = value("passphrase-file") { return try firstLine(of: path) }
        return try typedTwice(
            "New passphrase: ",
            else: Failure(
                .invalid, "The two passphrases are not the same. Nothing was changed.", field: "passphrase"))
    }

    /// Out of the file that was named or that the service was given, or typed.
    func unlockingSecret(
        for home: EncryptedHome, from file: String? = nil,
        asking question: String = "Passphrase, or recovery key: "
    ) throws -> String {
        if let path = file ?? value("with") { return try firstLine(of: path) }
        // systemd's, which may keep it sealed by the machine's TPM.
        if let folder = environment["CREDENTIALS_DIRECTORY"], Files.exists("\(folder)/quire-unlock") {
            return try firstLine(of: "\(folder)/quire-unlock")
        }
        for attempt in 1... {
            guard let typed = terminal.ask(question, true), !typed.isEmpty else { break }
            guard terminal.isInputTerminal, attempt < 3 else { return typed }
            if home.opens(typed) { return typed }
            terminal.writeError("That is neither the passphrase of this desk nor its recovery key.\n")
        }
        throw Failure(
            .invalid,
            "The desk in \(home.place) is encrypted, and no passphrase was given. Type it, or name a file: \(again("serve --unlock-with FILE", home: home.place))",
            field: "passphrase")
    }
}
