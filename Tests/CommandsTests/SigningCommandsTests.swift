import Bytes
import Glibc
import PDF
import TestSupport
import Testing

@testable import Commands

/// Identities of a desk, and files that are signed with them.
@Suite struct SigningCommandsTests {
    private func paper() -> [UInt8] {
        var draft = PDFDraft()
        let content = draft.addStream([:], Array("0 0 10 10 re f".utf8))
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
                "MediaBox": .array([0, 0, 300, 300].map(PDFObject.integer)),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]),
            at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }

    @Test("a file is signed with an identity of the desk, twice, and says so", arguments: Way.allCases)
    func signing(way: Way) throws {
        try withDesk(way) { folder, run in
            let before = paper()
            try write(before, to: folder + "/lease.pdf")
            for name in ["Ana Gómez", "Office"] {
                let made = run(["identity", "new", name, "--key", name == "Office" ? "rsa" : "ec"])
                #expect(made.code == .done, "\(made.error)")
            }
            let list = run(["identity", "list"])
            #expect(list.output.contains("Ana Gómez") && list.output.contains("RSA 3072"), "\(list.output)")
            let first = run([
                "sign", "lease.pdf", "--with", "Ana Gómez", "--out", "signed.pdf", "--reason", "I agree",
                "--visible", "1,20,20,200,60",
            ])
            #expect(first.code == .done, "\(first.error)")
            let second = run(["sign", "signed.pdf", "--with", "Office", "--in-place"])
            #expect(second.code == .done, "\(second.error)")
            #expect(try Array(contents(of: folder + "/signed.pdf").prefix(before.count)) == before)
            let strange = run(["signatures", "signed.pdf"])
            #expect(strange.code == .invalid)
            #expect(strange.output.contains("uncertain: signed by Ana Gómez"), "\(strange.output)")
            let known = run(["signatures", "signed.pdf", "--desk"])
            #expect(known.code == .done, "\(known.output)\(known.error)")
            #expect(known.output.contains("good: signed by Office"), "\(known.output)")
            #expect(known.output.contains("afterwards, it was signed once more"), "\(known.output)")
            let exported = run(["identity", "export", "Office", "--out", "office.pem"])
            #expect(exported.code == .done, "\(exported.error)")
            let told = run(["signatures", "signed.pdf", "--trust", folder + "/office.pem", "--json"])
            #expect(told.code == .done, "\(told.output)")
        }
    }

    @Test(
        "many files are signed in one go, and what comes before a bad one is signed", arguments: Way.allCases)
    func several(way: Way) throws {
        try withDesk(way) { folder, run in
            #expect(run(["identity", "new", "Ana"]).code == .done)
            // More than are sent at once.
            let names = (0..<70).map { "\($0).pdf" }
            for name in names { try write(paper(), to: "\(folder)/\(name)") }
            let made = run(["sign"] + names + ["--with", "Ana", "--out", "signed"])
            #expect(made.code == .done, "\(made.error)")
            #expect(made.output.split(separator: "\n").count == names.count)
            for name in ["0.pdf", "63.pdf", "64.pdf", "69.pdf"] {
                let told = run(["signatures", "signed/\(name)", "--desk"])
                #expect(told.output.contains("good: signed by Ana"), "\(told.output)\(told.error)")
            }
            try write(Array("no paper".utf8), to: folder + "/1.pdf")
            let broken = run(["sign", "0.pdf", "1.pdf", "2.pdf", "--with", "Ana", "--out", "again"])
            #expect(broken.code != .done)
            #expect(access(folder + "/again/0.pdf", F_OK) == 0)
            #expect(access(folder + "/again/2.pdf", F_OK) != 0)
        }
    }

    @Test("what an earlier signer forbade is not done, and no file is written")
    func forbidden() throws {
        try withDesk(.here) { folder, run in
            try write(paper(), to: folder + "/rules.pdf")
            #expect(run(["identity", "new", "Office"]).code == .done)
            let certified = run([
                "sign", "rules.pdf", "--with", "Office", "--out", "final.pdf", "--certify", "none",
            ])
            #expect(certified.code == .done, "\(certified.error)")
            let again = run(["sign", "final.pdf", "--with", "Office", "--out", "more.pdf"])
            #expect(again.code == .conflict)
            #expect(again.error.contains("nothing may be changed"), "\(again.error)")
            #expect(access(folder + "/more.pdf", F_OK) != 0)
            let missing = run(["sign", "rules.pdf", "--with", "Nobody", "--out", "x.pdf"])
            #expect(missing.code == .notFound)
            #expect(run(["sign", "rules.pdf", "--with", "Office"]).code == .usage)
            #expect(run(["signatures", "rules.pdf"]).code == .notFound)
            #expect(run(["identity", "remove", "Office"]).code == .done)
            #expect(run(["sign", "rules.pdf", "--with", "Office", "--out", "x.pdf"]).code == .notFound)
        }
    }

    @Test("what speaks to a card is asked for only where cards are listed or sign")
    func modules() throws {
        try withDesk(.here) { folder, run in
            try write(paper(), to: folder + "/rules.pdf")
            let listed = run(["identity", "list", "--module", "/nowhere.so"])
            #expect(listed.code == .usage && listed.error.contains("--smart-cards"), "\(listed)")
            let signed = run([
                "sign", "rules.pdf", "--with", "Office", "--module", "/nowhere.so", "--out", "x.pdf",
            ])
            #expect(signed.code == .usage && signed.error.contains("--smart-card"), "\(signed)")
        }
    }
}
