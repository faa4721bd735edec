public import Crypto
import PDF
import PDFReading

/// What signing a digest gave.
public struct SignedDigest {
    /// CMS.
    public var message: [UInt8]
    /// What goes behind the signed paper for those who check it later.
    public var proofs: SignatureProofs?

    public init(_ message: [UInt8], proofs: SignatureProofs? = nil) {
        self.message = message
        self.proofs = proofs
    }
}

/// Who signs: a certificate, and a key that lies here or with somebody who is asked.
public struct Signatory {
    public let certificate: X509Certificate
    let chain: [X509Certificate]
    let isStamped: Bool
    public let sign: (_ digest: [UInt8]) throws -> SignedDigest
    /// Several digests at once, for whom being asked takes longer than signing.
    public let signSeveral: ((_ digests: [[UInt8]]) throws -> [SignedDigest])?

    public init(
        _ certificate: X509Certificate, chain: [X509Certificate], isStamped: Bool = false,
        several: ((_ digests: [[UInt8]]) throws -> [SignedDigest])? = nil,
        sign: @escaping (_ digest: [UInt8]) throws -> SignedDigest
    ) {
        self.certificate = certificate
        self.chain = chain
        self.isStamped = isStamped
        signSeveral = several
        self.sign = sign
    }

    /// - Parameters:
    ///   - stamp: given the value of the signature, gets a time stamp for it.
    ///   - proofs: given the signature, gets what later checks need.
    public init(
        _ writer: SignatureWriter, stamp: (([UInt8]) throws -> [UInt8])? = nil,
        proofs: (([UInt8]) throws -> SignatureProofs)? = nil
    ) {
        self.init(writer.certificate, chain: writer.chain, isStamped: stamp != nil) {
            let message = try writer.signedMessage(over: $0, stamp: stamp)
            return SignedDigest(message, proofs: try proofs?(message))
        }
    }
}

/// A paper with room for a signature over its digest.
public struct PreparedSignature {
    public let digest: [UInt8]
    private var made: [UInt8]
    /// Where the signature is written, and how long it may be.
    private let start: Int
    private let room: Int

    init(_ made: [UInt8], digest: [UInt8], start: Int, room: Int) {
        self.made = made
        self.digest = digest
        self.start = start
        self.room = room
    }

    public var byteCount: Int { made.count }

    /// The signed paper.
    public consuming func signed(by given: SignedDigest) throws -> [UInt8] {
        guard given.message.count <= room else { throw SigningTrouble.tooLong }
        var at = start
        for byte in given.message {
            made[at] = Self.digit(byte >> 4)
            made[at + 1] = Self.digit(byte & 15)
            at += 2
        }
        return try given.proofs?.put(behind: made) ?? made
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}

/// Signs a paper as PAdES has it (ETSI EN 319 142-1): the signature is put behind the paper, not one byte of which changes.
public struct PaperSigner {
    public let signatures: [CheckedSignature]
    private let base: AppendableFile
    private var file: PDFFile { base.file }
    public var bytes: [UInt8] { base.bytes }
    /// The paper had to be mended before it could be signed, and so is not byte for byte the one that was given.
    public var wasMended: Bool { base.wasMended }

    /// - Parameter now: seconds since 1970.
    public init(_ given: [UInt8], now: Int64) throws {
        do throws(PDFError) {
            base = try AppendableFile(given)
        } catch {
            if error == .passwordNeeded { throw SigningTrouble.locked }
            throw error
        }
        guard !base.file.pages.isEmpty else { throw SigningTrouble.noPages }
        let isSigned = FieldPairs.fields(of: base.file).contains { $0.isSignature && $0.signature != nil }
        signatures =
            isSigned
            ? try SignedPaper(given, trusting: TrustAnchors(includesSystem: false), now: now).signatures : []
        if base.wasMended, !signatures.isEmpty { throw SigningTrouble.damaged }
    }

    public func sign(with identity: Signatory, _ wish: SigningWish) throws -> [UInt8] {
        let prepared = try prepared(for: identity, wish)
        return try prepared.signed(by: identity.sign(prepared.digest))
    }

    /// The paper with room for the signature, which is put in when the digest is signed.
    public func prepared(for identity: Signatory, _ wish: SigningWish) throws -> PreparedSignature {
        try checkAllowed(wish)
        let target = try target(wish)
        let frames = file.frames
        var wish = wish
        if wish.place?.page == SigningWish.Place.lastPage { wish.place?.page = frames.count - 1 }
        if let place = wish.place, target.existing == nil { try Self.check(place, frames) }
        guard let root = file.trailer["Root"]?.reference else { throw SigningTrouble.damaged }
        var revision = base.revision()
        let signature = revision.newReference()
        let room = Self.room(identity)
        let entries = entries(wish, target, root)
        var marks = (range: 0, contents: 0)
        revision.put(at: signature) { out in
            out.append(text: "<<")
            entries.writeEntries(into: &out)
            out.append(text: "/ByteRange ")
            marks.range = out.count
            out.append(contentsOf: [UInt8](repeating: 32, count: Self.rangeCount))
            out.append(text: "/Contents<")
            marks.contents = out.count
            out.append(contentsOf: [UInt8](repeating: 48, count: room * 2))
            out.append(text: ">>>")
        }
        putField(signature, target, wish, identity, frames, root, into: &revision)
        var made = bytes + revision.finish(identity: Array(SHA256.hash(revision.out).prefix(16)))
        let gap = bytes.count + marks.contents - 1..<bytes.count + marks.contents + room * 2 + 1
        let range = Array(
            "[0 \(gap.lowerBound) \(gap.upperBound) \(made.count - gap.upperBound)]".utf8)
        made.replaceSubrange(bytes.count + marks.range..<bytes.count + marks.range + range.count, with: range)
        let digest = try made.withUnsafeBytes { raw in
            try SigningIdentity.digest(
                [
                    UnsafeRawBufferPointer(rebasing: raw[..<gap.lowerBound]),
                    UnsafeRawBufferPointer(rebasing: raw[gap.upperBound...]),
                ], for: identity.certificate)
        }
        return PreparedSignature(made, digest: digest, start: gap.lowerBound + 1, room: room)
    }

    /// `[0 1234567890 1234567890 1234567890]`
    private static let rangeCount = 40

    /// How many bytes are left free: certificates, the signature itself, and a stamp with the certificates of its authority.
    private static func room(_ identity: Signatory) -> Int {
        let certificates = ([identity.certificate] + identity.chain).reduce(0) { $0 + $1.der.count }
        return certificates + 3_072 + (identity.isStamped ? 16_384 : 0)
    }

    // MARK: May it be signed, and where

    private func checkAllowed(_ wish: SigningWish) throws {
        for signature in signatures where signature.allows == .nothing {
            throw SigningTrouble.forbidden(by: signature.signer ?? "")
        }
        if wish.place != nil, wish.field == nil,
            let strict = signatures.first(where: { !$0.allows.allows(.placed) })
        {
            throw SigningTrouble.noNewPlace(by: strict.signer ?? "")
        }
        if wish.certifies != nil, signatures.contains(where: { $0.kind != .timeStamp }) {
            throw SigningTrouble.tooLateToCertify
        }
    }

    private struct Target {
        var name: String
        /// Nil for one that is to be made.
        var existing: PDFReference?
        var lock: PDFDictionary?
    }

    private func target(_ wish: SigningWish) throws -> Target {
        let fields = FieldPairs.fields(of: file)
        let wished = try lock(wish.locks, fields.map(\.name))
        guard let name = wish.field else {
            var number = 1
            let taken = Set(fields.map(\.name))
            while taken.contains("Signature\(number)") { number += 1 }
            return Target(name: "Signature\(number)", lock: wished)
        }
        guard let field = fields.first(where: { $0.name == name }) else {
            throw SigningTrouble.noSuchField(name)
        }
        guard field.isSignature else { throw SigningTrouble.notASignatureField(name) }
        guard field.signature == nil else { throw SigningTrouble.signedAlready(name) }
        guard let reference = field.object.reference else { throw SigningTrouble.damaged }
        // What the author of the form wants locked stays so.
        let lock = file.dictionary(file.dictionary(field.object)?["Lock"]) ?? wished
        return Target(name: name, existing: reference, lock: lock)
    }

    private func lock(_ wish: SigningWish.Lock?, _ names: [String]) throws -> PDFDictionary? {
        switch wish {
        case nil: return nil
        case .all: return ["Type": .name("SigFieldLock"), "Action": .name("All")]
        case .only(let wanted):
            // A name stands for what is below it, too.
            for name in wanted where !names.contains(where: { $0 == name || $0.hasPrefix(name + ".") }) {
                throw SigningTrouble.nothingToLock(name)
            }
            return [
                "Type": .name("SigFieldLock"), "Action": .name("Include"),
                "Fields": .array(wanted.map(PDFObject.text)),
            ]
        }
    }

    private static func check(_ place: SigningWish.Place, _ frames: [PageFrame]) throws {
        guard frames.indices.contains(place.page) else {
            throw SigningTrouble.noSuchPage(place.page + 1, of: frames.count)
        }
        guard place.box.width >= 40, place.box.height >= 16 else { throw SigningTrouble.placeTooSmall }
        let frame = frames[place.page]
        guard place.box.left >= 0, place.box.bottom >= 0, place.box.right <= frame.width,
            place.box.top <= frame.height
        else { throw SigningTrouble.placeOffPage }
    }

    // MARK: Writing

    private func entries(_ wish: SigningWish, _ target: Target, _ root: PDFReference) -> PDFDictionary {
        var entries: PDFDictionary = [
            "Type": .name("Sig"), "Filter": .name("Adobe.PPKLite"), "SubFilter": .name("ETSI.CAdES.detached"),
            "M": .text(PDFMoment.text(wish.time)),
        ]
        if !wish.reason.isEmpty { entries["Reason"] = .text(wish.reason) }
        if !wish.whereabouts.isEmpty { entries["Location"] = .text(wish.whereabouts) }
        var references: [PDFObject] = []
        func transform(_ method: PDFName, _ parameters: PDFDictionary) {
            var all: PDFDictionary = ["Type": .name("TransformParams"), "V": .name("1.2")]
            for (key, value) in parameters.entries { all[key] = value }
            references.append(
                .dictionary([
                    "Type": .name("SigRef"), "TransformMethod": .name(method), "Data": .reference(root),
                    "TransformParams": .dictionary(all),
                ]))
        }
        if let certifies = wish.certifies { transform("DocMDP", ["P": .integer(certifies.rawValue)]) }
        // What is locked from now on (§12.7.5.5).
        if let lock = target.lock {
            var parameters: PDFDictionary = [:]
            for key in ["Action", "Fields", "P"] as [PDFName] {
                if let value = lock[key] { parameters[key] = file.resolve(value) }
            }
            transform("FieldMDP", parameters)
        }
        if !references.isEmpty { entries["Reference"] = .array(references) }
        return entries
    }

    private func putField(
        _ signature: PDFReference, _ target: Target, _ wish: SigningWish, _ identity: Signatory,
        _ frames: [PageFrame], _ root: PDFReference, into revision: inout PDFRevision
    ) {
        var catalog = file.catalog
        var isCatalogChanged = false
        var form = file.form ?? [:]
        let lines = wish.lines.isEmpty ? Self.lines(wish, identity) : wish.lines
        if let existing = target.existing {
            var field = file.dictionary(.reference(existing)) ?? [:]
            field["V"] = .reference(signature)
            if field["Lock"] == nil, let lock = target.lock { field["Lock"] = .dictionary(lock) }
            // A field and its place on the page are one most often; where they are two, the place gets the picture.
            let places = file.array(field["Kids"]).compactMap(\.reference)
            if places.isEmpty {
                revision.put(.dictionary(pictured(field, lines, frames, into: &revision)), at: existing)
            } else {
                revision.put(.dictionary(field), at: existing)
                for place in places {
                    guard let widget = file.dictionary(.reference(place)) else { continue }
                    revision.put(.dictionary(pictured(widget, lines, frames, into: &revision)), at: place)
                }
            }
        } else {
            let field = revision.newReference()
            let page = file.pages[wish.place?.page ?? 0]
            var widget: PDFDictionary = [
                "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Sig"),
                "T": .text(target.name), "V": .reference(signature), "P": .reference(page),
                // Printed, and not to be moved.
                "F": .integer(132), "Rect": .array([0, 0, 0, 0].map(PDFObject.integer)),
            ]
            if let lock = target.lock { widget["Lock"] = .dictionary(lock) }
            if let place = wish.place {
                let frame = frames[place.page]
                widget["Rect"] = .array(
                    frame.written(place.box).numbers.map { .real(($0 * 100).rounded() / 100) })
                widget = pictured(widget, lines, frames, into: &revision)
            }
            revision.put(.dictionary(widget), at: field)
            var edit = PageEdit(page, of: file)
            edit.annotations.append(.reference(field))
            edit.put(into: &revision)
            form["Fields"] = .array(file.array(form["Fields"]) + [.reference(field)])
        }
        // There are signatures, and what comes later is to be put behind them.
        form["SigFlags"] = .integer((file.resolve(form["SigFlags"]).integer ?? 0) | 3)
        if let reference = catalog["AcroForm"]?.reference {
            revision.put(.dictionary(form), at: reference)
        } else {
            catalog["AcroForm"] = .dictionary(form)
            isCatalogChanged = true
        }
        if wish.certifies != nil {
            var permissions = file.dictionary(catalog["Perms"]) ?? [:]
            permissions["DocMDP"] = .reference(signature)
            catalog["Perms"] = .dictionary(permissions)
            isCatalogChanged = true
        }
        if isCatalogChanged { revision.put(.dictionary(catalog), at: root) }
    }

    private func pictured(
        _ widget: PDFDictionary, _ lines: [String], _ frames: [PageFrame], into revision: inout PDFRevision
    ) -> PDFDictionary {
        guard let box = PDFRectangle(file.numbers(widget["Rect"])), box.width >= 1, box.height >= 1 else {
            return widget
        }
        var rotation = 0
        if let page = widget["P"]?.reference, let index = file.pages.firstIndex(of: page) {
            rotation = frames[index].rotation
        }
        let isSideways = rotation == 90 || rotation == 270
        let picture = SignaturePicture.draw(
            lines, width: isSideways ? box.height : box.width, height: isSideways ? box.width : box.height,
            rotation: rotation, file, into: &revision)
        var widget = widget
        widget["AP"] = .dictionary(["N": .reference(picture)])
        return widget
    }

    private static func lines(_ wish: SigningWish, _ identity: Signatory) -> [String] {
        var lines = ["Signed by \(identity.certificate.name)", PDFMoment.shown(wish.time)]
        if !wish.reason.isEmpty { lines.append(wish.reason) }
        if !wish.whereabouts.isEmpty { lines.append(wish.whereabouts) }
        return lines
    }
}
