/// In which of some languages a text is written, told by the small words each of them cannot do without. They survive
/// even where a page was read in the wrong language, since most of them have plain letters.
struct LanguageGuess {
    /// Fewer small words than this say nothing.
    private static let leastHits = 4
    /// The language that has most of them is it when it has so many times those of the next.
    private static let lead = 1.4

    /// Nil where a text says too little, or what it says fits two languages alike.
    static func language(of text: String, among languages: [String]) -> String? {
        let known = languages.filter { smallWords[$0] != nil }
        guard known.count > 1 else { return nil }
        var hits: [String: Int] = [:]
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
            for language in known where smallWords[language]?.contains(String(word)) ?? false {
                hits[language, default: 0] += 1
            }
        }
        let ranked = hits.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let best = ranked.first, best.value >= leastHits else { return nil }
        let next = ranked.dropFirst().first?.value ?? 0
        return Double(best.value) >= Double(next) * lead ? best.key : nil
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(separator: " ").map(String.init))
    }

    /// By Tesseract's names.
    private static let smallWords: [String: Set<String>] = [
        "eng": words(
            "the and of to is that for with this are be you your from was by have not will or an at which"),
        "fra": words(
            "le la les et des est une du pour dans que qui sur pas vous nous avec au aux ce cette par votre sont ou"
        ),
        "spa": words(
            "el la los las y de que en un una por con para del se su es al como más lo sus este esta le ha son o"
        ),
        "por": words(
            "o a os as e de que em um uma por com para do da dos das no na não se ao seu sua mais como são é ou"
        ),
        "ita": words(
            "il lo la gli le e di che in un una per con del della dei delle non si è sono al alla nel come più o da"
        ),
        "deu": words(
            "der die das und ist in zu den mit von für auf ein eine nicht des dem sie im wir ihr bei auch werden oder"
        ),
        "nld": words(
            "de het een en van is dat op te zijn met voor niet aan er om ook als bij uit wordt naar door u uw of"
        ),
        "dan": words(
            "og i at det er en den til af på for ikke med de som har et vi du fra kan vil om eller din"),
        "nor": words(
            "og i at det er en den til av på for ikke med de som har et vi du fra kan vil om eller din"),
        "swe": words(
            "och i att det är en den till av på för inte med de som har ett vi du från kan vill om eller din"),
        "fin": words(
            "ja on ei se että hän oli mutta kun niin myös sen tai ovat jos kuin ole joka tämä mukaan sekä"),
        "pol": words(
            "i w z na do nie się jest to że o za od po przez dla oraz jak są ze lub być tego który ma"),
        "ces": words(
            "a v se na je to že s z do o i za pro jsou by jako nebo ale od po který není při byl jeho"),
        "hun": words(
            "a az és hogy nem is egy ez meg van volt mint vagy csak még már el ha be ki de lesz szerint"),
        "ron": words("și de la în a cu pe nu un o este din pentru care mai sau să se ce prin sunt fi al lui"),
        "tur": words(
            "ve bir bu için ile de da ne o çok olarak daha var olan gibi kadar sonra ya veya değil her"),
        "cat": words(
            "el la els les i de que en un una per amb del dels al no és són es com més o ho seva aquest"),
        "rus": words("и в не на что с по это для как от из к за или его но при все был так до мы вы бы"),
        "ukr": words("і в не на що з та до як для це від за або його але при у є ми ви був також які"),
        "bul": words("и в не на че с по за това от е или се са да как при до бъде който ще към ми ви"),
    ]
}

/// Which letters a language is written in, as Tesseract's own look at a page calls them.
enum PageScript {
    static func name(of language: String) -> String {
        let base = language.prefix { $0 != "_" }
        return others[String(base)] ?? "Latin"
    }

    private static let others: [String: String] = [
        "rus": "Cyrillic", "ukr": "Cyrillic", "bul": "Cyrillic", "bel": "Cyrillic", "mkd": "Cyrillic",
        "srp": "Cyrillic", "kaz": "Cyrillic", "mon": "Cyrillic", "ell": "Greek", "grc": "Greek",
        "ara": "Arabic", "fas": "Arabic", "urd": "Arabic", "pus": "Arabic", "heb": "Hebrew", "yid": "Hebrew",
        "hin": "Devanagari", "mar": "Devanagari", "nep": "Devanagari", "san": "Devanagari", "ben": "Bengali",
        "tam": "Tamil", "tel": "Telugu", "kan": "Kannada", "mal": "Malayalam", "guj": "Gujarati",
        "pan": "Gurmukhi", "tha": "Thai", "lao": "Lao", "khm": "Khmer", "mya": "Myanmar", "kat": "Georgian",
        "hye": "Armenian", "amh": "Ethiopic", "chi": "Han", "jpn": "Japanese", "kor": "Hangul",
    ]
}
