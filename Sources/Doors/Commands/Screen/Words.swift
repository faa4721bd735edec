import Glibc
import Library
import Work

/// Numbers and times as a person reads them.
enum Words {
    static func count(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    /// On which way a paper came.
    static func arrival(_ way: PaperArrival) -> String {
        switch way {
        case .link: "a link that asks for papers"
        case .reply: "a link where it was filled in"
        case .mail: "a mail it was attached to"
        case .networkFolder: "the network folder"
        case .app: "an app, or a program with a token"
        case .share: "another app that shared it"
        case .web: "an address of the web"
        case .inbox: "the watched folder"
        case .mirror: "the mirror of the library"
        case .paperless: "an export of Paperless-ngx"
        }
    }

    /// `730 bytes`, `1.2 MB`, in powers of ten as disks are sold.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) bytes" }
        var tenths = bytes / 100
        for unit in ["kB", "MB", "GB", "TB"] {
            if tenths < 10_000 || unit == "TB" {
                return tenths >= 1000 || tenths % 10 == 0
                    ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            tenths /= 1000
        }
        return "\(bytes) bytes"
    }

    /// `2026-11-21 12:35` where the person is.
    static func time(_ iso8601: String?) -> String {
        guard let iso8601, let moment = Moment(iso8601: iso8601) else { return "" }
        return time(moment)
    }

    static func time(_ moment: Moment) -> String {
        var seconds = time_t(moment.milliseconds / 1000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return moment.iso8601 }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
            guard let start = text.baseAddress, strftime(start, 32, "%Y-%m-%d %H:%M", &parts) > 0 else {
                return moment.iso8601
            }
            return String(cString: start)
        }
    }
}
