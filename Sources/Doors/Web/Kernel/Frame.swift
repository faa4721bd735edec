import App
import Markup
import Synchronization
import WebAssets
import Work

/// What every page is told besides its own content: who reads it, in which language, where they stand.
struct Frame: Sendable {
    var texts: Texts
    var assets: Assets
    /// Path of the request: marks the place in the navigation.
    var path: String
    var now: Moment
    /// Lets this answer's own inline script run under the Content-Security-Policy, and no other.
    var nonce: String
    var csrfToken: String
    var reader: Reader?
    var theme: Theme = .system
    var notice: Notice?
    /// Shown in the navigation beside Activity.
    var runningJobs = 0
    /// Shown at the bell.
    var unreadNotices = 0
    /// The app locks itself after so many idle minutes; nil when the reader did not ask for it.
    var lockAfterMinutes: Int?
    /// It can be asked for again, to see what has changed on it.
    var isFresh = false
    /// Private folders are open: nothing of the page, nor of what is typed into it, is kept anywhere.
    var isPrivate = false
    /// On machines that only their owner reaches, nobody signs in and nobody signs out.
    var canSignOut = true

    /// Which tags have a colour; asked for when the first tag is shown.
    var tagColours = TagColours()

    /// What those outside see the desk in; asked for on their pages alone.
    var worn: @Sendable () -> Worn? = { nil }

    /// Who reads the page.
    struct Reader: Sendable {
        var id: String
        var name: String
        var role: Role
    }

    enum Role: String, Sendable, CaseIterable {
        case owner, editor, viewer
    }

    enum Theme: String, Sendable, CaseIterable {
        case system, light, dark
    }

    /// What the last request did, said once on the page after it, with the way back where there is one.
    struct Notice: Sendable {
        enum Kind: Sendable { case done, failed }
        var kind: Kind = .done
        var text: String
        var undo: Undo?

        /// A form of one button: `POST action`.
        struct Undo: Sendable {
            var action: String
            var fields: [(name: String, value: String)] = []
        }
    }

    func icon(_ icon: Icon, small: Bool = false) -> HTML {
        let address = assets.address(of: "icons.svg")
        return """
            <svg class="icon\(small ? " icon-s" : "")" aria-hidden="true" focusable="false">\
            <use href="\(address)#\(icon.rawValue)"></use></svg>
            """
    }

    /// The class of what wears a tag, after others.
    func colour(ofTag name: String) -> String { tagColours[name].map { " tag-\($0)" } ?? "" }

    var canEdit: Bool { reader.map { $0.role != .viewer } ?? false }
    var isOwner: Bool { reader?.role == .owner }
}

/// The colours of tags by their names, read once for a page and only where it shows one.
final class TagColours: Sendable {
    private let known = Mutex<[String: String]?>(nil)
    private let read: @Sendable () -> [String: String]

    init(_ read: @escaping @Sendable () -> [String: String] = { [:] }) { self.read = read }

    subscript(_ name: String) -> String? {
        known.withLock { known in
            let colours = known ?? read()
            known = colours
            return colours[name]
        }
    }
}

/// The names in `icons.svg`.
enum Icon: String, Sendable, CaseIterable {
    case desk, library, activity, settings, plus, search, upload, camera, share, people, person, key, backup
    case download, trash, restore, edit, check, warning, info, close, lock, copy, link, mail, sun, moon,
        screen
    case globe, device, next, previous, stop, again, clock, document, shield, gauge, signOut = "sign-out",
        keyboard
    case passkey, history, open, eye, packets, form, up, down, printer, folder, tag, rotate, rows, tiles
    case tools, merge, split, compress, words, stamp, layers, archive, clip
    case pointer, marker, underline, squiggle, strike, letters, calendar, pen, line, arrow, square, circle,
        note
    case picture
    case signature, undo, redo, reply
    case bell, more
}
