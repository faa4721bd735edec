import Bytes
import Delivery
public import Pictures
public import Storage

/// What of the looks is worn, filled up with what the identity says: one answer for pages, mails and papers.
public struct Worn: Sendable, Equatable {
    /// Empty where nobody has said one.
    public var name: String
    /// A logo tells the name itself, unless somebody wants both.
    public var showsName: Bool
    /// Below the name on papers.
    public var lines: [String]
    public var logo: Digest?
    public var dye: Dye?

    public init(_ looks: Looks, _ identity: Identity) {
        name = looks.name.isEmpty ? identity.organization : looks.name
        showsName = !name.isEmpty && (looks.logo == nil || !looks.name.isEmpty)
        let said =
            looks.letterhead.isEmpty
            ? [identity.address, identity.phone, identity.email].joined(separator: "\n") : looks.letterhead
        lines = said.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty }
        logo = looks.logo
        dye = looks.dye
    }

    /// Nil where neither a logo nor a name would be in it.
    var mailHead: MailHead? {
        guard logo != nil || !name.isEmpty else { return nil }
        return MailHead(name: name, logo: logo, colour: dye?.chosen ?? Self.lamp)
    }

    /// The green of the house.
    public static let lamp = Shade(0x155F43)
}

extension Settings {
    /// As it would be with these looks, for those who are choosing.
    public func worn(_ looks: Looks) throws -> Worn { Worn(looks, try identity()) }

    /// Nil while nobody has chosen anything: then the desk looks as it always did.
    public func worn() throws -> Worn? {
        let looks = try looks()
        return looks.isWorn ? try worn(looks) : nil
    }
}
