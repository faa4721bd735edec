import Work

/// How people of a country write numbers and dates.
public struct FormulaLocale: Sendable, Hashable {
    public enum Order: Sendable { case monthDayYear, dayMonthYear, yearMonthDay }

    /// `en-US`, `de`, `fr-CA`
    public let code: String
    public let order: Order
    public let decimalMark: Character
    public let groupMark: Character
    let language: String

    public static let standard = FormulaLocale("en-US", .monthDayYear, ".", ",")

    /// Whether nothing differs from what is read and written where no locale is named.
    public var isUsual: Bool {
        let usual = Self.standard
        return language == usual.language && order == usual.order && decimalMark == usual.decimalMark
            && groupMark == usual.groupMark
    }

    /// What people of the locale might have put between groups of digits.
    var groupMarks: Set<Character> {
        switch groupMark {
        case "\u{A0}": [" "]
        case "’": ["’", "'", " "]
        default: [groupMark]
        }
    }

    /// “month/day/year”, for a sentence.
    var orderWords: String {
        switch order {
        case .monthDayYear: "month/day/year"
        case .dayMonthYear: "day/month/year"
        case .yearMonthDay: "year-month-day"
        }
    }

    private init(_ code: String, _ order: Order, _ decimalMark: Character, _ groupMark: Character) {
        self.code = code
        self.order = order
        self.decimalMark = decimalMark
        self.groupMark = groupMark
        language = String(code.prefix(2))
    }

    /// A language alone or with a country, `de_AT` as well as `de-AT`. A country that is not known writes as its
    /// language mostly does.
    public init?(_ code: String) {
        let parts = code.trimmed.split { $0 == "-" || $0 == "_" || $0 == "." }
        guard let language = parts.first?.lowercased(), (2...3).contains(language.count) else { return nil }
        let country = parts.count > 1 ? parts[1].uppercased() : ""
        let full = country.isEmpty ? language : "\(language)-\(country)"
        if let exact = Self.known[full] {
            self = exact
        } else if let plain = Self.known[language] {
            self.init(full, plain.order, plain.decimalMark, plain.groupMark)
        } else {
            return nil
        }
    }

    public static let all: [FormulaLocale] = [
        FormulaLocale("en", .monthDayYear, ".", ","), standard,
        FormulaLocale("en-GB", .dayMonthYear, ".", ","), FormulaLocale("en-IE", .dayMonthYear, ".", ","),
        FormulaLocale("en-AU", .dayMonthYear, ".", ","), FormulaLocale("en-NZ", .dayMonthYear, ".", ","),
        FormulaLocale("en-IN", .dayMonthYear, ".", ","), FormulaLocale("en-ZA", .yearMonthDay, ",", "\u{A0}"),
        FormulaLocale("en-CA", .yearMonthDay, ".", ","), FormulaLocale("de", .dayMonthYear, ",", "."),
        FormulaLocale("de-AT", .dayMonthYear, ",", "."), FormulaLocale("de-CH", .dayMonthYear, ".", "’"),
        FormulaLocale("fr", .dayMonthYear, ",", "\u{A0}"),
        FormulaLocale("fr-CA", .yearMonthDay, ",", "\u{A0}"),
        FormulaLocale("fr-CH", .dayMonthYear, ",", "\u{A0}"), FormulaLocale("es", .dayMonthYear, ",", "."),
        FormulaLocale("es-MX", .dayMonthYear, ".", ","), FormulaLocale("es-US", .dayMonthYear, ".", ","),
        FormulaLocale("it", .dayMonthYear, ",", "."), FormulaLocale("pt", .dayMonthYear, ",", "\u{A0}"),
        FormulaLocale("pt-BR", .dayMonthYear, ",", "."), FormulaLocale("nl", .dayMonthYear, ",", "."),
        FormulaLocale("sv", .yearMonthDay, ",", "\u{A0}"), FormulaLocale("da", .dayMonthYear, ",", "."),
        FormulaLocale("nb", .dayMonthYear, ",", "\u{A0}"), FormulaLocale("fi", .dayMonthYear, ",", "\u{A0}"),
        FormulaLocale("pl", .dayMonthYear, ",", "\u{A0}"), FormulaLocale("cs", .dayMonthYear, ",", "\u{A0}"),
        FormulaLocale("tr", .dayMonthYear, ",", "."), FormulaLocale("ja", .yearMonthDay, ".", ","),
        FormulaLocale("zh", .yearMonthDay, ".", ","), FormulaLocale("ko", .yearMonthDay, ".", ","),
    ]

    private static let known = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

extension FormulaLocale {
    /// `de: 1.234,5 and 31.12.2026`, for somebody who chooses: a number and a day as they are written there.
    public var sample: (number: String, date: String) {
        let day = WallTime(year: 2026, month: 12, day: 31, hour: 0, minute: 0, second: 0, millisecond: 0)
        return (
            "1\(groupMark)234\(decimalMark)5",
            day.flatMap { DatePattern("short", self)?.text($0, self) } ?? short
        )
    }
}

/// Dates in words.
extension FormulaLocale {
    var short: String {
        switch order {
        case .monthDayYear: "m/d/yyyy"
        case .yearMonthDay: ["ja", "zh"].contains(language) ? "yyyy/mm/dd" : "yyyy-mm-dd"
        case .dayMonthYear:
            switch language {
            case "de", "fi", "cs", "nb", "da", "pl", "tr": "dd.mm.yyyy"
            case "nl": "dd-mm-yyyy"
            default: "dd/mm/yyyy"
            }
        }
    }

    var medium: String {
        switch language {
        case "en": order == .monthDayYear ? "mmm d, yyyy" : "d mmm yyyy"
        case "de", "fi", "cs", "da", "nb": "d. mmm yyyy"
        case "ja", "zh", "ko": long
        default: "d mmm yyyy"
        }
    }

    var long: String {
        switch language {
        case "en": order == .monthDayYear ? "mmmm d, yyyy" : "d mmmm yyyy"
        case "de", "fi", "cs", "da", "nb": "d. mmmm yyyy"
        case "es", "pt": "d 'de' mmmm 'de' yyyy"
        case "ja", "zh": "yyyy年m月d日"
        case "ko": "yyyy년 m월 d일"
        default: "d mmmm yyyy"
        }
    }

    private var names: DateNames { DateNames.all[language] ?? DateNames.english }

    func monthName(_ month: Int, isShort: Bool) -> String {
        let list = isShort ? names.shortMonths : names.months
        return list.indices.contains(month - 1) ? list[month - 1] : String(month)
    }

    /// 1 is Monday.
    func weekdayName(_ weekday: Int, isShort: Bool) -> String {
        let list = isShort ? names.shortWeekdays : names.weekdays
        return list.indices.contains(weekday - 1) ? list[weekday - 1] : ""
    }

    /// A month's name in this language or in English, whole or short.
    func month(named word: String) -> Int? {
        let word = word.lowercased()
        guard word.count >= 3 || language == "fi" else { return nil }
        for names in [names, DateNames.english] {
            for list in [names.months, names.shortMonths] {
                if let index = list.firstIndex(where: { Self.bare($0) == word }) { return index + 1 }
            }
        }
        return nil
    }

    /// The longest name of a month that the letters begin with.
    func month(at letters: ArraySlice<Character>) -> (month: Int, length: Int)? {
        let text = String(letters.prefix(24)).lowercased()
        var best: (month: Int, length: Int)?
        for names in [names, DateNames.english] {
            for (index, name) in (names.months + names.shortMonths).enumerated()
            where text.hasPrefix(name.lowercased()) && name.count > best?.length ?? 0 {
                best = (index % 12 + 1, name.count)
            }
        }
        return best
    }

    func isWeekday(_ word: String) -> Bool {
        let word = word.lowercased()
        return [names, DateNames.english].contains { names in
            (names.weekdays + names.shortWeekdays).contains { Self.bare($0) == word }
        }
    }

    private static func bare(_ name: String) -> String {
        (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
    }
}

private struct DateNames: Sendable {
    let months: [String]
    let shortMonths: [String]
    let weekdays: [String]
    let shortWeekdays: [String]

    private init(_ months: String, _ shortMonths: String, _ weekdays: String, _ shortWeekdays: String) {
        func list(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        self.months = list(months)
        self.shortMonths = list(shortMonths)
        self.weekdays = list(weekdays)
        self.shortWeekdays = list(shortWeekdays)
    }

    static let english = DateNames(
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday", "Mon Tue Wed Thu Fri Sat Sun")

    static let all: [String: DateNames] = [
        "en": english,
        "de": DateNames(
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
            "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
            "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag", "Mo Di Mi Do Fr Sa So"),
        "fr": DateNames(
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
            "lundi mardi mercredi jeudi vendredi samedi dimanche", "lun. mar. mer. jeu. ven. sam. dim."),
        "es": DateNames(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "ene feb mar abr may jun jul ago sept oct nov dic",
            "lunes martes miércoles jueves viernes sábado domingo", "lun mar mié jue vie sáb dom"),
        "it": DateNames(
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "gen feb mar apr mag giu lug ago set ott nov dic",
            "lunedì martedì mercoledì giovedì venerdì sabato domenica", "lun mar mer gio ven sab dom"),
        "pt": DateNames(
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
            "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
            "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
            "seg. ter. qua. qui. sex. sáb. dom."),
        "nl": DateNames(
            "januari februari maart april mei juni juli augustus september oktober november december",
            "jan feb mrt apr mei jun jul aug sep okt nov dec",
            "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag", "ma di wo do vr za zo"),
        "sv": DateNames(
            "januari februari mars april maj juni juli augusti september oktober november december",
            "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
            "måndag tisdag onsdag torsdag fredag lördag söndag", "mån tis ons tors fre lör sön"),
        "da": DateNames(
            "januar februar marts april maj juni juli august september oktober november december",
            "jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec.",
            "mandag tirsdag onsdag torsdag fredag lørdag søndag", "man. tirs. ons. tors. fre. lør. søn."),
        "nb": DateNames(
            "januar februar mars april mai juni juli august september oktober november desember",
            "jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.",
            "mandag tirsdag onsdag torsdag fredag lørdag søndag", "man. tir. ons. tor. fre. lør. søn."),
        "fi": DateNames(
            "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
            "tammik. helmik. maalisk. huhtik. toukok. kesäk. heinäk. elok. syysk. lokak. marrask. jouluk.",
            "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai", "ma ti ke to pe la su"),
        "pl": DateNames(
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
            "sty lut mar kwi maj cze lip sie wrz paź lis gru",
            "poniedziałek wtorek środa czwartek piątek sobota niedziela", "pon. wt. śr. czw. pt. sob. niedz."),
        "cs": DateNames(
            "ledna února března dubna května června července srpna září října listopadu prosince",
            "led úno bře dub kvě čvn čvc srp zář říj lis pro",
            "pondělí úterý středa čtvrtek pátek sobota neděle", "po út st čt pá so ne"),
        "tr": DateNames(
            "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
            "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara",
            "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar", "Pzt Sal Çar Per Cum Cmt Paz"),
        "ja": DateNames(
            "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月", "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
            "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日", "月 火 水 木 金 土 日"),
        "zh": DateNames(
            "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月", "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
            "星期一 星期二 星期三 星期四 星期五 星期六 星期日", "周一 周二 周三 周四 周五 周六 周日"),
        "ko": DateNames(
            "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월", "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
            "월요일 화요일 수요일 목요일 금요일 토요일 일요일", "월 화 수 목 금 토 일"),
    ]
}
