/// A day and a time of day as spreadsheets count them: days since the end of 1899, or since 1904.
struct SheetMoment: Sendable {
    private(set) var days: Int
    /// Of the day.
    private(set) var totalMilliseconds: Int
    private let is1904: Bool

    private static let dayLength = 86_400_000

    /// Nil for what no spreadsheet shows as a date: negative numbers, and years beyond 9999.
    init?(_ number: DecimalText, is1904: Bool) {
        guard !number.isNegative, number.point <= 8 else { return nil }
        let value = number.double
        guard value >= 0, value < 2_958_466 else { return nil }
        days = Int(value)
        totalMilliseconds = Int(((value - Double(days)) * Double(Self.dayLength)).rounded())
        self.is1904 = is1904
        carry()
    }

    private mutating func carry() {
        if totalMilliseconds >= Self.dayLength {
            totalMilliseconds -= Self.dayLength
            days += 1
        }
    }

    /// A time of 8:30 is often stored as a hair less.
    var roundedToSeconds: SheetMoment {
        var rounded = self
        rounded.totalMilliseconds = (totalMilliseconds + 500) / 1000 * 1000
        rounded.carry()
        return rounded
    }

    var hour: Int { totalMilliseconds / 3_600_000 }
    var minute: Int { totalMilliseconds / 60_000 % 60 }
    var second: Int { totalMilliseconds / 1000 % 60 }
    var milliseconds: Int { totalMilliseconds % 1000 }
    var totalHours: Int { days * 24 + hour }
    var totalMinutes: Int { totalHours * 60 + minute }
    var totalSeconds: Int { totalMinutes * 60 + second }

    /// Days since 1970. Excel believes, as Lotus did, that 1900 had a 29 February: its day 60. All days before
    /// that are one less than they should be.
    private var epochDays: Int {
        is1904 ? days - 24_107 : days < 60 ? days - 25_568 : days - 25_569
    }

    /// 0 is Sunday.
    var weekday: Int {
        let day = (epochDays + 4) % 7
        return day < 0 ? day + 7 : day
    }

    var year: Int { civil.year }
    var month: Int { civil.month }
    var day: Int { civil.day }

    /// The Gregorian calendar, by counting years from March so that the leap day comes last.
    private var civil: (year: Int, month: Int, day: Int) {
        if !is1904, days == 60 { return (1900, 2, 29) }
        let shifted = epochDays + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    var isoDay: String {
        let civil = civil
        return
            "\(CellKind.fourDigits(civil.year))-\(CellKind.twoDigits(civil.month))-\(CellKind.twoDigits(civil.day))"
    }

    var isoTime: String {
        let rounded = roundedToSeconds
        return
            "\(CellKind.twoDigits(rounded.hour)):\(CellKind.twoDigits(rounded.minute)):\(CellKind.twoDigits(rounded.second))"
    }

    /// As much of it as the format shows. Day 0 with a time is a time alone.
    func iso(_ section: FormatSection) -> String {
        let rounded = roundedToSeconds
        guard section.showsDay else { return isoTime }
        return section.showsTime || rounded.totalMilliseconds > 0
            ? "\(rounded.isoDay)T\(isoTime)" : rounded.isoDay
    }
}

/// Months and days as formats with a language spell them.
struct DateWords: Sendable {
    var months: [String]
    var shortMonths: [String]
    var days: [String]
    var shortDayLength: Int

    private init(_ months: String, _ days: String, short: String? = nil, shortDayLength: Int = 3) {
        self.months = months.split(separator: " ").map { String($0) }
        shortMonths =
            short.map { $0.split(separator: " ").map { String($0) } }
            ?? self.months.map { String($0.prefix(3)) }
        self.days = days.split(separator: " ").map { String($0) }
        self.shortDayLength = shortDayLength
    }

    static let english = DateWords(
        "January February March April May June July August September October November December",
        "Sunday Monday Tuesday Wednesday Thursday Friday Saturday")
    private static let german = DateWords(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", shortDayLength: 2)
    private static let french = DateWords(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "dimanche lundi mardi mercredi jeudi vendredi samedi",
        short: "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.")
    private static let spanish = DateWords(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "domingo lunes martes miércoles jueves viernes sábado")
    private static let italian = DateWords(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "domenica lunedì martedì mercoledì giovedì venerdì sabato")
    private static let portuguese = DateWords(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado")
    private static let dutch = DateWords(
        "januari februari maart april mei juni juli augustus september oktober november december",
        "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", shortDayLength: 2)

    /// By the low ten bits of Windows' language numbers.
    static func language(_ number: UInt32) -> DateWords {
        switch number & 0x3FF {
        case 0x07: german
        case 0x0C: french
        case 0x0A: spanish
        case 0x10: italian
        case 0x16: portuguese
        case 0x13: dutch
        default: english
        }
    }
}
