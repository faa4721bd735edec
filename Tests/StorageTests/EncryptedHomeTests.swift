import Crypto
import Glibc
import Storage
import TestSupport
import Testing
import Work

/// What a file system that can encrypt has to do with it is in Tests/Operator/run, which makes one.
@Suite("A desk that is encrypted on its disk")
struct EncryptedHomeTests {
    @Test("A short passphrase is refused before anything is made")
    func short() throws {
        try withQuickFolder { folder in
            let failure = #expect(throws: Failure.self) { try encrypt(folder, "eleven lett") }
            #expect(failure?.message.contains("at least 12 characters") == true)
            #expect(files(below: folder) == [])
        }
    }

    @Test("Where the file system cannot encrypt it is said, and nothing is left behind")
    func unable() throws {
        // Memory is no disk; nothing in it is ever encrypted.
        guard access("/dev/shm", W_OK) == 0 else { return }
        try withQuickFolder { folder in
            let failure = #expect(throws: Failure.self) { try encrypt(folder, "correct horse battery") }
            #expect(failure?.code == .unsupported)
            #expect(failure?.message.contains("cannot encrypt folders; ext4 and f2fs can") == true)
            #expect(files(below: folder) == [])
        }
    }

    @Test(
        "A head that is damaged, or asks for more memory than anybody has, is told and opens nothing",
        arguments: [
            "", "{", "[]", #"{"form":2,"key":"00","locks":[]}"#,
            #"{"form":1,"key":"00112233445566778899aabbccddeeff","locks":[]}"#,
            #"{"form":1,"key":"0011","locks":[{"kind":"recovery","salt":"00","passes":1,"memory":8192,"sealed":"00"}]}"#,
            #"{"form":1,"key":"00112233445566778899aabbccddeeff","locks":[{"kind":"passphrase","salt":"00112233445566778899aabbccddeeff","passes":1,"memory":99999999999999,"sealed":"00"}]}"#,
        ])
    func damaged(head: String) throws {
        try withQuickFolder { folder in
            writeFile("\(folder)/encryption.json", Array(head.utf8))
            let failure = #expect(throws: Failure.self) { _ = try EncryptedHome.at(folder) }
            #expect(failure?.code == .damaged)
            // Above all no new desk is begun where one lies that cannot be read.
            #expect(throws: Failure.self) { _ = try Store.open(home: folder, areas: []) }
            #expect(files(below: folder) == ["encryption.json"])
        }
    }

    private func encrypt(_ folder: String, _ passphrase: String) throws {
        _ = try EncryptedHome.encrypt(folder, passphrase: passphrase, cost: .least) { _ in }
    }
}
