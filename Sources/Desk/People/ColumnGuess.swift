import Bytes
import Tables

/// What columns are likely for, by their names in the languages people write them in.
enum ColumnGuess {
    private static let words: [ColumnRole: [String]] = [
        .email: [
            "email", "emailaddress", "mail", "mailaddress", "emailadresse", "mailadresse", "courriel",
            "adresseemail", "adressemail", "correo", "correoelectronico", "posta", "epost", "eposta",
            "indirizzoemail",
        ],
        .firstName: [
            "firstname", "givenname", "forename", "vorname", "prenom", "nombre", "nome", "fornavn",
            "voornaam",
        ],
        .lastName: [
            "lastname", "surname", "familyname", "nachname", "familienname", "nomdefamille", "apellido",
            "apellidos", "cognome", "etternavn", "achternaam", "nom",
        ],
        .name: [
            "name", "fullname", "displayname", "completename", "vollername", "nomcomplet", "nombrecompleto",
            "nomecompleto",
        ],
        .phone: [
            "phone", "phonenumber", "telephone", "telephonenumber", "tel", "telno", "telnumber", "mobile",
            "mobilephone", "mobilenumber", "cell", "cellphone", "cellnumber", "telefon", "telefonnummer",
            "handy",
            "handynummer", "mobiltelefon", "telefono", "numerodetelefono", "telefonomovil", "celular",
            "movil",
            "numerodecelular", "telefonocelular", "numerodetelephone", "notelephone", "nodetelephone",
            "telephoneportable",
            "cellulaire", "telefone", "telefoon", "cellulare",
        ],
        .cc: ["cc", "ccemail", "emailcc"],
        .bcc: ["bcc", "bccemail", "emailbcc"],
    ]

    static func role(of name: String) -> ColumnRole? {
        let key = Folding.key(name)
        return words.first { $0.value.contains(key) }?.key
    }

    /// Mentions e-mail in whatever words: `Parent e-mail`, `E-Mail (privat)`.
    static func looksLikeEmail(_ name: String) -> Bool {
        let key = Folding.key(name)
        return key.contains("email") || words[.email]?.contains(key) == true || key.hasSuffix("mail")
    }

    /// What mostly tells people apart.
    static func looksLikeKey(_ name: String) -> Bool {
        let key = Folding.key(name)
        return ["id", "key", "number", "no", "nr", "uid", "code", "nummer", "numero", "matricule"].contains(
            key)
            || key.hasSuffix("id") || key.hasSuffix("number") || key.hasSuffix("nummer")
            || key.hasSuffix("nr")
    }
}

/// Which column holds the addresses to write to, or why somebody has to say.
public struct EmailChoice: Sendable, Equatable {
    /// Nil when it has to be asked for, or when there is none.
    public var column: String?
    /// What could be it.
    public var candidates: [String]
    /// One sentence for the person: what was chosen and why, or what is to be chosen.
    public var reason: String

    public var isAsked: Bool { column == nil && !candidates.isEmpty }

    /// What was counted in one column.
    struct Counts {
        var name: String
        var filled = 0
        var addresses = 0
        var isAddressed: Bool { filled > 0 && addresses * 100 >= filled * 95 }
    }

    /// Exactly one name that mentions e-mail, or exactly one column with at least 95 of 100 cells that are
    /// addresses; otherwise it is asked.
    init(_ columns: [Counts]) {
        let named = columns.filter { ColumnGuess.looksLikeEmail($0.name) }
        let full = columns.filter(\.isAddressed)
        candidates = (named + full.filter { column in !named.contains { $0.name == column.name } }).map(
            \.name)
        if named.count == 1 {
            column = named[0].name
            let odd = named[0].filled - named[0].addresses
            reason =
                "“\(named[0].name)” is the only column whose name says e-mail."
                + (odd > 0 ? " \(odd) of its cells hold no address." : "")
            candidates = [named[0].name]
        } else if named.isEmpty, full.count == 1 {
            column = full[0].name
            reason =
                "“\(full[0].name)” is the only column that holds addresses: \(full[0].addresses) of \(full[0].filled) cells."
        } else if candidates.isEmpty {
            reason = "No column holds e-mail addresses. Papers can be made, but not sent by mail."
        } else {
            reason =
                "Several columns could hold the address to write to. Choose one: \(candidates.map { "“\($0)”" }.joined(separator: ", "))."
        }
    }
}
