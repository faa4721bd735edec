import Access
import App
import Bytes
import Crypto
import Glibc
import HTTP
import Jobs
import Library
import Storage
import TestSupport
import Testing
import Transfer
import Web
import Work

@Suite("Plans and limits")
struct PlansTests {
    @Test("a desk of one's own has no limits, and says so for each of them")
    func selfHosted() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let decisions = try ada.fetch(.get, "/plans").json["decisions"]?.array ?? []
            #expect(decisions.count == Limit.allCases.count + PlanTool.allCases.count)
            #expect(
                decisions.allSatisfy {
                    $0["allowed"] == true && $0["reason"]?.string?.contains("host Quire yourself") == true
                })
            #expect(try ada.get("/settings/plans").text.contains("You host Quire yourself"))
            let licence = try ada.submit(
                "/settings/plans", ["part": "licence", "licence": "QUIRE-LICENCE.x.y"])
            #expect(licence.status == .unprocessable)
            #expect(licence.text.contains("needs no licence"))
        }
    }

    @Test("simulating Free blocks what Free blocks, with the reason where it happens, and ends again")
    func simulation() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/settings/plans")
            #expect(
                try ada.submit("/settings/plans", ["part": "simulation", "simulateFree": "yes"]).status
                    == .seeOther)
            #expect(
                try ada.get("/settings/plans").text.contains("name=\"simulateFree\" value=\"yes\" checked"))
            let plans = try ada.fetch(.get, "/plans").json
            #expect(plans["simulatesFree"] == true)
            let blocked = try ada.submit("/invitations", ["role": "viewer", "note": "Grace"])
            #expect(
                blocked.text.contains("Members of the team: the plan “Free” allows 1, and this would make 2.")
            )
            #expect(try ada.fetch(.post, "/invitations", json: ["role": "viewer"]).status == .forbidden)
            try ada.get("/settings/language")
            try ada.submit("/settings/language", ["language": "fr-CA"])
            try ada.get("/members")
            let refused = try ada.submit("/invitations", ["role": "viewer", "note": "Grace"])
            #expect(
                refused.text.contains(
                    "en permet 1, et cela en ferait 2. Vous voyez Quire comme sans licence."))
            try ada.get("/settings/plans")
            try ada.submit("/settings/plans", ["part": "simulation"])
            #expect(try ada.fetch(.post, "/invitations", json: ["role": "viewer"]).status == .created)
        }
    }

    @Test("a licence pasted in lifts the limits of its plan, and a changed one does not")
    func licence() throws {
        try withScratchFolder { folder in
            let key = try PrivateKey.make(.edDSA)
            guard case .bytes(let publicBytes)? = key.publicKey.cose[-2] else { return }
            let file = "\(folder)/plans.json"
            let book: JSON = [
                "licenceKey": .string(Base64.urlEncode(publicBytes)),
                "plans": [
                    ["id": "free", "name": "Free", "limits": ["members": 1]],
                    ["id": "studio", "name": "Studio"],
                ],
            ]
            try write(book.text, to: file)
            try withDesk(flags: ["plan-file": file]) { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                #expect(try ada.fetch(.post, "/invitations", json: ["role": "viewer"]).status == .forbidden)
                let licence = Licence(
                    id: "L-1", plan: "studio", kind: .subscription, holder: "Ada",
                    startsAt: desk.hands.now - .seconds(60), endsAt: desk.hands.now + .seconds(86_400))
                let text = try licence.text(signedWith: key)
                try ada.get("/settings/plans")
                let changed = text.replacing("A", with: "B", maxReplacements: 1)
                let wrong = try ada.submit("/settings/plans", ["part": "licence", "licence": changed])
                #expect(wrong.status == .unprocessable)
                #expect(wrong.text.contains("id=\"f-licence-error\""))
                let good = try ada.submit("/settings/plans", ["part": "licence", "licence": text])
                #expect(good.headers["Location"] == "/settings/plans")
                #expect(try ada.get("/settings/plans").text.contains("Studio"))
                #expect(try ada.fetch(.post, "/invitations", json: ["role": "viewer"]).status == .created)
                let kept = try ada.fetch(.get, "/plans").json["licences"]?.array ?? []
                #expect(kept.map { $0["id"] } == ["L-1"])
                #expect(kept.first?["counts"] == true)
                desk.hands.advance(.seconds(2 * 86_400))
                _ = try ada.get("/settings/plans")
                #expect(try ada.fetch(.get, "/plans").json["plan"] == "Free")
                // What plan a desk has is for somebody who was there lately.
                let asked = try ada.submit("/licences/L-1", ["_method": "DELETE"])
                #expect(asked.text.contains("action=\"/unlock\""))
                _ = try ada.submit("/unlock", ["password": Browser.password, "next": "/settings/plans"])
                #expect(
                    try ada.submit("/licences/L-1", ["_method": "DELETE"]).headers["Location"]
                        == "/settings/plans")
                #expect(try ada.fetch(.get, "/plans").json["licences"] == [])
                #expect(try ada.fetch(.delete, "/licences/L-1").status == .notFound)
            }
        }
    }

    /// A desk under plans whose Free looks, tries and scans, with a paper from before.
    private func withPlans(
        _ plans: JSON, addOns: JSON = [],
        _ body: (Desk, _ key: LicenceKey, _ paper: String, _ folder: String) throws -> Void
    ) throws {
        try withScratchFolder { folder in
            let key = try LicenceKey.make()
            let free: JSON = [
                "id": "free", "name": "Free",
                "without": ["save", "share", "edit", "convert", "sync", "folders"],
            ]
            let file: JSON = [
                "licenceKey": .string(key.published), "plans": .array([free] + (plans.array ?? [])),
                "addOns": addOns, "buy": "https://example.org/quire",
            ]
            try write(file.text, to: "\(folder)/plans.json")
            let flags = ["plan-file": "\(folder)/plans.json", "reachable-folders": folder]
            try withDesk(flags: flags) { desk throws in
                let store = desk.quire.store
                let digest = try store.blobs.put(Array("Dear Ana".utf8))
                let before = try store.write { tx in
                    try desk.quire.documents.add(
                        digest, "text/plain", named: "letter.txt", by: "member/ada", calledThen: "Ada", in: tx
                    )
                }
                try body(desk, key, before.document.id.text, folder)
            }
        }
    }

    @Test("what a plan leaves out is refused wherever it is tried, and one's own papers are never held back")
    func tools() throws {
        try withPlans([["id": "studio", "name": "Studio", "trialDays": 14]]) { desk, _, paper, folder in
            func refused(_ tool: String, _ answer: Response, _ line: SourceLocation = #_sourceLocation) {
                #expect(answer.status == .forbidden, "\(tool): \(answer.text)", sourceLocation: line)
                let told = answer.json["detail"]?.string ?? ""
                #expect(
                    told.contains("the plan “Free” does not have it. “Studio” would allow it."),
                    sourceLocation: line)
                #expect(told.hasPrefix(tool), "\(told)", sourceLocation: line)
            }
            let place = "/documents/\(paper)"
            refused("Keeping new papers", try desk.upload("/documents?name=new.txt", Array("New".utf8)))
            refused("Links and mail to others", try desk.command(.post, place + "/shares", json: [:]))
            refused(
                "Changing papers",
                try desk.upload(place + "/versions?name=letter.txt", Array("Dear Ben".utf8)))
            refused("Making folders", try desk.command(.post, "/folders", json: ["path": "Home"]))
            refused(
                "Syncing with other places",
                try desk.command(.post, "/sync", json: ["kind": "folder", "address": "/tmp"]))
            let made = try desk.command(
                .post, "/conversions", json: ["document": .string(paper), "hold": true])
            let conversion = try #require(made.headers["Location"])
            refused("Converting papers", try desk.command(.post, conversion + "/runs"))

            // A scan is looked at, and only keeping it is not free.
            let scan = try #require(
                desk.command(.post, "/conversions", json: ["hold": true, "scan": "auto"]).headers["Location"])
            let added = try desk.upload(scan + "/papers?name=page.png", ConversionsTests.red)
            #expect(added.status == .created, "\(added.text)")
            #expect(try desk.command(.post, scan + "/runs").status == .accepted)
            desk.quire.runner.runUntilIdle()
            #expect(try desk.command(.get, scan).json["state"] == "done")
            refused("Keeping new papers", try desk.command(.post, scan + "/documents", json: [:]))

            #expect(try desk.command(.get, place + "/file").status == .ok)
            #expect(try desk.command(.delete, place).status == .ok)

            #expect(
                try desk.command(.post, "/settings/plans", json: ["trial": "studio"]).json["isTrial"] == true)
            #expect(try desk.command(.post, scan + "/documents", json: [:]).status.isSuccess)
            #expect(try desk.upload("/documents?name=new.txt", Array("New".utf8)).status == .created)
            #expect(
                try desk.command(.post, "/sync", json: ["kind": "folder", "address": .string(folder)]).status
                    == .created)
            desk.quire.runner.runUntilIdle()
            #expect(try desk.command(.get, "/sync").json["places"]?[0]?["state"] == "synced")
            desk.hands.advance(.seconds(14 * 86_400))
            desk.quire.runner.runUntilIdle()
            let afterwards = try desk.command(.get, "/sync").json["places"]?[0]
            #expect(afterwards?["state"] == "refused", "\(afterwards ?? .null)")
            let after = try desk.upload("/documents?name=late.txt", Array("Late".utf8))
            #expect(after.json["detail"]?.string?.contains("The trial of “Studio” ended on ") == true)
        }
    }

    @Test("the page tells what each plan brings, tries one by one press, and the first steps lead there")
    func page() throws {
        let full: JSON = ["id": "full", "name": "Full", "price": "19 € once", "without": ["sync"]]
        let sync: JSON = ["id": "sync", "name": "Everywhere", "with": ["sync"]]
        try withPlans([full], addOns: [sync]) { desk, key, _, _ in
            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(try ada.get("/welcome?step=start").text.contains("href=\"/settings/plans\""))
            let before = try ada.get("/settings/plans").text
            for words in [
                "19 € once", "Everywhere", "Without: ", "Bought already?", "https://example.org/quire",
            ] {
                #expect(before.contains(words), "\(words)")
            }
            for (id, plan) in [("A", "full"), ("B", "sync")] {
                let licence = Licence(
                    id: id, plan: plan, kind: .once, holder: "Ada", startsAt: desk.hands.now)
                try ada.get("/settings/plans")
                #expect(
                    try ada.submit("/settings/plans", ["part": "licence", "licence": key.text(of: licence)])
                        .status
                        == .seeOther)
            }
            let plans = try ada.fetch(.get, "/plans").json
            #expect(plans["plan"] == "Full")
            #expect(plans["decisions"]?.array?.allSatisfy { $0["allowed"] == true } == true)
        }
        try withPlans([["id": "team", "name": "Team", "trialDays": 30]]) { desk, _, _, _ in
            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(try ada.get("/settings/plans").text.contains("Try it for 30 days"))
            #expect(
                try ada.submit("/settings/plans", ["part": "trial", "trial": "team"]).status == .seeOther)
            let trying = try ada.get("/settings/plans").text
            #expect(trying.contains("Nothing has to be cancelled") && !trying.contains("Try it for 30 days"))
            #expect(
                try ada.fetch(.post, "/settings/plans", json: ["trial": "team"]).status == .conflict)
        }
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(try !ada.get("/welcome?step=start").text.contains("/settings/plans"))
        }
    }
}

private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "we"))
    defer { fclose(file) }
    #expect(fputs(text, file) >= 0)
}
