import Access
import HTTP
import Library
import Transfer

extension Documents {
    /// Does what a PROPPATCH asks for on the thing of this owner, or nothing of it: what the desk knows by itself is not written
    /// over, and without an owner nothing is.
    func patch(
        _ request: Request, at address: String, of owner: String?, isFixed: (XMLScanner.Name) -> Bool,
        by caller: Caller
    ) throws -> Response {
        let changes = try Self.changes(DAVXML.root(request.bytes, "propertyupdate"))
        let names = changes.map {
            XMLScanner.Name(namespace: $0.property.space, local: $0.property.name)
        }
        func elements(_ isMeant: (XMLScanner.Name) -> Bool) -> String {
            names.filter(isMeant).map { DAVXML.element($0) }.joined()
        }
        let stats: String
        if let owner, !names.contains(where: isFixed) {
            try setProperties(changes, of: owner, by: caller)
            guard !request.wantsLittle else {
                return Response(.ok).with("Preference-Applied", "return=minimal")
            }
            stats = DAVXML.propstat(elements { _ in true }, .ok)
        } else {
            stats =
                DAVXML.propstat(
                    elements { owner == nil || isFixed($0) }, .forbidden, DAVXML.isProtected)
                + DAVXML.propstat(elements { owner != nil && !isFixed($0) }, Status(424))
        }
        return DAVXML.multistatus("<D:response><D:href>\(address)</D:href>\(stats)</D:response>\n")
    }

    /// In the order they are asked for, each in the language that is said on it or around it.
    private static func changes(_ update: XMLNode) -> [(property: Property, isRemoved: Bool)] {
        var changes: [(property: Property, isRemoved: Bool)] = []
        for act in update.children where act.name.namespace == "DAV:" {
            guard act.name.local == "set" || act.name.local == "remove" else { continue }
            for prop in act.children("prop", in: "DAV:") {
                changes += prop.children.map { node in
                    let around = [node, prop, act, update].lazy.compactMap { $0.attributes["xml:lang"] }
                    let property = Property(
                        space: node.name.namespace, name: node.name.local, value: DAVXML.content(of: node),
                        language: around.first ?? "")
                    return (property, act.name.local == "remove")
                }
            }
        }
        return changes
    }
}
