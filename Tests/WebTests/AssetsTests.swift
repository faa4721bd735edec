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

    @Test("Every module that scripts import is there, beside the one that imports it")
    func importsWhatIsThere() {
        let assets = Assets()
        for name in assets.names where name.hasPrefix("js/") {
            let source = String(decoding: assets.asset(named: name)?.content.bytes ?? [], as: UTF8.self)
            for found in source.matches(of: /(from|import) "([^"]+)"|import\("([^"]+)"\)/) {
                let module = String(found.2 ?? found.3 ?? "")
                guard module != "quire/said" else { continue }
                #expect(module.hasPrefix("./"), "\(name) imports \(module)")
                #expect(assets.names.contains("js/\(module.dropFirst(2))"), "\(name) imports \(module)")
            }
        }
        let addresses = assets.names.filter { $0.hasPrefix("js/") }.map(assets.address(of:))
        let folders = Set(addresses.map { $0.prefix { $0 != "." }.split(separator: "/").dropLast() })
        #expect(folders.count == 1, "\(folders)")
    }

    @Test("Remarks in scripts and styles do not go on the way, and all else does")
    func leavesOutRemarks() throws {
        let (made, written) = (Assets(), Assets(fromDisk: Self.folder))
        func lines(_ assets: Assets, _ name: String) throws -> [Substring] {
            let bytes = try #require(assets.asset(named: name)).content.bytes
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        }
        for name in made.names.filter({ $0.hasPrefix("js/") }) + [Assets.stylesheet, Assets.roomStyles] {
            let (sent, all) = (try lines(made, name), try lines(written, name))
            for line in Set(all).subtracting(sent) {
                let words = line.trimmingPrefix { $0 == " " }
                #expect(["//", "/*", "*"].contains { words.hasPrefix($0) }, "\(name): \(line)")
            }
            for line in sent {
                let words = line.trimmingPrefix { $0 == " " }
                #expect(!words.hasPrefix("//"), "\(name): \(line)")
            }
            // A text over several lines could hold what looks like a remark.
            for line in all { #expect(line.count { $0 == "`" } % 2 == 0, "\(name): \(line)") }
        }
    }

    @Test("What a script says is one file for each language, which a page names and does not hold")
    func keepsTheWordsOfScriptsApart() throws {
        let assets = Assets()
        let french = try #require(assets.asset(named: Assets.texts(in: .canadianFrench)))
        let words = String(decoding: french.content.bytes, as: UTF8.self)
        #expect(words.hasPrefix("export default {") && words.contains("Annuler"))
        #expect(french.mediaType == .script)
        #expect(assets.address(of: french.name) != assets.address(of: Assets.texts(in: .english)))
    }

    @Test("A page names at once all scripts that those it begins with need")
    func namesScriptsAtOnce() {
        let assets = Assets()
        let early = assets.addresses(ofScripts: ["app"])
        for name in ["app", "elements", "presence", "trust"] {
            #expect(early.contains(assets.address(of: "js/\(name).js")), "\(name)")
        }
        // What is pressed first may wait for its words.
        #expect(!early.contains(assets.address(of: "js/texts.js")))
        #expect(assets.addresses(ofScripts: ["toast-region"]).contains(assets.address(of: "js/texts.js")))
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

    private static let sheets = [Assets.stylesheet, Assets.roomStyles].map { name in
        String(decoding: Assets().asset(named: name)?.content.bytes ?? [], as: UTF8.self)
    }

    @Test("The stylesheet names colours once, as tokens, and never shouts")
    func keepsTheStylesheetTidy() {
        let css = Self.sheets.joined()
        #expect(!css.contains("!important"))
        #expect(css.hasPrefix("@layer reset, tokens, base, layout, parts, utilities;"))
    }

    @Test("Who comes for the first time waits for a stylesheet that single rooms add nothing to")
    func keepsTheRoomsApart() {
        let (all, rooms) = (Self.sheets[0], Self.sheets[1])
        #expect(all.contains(".thumb {") && !all.contains(".mark-desk"))
        #expect(rooms.contains(".mark-desk") && !rooms.contains("@layer reset, tokens"))
        let first = Pages.desk(Samples.frame(), DeskPage(recent: [], documentCount: 0, jobs: [], hints: []))
            .text
        let other = Pages.settings(Samples.frame("/settings")).text
        let address = Samples.assets.address(of: Assets.roomStyles)
        #expect(!first.contains(address) && other.contains(address))
        #expect(first.contains(Samples.assets.address(of: Assets.stylesheet)))
    }

    /// What names none is as if nothing were said: letters of the ink's colour on ink.
    @Test("Whatever the stylesheet takes for a colour or a measure is there")
    func namesWhatIsThere() {
        let css = Self.sheets.joined()
        let there = Set(css.matches(of: /(--[a-z0-9-]+)\s*:/).map { $0.1 })
        // One with something in its place where it is not may come from a script.
        let taken = Set(css.matches(of: /var\((--[a-z0-9-]+)\)/).map { $0.1 })
        #expect(taken.subtracting(there).sorted() == [])
    }
}
