import Glibc
import HTTP
import Markup
import Testing
import WebAssets

@testable import Web

@Suite("The web app's files")
struct AssetsTests {
    static let folder = "Sources/C/CWebAssets/files"

    @Test("The program holds every file of the folder, unchanged")
    func holdsEveryFile() {
        let program = Assets()
        let disk = Assets(fromDisk: Self.folder)
        for name in disk.names {
            #expect(program.asset(named: name)?.hash == disk.asset(named: name)?.hash, "\(name)")
        }
        #expect(program.names == disk.names)
    }

    @Test("An address changes with the content and names its type")
    func addressesByContent() throws {
        let assets = Assets()
        let style = try #require(assets.asset(named: "app.css"))
        #expect(assets.address(of: "app.css") == "/assets/\(style.hash)/app.css")
        #expect(style.hash.utf8.count == 12)
        #expect(style.mediaType == .css)
        #expect(
            style.response(isImmutable: true).headers.first("Cache-Control")?.contains("immutable") == true)
        #expect(assets.asset(named: "../secret") == nil)
        #expect(assets.address(of: "no-such-file") == "/assets/missing/no-such-file")
    }

    @Test("Every module that scripts import is in the import map")
    func mapsEveryImport() {
        let assets = Assets()
        let map = assets.importMap
        for name in assets.names where name.hasPrefix("js/") {
            let source = String(decoding: assets.asset(named: name)?.content.bytes ?? [], as: UTF8.self)
            for line in source.split(separator: "\n")
            where line.contains("from \"quire/") || line.hasPrefix("import \"quire/") {
                let module = line.split(separator: "\"").first { $0.hasPrefix("quire/") } ?? ""
                #expect(map.contains("\"\(module)\""), "\(name) imports \(module)")
            }
        }
    }

    @Test("The icons that pages name are in the sprite")
    func drawsEveryIcon() {
        let sprite = String(decoding: Assets().asset(named: "icons.svg")?.content.bytes ?? [], as: UTF8.self)
        for icon in Icon.allCases { #expect(sprite.contains("id=\"\(icon.rawValue)\""), "\(icon.rawValue)") }
    }

    @Test("The service worker knows this version's shell")
    func fillsTheServiceWorker() throws {
        let script = try #require(ServiceWorker.script(Assets()))
        #expect(!script.contains("__SHELL__") && !script.contains("__VERSION__"))
        #expect(script.contains(Assets().address(of: "app.css")))
    }

    @Test("The stylesheet names colours once, as tokens, and never shouts")
    func keepsTheStylesheetTidy() {
        let css = String(decoding: Assets().asset(named: "app.css")?.content.bytes ?? [], as: UTF8.self)
        #expect(!css.contains("!important"))
        #expect(css.hasPrefix("@layer reset, tokens, base, layout, parts, utilities;"))
    }

    /// What names none is as if nothing were said: letters of the ink's colour on ink.
    @Test("Whatever the stylesheet takes for a colour or a measure is there")
    func namesWhatIsThere() {
        let css = String(decoding: Assets().asset(named: "app.css")?.content.bytes ?? [], as: UTF8.self)
        let there = Set(css.matches(of: /(--[a-z0-9-]+)\s*:/).map { $0.1 })
        // One with something in its place where it is not may come from a script.
        let taken = Set(css.matches(of: /var\((--[a-z0-9-]+)\)/).map { $0.1 })
        #expect(taken.subtracting(there).sorted() == [])
    }
}
