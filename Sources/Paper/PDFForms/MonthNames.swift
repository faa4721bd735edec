/// The names of months in the languages forms are written in, to read dates with and, where a form says its language,
/// to write them with.
struct MonthNames: Sendable, Equatable {
    let full: [String]
    let short: [String]

    static let english = MonthNames(
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

    private static let others: [String: MonthNames] = [
        "de": MonthNames(
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
            "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez"),
        "fr": MonthNames(
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
        "es": MonthNames(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "ene feb mar abr may jun jul ago sep oct nov dic"),
        "it": MonthNames(
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "gen feb mar apr mag giu lug ago set ott nov dic"),
        "pt": MonthNames(
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
            "jan fev mar abr mai jun jul ago set out nov dez"),
        "nl": MonthNames(
            "januari februari maart april mei juni juli augustus september oktober november december",
            "jan feb mrt apr mei jun jul aug sep okt nov dec"),
        "sv": MonthNames(
            "januari februari mars april maj juni juli augusti september oktober november december",
            "jan feb mar apr maj jun jul aug sep okt nov dec"),
        "da": MonthNames(
            "januar februar marts april maj juni juli august september oktober november december",
            "jan feb mar apr maj jun jul aug sep okt nov dec"),
        "nb": MonthNames(
            "januar februar mars april mai juni juli august september oktober november desember",
            "jan feb mar apr mai jun jul aug sep okt nov des"),
        "fi": MonthNames(
            "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
            "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu"),
        "pl": MonthNames(
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
            "sty lut mar kwi maj cze lip sie wrz paź lis gru"),
        "cs": MonthNames(
            "ledna února března dubna května června července srpna září října listopadu prosince",
            "led úno bře dub kvě čvn čvc srp zář říj lis pro"),
        "tr": MonthNames(
            "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
            "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara"),
    ]

    private init(_ full: String, _ short: String) {
        self.full = full.split(separator: " ").map(String.init)
        self.short = short.split(separator: " ").map(String.init)
    }

    /// Those of a language tag as forms write it: `de`, `de-AT`, `fr_CA`; English where it is not known.
    init(of tag: String?) {
        let language = (tag ?? "").lowercased().prefix { $0 != "-" && $0 != "_" }
        self = Self.others[language == "no" || language == "nn" ? "nb" : String(language)] ?? .english
    }

    /// The month a word names: in the language of the form, in English, or in any other, if all that know the word
    /// mean the same month.
    func month(named word: Substring) -> Int? {
        let word = word.lowercased().filter(\.isLetter)
        guard word.count >= 3 else { return nil }
        if let own = Self.month(word, self) ?? Self.month(word, .english) { return own }
        let meant = Set(Self.others.values.compactMap { Self.month(word, $0) })
        return meant.count == 1 ? meant.first : nil
    }

    private static func month(_ word: String, _ names: MonthNames) -> Int? {
        func number(_ holds: (String) -> Bool) -> Int? {
            let found = names.full.indices.filter { holds(names.full[$0].lowercased()) }
            return found.count == 1 ? found[0] + 1 : nil
        }
        if let short = names.short.firstIndex(where: { $0.lowercased().filter(\.isLetter) == word }) {
            return short + 1
        }
        return number { $0 == word } ?? number { $0.hasPrefix(word) }
            ?? (word == "sept" ? number { $0.hasPrefix("sep") } : nil)
    }
}
