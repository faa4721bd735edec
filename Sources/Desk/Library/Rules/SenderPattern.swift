/// Whom a mail is from: `bank` is found anywhere in the name or the address, `*@bank.example` is the whole address.
struct SenderPattern {
    private let pattern: String

    init(_ pattern: String) { self.pattern = pattern }

    /// `sender` as mails write it: `Bank <post@bank.example>`.
    func fits(_ sender: String) -> Bool {
        guard pattern.contains(where: { $0 == "*" || $0 == "?" }) else {
            return sender.lowercased().contains(pattern.lowercased())
        }
        var forms = [sender]
        if let open = sender.lastIndex(of: "<") {
            forms.append(sender[sender.index(after: open)...].filter { $0 != ">" })
        }
        return forms.contains {
            NamePattern(pattern).fits($0.trimmingPrefix(while: \.isWhitespace).description)
        }
    }
}
