import Glibc
import Markup
import Testing
import WebAssets

@testable import Web

@Suite("Pages")
struct PagesTests {
    @Test("Every page speaks every language, with no key left bare", arguments: Language.offered + [.pseudo])
    func speaksEveryLanguage(language: Language) {
        // What failures say is its own key.
        let keys = Set(Samples.assets.catalog.keys.filter { !$0.contains(" ") })
        for (name, html) in Samples.pages(language: language) {
            #expect(html.text.contains("<html lang=\"\(language.tag)\""), "\(name)")
            let texts = html.text.split(whereSeparator: { "<>\"=".contains($0) }).map(String.init)
            for text in texts where keys.contains(text) { Issue.record("\(name) shows the key \(text)") }
            // These tell people or scripts what to put there.
            guard !["rules", "compared"].contains(name) else { continue }
            #expect(!html.text.contains("{count}") && !html.text.contains("{name}"), "\(name)")
        }
    }

    @Test("Names are shown, never run")
    func escapesNames() {
        var page = DeskPage(recent: Samples.documents, documentCount: 1, jobs: [], hints: [])
        page.recent[0].name = "<script>alert(1)</script>"
        let html = Pages.desk(Samples.frame(), page).text
        #expect(html.contains("&lt;script&gt;alert(1)"))
        #expect(!html.contains("<script>alert"))
    }

    @Test("No page shows its own markup to people")
    func showsNoMarkup() {
        for (name, html) in Samples.pages() {
            for tag in ["&lt;input", "&lt;div", "&lt;p&gt;", "&lt;span", "&lt;button", "&lt;a href"] {
                #expect(!html.text.contains(tag), "\(name) shows \(tag)")
            }
        }
    }

    @Test("Every form that sends carries the token, and no style or script stands inline")
    func keepsToTheSecurityPolicy() {
        for (name, html) in Samples.pages() {
            let forms = html.text.split(separator: "<form ").dropFirst()
            for form in forms where form.prefix(while: { $0 != ">" }).contains("method=\"post\"") {
                #expect(form.contains("name=\"_csrf\" value=\"c5rf\""), "\(name)")
            }
            #expect(!html.text.contains(" style="), "\(name)")
            #expect(!html.text.contains(" onclick="), "\(name)")
            for script in html.text.split(separator: "<script ").dropFirst() {
                let tag = script.prefix { $0 != ">" }
                #expect(tag.contains("nonce=\"n0nce\"") || tag.contains("application/json"), "\(name)")
            }
        }
    }

    @Test("No two things on a page have the same id: a label would lead to the wrong one")
    func namesEachThingOnce() {
        for (name, html) in Samples.pages() {
            var seen: Set<Substring> = []
            for part in html.text.split(separator: " id=\"", omittingEmptySubsequences: false).dropFirst() {
                let id = part.prefix { $0 != "\"" }
                #expect(seen.insert(id).inserted, "\(name) has two of \(id)")
            }
        }
    }

    @Test("A viewer is not offered what only editors and owners may do")
    func hidesWhatIsForbidden() {
        let viewer = Samples.frame("/documents", role: .viewer)
        let model = DocumentsPage(lines: Samples.documents, matchCount: 5)
        let html = Pages.documents(viewer, model).text
        #expect(!html.contains("name=\"action\""))
        #expect(!html.contains("href=\"/documents/new\""))
        #expect(!Pages.settings(viewer).text.contains("/settings/mail"))
        #expect(Pages.settings(Samples.frame("/settings")).text.contains("/settings/mail"))
    }

    @Test("A paper's page begins with what people do with it, and keeps what only some ask for in folds")
    func paperPage() throws {
        var model = DocumentPage(line: Samples.documents[0], digest: String(repeating: "3fa9", count: 16))
        model.line.mediaType = "application/pdf"
        model.line.isReadable = true
        func page(_ role: Frame.Role, _ model: DocumentPage) -> String {
            Pages.document(Samples.frame("/documents/d1", role: role), model).text
        }
        let owners = page(.owner, model)
        let start = try #require(owners.split(separator: "<details class=\"card fold\"").first)
        #expect(!start.contains(model.digest) && owners.contains(model.digest))
        #expect(owners.ranges(of: "button-main\" href").count == 1)
        // What throws it away comes last.
        let menu = try #require(
            owners.split(separator: "id=\"paper-acts\"").last?.split(separator: "</nav>").first)
        #expect(menu.hasSuffix("trash</span></button></form>"))
        // Who may only look is shown what is there, without a field.
        let viewers = page(.viewer, model)
        #expect(!viewers.contains("value=\"PATCH\"") && !viewers.contains("value=\"DELETE\""))
        #expect(viewers.contains("/read\"") && viewers.contains("download=1"))
        // From the trash it is brought back, and nothing else.
        model.line.trashedAt = model.line.addedAt
        let trashed = page(.owner, model)
        #expect(!trashed.contains("id=\"paper-acts\"") && trashed.contains("/restoration"))
    }

    @Test("The place one is at is marked in the navigation, once")
    func marksThePlace() {
        let html = Pages.shares(Samples.frame("/shares"), SharesPage(shares: [])).text
        #expect(html.ranges(of: "aria-current=\"page\"").count == 1)
        #expect(html.contains("href=\"/documents\" aria-current=\"page\""))
    }

    @Test("A page of a table of 10,000 rows is made in little time and stays small")
    func makesLongTables() {
        let lines = (0..<100).map {
            Samples.document("d\($0)", "Paper \($0).pdf", "application/pdf", 1000, minutesAgo: 1)
        }
        let html = Pages.documents(
            Samples.frame("/documents"),
            DocumentsPage(lines: lines, page: 7, pageCount: 100, matchCount: 10_000))
        #expect(html.text.utf8.count < 150_000)
        #expect(html.text.contains("Page 7 of 100"))
    }

    @Test("The filter survives sorting and paging")
    func keepsTheFilter() {
        let html = Pages.documents(
            Samples.frame("/documents"),
            DocumentsPage(
                lines: Samples.documents, filter: "reçu & co", sort: .name, isDescending: false, page: 2,
                pageCount: 3,
                matchCount: 250)
        ).text
        #expect(
            html.contains("/documents?q=re%C3%A7u%20%26%20co&amp;sort=name&amp;order=ascending&amp;page=3"))
        #expect(html.contains("aria-sort=\"ascending\""))
    }

    @Test("Leafing through the forms of a folder stays in the folder")
    func keepsTheFolder() {
        let html = Pages.templates(
            Samples.frame("/templates"),
            TemplatesPage(
                lines: Samples.forms, folder: "School trips", folders: ["School trips"], page: 1,
                pageCount: 2,
                matchCount: 60, totalCount: 90)
        ).text
        #expect(html.contains("page=2&amp;folder=School%20trips"))
    }

    /// `QUIRE_GALLERY=folder swift test --filter PagesTests` writes the pages down, to look at them in a browser.
    @Test("The gallery can be written", .enabled(if: getenv("QUIRE_GALLERY") != nil))
    func writesTheGallery() throws {
        let folder = try #require(getenv("QUIRE_GALLERY").map { String(cString: $0) })
        for language in Language.offered + [.pseudo] {
            for (name, html) in Samples.pages(language: language) {
                let file = try #require(fopen("\(folder)/\(name).\(language.tag).html", "w"))
                fputs(html.text, file)
                fclose(file)
            }
        }
    }
}
