import Glibc
import People
import SQL
import Storage
import TestSupport
import Testing
import Transfer

@Suite("Contacts", .serialized)
struct ContactsTests {
    private func card(_ uid: String, _ name: String, _ email: String) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:\(name);;;;\r\nEMAIL:\(email)\r\nEND:VCARD\r\n"
    }

    @Test("Cards of a file are contacts that can be searched, and come once", arguments: Database.Kind.here)
    func cards(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            let file = card("1", "Zoë Müller", "zoe@example.org") + card("2", "Bo", "bo@example.org")
            #expect(try contacts.bring(cards: Array(file.utf8), named: "phone.vcf", by: ada).added == 2)
            let again = try contacts.bring(
                cards: Array(
                    (card("1", "Zoë Maier", "zoe@example.org") + card("2", "Bo", "bo@example.org")).utf8),
                named: "phone.vcf", by: ada)
            #expect(again.changed == 1)
            #expect(again.unchanged == 1)
            let found = try contacts.page(search: "zoe MAIER", by: ada)
            #expect(found.contacts.map(\.name) == ["Zoë Maier"])
            #expect(found.contacts.first?.email == "zoe@example.org")
            #expect(try contacts.page(by: ada).matchCount == 2)
        }
    }

    @Test("Contacts go on a list once, and stay when its file comes again")
    func ontoLists() throws {
        try withRecipients { recipients, _ in
            let contacts = Contacts(recipients)
            try contacts.bring(
                cards: Array((card("1", "Zoë", "zoe@example.org") + card("2", "Bo", "bo@example.org")).utf8),
                named: "phone.vcf", by: ada)
            let list = try recipients.make("Party", by: ada)
            try recipients.bring("Name;Mail\nBo;BO@example.org\n", into: list.id)
            let all = try contacts.page(by: ada).contacts.map(\.id)
            let (changed, alreadyThere) = try contacts.add(all, to: list.id, by: ada)
            #expect(changed?.count == 1)
            #expect(alreadyThere == 1)
            try recipients.bring("Name;Mail\nBo;bo@example.org\nCy;cy@example.org\n", into: list.id)
            #expect(
                try recipients.shown(list.id) == [
                    ["Bo", "bo@example.org"], ["Cy", "cy@example.org"], ["Zoë", "zoe@example.org"],
                ])
        }
    }

    @Test(
        "An address book on a server is found, pulled, and followed as it changes",
        .enabled(if: Peer.has("radicale"), "the Python package Radicale is not installed (bin/setup --check)")
    )
    func pulling() throws {
        try withScratchFolder { folder in
            let book = "\(folder)/collection-root/ana/friends"
            for path in ["\(folder)/collection-root", "\(folder)/collection-root/ana", book] {
                mkdir(path, 0o700)
            }
            try write(
                "{\"tag\": \"VADDRESSBOOK\", \"D:displayname\": \"Friends\"}", "\(book)/.Radicale.props")
            try write(card("a", "Ana & Co", "ana@example.org"), "\(book)/a.vcf")
            try write(card("b", "Bo", "bo@example.org"), "\(book)/b.vcf")
            let peer = try Peer("carddav.py", [folder])
            try withExtendedLifetime(peer) {
                try withRecipients { recipients, _ in
                    let contacts = Contacts(recipients, http: HTTPClient(guardian: .anywhere))
                    #expect(throws: Failure.self) {
                        try contacts.addBook(peer.url, userName: "ana", password: "wrong", by: ada)
                    }
                    #expect(throws: Failure.self) {
                        try contacts.addBook(peer.url, userName: "ana", password: "geheim", by: viewer)
                    }
                    let added = try contacts.addBook(peer.url, userName: "ana", password: "geheim", by: ada)
                    #expect(added.name == "Friends")
                    #expect(try contacts.pull(added.id, by: ada).added == 2)
                    #expect(try contacts.page(search: "ana", by: ada).contacts.map(\.name) == ["Ana & Co"])
                    try write(card("b", "Bob", "bob@example.org"), "\(book)/b.vcf")
                    unlink("\(book)/a.vcf")
                    let counts = try contacts.pull(added.id, by: ada)
                    #expect(counts.changed == 1)
                    #expect(counts.gone == 1)
                    #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Bob"])
                    #expect(try contacts.pull(added.id, by: ada).unchanged == 1)
                }
            }
        }
    }

    private func write(_ text: String, _ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = Array(text.utf8)
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }
}
