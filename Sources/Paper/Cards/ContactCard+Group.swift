// A card can stand for several people: it names the others by what their cards call themselves.
extension ContactCard {
    public var isGroup: Bool {
        Self.kinds.contains { CardText.trimmed(first($0)?.text ?? "").lowercased() == "group" }
    }

    /// Whom a group names, as `memberKey` spells them, each once.
    public var members: [String] {
        var known: Set<String> = []
        return memberLines.map { Self.memberKey($0.text) }.filter { !$0.isEmpty && known.insert($0).inserted }
    }

    private var memberLines: [CardProperty] { Self.membership.flatMap { all($0) } }

    /// What a card calls itself, as groups are compared by it: some spell it as a URN and others without.
    public static func memberKey(_ uid: String) -> String {
        let key = CardText.trimmed(uid).lowercased()
        return key.hasPrefix(urn) ? String(key.dropFirst(urn.count)) : key
    }

    /// Takes these into the group, in the words of the version of its card, and those out.
    public mutating func change(members joining: [String], without leaving: [String] = []) {
        let gone = Set(leaving.map(Self.memberKey))
        if !gone.isEmpty {
            properties.removeAll {
                Self.membership.contains($0.name) && gone.contains(Self.memberKey($0.text))
            }
        }
        var known = Set(members)
        for uid in joining.map(CardText.trimmed) where known.insert(Self.memberKey(uid)).inserted {
            properties.append(
                CardProperty(
                    form == .vcard4 ? Self.membership[0] : Self.membership[1],
                    uid.contains(":") ? uid : Self.urn + uid))
        }
    }

    /// A group that is made here.
    public static func group(_ name: String, uid: String) -> ContactCard {
        ContactCard([
            CardProperty("UID", uid), CardProperty(kinds[0], "group"),
            CardProperty("FN", CardText.escaped(name)),
        ])
    }

    /// Of groups there may be more lines than of people: their members.
    static func isMembership(_ name: String) -> Bool { membership.contains(name) }

    /// Of vCard 4, and of Apple's programs, which had them before.
    private static let kinds = ["KIND", "X-ADDRESSBOOKSERVER-KIND"]
    private static let membership = ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"]
    private static let urn = "urn:uuid:"
}
