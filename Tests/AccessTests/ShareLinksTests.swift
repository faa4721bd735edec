import Crypto
import Access
import SQL
import Storage
import Testing
import TestSupport
import Work

@Suite("Share links")
struct ShareLinksTests {
    static let lease = Subject(kind: "document", id: "lease")

    @Test("a visitor sees the one thing and nothing else", arguments: Database.Kind.here)
    func visitor(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let (token, link) = try desk.access.shareLinks.make(
                Self.lease, .init(note: "for the landlord", isViewOnly: true), by: desk.ada.caller)
            let opened = try desk.access.shareLinks.open(token.text, from: Desk.stranger)
            #expect(opened.link.id == link.id && opened.link.openings == 1 && opened.link.isViewOnly)
            #expect(opened.caller.may(.view, on: Self.lease))
            #expect(!opened.caller.may(.view) && !opened.caller.may(.edit, on: Self.lease))
            #expect(!opened.caller.may(.view, on: Subject(kind: "document", id: "will")))
            #expect(failure { try opened.caller.require(.view) }?.code == .denied)
            #expect(failure { _ = try desk.access.shareLinks.list(by: opened.caller) }?.code == .denied)
            #expect(
                try desk.access.shareLinks.list(of: Self.lease, by: desk.ada.caller).first?.openedAt
                    == desk.clock.now)
        }
    }

    @Test("following pages behind an opened link is not counted, for an hour", arguments: Database.Kind.here)
    func pass(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let shares = desk.access.shareLinks
            let token = try shares.make(Self.lease, .init(maximumOpenings: 1), by: desk.ada.caller).token.text
            let other = try shares.make(Self.lease, by: desk.ada.caller).token.text
            let pass = try shares.open(token, from: Desk.stranger).pass
            #expect(try shares.follow(token, pass: pass)?.link.openings == 1)
            #expect(try shares.follow(other, pass: pass) == nil)
            for forged in ["", ".", "9999999999999.AAAA", pass + "A", String(pass.dropFirst())] {
                #expect(try shares.follow(token, pass: forged) == nil)
            }
            #expect(failure { _ = try shares.open(token, from: Desk.home) }?.code == .notFound)
            desk.clock.advance(.seconds(3600))
            #expect(try shares.follow(token, pass: pass) == nil)
        }
    }

    @Test("a link opens as often as it may, also when many come at once", arguments: Database.Kind.here)
    func many(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let token = try desk.access.shareLinks.make(
                Self.lease, .init(maximumOpenings: 5), by: desk.ada.caller
            ).token.text
            let workers = Workers(name: "visitors", threads: 4)
            defer { workers.stop() }
            let opened = try workers.map(Array(0..<20)) { number in
                failure {
                    _ = try desk.access.shareLinks.open(token, from: Visitor(address: "203.0.113.\(number)"))
                } == nil
            }
            #expect(opened.count(where: { $0 }) == 5)
        }
    }

    @Test("a password is asked for, checked and not to be guessed", arguments: Database.Kind.here)
    func password(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let shares = desk.access.shareLinks
            let token = try shares.make(Self.lease, .init(password: "plum"), by: desk.ada.caller).token.text
            #expect(try shares.look(token).needsPassword)
            #expect(failure { _ = try shares.open(token, from: Desk.home) }?.field == "password")
            for _ in 0..<5 {
                #expect(
                    failure { _ = try shares.open(token, password: "pear", from: Desk.home) }?.code == .denied
                )
            }
            #expect(
                failure { _ = try shares.open(token, password: "plum", from: Desk.home) }?.code == .tooMany)
            #expect(try shares.open(token, password: "plum", from: Desk.stranger).link.openings == 1)
            #expect(
                failure { _ = try shares.make(Self.lease, .init(password: "abc"), by: desk.ada.caller) }?
                    .field == "password")
        }
    }

    @Test("expired, revoked and invented links read alike", arguments: Database.Kind.here)
    func gone(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let shares = desk.access.shareLinks
            let now = desk.clock.now
            let expired = try shares.make(
                Self.lease, .init(expiresAt: now + .seconds(10)), by: desk.ada.caller)
            let revoked = try shares.make(Self.lease, by: desk.ada.caller)
            _ = try shares.open(expired.token.text, from: Desk.home)
            desk.clock.advance(.seconds(10))
            try shares.revoke(revoked.link.id, by: desk.ada.caller)
            let failures = [expired.token.text, revoked.token.text, "quire_share_x", ""].map { token in
                failure { _ = try shares.open(token, from: Desk.home) }
            }
            #expect(failures.allSatisfy { $0 == failures[0] && $0?.code == .notFound })
            #expect(
                failure { _ = try shares.make(Self.lease, .init(expiresAt: now), by: desk.ada.caller) }?.field
                    == "expiresAt")
            #expect(
                failure { _ = try shares.make(Self.lease, .init(maximumOpenings: 0), by: desk.ada.caller) }?
                    .field == "maximumOpenings")
        }
    }

    @Test("viewers give nothing away; a link is revoked by its maker or an owner")
    func rights() throws {
        try withDesk(.sqlite) { desk in
            let shares = desk.access.shareLinks
            let vera = try desk.join("Vera", as: .viewer).caller
            let ed = try desk.join("Ed", as: .editor).caller
            let mia = try desk.join("Mia", as: .editor).caller
            #expect(failure { _ = try shares.make(Self.lease, by: vera) }?.code == .denied)
            let link = try shares.make(Self.lease, by: ed).link
            #expect(try shares.list(by: vera).map(\.id) == [link.id])
            #expect(failure { try shares.revoke(link.id, by: mia) }?.code == .denied)
            try shares.revoke(link.id, by: ed)
        }
    }
}
