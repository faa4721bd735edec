import Access
import Bytes
import Crypto
import SQL
import Storage
import Testing
import TestSupport
import Work

@Suite("Plans, licences and the reasons for each decision")
struct EntitlementsTests {
    static let seller = try? PrivateKey(ed25519Seed: Array(1...32))
    static let day = Duration.seconds(86_400)

    static func book() throws -> PlanBook {
        let key = try #require(seller).publicKey
        return PlanBook(
            plans: [
                Plan(id: "free", name: "Free", limits: [.templates: 3, .recipients: 50, .members: 2]),
                Plan(id: "team", name: "Team", limits: [.templates: 20, .members: 5]),
                Plan(id: "studio", name: "Studio"),
            ], licenceKey: key)
    }

    static func licence(
        _ plan: String, _ kind: Licence.Kind = .lifetime, seats: Int? = nil, from: Moment, to: Moment? = nil,
        grace: Int = 0,
        id: String = "L-1"
    ) throws -> String {
        let licence = Licence(
            id: id, plan: plan, kind: kind, holder: "Ada", seats: seats, startsAt: from, endsAt: to,
            graceDays: grace)
        return try licence.text(signedWith: try #require(seller))
    }

    @Test("people who host Quire themselves have everything", arguments: Database.Kind.here)
    func selfHosted(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let decision = try desk.access.entitlements.decide(.templates(1_000_000))
            #expect(decision.allowed && decision.limit == nil)
            #expect(decision.reason == "You host Quire yourself: nothing is limited.")
            #expect(try desk.access.entitlements.overview(used: [:]).allSatisfy(\.allowed))
            #expect(
                failure { try desk.access.entitlements.install("x", by: desk.ada.caller) }?.code
                    == .unsupported)
        }
    }

    @Test("a decision says what counts and which plan would allow more")
    func reasons() throws {
        try withDesk(.sqlite, plans: try Self.book()) { desk in
            let entitlements = desk.access.entitlements
            let fine = try entitlements.decide(.templates(3))
            #expect(fine.allowed && fine.limit == 3 && fine.used == 3 && fine.plan == "Free")
            #expect(fine.reason == "Forms on the desk: the plan “Free” allows 3.")
            let blocked = try entitlements.decide(.templates(4))
            #expect(!blocked.allowed)
            #expect(
                blocked.reason
                    == "Forms on the desk: the plan “Free” allows 3, and this would make 4. “Team” would allow it."
            )
            #expect(try entitlements.decide(.templates(21)).reason.hasSuffix("“Studio” would allow it."))
            #expect(
                try entitlements.decide(.retentionDays(900)).reason
                    == "Days that what was sent is remembered: the plan “Free” sets no limit.")
        }
    }

    @Test(
        "a licence unlocks its plan, for its seats, until its end and its grace",
        arguments: Database.Kind.here)
    func licence(kind: Database.Kind) throws {
        try withDesk(kind, plans: try Self.book()) { desk in
            let entitlements = desk.access.entitlements
            let now = desk.clock.now
            let text = try Self.licence(
                "team", .subscription, seats: 4, from: now, to: now + Self.day * 30, grace: 7)
            try entitlements.install(" " + text.prefix(40) + "\n" + text.dropFirst(40), by: desk.ada.caller)
            try entitlements.install(text, by: desk.ada.caller)
            #expect(try entitlements.licences().count == 1)
            #expect(try entitlements.decide(.templates(20)).allowed)
            #expect(try entitlements.decide(.members(4)).allowed)
            #expect(try entitlements.decide(.members(5)).allowed == false)

            desk.clock.advance(Self.day * 36)
            #expect(try entitlements.decide(.templates(20)).allowed)
            desk.clock.advance(Self.day)
            let after = try entitlements.decide(.templates(20))
            #expect(!after.allowed && after.plan == "Free")
            #expect(after.reason.contains("The licence for “Team” ended on "))
        }
    }

    @Test("the best of several licences counts; a trial that ends falls back to what was bought")
    func several() throws {
        try withDesk(.sqlite, plans: try Self.book()) { desk in
            let now = desk.clock.now
            let entitlements = desk.access.entitlements
            try entitlements.install(try Self.licence("team", .once, from: now, id: "A"), by: desk.ada.caller)
            try entitlements.install(
                try Self.licence("studio", .trial, from: now, to: now + Self.day * 14, id: "B"),
                by: desk.ada.caller)
            #expect(try entitlements.standing().plan.id == "studio")
            desk.clock.advance(Self.day * 14)
            #expect(try entitlements.standing().plan.id == "team")
            try entitlements.remove("A", by: desk.ada.caller)
            #expect(try entitlements.standing().plan.id == "free")
        }
    }

    @Test("a changed, foreign or unknown licence is refused, and one changed in the database does not count")
    func tampered() throws {
        try withDesk(.sqlite, plans: try Self.book()) { desk in
            let now = desk.clock.now
            let entitlements = desk.access.entitlements
            let text = try Self.licence("team", from: now)
            let characters = Array(text)
            for index in characters.indices {
                var changed = characters
                changed[index] = changed[index] == "A" ? "B" : "A"
                guard changed != characters else { continue }
                #expect(failure { try entitlements.install(String(changed), by: desk.ada.caller) } != nil)
            }
            let foreign = try Licence(id: "F", plan: "studio", kind: .lifetime, holder: "Eve", startsAt: now)
                .text(signedWith: PrivateKey.make(.edDSA))
            for bad in [
                "", "x.y.z", foreign, try Self.licence("gold", from: now), String(text.dropLast(5)),
                text + ".AA",
            ] {
                #expect(
                    failure { try entitlements.install(bad, by: desk.ada.caller) }?.field == "licence",
                    "\(bad)")
            }
            #expect(try entitlements.licences().isEmpty)

            try entitlements.install(text, by: desk.ada.caller)
            try desk.store.write { tx in _ = try tx.run("UPDATE licence SET text = \(foreign)") }
            #expect(try entitlements.standing().plan.id == "free")
            let vera = try desk.join("Vera", as: .viewer).caller
            #expect(failure { try entitlements.install(text, by: vera) }?.code == .denied)
        }
    }

    @Test("a licence does not count before it starts")
    func early() throws {
        try withDesk(.sqlite, plans: try Self.book()) { desk in
            let start = desk.clock.now + Self.day
            try desk.access.entitlements.install(try Self.licence("studio", from: start), by: desk.ada.caller)
            #expect(try desk.access.entitlements.standing().plan.id == "free")
            desk.clock.advance(Self.day)
            #expect(try desk.access.entitlements.standing().plan.id == "studio")
        }
    }

    @Test("an operator can look at Quire as people on Free do, and go back", arguments: Database.Kind.here)
    func simulated(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let entitlements = desk.access.entitlements
            try entitlements.simulateFree(true, by: desk.ada.caller)
            let decision = try entitlements.decide(.templates(4))
            #expect(!decision.allowed && decision.reason.contains("as people without a licence do"))
            #expect(
                failure { _ = try desk.access.invitations.make(role: .viewer, by: desk.ada.caller) }?.code
                    == .denied)
            try entitlements.simulateFree(false, by: desk.ada.caller)
            #expect(try entitlements.decide(.templates(4)).allowed)
        }
    }

    @Test("a plan file is read, and a mistake in it is said")
    func planFile() throws {
        let key = Base64.urlEncode(Array(try #require(Self.seller).publicKey.der.suffix(32)))
        let book = try PlanBook(
            file: Array(
                #"{"licenceKey": "\#(key)", "plans": [{"id": "free", "name": "Free", "limits": {"templates": 3}}, {"id": "all", "name": "All"}]}"#
                    .utf8))
        #expect(book.plans.map(\.id) == ["free", "all"] && book.plans[0].limits == [.templates: 3])
        #expect(book.licenceKey == Self.seller?.publicKey)
        for bad in [
            "", "[]", "{}", #"{"plans": []}"#, #"{"plans": [{"id": "a"}]}"#,
            #"{"plans": [{"id": "a", "name": "A", "limits": {"tempaltes": 3}}]}"#,
            #"{"plans": [{"id": "a", "name": "A", "limits": {"templates": "3"}}]}"#,
            #"{"plans": [{"id": "a", "name": "A", "limits": {"templates": -1}}]}"#,
            #"{"plans": [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}]}"#,
            #"{"plans": [{"id": "a", "name": "A"}], "licenceKey": "AAAA"}"#,
            #"{"plans": [{"id": "a", "name": "A", "without": ["snyc"]}]}"#,
            #"{"plans": [{"id": "a", "name": "A", "wihtout": ["sync"]}]}"#,
            #"{"plans": [{"id": "a", "name": "A", "trialDays": 0}]}"#,
            #"{"plans": [{"id": "a", "name": "A"}], "addOns": [{"id": "a", "name": "B"}]}"#,
            #"{"plans": [{"id": "a", "name": "A"}], "addOns": [{"id": "b", "name": "B", "without": ["sync"]}]}"#,
            #"{"plans": [{"id": "a", "name": "A"}], "addons": []}"#,
        ] {
            #expect(failure { _ = try PlanBook(file: Array(bad.utf8)) }?.code == .invalid, "\(bad)")
        }
    }

    @Test(
        "a plan may leave tools out; an add-on brings one beside whichever plan counts",
        arguments: Database.Kind.here)
    func tools(kind: Database.Kind) throws {
        let book = PlanBook(
            plans: [
                Plan(id: "free", name: "Free", limits: [.recipients: 10], without: [.sync, .share]),
                Plan(id: "full", name: "Full", limits: [.recipients: 100], without: [.sync]),
            ],
            addOns: [PlanAddOn(id: "sync", name: "Everywhere", tools: [.sync], limits: [.recipients: 50])],
            licenceKey: try #require(Self.seller).publicKey)
        try withDesk(kind, plans: book) { desk in
            let entitlements = desk.access.entitlements
            try entitlements.require(.save)
            let refused = failure { try entitlements.require(.share) }
            #expect(refused?.code == .denied && refused?.field == Entitlements.failureField)
            #expect(
                refused?.message
                    == "Links and mail to others: the plan “Free” does not have it. “Full” would allow it. See Settings › Plans and limits."
            )
            #expect(
                failure { try entitlements.require(.sync) }?.message.contains("“Everywhere” would allow it.")
                    == true)
            try entitlements.install(
                Self.licence("sync", .once, from: desk.clock.now, id: "A"), by: desk.ada.caller)
            try entitlements.require(.sync)
            #expect(failure { try entitlements.require(.share) } != nil)
            #expect(try entitlements.decide(.recipients(50)).allowed)
            try entitlements.install(
                Self.licence("full", .once, from: desk.clock.now, id: "B"), by: desk.ada.caller)
            try entitlements.require(.share)
            #expect(try entitlements.decide(.recipients(100)).allowed, "an add-on never takes away")
            #expect(try entitlements.standing().plan.name == "Full")
            try entitlements.remove("A", by: desk.ada.caller)
            #expect(failure { try entitlements.require(.sync) } != nil)
        }
    }

    @Test(
        "a plan is tried once, without a licence, and the trial ends by itself", arguments: Database.Kind.here
    )
    func trial(kind: Database.Kind) throws {
        let book = PlanBook(
            plans: [
                Plan(id: "free", name: "Free", without: [.sync]),
                Plan(id: "studio", name: "Studio", trialDays: 14),
                Plan(id: "gold", name: "Gold"),
            ], licenceKey: nil)
        try withDesk(kind, plans: book) { desk in
            let entitlements = desk.access.entitlements
            #expect(try entitlements.offersOfTrial().map(\.id) == ["studio"])
            let vera = try desk.join("Vera", as: .viewer).caller
            #expect(failure { try entitlements.beginTrial(of: "studio", by: vera) }?.code == .denied)
            #expect(
                failure { try entitlements.beginTrial(of: "gold", by: desk.ada.caller) }?.code == .notFound)
            try entitlements.beginTrial(of: "studio", by: desk.ada.caller)
            try entitlements.require(.sync)
            let standing = try entitlements.standing()
            #expect(standing.isTrial && standing.endsAt == desk.clock.now + Self.day * 14)
            #expect(try entitlements.offersOfTrial().isEmpty)
            desk.clock.advance(Self.day * 14)
            #expect(
                failure { try entitlements.require(.sync) }?.message.contains(
                    "The trial of “Studio” ended on ") == true)
            #expect(
                failure { try entitlements.beginTrial(of: "studio", by: desk.ada.caller) }?.code == .conflict)
        }
    }
}
