/// The columns a formula may speak of.
public struct FormulaColumns: Sendable, Equatable {
    public let names: [String]
    public let types: [FormulaType]
    /// Which columns hold the parts of a person's name, and the like.
    public var roles: [ColumnRole: Int]
    /// What stands in some rows of each column, where somebody has looked.
    public var samples: [[FormulaCell]] = []

    private let exact: [String: Int]
    private let loose: [String: Int]

    /// Types that are left out are not known. Roles are guessed from the names.
    public init(_ names: [String], types: [FormulaType] = []) {
        self.names = names
        self.types = names.indices.map { types.indices.contains($0) ? types[$0] : .any }
        exact = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var loose: [String: Int] = [:]
        var isShared: Set<String> = []
        for (index, name) in names.enumerated() {
            let key = Nearest.folded(name)
            if loose.updateValue(index, forKey: key) != nil { isShared.insert(key) }
        }
        for key in isShared { loose[key] = nil }
        self.loose = loose
        roles = ColumnRole.guesses(names)
    }

    /// The column of this name; capitals, spaces, dashes and underscores do not matter when only one is meant.
    public func index(_ name: String) -> Int? { exact[name] ?? loose[Nearest.folded(name)] }

    func samples(of name: String) -> [FormulaCell]? {
        index(name).flatMap { samples.indices.contains($0) ? samples[$0] : nil }
    }

    func nearest(_ name: String) -> String? { Nearest.word(to: name, among: names) }
}

/// What some columns are for, whatever they are called.
public enum ColumnRole: String, Sendable, Hashable, CaseIterable {
    case firstName, middleName, lastName, fullName, email, key

    private static let words: [(ColumnRole, [String])] = [
        (
            .firstName,
            ["firstname", "givenname", "forename", "first", "vorname", "prenom", "prénom", "nombre", "nome"]
        ),
        (.middleName, ["middlename", "middle", "middleinitial", "mi"]),
        (
            .lastName,
            [
                "lastname", "surname", "familyname", "last", "nachname", "familienname", "nomdefamille",
                "apellido", "apellidos", "cognome", "sobrenome",
            ]
        ),
        (.fullName, ["fullname", "name", "completename", "nombrecompleto", "nomcomplet", "displayname"]),
        (.email, ["email", "emailaddress", "mail", "correo", "courriel", "correoelectronico"]),
        (
            .key,
            [
                "id", "key", "number", "no", "nr", "recipientid", "personid", "studentid", "employeeid",
                "memberid",
            ]
        ),
    ]

    static func guesses(_ names: [String]) -> [ColumnRole: Int] {
        let folded = names.map(Nearest.folded)
        var roles: [ColumnRole: Int] = [:]
        for (role, words) in words {
            for word in words {
                let hits = folded.indices.filter { folded[$0] == word }
                if hits.count == 1 {
                    roles[role] = hits[0]
                    break
                }
            }
        }
        // “nom” is the family's name beside a “prénom”, and a whole name alone.
        if roles[.lastName] == nil, let index = folded.firstIndex(of: "nom") {
            roles[roles[.firstName] == nil ? .fullName : .lastName] = index
        }
        // “Name” beside a first name and without a last name is the family's name.
        if roles[.lastName] == nil, roles[.firstName] != nil, let index = roles[.fullName],
            folded[index] == "name"
        {
            roles[.lastName] = index
            roles[.fullName] = nil
        }
        return roles
    }
}
