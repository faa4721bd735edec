internal import Bytes
internal import Crypto
internal import HTTP
public import Markup
import Synchronization

/// The web app's files: looked up by name, addressed by content.
///
/// Nothing is hashed or packed before somebody asks for it, so the server starts without paying for it.
///
/// ```swift
/// let assets = Assets()
/// assets.address(of: "app.css")                     // "/assets/0c1f9a2b7d3e/app.css"
/// assets.asset(named: "app.css")?.response(isImmutable: true)
/// ```
public final class Assets: Sendable {
    private let shelf: Shelf
    private let made: Made

    /// What was made of the files so far.
    private final class Made: Sendable {
        let assets = Mutex<[String: Asset]>([:])
        let map = Mutex<String?>(nil)
        let scriptTexts = Mutex<[Language: String]>([:])
        let catalog = Mutex<Catalog?>(nil)

        /// Of the files in the program, which are the same for everybody: reading all texts takes a while.
        static let ofProgram = Made()
    }

    /// The files compiled into the program, or those of a checkout (`…/CWebAssets/files`), read anew each time.
    public init(fromDisk folder: String? = nil) {
        shelf = folder.map(Shelf.folder) ?? .program
        made = folder == nil ? .ofProgram : Made()
    }

    /// Every file by name, sorted.
    public var names: [String] { shelf.names }

    public var isImmutable: Bool {
        if case .program = shelf { true } else { false }
    }

    /// What a page writes into `href` and `src`. A name nobody knows keeps an address that answers 404.
    public func address(of name: String) -> String {
        "/assets/\(asset(named: name)?.hash ?? "missing")/\(name)"
    }

    /// The file, made on first use: `app.css` is put together from the stylesheets in `css/`.
    public func asset(named name: String) -> Asset? {
        if isImmutable, let asset = made.assets.withLock({ $0[name] }) { return asset }
        guard let bytes = name == Assets.stylesheet ? bundledStyles() : shelf.bytes(name) else { return nil }
        let type = Asset.mediaType(of: name)
        let hash = Assets.shortHash(bytes)
        let asset = Asset(
            name: name, mediaType: type, hash: hash, content: FixedBytes(bytes, type, tag: ETag(hash)))
        if isImmutable { made.assets.withLock { $0[name] = asset } }
        return asset
    }

    public static let stylesheet = "app.css"

    /// The order matters only for `reset.css`, which names the layers; the layers do the rest.
    private func bundledStyles() -> [UInt8] {
        let sheets = shelf.names.filter { $0.hasPrefix("css/") && $0 != "css/reset.css" }
        return (["css/reset.css"] + sheets).flatMap { shelf.bytes($0) ?? [] }
    }

    /// Lets modules name each other (`import "quire/requests"`) although their addresses hold their hash.
    public var importMap: String {
        if isImmutable, let map = made.map.withLock({ $0 }) { return map }
        let map = makeImportMap()
        made.map.withLock { $0 = map }
        return map
    }

    private func makeImportMap() -> String {
        var imports = JSONObject()
        for name in shelf.names where name.hasPrefix("js/") {
            let module = "quire/" + name.dropFirst(3).dropLast(3)
            imports[module] = .string(address(of: name))
        }
        return JSON.object(["imports": .object(imports)]).text
    }

    /// The words that scripts say, as JSON: the same on every page in a language, so made once.
    public func textsForScripts(in language: Language) -> String {
        if isImmutable, let texts = made.scriptTexts.withLock({ $0[language] }) { return texts }
        let texts = Texts(catalog, language).forScripts(prefix: "client.")
        made.scriptTexts.withLock { $0[language] = texts }
        return texts
    }

    /// What the service worker keeps for a start without network.
    public var shellAddresses: [String] {
        let names = shelf.names.filter { name in
            name.hasPrefix("js/") || name == "icons.svg" || name == "icon.svg"
        }
        return ([Assets.stylesheet] + names).map(address(of:))
    }

    /// Changes whenever any file of the shell does: the name of the service worker's cache.
    public var version: String {
        Assets.shortHash(Array(shellAddresses.joined(separator: "\n").utf8))
    }

    private static func shortHash(_ bytes: [UInt8]) -> String {
        String(Hex.encode(SHA256.hash(bytes)).prefix(12))
    }

    /// The texts of all pages. A damaged catalog is our own mistake, found by the tests, never by a reader.
    public var catalog: Catalog {
        if isImmutable, let catalog = made.catalog.withLock({ $0 }) { return catalog }
        var catalog = Catalog()
        for name in shelf.names where name.hasSuffix(".texts") {
            do {
                try catalog.add(texts: shelf.bytes(name) ?? [])
            } catch {
                preconditionFailure("\(name): \(error)")
            }
        }
        made.catalog.withLock { $0 = catalog }
        return catalog
    }
}
