import Bytes

/// What the lines of a printed card, or of the signature below a mail, say of somebody: a proposal, for a person to look over.
///
/// Mail, links and numbers tell themselves by their shape, an address by its postal code, a post and a company by their words.
/// The name is what is left: written large, or like the mail address. Whatever is not understood becomes a note, so that
/// nothing of the card is lost.
public struct PrintedCard: Sendable {
    /// A line as it was read, and how large its letters are; nil where nobody knows.
    public struct Line: Sendable {
        public var text: String
        public var height: Double?

        public init(_ text: String, height: Double? = nil) {
            self.text = text
            self.height = height
        }
    }

    public let card: ContactCard
    /// Whether it says how somebody is reached, or at least who it is and for whom they work.
    public var isCard: Bool { reachCount > 0 || (hasName && hasWork) }

    private var reachCount = 0
    private var hasName = false
    private var hasWork = false

    private static let mostLines = 60

    public init(_ lines: [Line]) {
        var reading = Reading(lines.prefix(Self.mostLines))
        reading.takeReach()
        reading.takeAddresses()
        reading.takeWork()
        reading.takeName()
        reachCount = reading.reachCount
        hasName = reading.name != nil
        hasWork = reading.hasWork
        card = reading.card
    }
}

/// What is not understood yet of a card, and what is.
private struct Reading {
    struct Left {
        var text: String
        var height: Double
    }

    var left: [Left]
    var found: [CardLine] = []
    var name: Left?
    var reachCount = 0
    var hasWork = false

    init(_ lines: ArraySlice<PrintedCard.Line>) {
        left = lines.compactMap { line in
            let text = CardText.collapsed(line.text).trimmingMarks
            return text.isEmpty ? nil : Left(text: String(text.prefix(500)), height: line.height ?? 0)
        }
    }

    private mutating func add(_ line: CardLine) -> Bool {
        guard let line = try? line.cleaned(), !line.isEmpty, found.count < 60 else { return false }
        if !found.contains(line) { found.append(line) }
        return true
    }

    // MARK: Mail, links, numbers

    mutating func takeReach() {
        for place in left.indices {
            takeMailAndLinks(at: place)
            takeNumbers(at: place)
        }
        left.removeAll { $0.text.isEmpty }
        reachCount = found.count
    }

    private mutating func takeMailAndLinks(at place: Int) {
        var kept: [Substring] = []
        // Recognition likes to put a blank beside the sign.
        let text = left[place].text.replacing(" @ ", with: "@").replacing("@ ", with: "@").replacing(
            " @", with: "@")
        for word in text.split(separator: " ") {
            let bare = String(word).trimmingMarks
            let isTaken =
                bare.isMail ? add(CardLine(.email, bare)) : bare.isLink && add(CardLine(.link, bare))
            if !isTaken { kept.append(word) }
        }
        guard kept.count < text.split(separator: " ").count else { return }
        // “E-mail:” alone says nothing any more.
        let rest = kept.filter { !Words.beforeReach.contains(String($0).trimmingMarks.lowercased()) }
        left[place].text = rest.joined(separator: " ").trimmingMarks
    }

    private mutating func takeNumbers(at place: Int) {
        let text = left[place].text.partingLabels
        var rest = ""
        var type: String?
        var number = ""
        var isTaken = false
        func flushed(_ piece: String) -> CardLine? {
            let digits = piece.filter(\.isWholeNumber).count
            guard (7...15).contains(digits), piece.first.map({ "+(0123456789".contains($0) }) == true
            else { return nil }
            // ZIP+4 of the United States.
            let groups = piece.split(separator: "-").map(\.count)
            guard groups != [5, 4] else { return nil }
            return CardLine(.phone, piece.trimmingMarks, type: type ?? "")
        }
        // A number goes on as long as there are signs of numbers; words between two of them part them.
        for word in text.split(separator: " ").map(String.init) + [""] {
            let isOfNumber =
                word.contains(where: \.isWholeNumber)
                && word.allSatisfy { $0.isWholeNumber || "+-()./–".contains($0) }
            if isOfNumber {
                number += (number.isEmpty ? "" : " ") + word
                continue
            }
            if let line = flushed(number), add(line) {
                isTaken = true
                rest = rest.droppingLabel
                type = nil
            } else if !number.isEmpty {
                rest += " " + number
            }
            number = ""
            if let said = Words.phoneType(word) { type = said }
            rest += " " + word
        }
        if isTaken {
            let words = rest.split(separator: " ").filter {
                Words.phoneType(String($0)) == nil
                    && !Words.beforeReach.contains(String($0).trimmingMarks.lowercased())
            }
            left[place].text = words.joined(separator: " ").trimmingMarks
        }
    }

    // MARK: Where it is

    mutating func takeAddresses() {
        var place = 0
        while place < left.count {
            guard let town = Town(left[place].text) else {
                place += 1
                continue
            }
            var parts = ["", "", "", town.city, town.region, town.code, ""]
            var taken = [place]
            parts[2] = town.street
            if town.street.isEmpty, place > 0, left[place - 1].text.isStreet {
                parts[2] = left[place - 1].text
                taken.append(place - 1)
            }
            if place + 1 < left.count, Words.countries.contains(left[place + 1].text.lowercased()) {
                parts[6] = left[place + 1].text
                taken.append(place + 1)
            }
            guard add(CardLine(.address, parts, type: "work")) else {
                place += 1
                continue
            }
            for index in taken.sorted(by: >) { left.remove(at: index) }
            place = taken.min() ?? place
        }
    }

    // MARK: Work

    mutating func takeWork() {
        let domains = found.filter { $0.kind == .email || $0.kind == .link }.map { $0.value.domainLetters }
            .filter { $0.count > 3 && !Words.mailHouses.contains($0) }
        func isCompany(_ line: Left) -> Bool {
            if line.text.wordsLowercased.contains(where: Words.companies.contains) { return true }
            let text = line.text.lowercased()
            if Words.companyMarks.contains(where: text.contains) { return true }
            let letters = line.text.lettersOnly
            guard letters.count > 3 else { return false }
            return domains.contains {
                $0 == letters || letters.count > 5 && $0.contains(letters)
                    || $0.count > 5 && letters.contains($0)
            }
        }
        if let place = left.firstIndex(where: isCompany), add(CardLine(.organization, left[place].text)) {
            left.remove(at: place)
            hasWork = true
        }
        while let place = left.firstIndex(where: { line in
            line.text.wordsLowercased.contains(where: Words.posts.contains) && line.text.count < 80
        }), add(CardLine(.title, left[place].text, type: "title")) {
            left.remove(at: place)
            hasWork = true
        }
    }

    // MARK: Who it is

    mutating func takeName() {
        let mail = found.first { $0.kind == .email }?.value.prefix { $0 != "@" }.lowercased() ?? ""
        let tallest = left.map(\.height).max() ?? 0
        func score(_ line: Left) -> Double {
            let words = line.text.split(separator: " ")
            guard words.count <= 6, !line.text.contains(where: \.isNumber), line.text.count <= 60,
                words.contains(where: { $0.count > 1 })
            else { return 0 }
            let inMail = words.filter { word in
                let letters = String(word).lettersOnly
                return letters.count > 2 && mail.contains(letters)
            }.count
            let capital = words.filter { $0.first?.isUppercase == true }.count
            var score = Double(inMail) * 3
            if words.count > 1 { score += 1 }
            score += Double(capital) / Double(words.count)
            if tallest > 0 { score += 2 * line.height / tallest }
            return score
        }
        guard let best = left.indices.max(by: { score(left[$0]) < score(left[$1]) }),
            score(left[best]) >= (tallest > 0 ? 2.5 : 1.5)
        else { return }
        name = left.remove(at: best)
    }

    // MARK: The card

    var card: ContactCard {
        var edit = CardEdit()
        if let name { setName(name.text, &edit) }
        for line in found { edit.add(line) }
        let rest = left.map(\.text).joined(separator: "\n")
        if !rest.isEmpty { edit.set(.note, rest) }
        return (try? ContactCard().edited(edit)) ?? ContactCard()
    }

    /// Where people have the names of both their families.
    private var isSpanish: Bool {
        found.contains { line in
            switch line.kind {
            case .email, .link:
                Words.spanishEndings.contains { line.value.lowercased().hasSuffix($0) }
            case .phone: line.value.hasPrefix("+52") || line.value.hasPrefix("+34")
            default: false
            }
        }
    }

    private func setName(_ text: String, _ edit: inout CardEdit) {
        var text = text
        // What stands behind a comma is an honour, and no name.
        if let comma = text.firstIndex(of: ",") {
            edit.set(.suffix, String(text[text.index(after: comma)...]).trimmingMarks)
            text = String(text[..<comma])
        }
        var words = text.split(separator: " ").map(String.init)
        if let first = words.first, words.count > 1,
            Words.prefixes.contains(first.lowercased().trimmingMarks)
        {
            edit.set(.prefix, first)
            words.removeFirst()
        }
        if text == text.uppercased() { words = words.map(\.capitalizedName) }
        guard words.count > 1, var family = words.popLast() else {
            return edit.set(.given, words.joined(separator: " "))
        }
        if words.count > 1, let second = words.last, isSpanish, second.count > 2,
            !Words.secondNames.contains(second.lettersOnly)
        {
            words.removeLast()
            family = "\(second) \(family)"
        }
        edit.set(.given, words.joined(separator: " "))
        edit.set(.family, family)
    }
}

/// A line with a postal code.
private struct Town {
    var street = ""
    var city = ""
    var region = ""
    var code = ""

    init?(_ text: String) {
        // Street and town may stand in one line, parted by a comma or a dot in the middle.
        let pieces = text.split(whereSeparator: { ",·|•".contains($0) }).map { CardText.trimmed(String($0)) }
            .filter { !$0.isEmpty }
        let words = pieces.map { $0.split(separator: " ").map(String.init) }
        for place in pieces.indices.reversed() {
            let here = words[place]
            if let (code, at, count) = Self.code(in: here) {
                self.code = code
                let before = Array(here[..<at])
                let after = Array(here[(at + count)...])
                region =
                    before.last.map { Self.isRegion($0) } == true && after.isEmpty ? before.last ?? "" : ""
                let own = (region.isEmpty ? before : before.dropLast()) + after
                city = own.joined(separator: " ")
                var front = Array(pieces[..<place])
                if city.isEmpty, let last = front.popLast() { city = last }
                if region.isEmpty, place + 1 < pieces.count, Self.isRegion(pieces[place + 1]) {
                    region = pieces[place + 1]
                }
                street = front.joined(separator: ", ")
                guard !city.isEmpty, city.contains(where: \.isLetter) else { return nil }
                return
            }
        }
        return nil
    }

    private static func isRegion(_ word: String) -> Bool {
        word.count <= 3 && word.count > 1 && word.allSatisfy { $0.isUppercase }
    }

    private static func code(in words: [String]) -> (code: String, at: Int, count: Int)? {
        func isDigits(_ text: some StringProtocol, _ counts: ClosedRange<Int>) -> Bool {
            counts.contains(text.count) && text.allSatisfy { $0.isASCII && $0.isWholeNumber }
        }
        func isCanadian(_ text: String) -> Bool {
            let signs = Array(text.uppercased())
            return signs.count == 6
                && signs.enumerated().allSatisfy {
                    $0.offset % 2 == 0 ? $0.element.isLetter && $0.element.isASCII : $0.element.isWholeNumber
                }
        }
        for (place, word) in words.enumerated() {
            if isCanadian(word) { return (word, place, 1) }
            if place + 1 < words.count, word.count == 3, isCanadian(word + words[place + 1]) {
                return ("\(word) \(words[place + 1])", place, 2)
            }
        }
        // A number of a house stands before its street: a code stands first before its town, or last.
        guard let last = words.last, let first = words.first, words.count > 1 else {
            return words.first.flatMap { isDigits($0, 5...5) ? ($0, 0, 1) : nil }
        }
        let parts = last.split(separator: "-", omittingEmptySubsequences: false)
        if isDigits(parts[0], 5...5), parts.count == 1 || parts.count == 2 && isDigits(parts[1], 4...4) {
            return (last, words.count - 1, 1)
        }
        let bare = first.contains("-") ? String(first.split(separator: "-").last ?? "") : first
        let isCode = isDigits(bare, 4...5) && (first == bare || first.first?.isLetter == true)
        return isCode && words.count <= 5 && !words.dropFirst().contains { $0.lowercased().isStreetWord }
            ? (first, 0, 1) : nil
    }
}

private enum Words {
    static let beforeReach: Set<String> = [
        "e", "e-mail", "email", "mail", "correo", "courriel", "web", "www", "site", "website", "sitio",
        "internet",
        "tel", "tél", "ph", "phone", "telephone", "téléphone", "teléfono", "telefon", "t", "p", "w",
        "linkedin",
    ]

    static func phoneType(_ word: String) -> String? {
        switch word.trimmingMarks.lowercased() {
        case "m", "c", "mobile", "mob", "cell", "cel", "cél", "celular", "móvil", "movil", "handy", "natel",
            "cellulaire", "portable", "whatsapp":
            "cell"
        case "f", "fax", "télécopieur": "fax"
        case "o", "d", "office", "direct", "direkt", "work", "bureau", "oficina", "trabajo", "büro": "work"
        case "h", "home", "casa", "privat", "domicile": "home"
        case "main", "zentrale", "switchboard": "main"
        default: nil
        }
    }

    static let prefixes: Set<String> = [
        "dr", "dra", "prof", "mr", "mrs", "ms", "mx", "herr", "frau", "sr", "sra", "srta", "ing", "lic",
        "arq", "me",
        "m", "mme", "mlle", "maître", "rev",
    ]

    static let companies: Set<String> = [
        "inc", "llc", "llp", "ltd", "limited", "corp", "corporation", "company", "gmbh", "ag", "kg", "ug",
        "sa", "sarl",
        "sas", "sàrl", "ltée", "cv", "bv", "oy", "ab", "plc", "group", "grupo", "groupe", "gruppe",
        "university",
        "universität", "universidad", "université", "college", "school", "schule", "école", "ecole",
        "escuela",
        "colegio", "collège", "academy", "hospital", "hôpital", "clinic", "clínica", "clinique", "bank",
        "banco",
        "banque", "foundation", "fundación", "fondation", "stiftung", "association", "asociación", "verein",
        "church",
        "institute", "instituto", "institut", "studio", "agency", "agencia", "agence", "partners",
        "associates",
        "services", "solutions", "consulting", "technologies", "systems", "industries", "museum",
        "library",
        "district", "department", "ministry", "council", "bakery", "restaurant", "hotel", "pharmacy",
        "insurance",
    ]

    static let posts: Set<String> = [
        "manager", "director", "directora", "directeur", "directrice", "direktor", "direktorin", "leiter",
        "leiterin",
        "engineer", "ingeniero", "ingeniera", "ingénieur", "ingénieure", "ingenieur", "ceo", "cfo", "cto",
        "coo",
        "president", "presidente", "presidenta", "présidente", "président", "vice", "chair", "chief", "head",
        "officer",
        "secretary", "secretaria", "secretario", "secrétaire", "sekretärin", "teacher", "maestra", "maestro",
        "enseignante", "enseignant", "lehrer", "lehrerin", "principal", "consultant", "consultora",
        "consultor",
        "consultante", "berater", "beraterin", "sales", "ventas", "ventes", "verkauf", "gerente", "jefe",
        "jefa", "chef",
        "coordinator", "coordinador", "coordinadora", "coordonnatrice", "coordonnateur", "attorney", "lawyer",
        "abogado", "abogada", "avocat", "avocate", "notaire", "anwalt", "anwältin", "professor", "profesor",
        "profesora",
        "professeur", "professeure", "assistant", "assistante", "asistente", "founder", "co-founder",
        "cofounder",
        "fundador", "fundadora", "fondateur", "fondatrice", "gründer", "owner", "dueño", "dueña",
        "propriétaire",
        "inhaber", "inhaberin", "partner", "nurse", "accountant", "contador", "contadora", "comptable",
        "realtor",
        "broker", "designer", "diseñador", "diseñadora", "developer", "desarrollador", "desarrolladora",
        "développeur",
        "développeuse", "architect", "arquitecto", "arquitecta", "architecte", "architekt", "architektin",
        "analyst",
        "analista", "analyste", "specialist", "especialista", "spécialiste", "representative",
        "representante",
        "treasurer", "tesorera", "tesorero", "trésorière", "trésorier", "photographer", "editor", "editora",
        "journalist",
        "therapist", "psychologist", "dentist", "physician", "médecin", "médico", "médica", "geschäftsführer",
        "geschäftsführerin", "counselor", "superintendent", "librarian", "technician", "técnico",
        "technicien",
    ]

    static let companyMarks = ["s.a.", "c.v.", "s.l.", "s.r.l.", "a.c.", "& co"]
    static let spanishEndings = [".mx", ".es", ".ar", ".cl", ".pe", ".com.co"]
    /// Given, and no family's.
    static let secondNames: Set<String> = [
        "maria", "jose", "luis", "carlos", "juan", "jesus", "antonio", "guadalupe", "fernanda", "alejandra",
        "manuel",
        "alberto", "isabel", "elena", "carmen", "angel", "miguel", "eduardo", "enrique", "javier",
        "francisco", "fernando",
        "alejandro", "antonia", "beatriz", "patricia", "andrea", "ramon", "ignacio", "pablo", "del", "los",
        "las",
    ]

    /// Mail that is no company's own.
    static let mailHouses: Set<String> = [
        "gmail", "googlemail", "outlook", "hotmail", "yahoo", "icloud", "aol", "proton", "protonmail", "live",
        "bluewin",
        "videotron", "bell", "comcast", "verizon", "web", "linkedin", "facebook", "instagram",
    ]

    static let countries: Set<String> = [
        "usa", "u.s.a.", "united states", "canada", "mexico", "méxico", "switzerland", "schweiz", "suisse",
        "germany",
        "deutschland", "austria", "österreich", "france", "spain", "españa", "italy", "italia",
        "united kingdom", "uk",
        "belgium", "belgique", "netherlands", "portugal", "brasil", "brazil", "argentina", "chile",
        "colombia",
        "estados unidos", "états-unis",
    ]
}

extension String {
    /// Without what recognition and printers put around words.
    fileprivate var trimmingMarks: String {
        var text = Substring(self)
        func isMark(_ sign: Character) -> Bool {
            sign.isWhitespace || "|•·:;,*_=~–—-‹›<>\"'“”«»".contains(sign)
        }
        while let first = text.first, isMark(first) { text.removeFirst() }
        while let last = text.last,
            isMark(last) || last == "." && text.dropLast().allSatisfy({ $0 != "." }) && text.count < 12
        {
            text.removeLast()
        }
        return String(text)
    }

    /// The words in front of a number that only say what it is.
    fileprivate var droppingLabel: String {
        var words = split(separator: " ").map(String.init)
        while let last = words.last,
            Words.phoneType(last) != nil || Words.beforeReach.contains(last.trimmingMarks.lowercased())
        {
            words.removeLast()
        }
        return words.joined(separator: " ")
    }

    fileprivate var isMail: Bool {
        let halves = split(separator: "@", omittingEmptySubsequences: false)
        return halves.count == 2 && !halves[0].isEmpty && halves[1].contains(".")
            && halves[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    /// `www.example.org`, `example.org/ana`, `https://…`, and no abbreviation with points.
    fileprivate var isLink: Bool {
        let text = lowercased()
        if text.hasPrefix("http://") || text.hasPrefix("https://") { return true }
        let host = text.prefix { $0 != "/" && $0 != "?" }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let top = labels.last, (2...12).contains(top.count),
            top.allSatisfy({ $0.isASCII && $0.isLetter }),
            labels.allSatisfy({ label in
                !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isWholeNumber || $0 == "-" }
            })
        else { return false }
        return labels[0] == "www"
            || labels.contains { $0.count > 3 } && labels.dropLast().allSatisfy { $0.count > 1 }
    }

    /// A number, and a word of streets or at least a word.
    fileprivate var isStreet: Bool {
        let words = wordsLowercased
        return words.count > 1 && words.count <= 10
            && (contains(where: \.isWholeNumber) || words.contains { $0.isStreetWord })
    }

    fileprivate var isStreetWord: Bool {
        [
            "st", "street", "ave", "avenue", "rd", "road", "blvd", "boulevard", "dr", "drive", "lane", "ln",
            "way", "calle",
            "avenida", "av", "rue", "chemin", "route", "place", "platz", "colonia", "col", "suite", "floor",
            "piso",
        ].contains(self) || hasSuffix("strasse") || hasSuffix("straße") || hasSuffix("str") && count > 4
            || hasSuffix("weg") && count > 4 || hasSuffix("gasse")
    }

    fileprivate var wordsLowercased: [String] {
        lowercased().split(whereSeparator: { !($0.isLetter || $0.isWholeNumber || $0 == "-") }).map(
            String.init)
    }

    /// Without accents, as addresses of mail are written.
    fileprivate var lettersOnly: String {
        String(decoding: Folding.text(self), as: UTF8.self).filter { $0.isLetter || $0.isWholeNumber }
    }

    /// `Tel:+41` in two words.
    fileprivate var partingLabels: String {
        var text = ""
        var last: Character = " "
        for sign in self {
            if last == ":" || last == ".", sign.isWholeNumber || "+(".contains(sign),
                !text.dropLast().hasSuffix("/"), text.dropLast().last?.isLetter == true
            {
                text.append(" ")
            }
            text.append(sign)
            last = sign
        }
        return text
    }

    /// Of a mail address or a link: the name of its house, without dots and strokes.
    fileprivate var domainLetters: String {
        var host = Substring(lowercased())
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        if let slashes = host.firstRange(of: "//") { host = host[slashes.upperBound...] }
        host = host.prefix { $0 != "/" && $0 != "?" }
        let labels = host.split(separator: ".")
        guard labels.count > 1 else { return "" }
        // `example.co.uk` is called example.
        let isShort = labels.count > 2 && labels[labels.count - 2].count <= 3
        return String(labels[labels.count - (isShort ? 3 : 2)]).lettersOnly
    }

    /// ANA MARÍA becomes Ana María; O'NEIL and SMITH-JONES keep the capital behind their mark.
    fileprivate var capitalizedName: String {
        var result = ""
        var isFirst = true
        for sign in self {
            result += isFirst ? String(sign).uppercased() : String(sign).lowercased()
            isFirst = "-'’".contains(sign)
        }
        return result
    }
}
