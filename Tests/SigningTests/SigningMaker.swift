import Crypto
import Glibc
import PDF
import Signing
import TestSupport
import Work

/// 2026-11-21 11:35 UTC
let noon: Int64 = 1_795_260_900
let day: Int64 = 86_400

/// An authority and those it vouches for, made once.
enum Cast {
    static let authority = try! SigningIdentity.authority(named: "Desk of the Gómez family", from: noon - day)
    static let ana = try! authority.issue(to: "Ana Gómez", mail: "ana@example.org", from: noon - day)
    static let ben = try! authority.issue(to: "Ben Okafor", kind: .rsa, from: noon - day)
    static let trust = TrustAnchors([authority.certificate], includesSystem: false)
}

/// A page with a sentence, a field to be filled, and a field to be signed.
func form(lock: PDFDictionary? = nil, rotation: Int = 0) -> [UInt8] {
    var draft = PDFDraft()
    let font = draft.add(
        .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
    let content = draft.addStream([:], Array("BT /F1 14 Tf 40 330 Td (The rent is 900.) Tj ET".utf8))
    let page = draft.newReference()
    let tree = draft.newReference()
    func widget(_ name: String, _ kind: PDFName, _ box: [Int], _ more: PDFDictionary = [:]) -> PDFReference {
        var entries: PDFDictionary = [
            "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name(kind), "T": .text(name),
            "Rect": .array(box.map(PDFObject.integer)), "F": .integer(4), "P": .reference(page),
        ]
        for (key, value) in more.entries { entries[key] = value }
        return draft.add(.dictionary(entries))
    }
    let town = widget("town", "Tx", [40, 280, 240, 300], ["DA": .text("/Helv 10 Tf 0 g")])
    var locked: PDFDictionary = [:]
    if let lock { locked["Lock"] = .dictionary(lock) }
    let tenant = widget("tenant", "Sig", [40, 200, 240, 250], locked)
    draft.put(
        .dictionary([
            "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
            "MediaBox": .array([0, 0, 400, 400].map(PDFObject.integer)), "Rotate": .integer(rotation),
            "Resources": .dictionary(["Font": .dictionary(["F1": .reference(font)])]),
            "Annots": .array([.reference(town), .reference(tenant)]),
        ]), at: page)
    draft.put(
        .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]),
        at: tree)
    let fields = draft.add(
        .dictionary([
            "Fields": .array([.reference(town), .reference(tenant)]), "DA": .text("/Helv 0 Tf 0 g"),
            "DR": .dictionary(["Font": .dictionary(["Helv": .reference(font)])]),
        ]))
    let root = draft.add(
        .dictionary([
            "Type": .name("Catalog"), "Pages": .reference(tree), "AcroForm": .reference(fields),
        ]))
    return draft.bytes(root: root)
}

func signed(
    _ bytes: [UInt8] = form(), with identity: SigningIdentity = Cast.ana, at time: Int64 = noon,
    _ change: (inout SigningWish) -> Void = { _ in }
) throws -> [UInt8] {
    var wish = SigningWish(at: time)
    change(&wish)
    return try PaperSigner(bytes, now: time).sign(with: Signatory(identity.writer), wish)
}

func check(
    _ bytes: [UInt8], trusting: TrustAnchors = Cast.trust, now: Int64 = noon
) throws -> [CheckedSignature] {
    try SignedPaper(bytes, trusting: trusting, now: now).signatures
}

/// The paper with one object changed by a revision behind it.
func appended(_ bytes: [UInt8], _ change: (PDFFile, inout PDFRevision) throws -> Void) throws -> [UInt8] {
    let file = try PDFFile(bytes: bytes)
    guard let ending = PDFEnding(of: bytes) else { throw PeerError(why: "no ending") }
    var revision = PDFRevision(
        behind: bytes.count, ending: ending, trailer: file.trailer, firstFree: file.highestObject + 1)
    try change(file, &revision)
    return bytes + revision.finish(identity: Array("another".utf8))
}

func reference(_ file: PDFFile, field name: String) -> PDFReference? {
    file.array(file.form?["Fields"]).compactMap(\.reference).first {
        file.dictionary(.reference($0))?["T"]?.text == name
    }
}

func place(of word: String, in bytes: [UInt8], from start: Int = 0) -> Int? {
    let word = Array(word.utf8)
    var at = start
    while at + word.count <= bytes.count {
        if bytes[at] == word[0], bytes[at...].starts(with: word) { return at }
        at += 1
    }
    return nil
}

struct Outcome { var code: Int32; var text: String }

/// What another program says.
func run(_ program: String, _ arguments: [String]) throws -> Outcome {
    var environment = Child.usualEnvironment
    if let path = getenv("PATH") { environment["PATH"] = String(cString: path) }
    let outcome = try Child("/usr/bin/env", [program] + arguments, environment: environment).run()
    return Outcome(code: outcome.succeeded ? 0 : 1, text: outcome.outputText + outcome.errorText)
}

func has(_ program: String) -> Bool { (try? run("which", [program]).code == 0) ?? false }
