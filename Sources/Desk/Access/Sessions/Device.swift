/// A device's name as its owner would say it, from what the browser tells about itself. Only for the list of
/// sessions; nothing is decided by it.
enum Device {
    static func name(fromUserAgent agent: String) -> String {
        let agent = agent.asPlainLine(limit: 400)
        guard !agent.isEmpty else { return "Unknown device" }
        guard agent.hasPrefix("Mozilla/") || agent.hasPrefix("Opera/") else {
            let program = agent.prefix { $0 != "/" && $0 != " " }
            return program == "quire" ? "Quire command line" : String(program.prefix(40))
        }
        let browser = first(browsers, in: agent)
        let system = first(systems, in: agent)
        return switch (browser, system) {
        case (let browser?, let system?): "\(browser) on \(system)"
        case (let name?, nil), (nil, let name?): name
        case (nil, nil): "A browser"
        }
    }

    private static func first(_ table: [(String, String)], in agent: String) -> String? {
        table.first { agent.contains($0.0) }?.1
    }

    // Order matters: each claims to be those below it as well.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome", "Chrome"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "Mac"),
        ("Windows", "Windows"), ("Linux", "Linux"),
    ]
}
