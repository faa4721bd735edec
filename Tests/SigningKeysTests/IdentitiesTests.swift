@testable import Access
import Bytes
import Crypto
import HTTP
import HTTPServer
import Jobs
import Library
import PDF
import SQL
import Signing
import SigningKeys
import Storage
import TestSupport
import Testing
import Work

private let machine = Caller(memberID: nil, name: "Ada", role: .owner, via: .local)

/// The identities of one test, with two members: an owner and an editor.
private func withIdentities<R>(
    _ kind: Database.Kind = .sqlite,
    _ body: (Identities, Documents, Store, _ ana: Caller, _ bo: Caller) throws -> R
) throws -> R {
    let areas = [Gate.migrations, JobQueue.migrations, Documents.migrations, Identities.migrations]
    return try withStore(kind, areas: areas) { store in
        let gate = Gate(store)
        func member(_ name: String, _ role: Role) throws -> Caller {
            try store.write { tx in
                let id: ID<Member> = tx.newID()
                try tx.run(
                    """
                    INSERT INTO member (id, name, sign_in_name, role, handle, joined_at)
                    VALUES (\(id), \(name), \(name.lowercased()), \(role.rawValue), \(Array(name.utf8)), \(tx.now))
                    """)
                return Caller(memberID: id, name: name, role: role, via: .local)
            }
        }
        let key = try SealingKey(bytes: [UInt8](repeating: 7, count: 32))
        let identities = Identities(gate, desk: { "Desk of trial" }, key: { key })
        return try body(
            identities, Documents(gate), store, member("Ana", .owner), member("Bo", .editor))
    }
}

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

/// An authority on this machine that answers about those it vouches for: `openssl ocsp` and `openssl ca` behind a door.
private struct VouchingAuthority {
    let folder: String
    let address: String
    var root: X509Certificate {
        get throws { try #require(X509Certificate.all(pem: contents(of: folder + "/root.pem")).first) }
    }

    static func with<R>(_ body: (VouchingAuthority) throws -> R) throws -> R {
        try withScratchFolder { folder in
            let routes = [
                Route(.post, "/answers") { request in
                    try answer(
                        request, in: folder,
                        "openssl ocsp -index index -CA root.pem -rsigner root.pem -rkey rk.pem -reqin q -respout a -ndays 7"
                    )
                },
                Route(.get, "/list") { _ in
                    let made = try sh(
                        "cd \(folder) && openssl ca -config ca.cnf -gencrl -crldays 30 -cert root.pem -keyfile rk.pem -out l.pem && openssl crl -in l.pem -outform DER -out l.der"
                    )
                    guard made.succeeded else { throw PeerError(why: made.errorText) }
                    return Response(body: .bytes(try contents(of: folder + "/l.der")))
                },
                Route(.get, "/root") { _ in
                    Response(body: .bytes(try contents(of: folder + "/root.pem")))
                },
            ]
            return try withDoor(routes) { address in
                let made = try sh(
                    """
                    cd \(folder) && openssl req -x509 -newkey rsa:2048 -nodes -subj '/CN=Root' -days 3650 -keyout rk.pem -out root.pem \
                    && touch index && echo 01 > number \
                    && printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=index\\ncrlnumber=number\\ndefault_md=sha256\\n' > ca.cnf
                    """)
                guard made.succeeded else { throw PeerError(why: made.errorText) }
                return try body(VouchingAuthority(folder: folder, address: address))
            }
        }
    }

    private static func sh(_ script: String) throws -> Child.Outcome {
        try Child("/bin/sh", ["-c", script], environment: Child.usualEnvironment).run()
    }

    /// Somebody it vouches for, whose file does not bring the certificate above.
    func issue(_ extensions: String) throws -> [UInt8] {
        let made = try Self.sh(
            """
            cd \(folder) && printf '\(extensions)\\nauthorityKeyIdentifier=keyid\\nkeyUsage=digitalSignature\\n' > e.cnf \
            && openssl req -newkey rsa:2048 -nodes -subj '/CN=Clerk' -keyout k.pem -out r.csr \
            && openssl x509 -req -in r.csr -CA root.pem -CAkey rk.pem -set_serial 0x1234 -days 900 -extfile e.cnf -out c.pem \
            && printf 'V\\t401231000000Z\\t\\t1234\\tunknown\\t/CN=Clerk\\n' > index \
            && openssl pkcs12 -export -inkey k.pem -in c.pem -passout pass:open -out one.p12
            """)
        guard made.succeeded else { throw PeerError(why: made.errorText) }
        return try contents(of: folder + "/one.p12")
    }

    func takeBack() throws {
        try write(
            Array("R\t401231000000Z\t261120000000Z\t1234\tunknown\t/CN=Clerk\n".utf8),
            to: folder + "/index")
    }
}

@Suite("In whose name papers are signed")
struct IdentitiesTests {
    @Test(
        "a paper is signed, checked on the same desk, and what it was is kept", arguments: Database.Kind.here)
    func signing(kind: Database.Kind) throws {
        try withIdentities(kind) { identities, documents, store, ana, _ in
            let me = try identities.make(named: "Ana Gómez", mail: "ana@example.org", by: ana)
            #expect(me.certificate.issuerName == "Authority of Desk of trial")
            let before = paper()
            let added = try documents.add(.bytes(before), named: "lease.pdf", by: ana).document
            var wish = SigningWish(at: 0)
            wish.reason = "I agree"
            let signed = try identities.sign(added, with: me.id, wish, documents: documents, by: ana)
            #expect(signed.version == 2)
            let bytes = try store.blobs.read(signed.blob.digest)
            #expect(Array(bytes.prefix(before.count)) == before)
            let one = try #require(try identities.signatures(of: signed, by: ana)?.signatures.first)
            #expect(one.verdict == .good, "\(one.findings)")
            #expect(one.signer == "Ana Gómez")
            #expect(try documents.versions(of: added.id, by: ana).map(\.number) == [2, 1])
        }
    }

    @Test(
        "an identity signs for its member alone, and its key is not to be read in the database",
        arguments: Database.Kind.here)
    func belonging(kind: Database.Kind) throws {
        try withIdentities(kind) { identities, documents, store, ana, bo in
            let hers = try identities.make(named: "Ana", by: ana)
            let his = try identities.make(named: "Bo", key: .rsa, by: bo)
            #expect(try identities.list(by: bo).map(\.id) == [his.id])
            #expect(try identities.list(by: machine).count == 2)
            let digest = [UInt8](repeating: 1, count: 32)
            #expect(throws: Failure.self) { try identities.sign(digest: digest, with: hers.id, by: bo) }
            #expect(throws: Failure.self) { try identities.remove(hers.id, by: bo) }
            #expect(throws: Failure.self) { try identities.sign(digest: [1], with: hers.id, by: ana) }
            #expect(try !identities.sign(digest: digest, with: hers.id, by: ana).message.isEmpty)
            let sealed = try store.read { try $0.rows("SELECT sealed FROM signing_identity") }
            for row in sealed {
                let text = String(decoding: try row.blob("sealed"), as: UTF8.self)
                #expect(!text.contains("PRIVATE KEY"))
            }
            try identities.remove(hers.id, by: ana)
            #expect(throws: Failure.self) { try identities.sign(digest: digest, with: hers.id, by: ana) }
        }
    }

    @Test("whom the desk was told to trust is trusted until it is told otherwise")
    func trusting() throws {
        try withIdentities { identities, documents, _, ana, bo in
            let other = try SigningIdentity.authority(named: "Company", from: 1_795_000_000)
            let clerk = try other.issue(to: "Clerk", from: 1_795_000_000)
            let signed = try PaperSigner(paper(), now: 1_795_260_900).sign(
                with: Signatory(clerk.writer), SigningWish(at: 1_795_260_900))
            let document = try documents.add(.bytes(signed), named: "order.pdf", by: ana).document
            func verdict() throws -> CheckedSignature.Verdict? {
                try identities.signatures(of: document, by: ana)?.signatures.first?.verdict
            }
            #expect(try verdict() == .uncertain)
            #expect(throws: Failure.self) {
                try identities.trust(pem: Array(other.certificate.pem.utf8), by: bo)
            }
            let trusted = try identities.trust(pem: Array(other.certificate.pem.utf8), by: ana)
            #expect(try verdict() == .good)
            try identities.distrust(try #require(trusted.first).id, by: ana)
            #expect(try verdict() == .uncertain)
        }
    }

    @Test("an identity of another authority is taken in with its password, and with no other")
    func importing() throws {
        try withScratchFolder { folder in
            let made = try Child(
                "/bin/sh",
                [
                    "-c",
                    """
                    cd \(folder) && openssl req -x509 -newkey rsa:2048 -nodes -subj '/CN=From Afar' -days 900 \
                    -keyout k.pem -out c.pem && for way in '' '-legacy'; do openssl pkcs12 -export $way -inkey k.pem \
                    -in c.pem -out a$way.p12 -passout pass:open; done
                    """,
                ], environment: Child.usualEnvironment
            ).run()
            guard made.succeeded else { throw PeerError(why: made.errorText) }
            try withIdentities { identities, _, _, ana, _ in
                for name in ["a.p12", "a-legacy.p12"] {
                    let bytes = try contents(of: "\(folder)/\(name)")
                    #expect(throws: Failure.self) {
                        try identities.take(pkcs12: bytes, password: "shut", by: ana)
                    }
                    let taken = try identities.take(pkcs12: bytes, password: "open", by: ana)
                    #expect(taken.name == "From Afar")
                    let digest = [UInt8](repeating: 1, count: 32)
                    #expect(try !identities.sign(digest: digest, with: taken.id, by: ana).message.isEmpty)
                }
                #expect(throws: Failure.self) {
                    try identities.take(pkcs12: [1, 2, 3], password: "", by: ana)
                }
            }
        }
    }

    @Test("a time stamp authority attests when, and without it nothing is signed")
    func stamping() throws {
        try withStamps { address, root in
            try withIdentities { identities, documents, store, ana, _ in
                let me = try identities.make(named: "Ana", by: ana)
                let added = try documents.add(.bytes(paper()), named: "lease.pdf", by: ana).document
                #expect(throws: Failure.self) {
                    try identities.sign(
                        added, with: me.id, SigningWish(at: 0),
                        asking: .init(timestamp: "http://127.0.0.1:1/stamp"), documents: documents,
                        by: ana)
                }
                #expect(try documents.versions(of: added.id, by: ana).count == 1)
                let signed = try identities.sign(
                    added, with: me.id, SigningWish(at: 0), asking: .init(timestamp: address),
                    documents: documents, by: ana)
                let before = try #require(try identities.signatures(of: signed, by: ana)?.signatures.first)
                #expect(before.findings.contains(.stampUntrusted), "\(before.findings)")
                _ = try identities.trust(pem: Array(root.pem.utf8), by: ana)
                let one = try #require(try identities.signatures(of: signed, by: ana)?.signatures.first)
                #expect(one.stamp?.authority == "Clock")
                #expect(one.stamp?.isTrusted == true, "\(one.findings)")
                #expect(!one.findings.contains(.timeUnproven))
                // The same paper, long after the certificate has run out: the stamp proves that it was signed before.
                let bytes = try store.blobs.read(signed.blob.digest)
                let later = try SignedPaper(
                    bytes, trusting: identities.anchors(), now: 1_795_260_900 + 1_400 * 86_400)
                #expect(later.signatures.first?.stamp?.isTrusted == true)
            }
        }
    }

    @Test(
        "several papers are signed one after another; what cannot be is named, and a second attempt signs nothing twice"
    )
    func several() throws {
        try withIdentities { identities, documents, store, ana, bo in
            let queue = JobQueue(store)
            let papers = SignedPapers(identities, documents: documents, queue: queue)
            func work() {
                let runner = JobRunner(queue, threads: 1)
                papers.handle(in: runner)
                runner.runUntilIdle()
                runner.stop()
            }
            let hers = try identities.make(named: "Ana", by: ana)
            let lease = try documents.add(.bytes(paper()), named: "lease.pdf", by: ana).document
            let note = try documents.add(.bytes(Array("words".utf8)), named: "note.txt", by: ana).document
            var wish = SignedPapers.Wish(hers.id)
            wish.seen = .last
            #expect(throws: Failure.self) { try papers.begin([lease.id], wish, by: bo) }
            #expect(throws: Failure.self) { try papers.begin([], wish, by: ana) }
            let job = try papers.begin([lease.id, note.id], wish, by: ana)
            work()
            let result = try #require(try queue.get(job)?.result)
            #expect(result["signed"]?.int == 1, "\(result)")
            #expect(result["left"]?.array?.first?["name"]?.string == "note.txt")
            let signed = try documents.get(lease.id, by: ana)
            #expect(signed.version == 2)
            #expect(try identities.signatures(of: signed, by: ana)?.signatures.map(\.verdict) == [.good])

            // As it was promised before the paper had its second version: what an interrupted attempt finds.
            _ = try store.write { tx in
                try queue.add(.signPapers, payload: try #require(try queue.get(job)).payload, in: tx)
            }
            work()
            #expect(try documents.get(lease.id, by: ana).version == 2)
        }
    }

    @Test("with proofs a paper of the desk's own authority says for good that nobody had been taken back")
    func ownProofs() throws {
        try withIdentities { identities, documents, store, ana, _ in
            let me = try identities.make(named: "Ana", by: ana)
            let added = try documents.add(.bytes(paper()), named: "lease.pdf", by: ana).document
            func signed(_ wish: SigningWish, proofs: Bool) throws -> CheckedSignature {
                let document = try documents.get(added.id, by: ana)
                let signed = try identities.sign(
                    document, with: me.id, wish, asking: .init(proofs: proofs), documents: documents, by: ana)
                return try #require(try identities.signatures(of: signed, by: ana)?.signatures.last)
            }
            let bare = try signed(SigningWish(at: 0), proofs: false)
            #expect(bare.findings.contains(.revocationUnknown))
            let proven = try signed(SigningWish(at: 0), proofs: true)
            #expect(!proven.findings.contains(.revocationUnknown), "\(proven.findings)")
            #expect(proven.revocation == .notRevoked(asOf: try #require(proven.claim.time)))
            #expect(proven.laterChanges.map(\.kind) == [.proofs])
            #expect(proven.verdict == .good)
            // Signed once more with proofs: those that are there already are not put in twice.
            _ = try signed(SigningWish(at: 0), proofs: true)
            let bytes = try store.blobs.read(documents.get(added.id, by: ana).blob.digest)
            let file = try PDFFile(bytes: bytes)
            let kept = try #require(file.dictionary(file.catalog["DSS"]))
            #expect(file.array(kept["Certs"]).count == 2)
        }
    }

    @Test(
        "another authority is asked by whatever way its certificates name, and its answer goes into the paper",
        arguments: [
            "authorityInfoAccess=OCSP;URI:HERE/answers,caIssuers;URI:HERE/root",
            "crlDistributionPoints=URI:HERE/list",
            // Who does not answer is passed over for who does.
            "authorityInfoAccess=OCSP;URI:HERE/nothing\\ncrlDistributionPoints=URI:HERE/list",
        ])
    func othersProofs(extensions: String) throws {
        try VouchingAuthority.with { authority in
            try withIdentities { identities, documents, store, ana, _ in
                let file = try authority.issue(
                    extensions.replacing("HERE", with: authority.address))
                if !extensions.contains("caIssuers") {
                    _ = try identities.trust(pem: Array(authority.root.pem.utf8), by: ana)
                }
                let clerk = try identities.take(pkcs12: file, password: "open", by: ana)
                let added = try documents.add(.bytes(paper()), named: "lease.pdf", by: ana).document
                let signed = try identities.sign(
                    added, with: clerk.id, SigningWish(at: 0), asking: .init(proofs: true),
                    documents: documents, by: ana)
                if extensions.contains("caIssuers") {
                    _ = try identities.trust(pem: Array(authority.root.pem.utf8), by: ana)
                }
                let one = try #require(try identities.signatures(of: signed, by: ana)?.signatures.first)
                #expect(!one.findings.contains(.revocationUnknown), "\(one.findings)")
                #expect(one.trust?.chain.map(\.name) == ["Clerk", "Root"])

                try authority.takeBack()
                let refused = try #require(throws: Failure.self) {
                    try identities.sign(
                        signed, with: clerk.id, SigningWish(at: 0), asking: .init(proofs: true),
                        documents: documents, by: ana)
                }
                #expect(refused.message.contains("was taken back"), "\(refused.message)")
                #expect(try documents.versions(of: added.id, by: ana).count == 2)
            }
        }
    }

    @Test(
        "where nobody says whether a certificate was taken back, nothing is signed with proofs, and it is said why"
    )
    func noProofs() throws {
        try VouchingAuthority.with { authority in
            try withIdentities { identities, documents, store, ana, _ in
                _ = try identities.trust(pem: Array(authority.root.pem.utf8), by: ana)
                let added = try documents.add(.bytes(paper()), named: "lease.pdf", by: ana).document
                for (extensions, words) in [
                    ("basicConstraints=CA:FALSE", "names nobody"),
                    ("crlDistributionPoints=URI:\(authority.address)/nothing", "does not answer"),
                ] {
                    let clerk = try identities.take(
                        pkcs12: authority.issue(extensions), password: "open", by: ana)
                    let refused = try #require(throws: Failure.self) {
                        try identities.sign(
                            added, with: clerk.id, SigningWish(at: 0), asking: .init(proofs: true),
                            documents: documents, by: ana)
                    }
                    #expect(refused.message.contains(words), "\(refused.message)")
                }
                #expect(try documents.versions(of: added.id, by: ana).count == 1)
            }
        }
    }

    @Test("names by hand are sealed, belong to their owner alone, and are no larger and no more than can be")
    func byHand() throws {
        try withIdentities { identities, _, store, ana, bo in
            let drawn: JSON = ["strokes": [[[1, 2], [30, 9]]], "width": 40, "height": 20]
            let kept = try identities.keep(handSignature: drawn, by: ana)
            #expect(try identities.handSignatures(by: ana).map(\.content) == [drawn])
            #expect(try identities.handSignatures(by: bo).isEmpty)
            #expect(throws: Failure.self) { try identities.remove(handSignature: kept.id, by: bo) }
            let sealed = try store.read { desk in
                try desk.row("SELECT sealed FROM hand_signature")?.blob("sealed") ?? []
            }
            #expect(!String(decoding: sealed, as: UTF8.self).contains("strokes"))
            for nothing: JSON in [[:], ["strokes": []], ["text": ""]] {
                #expect(throws: Failure.self) { try identities.keep(handSignature: nothing, by: ana) }
            }
            let large = String(repeating: "A", count: HandSignature.largest)
            #expect(throws: Failure.self) {
                try identities.keep(handSignature: ["picture": .string(large)], by: ana)
            }
            for _ in 1..<HandSignature.most { _ = try identities.keep(handSignature: drawn, by: ana) }
            #expect(throws: Failure.self) { try identities.keep(handSignature: drawn, by: ana) }
            for one in try identities.handSignatures(by: ana) {
                try identities.remove(handSignature: one.id, by: ana)
            }
            #expect(try identities.handSignatures(by: ana).isEmpty)
        }
    }
}
