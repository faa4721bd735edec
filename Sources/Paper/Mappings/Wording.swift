import Formulas

/// What the words of a field or a column speak of, so that “DOB”, “Date of birth” and “birth_date” are the same.
struct Wording: Sendable, Equatable {
    /// Letters and digits only.
    let folded: String
    /// Concepts such as `@birthdate`, and the words that are none.
    let ideas: Set<String>
    /// Numbers at the end: the second line, the third part.
    let numbers: [String]
    /// False when there are only letters and numbers that mean nothing to a person.
    let saysSomething: Bool

    var concepts: Set<String> { ideas.filter { $0.hasPrefix("@") } }

    init(_ text: String) {
        let words = Self.words(text)
        folded = words.joined()
        var rest = words
        var numbers: [String] = []
        while let last = rest.last, rest.count > 1, last.allSatisfy(\.isNumber) {
            numbers.append(rest.removeLast())
        }
        self.numbers = numbers
        ideas = Self.ideas(rest)
        saysSomething = ideas.contains { $0.hasPrefix("@") || $0.count > 2 && $0.allSatisfy(\.isLetter) }
    }

    /// Words of a label, of `birthDate`, of `birth_date`, of `SSN2`.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var before: Character = " "
        func close() {
            if !word.isEmpty { words.append(word.lowercased()) }
            word = ""
        }
        for character in text.prefix(160) {
            if character == "'" || character == "’" {
                // “Child's name” and “Childs name” are the same.
                continue
            }
            guard character.isLetter || character.isNumber else {
                close()
                before = " "
                continue
            }
            let turns =
                character.isUppercase && before.isLowercase
                || character.isNumber != before.isNumber && !word.isEmpty
            if turns { close() }
            word.append(character)
            before = character
        }
        close()
        return words
    }

    private static func ideas(_ words: [String]) -> Set<String> {
        var ideas: Set<String> = []
        var at = 0
        outer: while at < words.count {
            for length in stride(from: min(4, words.count - at), through: 1, by: -1) {
                let phrase = words[at..<(at + length)].joined(separator: " ")
                if let concept = concepts[phrase] ?? (length == 1 ? concepts[singular(phrase)] : nil) {
                    ideas.insert(concept)
                    at += length
                    continue outer
                }
            }
            let word = words[at]
            if !noise.contains(word) { ideas.insert(singular(word)) }
            at += 1
        }
        return ideas
    }

    private static func singular(_ word: String) -> String {
        word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
    }

    private static let noise: Set<String> = [
        "the", "of", "a", "an", "your", "my", "please", "enter", "field", "text", "txt", "input", "box",
        "value", "here", "print",
        "type", "optional", "required", "to", "for", "in", "on", "is", "if", "any", "le", "la", "les", "de",
        "des", "du", "der",
        "die", "das", "den", "el", "los", "las", "del", "fill", "line", "form", "subform", "page", "tb", "tf",
        "fld", "current", "legal",
        "as", "shown", "this", "information", "info", "data", "s",
    ]

    private static let concepts: [String: String] = {
        var concepts: [String: String] = [:]
        for (concept, phrases) in list {
            for phrase in phrases.split(separator: ",") { concepts[String(phrase).trimmed] = "@\(concept)" }
        }
        return concepts
    }()

    private static let list: [(String, String)] = [
        (
            "firstname",
            "first name, firstname, given name, given names, forename, fname, first, vorname, prénom, prenom, nombre, nome, nombres, christian name, firstnames"
        ),
        (
            "middlename",
            "middle name, middlename, middle, mname, second name, zweiter vorname, segundo nombre"
        ),
        ("middleinitial", "middle initial, mi, m i, initial"),
        (
            "lastname",
            "last name, lastname, surname, family name, lname, last, nachname, familienname, nom de famille, apellido, apellidos, cognome, sobrenome"
        ),
        (
            "fullname",
            "full name, fullname, name, complete name, nombre completo, nom complet, names, printed name, legal name, nom"
        ),
        (
            "birthdate",
            "birth date, birthdate, date of birth, dob, born, birthday, born on, date born, geburtsdatum, geburtstag, geboren am, date de naissance, fecha de nacimiento, d o b"
        ),
        (
            "birthplace",
            "birth place, birthplace, place of birth, geburtsort, lieu de naissance, lugar de nacimiento"
        ),
        (
            "email",
            "email, e mail, email address, e mail address, mail, courriel, correo, correo electrónico, correo electronico, emailaddress"
        ),
        (
            "phone",
            "phone, phone number, telephone, telephone number, tel, telefon, téléphone, telephone no, teléfono, telefono, phone no, daytime phone, contact number, phonenumber"
        ),
        (
            "mobile",
            "mobile, mobile number, mobile phone, cell, cell phone, cell number, cellphone, handy, portable, celular, móvil"
        ),
        ("fax", "fax, fax number, telefax"),
        (
            "street",
            "street, street address, address line 1, address 1, address line, address1, mailing address, home address, strasse, straße, rue, calle, street name, street and number, residence address, addr, addr 1, straße und hausnummer, dirección"
        ),
        (
            "street2",
            "address line 2, address 2, address2, apt, apartment, suite, unit, street 2, apt no, apartment number, addr 2"
        ),
        ("address", "address, full address, anschrift, adresse, direccion, postal address, complete address"),
        ("city", "city, town, ort, stadt, ville, ciudad, city or town, municipality, wohnort, localidad"),
        ("state", "state, province, st, prov, bundesland, estado, region, state or province"),
        (
            "zip",
            "zip, zip code, zipcode, postal code, postcode, postalcode, plz, postleitzahl, code postal, código postal, codigo postal, zip postal code, post code"
        ),
        ("country", "country, land, pays, país, pais, nation"),
        ("county", "county, landkreis"),
        (
            "ssn",
            "ssn, social security number, social security no, social security, soc sec no, soc sec, social, socialsecuritynumber, s s n, social insurance number"
        ),
        ("ein", "ein, employer identification number, employer id number, fein, federal id"),
        (
            "taxid",
            "tin, tax id, taxpayer identification number, tax identification number, steuernummer, steuer id"
        ),
        (
            "company",
            "company, company name, organization, organisation, firma, employer, employer name, entreprise, empresa, business name, business"
        ),
        ("jobtitle", "job title, position, occupation, profession, beruf, job"),
        ("gender", "gender, sex, geschlecht, sexe, sexo"),
        ("maritalstatus", "marital status, civil status, familienstand, état civil, estado civil"),
        ("nationality", "nationality, citizenship, staatsangehörigkeit, nationalité, nacionalidad"),
        ("today", "today, todays date, date today, current date, heutiges datum"),
        ("date", "date, datum, fecha"),
        ("signature", "signature, unterschrift, firma del"),
        ("initials", "initials, kürzel, initiales"),
        ("amount", "amount, betrag, montant, monto, sum, total amount"),
        ("class", "class, grade, klasse, classe, grado, homeroom"),
        ("school", "school, schule, école, escuela, school name"),
        ("age", "age, alter, edad, âge"),
        ("website", "website, web site, url, homepage"),
        ("iban", "iban"), ("bic", "bic, swift"),
        ("account", "account number, account no, konto, kontonummer"),
        ("notes", "notes, remarks, comments, bemerkungen, remarques, notas, observations, comment"),
        ("month", "month, mm, mo, monat, mois, mes"), ("day", "day, dd, tag, jour, día, dia"),
        ("year", "year, yyyy, yy, jahr, année, annee, año, yr"),
        ("child", "child, student, pupil, kid, kind, enfant, niño, alumno"),
        ("guardian", "guardian, parent, parent guardian, parent or guardian, erziehungsberechtigte"),
        ("spouse", "spouse, partner, husband, wife, ehegatte"),
    ]
}
