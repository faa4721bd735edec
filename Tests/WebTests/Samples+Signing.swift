import Crypto
import PDF
import Signing
import Work

@testable import Web

extension Samples {
    /// A lease that one person signed, and the other has not yet.
    static var signatures: SignaturesPage {
        var model = SignaturesPage(line: documents[0])
        model.signatures = (try? signedLease()) ?? []
        model.openFields = ["tenant"]
        model.identities = [("i1", "Ana Tremblay")]
        return model
    }

    /// More than are shown without being asked for.
    static var signingMany: SigningManyPage {
        SigningManyPage(
            papers: (1...9).map { ("d\($0)", "lease \($0).pdf") }, identities: [("i1", "Ana Tremblay")],
            error: nil)
    }

    private static func signedLease() throws -> [CheckedSignature] {
        var draft = PDFDraft()
        let tree = draft.newReference()
        let page = draft.add(.dictionary(["Type": .name("Page"), "Parent": .reference(tree)]))
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
                "MediaBox": .array([0, 0, 300, 300].map(PDFObject.integer)),
            ]), at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        let bytes = draft.bytes(root: root)
        let seconds = now.milliseconds / 1000
        let authority = try SigningIdentity.authority(named: "Authority of Desk", from: seconds)
        let ana = try authority.issue(to: "Ana Tremblay", from: seconds)
        var wish = SigningWish(at: seconds)
        wish.reason = "J’accepte"
        wish.certifies = .filling
        let signed = try PaperSigner(bytes, now: seconds).sign(with: Signatory(ana.writer), wish)
        return try SignedPaper(signed, trusting: TrustAnchors(includesSystem: false), now: seconds).signatures
    }
}
