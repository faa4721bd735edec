import Crypto
import PDF
import Signing
import TestSupport
import Testing

@Suite("Signatures on papers")
struct SigningTests {
    @Test("a signed paper says who signed, and every byte of it is covered")
    func plain() throws {
        let before = form()
        let bytes = try signed(before) { $0.reason = "I agree" }
        #expect(Array(bytes.prefix(before.count)) == before)
        let one = try #require(try check(bytes).first)
        #expect(one.signer == "Ana Gómez")
        #expect(one.verdict == .good, "\(one.findings)")
        #expect(one.isIntact == true)
        #expect(one.coversWholeFile)
        #expect(one.claim.time == noon)
        #expect(one.claim.reason == "I agree")
        #expect(one.method == "ETSI.CAdES.detached")
        #expect(one.trust?.finding == .trusted)
        // Nothing is known of that, and it is said.
        #expect(one.findings.contains(.revocationUnknown))
        #expect(one.findings.contains(.timeUnproven))
    }

    @Test("one byte changed in what was signed is found, wherever it is", arguments: [20, 200, 700])
    func tampered(place: Int) throws {
        var bytes = try signed()
        bytes[place] ^= 1
        let found = try? check(bytes)
        // A byte that the file cannot do without keeps it from being opened at all.
        guard let one = found?.first else { return }
        #expect(one.verdict == .bad, "\(one.findings)")
    }

    @Test("another rent is found")
    func rent() throws {
        var bytes = try signed()
        let at = try #require(place(of: "900", in: bytes))
        bytes[at] = UInt8(ascii: "1")
        let one = try #require(try check(bytes).first)
        #expect(one.isIntact == false)
        #expect(one.findings.contains(.contentChanged))
        #expect(one.verdict == .bad)
    }

    @Test("nobody is trusted who was not named, and then that is all that is said against it")
    func strangers() throws {
        let nobody = TrustAnchors(includesSystem: false)
        let one = try #require(try check(signed(), trusting: nobody).first)
        #expect(one.verdict == .uncertain)
        #expect(one.findings.contains(.unknownIssuer))
        #expect(one.isIntact == true)
        let own = try signed(with: Cast.authority)
        let itself = try #require(try check(own, trusting: nobody).first)
        #expect(itself.findings.contains(.vouchesForItself))
        // A key for vouching for others is not one for signing papers.
        #expect(itself.findings.contains(.keyNotForSigning))
    }

    @Test("a certificate that has run out leaves a doubt, as nothing proves when it was signed")
    func expired() throws {
        let bytes = try signed()
        let later = noon + 1200 * day
        let one = try #require(try check(bytes, now: later).first)
        #expect(one.findings.contains(.expired))
        #expect(one.verdict == .uncertain)
        let early = try #require(try check(bytes, now: noon - 10 * day).first)
        #expect(early.findings.contains(.notYetValid))
    }

    @Test("two sign one after the other: the first is told what came later, and holds")
    func twice() throws {
        let first = try signed()
        let both = try signed(first, with: Cast.ben, at: noon + 60) { $0.field = "tenant" }
        #expect(Array(both.prefix(first.count)) == first)
        let checked = try check(both, now: noon + 60)
        #expect(checked.map(\.signer) == ["Ana Gómez", "Ben Okafor"])
        #expect(checked.map(\.verdict) == [.good, .good], "\(checked.map(\.findings))")
        #expect(!checked[0].coversWholeFile)
        #expect(checked[0].heaviestChange == .signed, "\(checked[0].laterChanges)")
        #expect(checked[0].laterChanges == [LaterChange(kind: .signed, part: .signature, detail: "tenant")])
        #expect(checked[1].coversWholeFile)
        #expect(checked[1].laterChanges.isEmpty)
    }

    @Test("a page that is changed behind the signature ends it")
    func appendedContent() throws {
        let bytes = try appended(signed()) { file, revision in
            let page = try #require(file.pages.first)
            let content = try #require(file.dictionary(.reference(page))?["Contents"]?.reference)
            revision.putStream(
                [:], Array("BT /F1 14 Tf 40 330 Td (The rent is 100.) Tj ET".utf8), at: content)
        }
        let one = try #require(try check(bytes).first)
        #expect(one.isIntact == true)
        #expect(one.verdict == .bad)
        #expect(one.findings.contains(.changedAgainstWord))
        #expect(one.laterChanges.contains(LaterChange(kind: .other, part: .page, detail: "1")))
    }

    @Test("the same change, without a table that leads to it, is found as well")
    func strayContent() throws {
        let before = try signed()
        let file = try PDFFile(bytes: before)
        let page = try #require(file.pages.first)
        let content = try #require(file.dictionary(.reference(page))?["Contents"]?.reference)
        let text = "BT (The rent is 100.) Tj ET"
        let object =
            "\n\(content.number) 0 obj\n<</Length \(text.utf8.count)>>\nstream\n\(text)\nendstream\nendobj\n"
        let one = try #require(try check(before + Array(object.utf8)).first)
        #expect(one.findings.contains(.strayObjects))
        #expect(one.verdict == .bad)
    }

    @Test("another page tree under the old name is found: pages are compared, not numbers")
    func swappedRoot() throws {
        let bytes = try appended(signed()) { file, revision in
            let page = try #require(file.pages.first)
            let content = revision.newReference()
            revision.putStream(
                [:], Array("BT /F1 14 Tf 40 330 Td (The rent is 100.) Tj ET".utf8), at: content)
            var other = file.dictionary(.reference(page)) ?? [:]
            other["Contents"] = .reference(content)
            let twin = revision.newReference()
            revision.put(.dictionary(other), at: twin)
            let tree = try #require(file.catalog["Pages"]?.reference)
            revision.put(
                .dictionary([
                    "Type": .name("Pages"), "Kids": .array([.reference(twin)]), "Count": .integer(1),
                ]), at: tree)
        }
        #expect(try check(bytes).first?.verdict == .bad)
    }

    @Test("a hole in what was signed is found", arguments: [true, false])
    func hole(isBefore: Bool) throws {
        var bytes = try signed()
        let start = try #require(place(of: "/ByteRange [", in: bytes) ?? place(of: "/ByteRange", in: bytes))
        let open = try #require(bytes[start...].firstIndex(of: UInt8(ascii: "[")))
        let close = try #require(bytes[open...].firstIndex(of: UInt8(ascii: "]")))
        var numbers = String(decoding: bytes[open + 1..<close], as: UTF8.self).split(separator: " ")
            .compactMap {
                Int($0)
            }
        if isBefore {
            numbers[1] -= 10
        } else {
            (numbers[2], numbers[3]) = (numbers[2] + 10, numbers[3] - 10)
        }
        let text = Array("[\(numbers.map(String.init).joined(separator: " "))".utf8)
        let room = close - open
        bytes.replaceSubrange(open..<close, with: text + [UInt8](repeating: 32, count: room - text.count))
        let one = try #require(try check(bytes).first)
        #expect(one.verdict == .bad)
        #expect(one.findings.contains(.rangeHasHole), "\(one.findings)")
    }

    @Test("a signature that was moved to another field of a changed paper is found (wrapping)")
    func wrapped() throws {
        // The old bytes stay and are covered; the field shows a dictionary put behind them that claims the same range.
        let bytes = try appended(signed()) { file, revision in
            let field = try #require(reference(file, field: "Signature1"))
            var widget = file.dictionary(.reference(field)) ?? [:]
            let value = file.dictionary(widget["V"]) ?? [:]
            let other = revision.newReference()
            revision.put(.dictionary(value), at: other)
            widget["V"] = .reference(other)
            widget["T"] = .text("Signature9")
            revision.put(.dictionary(widget), at: field)
        }
        let one = try #require(try check(bytes).first)
        #expect(one.verdict == .bad)
        #expect(one.findings.contains(.notInWhatWasSigned), "\(one.findings)")
    }

    @Test("a range that says nothing, or Contents that are none, are no signature (forgery)")
    func forged() throws {
        for key in ["ByteRange", "Contents"] as [PDFName] {
            let bytes = try appended(signed()) { file, revision in
                let field = try #require(reference(file, field: "Signature1"))
                let value = try #require(file.dictionary(.reference(field))?["V"]?.reference)
                var dictionary = file.dictionary(.reference(value)) ?? [:]
                dictionary[key] = nil
                revision.put(.dictionary(dictionary), at: value)
            }
            #expect(try check(bytes).first?.verdict == .bad)
        }
    }
}
