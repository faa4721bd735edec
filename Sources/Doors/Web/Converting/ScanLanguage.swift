/// What Tesseract's languages call themselves, so that everybody finds their own.
enum ScanLanguage {
    static func name(_ language: String) -> String { names[language] ?? language }

    private static let names = [
        "eng": "English", "fra": "Français", "spa": "Español", "por": "Português", "ita": "Italiano",
        "deu": "Deutsch", "nld": "Nederlands", "dan": "Dansk", "nor": "Norsk", "swe": "Svenska",
        "fin": "Suomi", "isl": "Íslenska", "est": "Eesti", "lav": "Latviešu", "lit": "Lietuvių",
        "pol": "Polski", "ces": "Čeština", "slk": "Slovenčina", "slv": "Slovenščina", "hrv": "Hrvatski",
        "hun": "Magyar", "ron": "Română", "tur": "Türkçe", "cat": "Català", "eus": "Euskara",
        "glg": "Galego", "lat": "Latina", "rus": "Русский", "ukr": "Українська", "bul": "Български",
        "srp": "Српски", "ell": "Ελληνικά", "heb": "עברית", "ara": "العربية", "fas": "فارسی", "urd": "اردو",
        "hin": "हिन्दी", "ben": "বাংলা", "tha": "ไทย", "vie": "Tiếng Việt", "ind": "Bahasa Indonesia",
        "kor": "한국어", "jpn": "日本語", "chi_sim": "简体中文", "chi_tra": "繁體中文",
    ]
}
