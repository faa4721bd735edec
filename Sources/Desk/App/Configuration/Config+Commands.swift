extension Config {
    /// A command about this desk, with what was said on the command line of where it lies.
    public func command(_ words: String) -> String {
        [ConfigKey.home, .database].reduce("quire \(words)") { text, key in
            guard case .flag? = entries.first(where: { $0.key == key })?.origin,
                let shown = entries.first(where: { $0.key == key })?.shown
            else { return text }
            let isHidden = key == .database && shown.contains(" (with a password")
            return text
                + (isHidden ? " \(key.flag) … (as you gave it)" : " \(key.flag) \(Self.quoted(shown))")
        }
    }

    /// As a shell takes it for one word.
    public static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "/._-+:=,@%".unicodeScalars.contains($0)
            }
        guard !isPlain else { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
