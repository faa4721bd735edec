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
        // The number of an “Address line 2” is a part of what it is called.
        while let last = rest.last, rest.count > 1, last.allSatisfy(\.isNumber),
            Self.concepts[rest.suffix(3).joined(separator: " ")] == nil
        {
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
                // “Child's name” and “Childs name” are the same; “nom d'usage” has a word before it.
                if word.count == 1 { close() }
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
            if turns {
                close()
            } else if character.isLowercase, before.isUppercase, word.count > 2,
                word.allSatisfy(\.isUppercase)
            {
                // “DOBmonth” is cut behind what is known, “ZIPOr” before the capital.
                let last = concepts[word.lowercased()] == nil ? word.removeLast() : nil
                close()
                if let last { word.append(last) }
            }
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
            // “Last four digits” speaks of a part of a number, not of a last name.
            if at + 1 < words.count, ordinals.contains(words[at]), counts.contains(words[at + 1]) {
                at += 2
                continue
            }
            // “First date of work” and “the last year you filed” are no names either.
            if at + 1 < words.count, words[at] == "first" || words[at] == "last",
                !beforeNames.contains(words[at + 1]),
                concepts[words[at...].prefix(4).joined(separator: " ")] == nil
            {
                ideas.insert(words[at])
                at += 1
                continue
            }
            // `MailStreet` is where the post goes, and “to be given” is no name.
            if words[at] == "mail", at + 1 < words.count, mailed.contains(concepts[words[at + 1]] ?? "") {
                at += 1
                continue
            }
            if words[at] == "given", at > 0, words[at - 1] == "be" {
                at += 1
                continue
            }
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

    private static let mailed: Set<String> = ["@street", "@street2", "@city", "@state", "@zip", "@country"]
    private static let ordinals: Set<String> = ["first", "second", "middle", "last"]
    private static let beforeNames: Set<String> = [
        "name", "names", "and", "or", "first", "last", "middle", "initial", "mi", "m",
    ]
    private static let counts: Set<String> = [
        "one", "two", "three", "four", "five", "six", "seven", "1", "2", "3", "4", "5", "6", "7",
    ]

    static func singular(_ word: String) -> String {
        word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
    }

    private static let noise: Set<String> = [
        "the", "of", "a", "an", "my", "please", "enter", "field", "text", "txt", "input", "box",
        "value", "here", "print",
        "optional", "required", "to", "for", "in", "on", "is", "if", "any", "le", "la", "les", "de",
        "des", "du", "der",
        "die", "das", "den", "el", "los", "las", "del", "fill", "line", "form", "subform", "page", "tb", "tf",
        "fld", "current", "legal",
        "as", "shown", "this", "information", "info", "data", "s", "and", "or", "und", "oder", "et", "ou",
        "y", "o",
        "u", "about", "at", "by", "with", "from", "zum", "zur", "von", "vom", "l", "d", "au", "aux", "du",
        "al", "con",
        "row", "en", "caso", "cas", "avisar", "notify", "digit", "digits", "character", "characters",
        "available", "include", "including", "area", "enter",
        "be",
        "use", "only", "if", "applicable", "topmost", "must", "whole", "e", "n", "a", "are", "you", "detail",
        "details",
        "angaben", "datos", "who",
    ]

    private static let concepts: [String: String] = {
        var concepts: [String: String] = [:]
        for (concept, phrases) in list {
            for phrase in phrases.split(separator: ",") { concepts[String(phrase).trimmed] = "@\(concept)" }
        }
        return concepts
    }()

    private static let list: [(String, String)] =
        [
            (
                "firstname",
                "first name, firstname, given name, given names, given, forename, forenames, forename s, first names, first name s, fname, f name, first, vorname, vornamen, prénom, prenom, prénoms, nombre, nome, nombres, christian name, firstnames"
            ),
            (
                "middlename",
                "middle name, middlename, middle, mname, mid, second name, zweiter vorname, segundo nombre"
            ),
            ("middleinitial", "middle initial, mi, m i, initial"),
            (
                "lastname",
                "last name, lastname, last names, surname, surnames, surname s, family name, lname, l name, sname, last, nachname, familienname, nom de famille, apellido, apellidos, cognome, sobrenome, apellido s, sur name"
            ),
            (
                "fullname",
                "full name, fullname, full legal name, legal full name, name, complete name, nombre completo, nom complet, names, printed name, legal name, nom"
            ),
            (
                "birthdate",
                "birth date, birthdate, date of birth, dob, born, birthday, bday, born on, date born, geburtsdatum, geburtstag, geboren am, date de naissance, fecha de nacimiento, f nacimiento, fecha nacimiento, date naissance, date naiss, né le, née le, né e le, fecha nac, f nac, fec nac, geb, geb datum, geb dat, gebdatum, geburts datum, geboren, d o b"
            ),
            (
                "birthplace",
                "birth place, birthplace, place of birth, city of birth, town of birth, city or town of birth, birth city, geburtsort, lieu de naissance, lugar de nacimiento"
            ),
            (
                "birthcountry",
                "country of birth, birth country, geburtsland, pays de naissance, país de nacimiento, pais de nacimiento"
            ),
            (
                "email",
                "email, e mail, email address, e mail address, mail, courriel, correo, correo electrónico, correo electronico, emailaddress, mél, mel"
            ),
            (
                "phone",
                "phone, phone number, telephone, telephone number, tel, telefon, téléphone, telephone no, teléfono, telefono, phone no, daytime phone, contact number, phonenumber, ph, dayphone, phone nr, tél, num tel, fon, phones"
            ),
            (
                "mobile",
                "mobile, mobile number, mobile phone, cell, cell phone, cell number, cellphone, handy, portable, celular, móvil, movil, mobil, mobiltelefon, tél portable, tel portable, téléphone portable"
            ),
            ("fax", "fax, fax number, telefax"),
            (
                "street",
                "street, street address, address line 1, address 1, address line, address1, strasse, straße, rue, calle, street name, street and number, number and street, addr 1, straße und hausnummer, hausnummer, house number, house number and street, street number, num street, str, via"
            ),
            (
                "street2",
                "address line 2, address 2, address2, apt, apartment, suite, unit number, unit, flat, flr, street 2, apt no, apartment number, addr 2, apt number, app, appt, appartement, wohnung"
            ),
            (
                "address",
                "address, addr, full address, mailing address, home address, residence address, anschrift, adresse, direccion, dirección, domicilio, domicile, postal address, complete address"
            ),
            (
                "city",
                "city, town, ort, stadt, ville, ciudad, city or town, municipality, post office, city town, wohnort, localidad, población"
            ),
            (
                "state",
                "state, province, st, prov, state province, bundesland, estado, edo, region, state or province"
            ),
            (
                "zip",
                "zip, zip code, zipcode, postal code, postcode, postalcode, plz, postleitzahl, code postal, cp, p code, pcode, zip plus four, código postal, codigo postal, c p, zip postal code, post code"
            ),
            ("country", "country, land, pays, país, pais, nation"),
            ("county", "county, landkreis"),
            (
                "ssn",
                "ssn, social security number, social security no, social security, soc sec no, soc sec, social, socialsecuritynumber, s s n, ss, social insurance number, sécurité sociale, numéro de sécurité sociale, numéro d assurance sociale, assurance sociale, nas, número de seguridad social, nss, n sécu, num secu, secu, national insurance number, national insurance, ni no, ni number, sozialversicherungsnummer, seguridad social"
            ),
            ("ein", "ein, employer identification number, employer id number, fein, federal id"),
            (
                "taxid",
                "tin, tax id, taxpayer identification number, tax identification number, steuernummer, steuer id"
            ),
            (
                "company",
                "company, company name, organization, organisation, firma, entreprise, empresa, business name, business, dba, doing business as, raison sociale, razón social"
            ),
            ("jobtitle", "job title, position, occupation, profession, profesión, beruf, job"),
            ("gender", "gender, sex, geschlecht, sexe, sexo"),
            (
                "maritalstatus",
                "marital status, marital, civil status, familienstand, état civil, estado civil"
            ),
            (
                "nationality",
                "nationality, citizenship, staatsangehörigkeit, nationalité, nationalite, nacionalidad, staatsang"
            ),
            ("today", "today, todays date, date today, current date, heutiges datum"),
            ("date", "date, datum, fecha, dt"),
            ("signature", "signature, unterschrift, firma del"),
            ("initials", "initials, kürzel, initiales"),
            ("amount", "amount, betrag, montant, monto, sum, total amount"),
            ("class", "class, grade, grade level, gr, klasse, kl, classe, niveau, niveau scolaire, grado"),
            ("nickname", "nickname, nick name, preferred name, goes by, known as, rufname, surnom, apodo"),
            (
                "hired",
                "hire date, date of hire, hired, hire dt, hired on, date hired, doh, first day of employment, first date of employment, employment start date, eintrittsdatum, eintritt, date d embauche, embauche, fecha de ingreso"
            ),
            ("start", "start, starting, begin, begins, beginning, beginn, début, inicio"),
            ("end", "end, ends, ending, ende, fin"),
            (
                "routing",
                "routing, routing number, routing no, aba number, transit number, bankleitzahl, blz"
            ),
            ("school", "school, schule, école, escuela, school name, university, college"),
            ("age", "age, alter, edad, âge"),
            ("website", "website, web site, url, homepage"),
            ("iban", "iban"), ("bic", "bic, swift"),
            (
                "account",
                "account number, account no, acct no, acct number, acct, account, konto, kontonummer"
            ),
            ("notes", "notes, remarks, comments, bemerkungen, remarques, notas, observations, comment"),
            ("month", "month, mm, mo, monat, mois, mes"), ("day", "day, dd, tag, jour, día, dia"),
            ("year", "year, yyyy, yy, jahr, année, annee, año, yr"),
            ("relationship", "relationship, relation, verwandtschaft, lien de parenté, parentesco"),
            ("number", "number, no, nr, id, num, numéro, numero, número, nummer"),
        ] + people

    /// Of whom something is asked. Those who may be the one whom a form is about stand first.
    private static let people: [(String, String)] = [
        (
            "self",
            "your, yourself, self, applicant, claimant, veteran, service member, servicemember, taxpayer, employee, emp, injured worker, member, participant, registrant, petitioner, enrollee, customer, client, vendor, tenant, renter, lessee, borrower, debtor, attendee, guest, patron, candidate, volunteer, vol, player, donor, received from, grantor, poderdante, mandant, mieter, antragsteller, antragstellerin, antragstellende, antragstellende person, antragstellenden, antragstellenden person, arbeitnehmer, mitarbeiter, steuerpflichtiger, kunde, locataire, salarié, demandeur, adhérent, solicitante, trabajador, arrendatario, inquilino, contribuyente, vollmachtgeber, camper"
        ),
        (
            "child",
            "child, children, childs, student, pupil, kid, kind, kinder, kindern, kinde, enfant, niño, alumno, alumna, élève, eleve, schüler, schülerin, schüler in"
        ),
        ("patient", "patient, pt, paciente"),
        (
            "insured",
            "insured, insured person, subscriber, policyholder, policy holder, versicherter, versicherungsnehmer, assuré, asegurado"
        ),
        ("plaintiff", "plaintiff"),
        (
            "guardian",
            "guardian, parent, parents, parent guardian, parent or guardian, carer, parent carer, erziehungsberechtigte, erziehungsberechtigter, erziehungsberechtigte r, eltern, elternteil, responsable, responsable légal, tutor"
        ),
        ("mother", "mother, mom, mutter, mère, madre"),
        ("father", "father, dad, vater, père, padre"),
        (
            "spouse",
            "spouse, partner, registered domestic partner, domestic partner, cu partner, husband, wife, ehegatte, ehepartner, ehefrau, ehemann, conjoint, cónyuge, conyuge"
        ),
        (
            "coapplicant",
            "co applicant, coapplicant, joint applicant, co borrower, coborrower, cosigner, co signer, mitantragsteller, roommate"
        ),
        (
            "dependent",
            "dependent, dependant, personne à charge, dependiente, household member, family member"
        ),
        ("employer", "employer, arbeitgeber, employeur, empleador, patrono"),
        (
            "agent",
            "agent, broker, attorney, lawyer, counsel, representative, legal representative, authorized representative, auth rep, designee, third party designee, third party, proxy, bevollmächtigter, bevollmächtigte, vertreter, mandataire, représentant, representante, abogado, apoderado, poa"
        ),
        ("interpreter", "interpreter, translator, dolmetscher, übersetzer, interprète, intérprete"),
        ("preparer", "preparer, paid preparer, prepared by, steuerberater, gestor"),
        ("witness", "witness, zeuge, zeugin, témoin, testigo, countersignature, countersignatory, notary"),
        (
            "emergency",
            "emergency, emergency contact, emerg, emerg contact, notfall, notfallkontakt, urgence, cas urgence, personne à prévenir, emergencia"
        ),
        (
            "doctor",
            "doctor, family doctor, physician, prescriber, pediatrician, dr, gp, provider, surgery, dentist, arzt, arztes, hausarzt, hausarztes, médecin, médico, medico"
        ),
        ("landlord", "landlord, lessor, vermieter, bailleur, arrendador"),
        (
            "previous",
            "previous, previously, former, prior, maiden, alias, aka, lived before, lived elsewhere, other name, other names, früher, früherer, geburtsname, naissance nom, anterior, soltera"
        ),
        ("reference", "reference, references, referee, referenz, referencia"),
        ("source", "source, source of information"),
        (
            "office",
            "office use, official use, for office, agency use, department use, office, internal, amtlich, behörde, administration, oficina, payroll office"
        ),
        (
            "bank",
            "bank, bank name, credit union, financial institution, kreditinstitut, banque, banco, bankverbindung"
        ),
        ("signer", "signer, signed by, signatory, countersigner"),
        ("caregiver", "caregiver, care giver, pflegeperson"),
        (
            "requester",
            "requester, payer, sender, creditor, zahlungsempfänger, gläubiger, créancier, acreedor"
        ),
        ("sponsor", "sponsor"),
        (
            "insurer",
            "insurance company, insurer, carrier, ins co, krankenkasse, kasse, assureur, aseguradora"
        ),
        ("supervisor", "supervisor, manager, boss, vorgesetzter, superviseur, jefe"),
        ("instructor", "instructor, teacher, trainer, coach, homeroom teacher, lehrer, lehrerin"),
        ("defendant", "defendant, respondent"),
        ("contact", "contact person, kontaktperson"),
        ("beneficiary", "beneficiary, payee, begünstigter, bénéficiaire, beneficiario"),
        ("decedent", "deceased, decedent"),
        (
            "approver",
            "approver, approved by, approval, approvals, authorized by, authorised by, genehmigt, approuvé par"
        ),
        (
            "holder",
            "account holder, accountholder, kontoinhaber, zahlungspflichtiger, titulaire du compte, titular de la cuenta"
        ),
    ]

    static let owners: Set<String> = Set(people.map { "@\($0.0)" })
}
