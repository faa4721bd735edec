public import Access
public import Bytes
import CardCase
import Pictures
import SQL
public import Storage

extension Settings {
    /// A logo off a business's own page is smaller.
    public static let longestLogo = 8 << 20
    /// Twice what a page shows at most, so that it is sharp on fine screens and on paper.
    static let logoSize = (width: 720.0, height: 240.0)
    /// It goes with each mail.
    static let longestDrawnLogo = 120_000

    public func looks() throws -> Looks { try value() }

    /// What is said of it, and of the logo only that another one from before is to be had again, or none.
    public func changeLooks(
        _ said: JSON, logo wanted: Digest?? = nil, by caller: Caller
    ) throws -> (before: Looks, now: Looks) {
        try caller.require(.administer)
        let before = try looks()
        var looks = before
        try Looks.fields.take(said, into: &looks)
        try Looks.fields.check(looks)
        if let wanted {
            if let wanted, try !isKept(wanted) {
                throw Failure(.notFound, "This logo is not there any more. Choose it again.", field: "logo")
            }
            looks.logo = wanted
        }
        return (before, try save(looks.checked(), instead: before, by: caller))
    }

    /// Draws the picture anew on white: what else its file says is not kept.
    public func setLogo(_ bytes: [UInt8], by caller: Caller) throws -> (before: Looks, now: Looks) {
        try caller.require(.administer)
        guard bytes.count <= Self.longestLogo else {
            throw Failure(.tooLarge, "This picture is too large. Take one of at most 8 MB.", field: "file")
        }
        guard Picture.format(of: bytes) != nil else { throw PictureAnew.unusable }
        let page = try PictureAnew.page { try $0.add(bytes) }
        guard let reader = reader() else {
            throw Failure(.unavailable, "Pictures cannot be drawn here. quire doctor says what is missing.")
        }
        let drawn = try PictureAnew.drawn(on: page, atMost: Self.longestDrawnLogo, reader: reader) {
            width, height in
            [1.0, 0.7, 0.5].flatMap { share -> [(width: Int, quality: Int)] in
                let wide = min(Self.logoSize.width, Self.logoSize.height * width / height) * share
                return [92, 80].map { (width: max(1, Int(wide)), quality: $0) }
            }
        }
        let before = try looks()
        var looks = before
        looks.logo = try store.blobs.put(drawn)
        return (before, try save(looks, instead: before, by: caller))
    }

    public func removeLogo(by caller: Caller) throws -> (before: Looks, now: Looks) {
        try changeLooks([:], logo: .some(nil), by: caller)
    }

    /// The picture, for whoever was told its name by a page or a mail; nil when it is not the desk's logo.
    public func logo(_ digest: Digest) throws -> [UInt8]? {
        guard try looks().logo == digest else { return nil }
        return try store.blobs.read(digest)
    }

    private func save(_ looks: Looks, instead before: Looks, by caller: Caller) throws -> Looks {
        guard looks != before else { return looks }
        try put(looks, of: "") { tx in
            try keepLogo(looks.logo, instead: before.logo, in: tx)
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "looks.changed", subject: "settings/\(Looks.name)",
                    detail: looks.json))
        }
        return looks
    }

    /// The one before stays for whoever takes it back; what was before that is gone with the next sweep.
    func keepLogo(_ logo: Digest?, instead before: Digest?, in tx: borrowing Transaction) throws {
        guard logo != before else { return }
        if let logo {
            try tx.keep(logo)
            try tx.run("INSERT INTO logo (digest) VALUES (\(logo)) ON CONFLICT DO NOTHING")
        }
        for row in try tx.rows("SELECT digest FROM logo") {
            let digest = try row.digest("digest")
            guard digest != logo, digest != before else { continue }
            try tx.run("DELETE FROM logo WHERE digest = \(digest)")
        }
    }

    private func isKept(_ logo: Digest) throws -> Bool {
        try store.read { desk in try desk.row("SELECT 1 AS one FROM logo WHERE digest = \(logo)") != nil }
    }

    /// No other file of the desk is shown to those outside because another desk calls it the logo.
    func isDrawn(_ digest: Digest) -> Bool {
        guard let bytes = try? store.blobs.read(digest), bytes.count <= Self.longestDrawnLogo,
            let picture = try? Picture(bytes)
        else { return false }
        return picture.format == .jpeg && Double(picture.width) <= Self.logoSize.width
            && Double(picture.height) <= Self.logoSize.height + 1
    }
}

extension Settings {
    static let logos = Migration(
        "logos",
        script: "CREATE TABLE logo (digest TEXT NOT NULL PRIMARY KEY REFERENCES blob (digest));")
}
