import Access
import HTTP
import Library
import Transfer

extension Documents {
    /// Does what a PROPPATCH asks for on the thing of this owner, or nothing of it: what the desk knows by itself is not written
    /// over, and without an owner nothing is.
    func patch(
        _ body: [UInt8], at address: String, of owner: String?, isFixed: (XMLScanner.Name) -> Bool,
        by caller: Caller
    ) throws -> Response {
        var changes: [(property: Property, isRemoved: Bool)] = []
        for act in try DAVXML.root(body, "propertyupdate").children where act.name.namespace == "DAV:" {
            guard act.name.local == "set" || act.name.local == "remove" else { continue }
            for prop in act.children("prop", in: "DAV:") {
                changes += prop.children.map { node in
                    let property = Property(
                        space: node.name.namespace, name: node.name.local, value: DAVXML.content(of: node))
                    return (property, act.name.local == "remove")
                }
            }
        }
        let names = changes.map {
            XMLScanner.Name(namespace: $0.property.space, local: $0.property.name)
        }
        func elements(_ isMeant: (XMLScanner.Name) -> Bool) -> String {
            names.filter(isMeant).map { DAVXML.element($0) }.joined()
        }
        let stats: String
        if let owner, !names.contains(where: isFixed) {
            try setProperties(changes, of: owner, by: caller)
            stats = DAVXML.propstat(elements { _ in true }, .ok)
        } else {
            stats =
                DAVXML.propstat(elements { owner == nil || isFixed($0) }, .forbidden)
                + DAVXML.propstat(elements { owner != nil && !isFixed($0) }, Status(424))
        }
        return DAVXML.multistatus("<D:response><D:href>\(address)</D:href>\(stats)</D:response>\n")
    }
}
