import Bytes
import Crypto
import Access
import SQL
import Storage
import Testing
import TestSupport
import Work

@Suite("Rate limits")
struct RateLimitsTests {
    static let rule = RateLimits.Rule("test", burst: 3, refill: .seconds(30))

    @Test("a burst goes through, then one for each part of the refill")
    func bucket() {
        let clock = HandClock()
        let limits = RateLimits(clock: clock.clock)
        for _ in 0..<3 { #expect(failure { try limits.take(Self.rule, for: "a") } == nil) }
        #expect(failure { try limits.take(Self.rule, for: "a") }?.retryAfter == .seconds(10))
        #expect(failure { try limits.take(Self.rule, for: "b") } == nil, "others are not affected")
        clock.advance(.seconds(10))
        #expect(failure { try limits.take(Self.rule, for: "a") } == nil)
        #expect(failure { try limits.take(Self.rule, for: "a") } != nil)
        clock.advance(.seconds(3600))
        for _ in 0..<3 { #expect(failure { try limits.take(Self.rule, for: "a") } == nil) }
        #expect(failure { try limits.take(Self.rule, for: "a") } != nil, "rest does not add up")
    }

    @Test("a clock set back does not keep anybody out for longer than the refill")
    func clockBack() {
        let clock = HandClock()
        let limits = RateLimits(clock: clock.clock)
        for _ in 0..<4 { _ = failure { try limits.take(Self.rule, for: "a") } }
        clock.advance(.seconds(-86_400))
        #expect(failure { try limits.take(Self.rule, for: "a") }?.retryAfter == .seconds(10))
        clock.advance(.seconds(30))
        #expect(failure { try limits.take(Self.rule, for: "a") } == nil)
    }

    @Test("very many addresses do not take all memory, and the busiest stay limited")
    func bounded() {
        let limits = RateLimits(clock: HandClock().clock)
        for _ in 0..<4 { _ = failure { try limits.take(Self.rule, for: "busy") } }
        for number in 0..<50_000 { _ = failure { try limits.take(Self.rule, for: "\(number)") } }
        #expect(limits.subjectCount <= 20_001)
        #expect(failure { try limits.take(Self.rule, for: "busy") } != nil)
    }

    @Test("an IPv6 customer counts as one")
    func networks() {
        #expect(RateLimits.subject(ofAddress: "192.0.2.7") == "192.0.2.7")
        #expect(RateLimits.subject(ofAddress: "2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64")
        #expect(RateLimits.subject(ofAddress: "2001:db8:1:2::1") == "2001:db8:1:2::/64")
        #expect(RateLimits.subject(ofAddress: "2001:db8::1") == "2001:db8::/64")
        #expect(RateLimits.subject(ofAddress: "2001:db8::1") == RateLimits.subject(ofAddress: "2001:db8::2"))
        #expect(RateLimits.subject(ofAddress: "::1") == "::1")
        #expect(RateLimits.subject(ofAddress: "::ffff:192.0.2.7") == "::ffff:192.0.2.7")
        #expect(RateLimits.subject(ofAddress: "") == "")
    }
}

@Suite("The journal of who came in and who changed what")
struct JournalTests {
    @Test("it is read by page, with names, by owners", arguments: Database.Kind.here)
    func pages(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let ed = try desk.join("Ed", as: .editor)
            _ = failure { _ = try desk.access.signIn.withPassword("ed", "wrong", from: Desk.stranger) }
            try desk.access.members.change(ed.member.id, to: .viewer, by: desk.ada.caller)
            try desk.access.members.change(ed.member.id, to: .editor, by: .local)

            var seen: [String] = []
            var before: Int64?
            repeat {
                let page = try desk.access.journal.page(before: before, limit: 3, by: desk.ada.caller)
                seen += page.lines.map { "\($0.actorName): \($0.verb)" }
                before = page.before
            } while before != nil
            #expect(
                seen == [
                    "this machine: member.role-changed", "Ada: member.role-changed",
                    "a visitor: sign-in.failed",
                    "Ed: session.started", "Ed: member.joined", "Ada: invitation.made",
                    "Ada: session.started",
                    "Ada: desk.set-up",
                ])
            let failed = try desk.access.journal.page(
                Journal.Filter(verbPrefix: "sign-in."), by: desk.ada.caller
            ).lines
            #expect(failed.first?.detail["address"] == "198.51.100.66")
            #expect(failed.first?.detail["device"] == "Chrome on Android")
            #expect(failed.first?.subject == ed.member.id.text.withPrefix("member/"))
        }
    }

    @Test("no password, code or token ever gets into it", arguments: Database.Kind.here)
    func noSecrets(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            var secrets = [Desk.adasPassword, desk.ada.token.text, "typed here by mistake"]
            secrets.append(
                try desk.access.tokens.make(name: "t", scopes: [.read], by: desk.ada.caller).token.text)
            let codes = try desk.access.recoveryCodes.make(by: desk.ada.caller, from: Desk.home)
            secrets += codes
            let share = try desk.access.shareLinks.make(
                Subject(kind: "document", id: "1"), .init(password: "plum tree"), by: desk.ada.caller)
            secrets += [share.token.text, "plum tree"]
            _ = try desk.access.shareLinks.open(share.token.text, password: "plum tree", from: Desk.home)
            _ = failure {
                _ = try desk.access.signIn.withPassword("typed here by mistake", "x", from: Desk.home)
            }
            let invitation = try desk.access.invitations.make(role: .viewer, by: desk.ada.caller).token.text
            secrets.append(invitation)
            let lines = try desk.store.journal.lines(limit: 1000)
            #expect(lines.count >= 8)
            for line in lines {
                let text =
                    "\(line.entry.actor) \(line.entry.verb) \(line.entry.subject) \(line.entry.detail.text)"
                #expect(!secrets.contains { text.contains($0) }, "\(text)")
            }
        }
    }
}

extension String {
    func withPrefix(_ prefix: String) -> String { prefix + self }
}
