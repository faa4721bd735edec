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
        let scripts = Mutex<Scripts?>(nil)
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

    /// The file, made on first use: stylesheets are put together from those in `css/`, and the words that scripts say
    /// from the catalogs.
    public func asset(named name: String) -> Asset? {
        if isImmutable, let asset = made.assets.withLock({ $0[name] }) { return asset }
        guard let bytes = bytes(of: name) else { return nil }
        let type = Asset.mediaType(of: name)
        let own = Assets.shortHash(bytes)
        let asset = Asset(
            name: name, mediaType: type, hash: Assets.isModule(name) ? scripts.hash : own,
            content: FixedBytes(bytes, type, tag: ETag(own)))
        if isImmutable { made.assets.withLock { $0[name] = asset } }
        return asset
    }

    private func bytes(of name: String) -> [UInt8]? {
        if name == Assets.stylesheet || name == Assets.roomStyles { return bundledStyles(name) }
        if let language = Assets.languages.first(where: { name == Assets.texts(in: $0) }) {
            return Array(
                "export default \(Texts(catalog, language).forScripts(prefix: "client."));\n".utf8)
        }
        return Assets.isModule(name) ? shelf.bytes(name).map(onTheWay) : shelf.bytes(name)
    }

    /// In a checkout one reads in the browser what one has written.
    private func onTheWay(_ source: [UInt8]) -> [UInt8] {
        isImmutable ? Remarks.leftOut(of: source) : source
    }

    /// What all pages wear; and what all but home wear beside it, or single rooms.
    public static let stylesheet = "app.css"
    public static let roomStyles = "rooms.css"

    /// The order matters only for `reset.css`, which names the layers; the layers do the rest.
    private func bundledStyles(_ name: String) -> [UInt8] {
        let sheets = shelf.names.filter { $0.hasPrefix("css/") && $0 != "css/reset.css" }
        let rooms = sheets.filter { $0.hasPrefix("css/more-") || $0.hasPrefix("css/rooms-") }
        let wanted =
            name == Assets.roomStyles ? rooms : ["css/reset.css"] + sheets.filter { !rooms.contains($0) }
        return wanted.flatMap { shelf.bytes($0).map(onTheWay) ?? [] }
    }

    // MARK: Scripts

    /// What is known of the scripts together. They name each other by their place, so all of them have one hash.
    private struct Scripts {
        var hash: String
        /// By name: those that it cannot begin without.
        var imports: [String: [String]]

        func address(of module: String) -> String { "/assets/\(hash)/\(module)" }
    }

    private static func isModule(_ name: String) -> Bool { name.hasPrefix("js/") }

    /// The words that scripts say: the same on every page in a language.
    public static func texts(in language: Language) -> String { "texts.\(language.tag).js" }

    private static let languages = Language.offered + [.pseudo]

    private var scripts: Scripts {
        if isImmutable, let scripts = made.scripts.withLock({ $0 }) { return scripts }
        let names = shelf.names.filter(Assets.isModule)
        var sources: [String: [UInt8]] = [:]
        for name in names { sources[name] = shelf.bytes(name) }
        let imports = sources.mapValues { source in
            String(decoding: source, as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
                // import { text } from "./texts.js";
                let named = line.split(separator: "\"").dropFirst().first ?? ""
                guard line.hasPrefix("import "), named.hasPrefix("./") else { return nil }
                return "js/\(named.dropFirst(2))"
            }
        }
        let all = names.flatMap { Array($0.utf8) + (sources[$0] ?? []) }
        let scripts = Scripts(hash: Assets.shortHash(all), imports: imports)
        made.scripts.withLock { $0 = scripts }
        return scripts
    }

    /// Scripts, and all that they cannot begin without: what a page fetches at once, so that none is asked for only when
    /// the one before it has been read.
    public func addresses(ofScripts names: [String]) -> [String] {
        let scripts = scripts
        var found: [String] = []
        var open = names.map { "js/\($0).js" }
        while let name = open.popLast() {
            guard !found.contains(name) else { continue }
            found.append(name)
            open += scripts.imports[name] ?? []
        }
        return found.sorted().map(scripts.address(of:))
    }

    /// What the service worker keeps for a start without network.
    public var shellAddresses: [String] {
        let others =
            [Assets.stylesheet, Assets.roomStyles, "icon.svg", "icons.svg"]
            + Language.offered.map(Assets.texts)
        // Each script has the address of all: asked for one by one, those of a checkout would be read for each.
        return others.map(address(of:)) + shelf.names.filter(Assets.isModule).map(scripts.address(of:))
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
