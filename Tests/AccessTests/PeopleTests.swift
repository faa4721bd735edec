import Crypto
import Access
import SQL
import Storage
import Testing
import TestSupport
import Work

@Suite("The first owner")
struct FirstOwnerTests {
    @Test("whoever sits at the machine sets the desk up, once", arguments: Database.Kind.here)
    func once(kind: Database.Kind) throws {
        try withEmptyDesk(kind) { access, _ in
            #expect(try access.firstOwner.isMissing())
            let ada = try access.firstOwner.setUp(
                name: " Ada ", signInName: "Ada@Example.org", password: Desk.adasPassword, from: Desk.machine)
            #expect(ada.member.role == .owner && ada.member.name == "Ada")
            #expect(ada.member.signInName == "ada@example.org")
            #expect(try access.firstOwner.isMissing() == false)
            let again = failure {
                _ = try access.firstOwner.setUp(
                    name: "Eve", signInName: "eve", password: Desk.adasPassword, from: Desk.machine)
            }
            #expect(again?.code == .conflict)
        }
    }

    @Test("from elsewhere it takes the code that serve printed, however it is typed")
    func code() throws {
        try withEmptyDesk(.sqlite) { access, _ in
            func setUp(_ code: String?) throws {
                _ = try access.firstOwner.setUp(
                    name: "Ada", signInName: "ada", password: Desk.adasPassword, code: code, from: Desk.home)
            }
            #expect(failure { try setUp(nil) }?.code == .denied)
            #expect(failure { try setUp("0000-0000") }?.field == "code")
            let code = access.firstOwner.code
            #expect(code.count == 9 && code == access.firstOwner.code)
            try setUp(" " + code.lowercased().replacing("-", with: "").replacing("0", with: "o"))
        }
    }

    @Test("the set-up stays closed after the owner was removed from the table")
    func closed() throws {
        try withDesk(.sqlite) { desk in
            try desk.store.write { tx in _ = try tx.run("DELETE FROM member") }
            #expect(try desk.access.firstOwner.isMissing() == false)
        }
    }

    @Test("guessing the code is slowed down")
    func guessing() throws {
        try withEmptyDesk(.sqlite) { access, _ in
            var codes: [Failure.Code?] = []
            for _ in 0..<105 {
                codes.append(
                    failure {
                        _ = try access.firstOwner.setUp(
                            name: "Eve", signInName: "eve", password: Desk.adasPassword, code: "1111-1111",
                            from: Desk.stranger)
                    }?.code)
            }
            #expect(codes.prefix(100).allSatisfy { $0 == .denied } && codes.last == .tooMany)
        }
    }
}

@Suite("Members")
struct MembersTests {
    @Test("the last owner can neither leave nor become less", arguments: Database.Kind.here)
    func lastOwner(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let members = desk.access.members
            let ada = desk.ada
            #expect(failure { try members.remove(ada.member.id, by: ada.caller) }?.code == .conflict)
            #expect(
                failure { try members.change(ada.member.id, to: .editor, by: ada.caller) }?.code == .conflict)
            #expect(failure { try members.remove(ada.member.id, by: .local) }?.code == .conflict)

            let grace = try desk.join("Grace", as: .editor)
            #expect(failure { try members.remove(ada.member.id, by: ada.caller) }?.code == .conflict)
            try members.change(grace.member.id, to: .owner, by: ada.caller)
            try members.change(ada.member.id, to: .viewer, by: ada.caller)
            #expect(
                failure { try members.change(grace.member.id, to: .viewer, by: .local) }?.code == .conflict)
            #expect(try members.get(ada.member.id).role == .viewer)
        }
    }

    @Test(
        "two owners who demote each other at the same moment do not both succeed",
        arguments: Database.Kind.here)
    func race(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let grace = try desk.join("Grace", as: .owner)
            let workers = Workers(name: "race", threads: 2)
            defer { workers.stop() }
            for _ in 0..<10 {
                let targets = [desk.ada.member.id, grace.member.id]
                _ = try workers.map(targets) { id -> Bool in
                    failure { try desk.access.members.change(id, to: .editor, by: .local) } == nil
                }
                let owners = try desk.access.members.list().filter { $0.role == .owner }
                #expect(owners.count == 1)
                for id in targets { try desk.access.members.change(id, to: .owner, by: .local) }
            }
        }
    }

    @Test("roles bound what people may do, and the failure says whom to ask")
    func roles() throws {
        try withDesk(.sqlite) { desk in
            let viewer = try desk.join("Vera", as: .viewer).caller
            let editor = try desk.join("Ed", as: .editor).caller
            #expect(viewer.may(.view) && !viewer.may(.edit) && !viewer.may(.administer))
            #expect(editor.may(.view) && editor.may(.edit) && !editor.may(.administer))
            #expect(desk.ada.caller.may(.administer) && Caller.local.may(.administer))
            #expect(
                failure { try viewer.require(.edit) }?.message
                    == "You are a viewer here, and this needs an editor or an owner. Ask an owner of this desk."
            )
            for caller in [viewer, editor] {
                #expect(
                    failure { try desk.access.members.remove(desk.ada.member.id, by: caller) }?.code
                        == .denied)
                #expect(
                    failure { try desk.access.members.change(viewer.memberID!, to: .owner, by: caller) }?.code
                        == .denied)
                #expect(
                    failure { _ = try desk.access.invitations.make(role: .owner, by: caller) }?.code
                        == .denied)
                #expect(failure { _ = try desk.access.journal.page(by: caller) }?.code == .denied)
            }
        }
    }

    @Test(
        "a change of role counts for sessions and tokens that are open already", arguments: Database.Kind.here
    )
    func roleAtOnce(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let ed = try desk.join("Ed", as: .editor)
            let token = try desk.access.tokens.make(name: "script", scopes: [.write], by: ed.caller).token
            try desk.access.members.change(ed.member.id, to: .viewer, by: desk.ada.caller)
            guard case .present(let caller, _) = try desk.presence(ed) else {
                Issue.record("Ed should still be there")
                return
            }
            #expect(!caller.may(.edit))
            #expect(try desk.access.tokens.caller(for: token.text)?.may(.edit) == false)
        }
    }

    @Test("everything that let a removed member in ends with them", arguments: Database.Kind.here)
    func removed(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let ed = try desk.join("Ed", as: .editor)
            let token = try desk.access.tokens.make(name: "script", scopes: [.read], by: ed.caller).token
            let link = try desk.access.shareLinks.make(Subject(kind: "document", id: "1"), by: ed.caller)
                .token
            try desk.access.members.remove(ed.member.id, by: desk.ada.caller)
            #expect(try desk.presence(ed) == .nobody)
            #expect(try desk.access.tokens.caller(for: token.text) == nil)
            #expect(failure { _ = try desk.access.shareLinks.look(link.text) }?.code == .notFound)
            #expect(
                failure {
                    _ = try desk.access.signIn.withPassword("ed", desk.password(of: "Ed"), from: Desk.home)
                }?.code
                    == .signInNeeded)
        }
    }

    @Test("people change their own names; two do not sign in with the same one")
    func names() throws {
        try withDesk(.sqlite) { desk in
            let ed = try desk.join("Ed", as: .viewer)
            let renamed = try desk.access.members.rename(
                ed.member.id, to: "Edward", signInName: " ED@Example.org", by: ed.caller)
            #expect(renamed.name == "Edward" && renamed.signInName == "ed@example.org")
            #expect(
                failure {
                    try desk.access.members.rename(ed.member.id, signInName: "ada@example.org", by: ed.caller)
                }?.code == .conflict)
            #expect(
                failure { try desk.access.members.rename(desk.ada.member.id, to: "X", by: ed.caller) }?.code
                    == .denied)
            for name in ["", "   ", "a\u{0}b", String(repeating: "x", count: 101), "a\nb"] {
                #expect(
                    failure { try desk.access.members.rename(ed.member.id, to: name, by: ed.caller) }?.code
                        == .invalid)
            }
            for name in ["", "a b", "a\u{0}", String(repeating: "x", count: 255)] {
                #expect(
                    failure { try desk.access.members.rename(ed.member.id, signInName: name, by: ed.caller) }?
                        .code
                        == .invalid)
            }
        }
    }
}

@Suite("Invitations")
struct InvitationsTests {
    @Test("one person joins by a link, with the role it was made for", arguments: Database.Kind.here)
    func joins(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let (token, invitation) = try desk.access.invitations.make(
                role: .viewer, note: "for Vera", by: desk.ada.caller)
            #expect(try desk.access.invitations.list(by: desk.ada.caller) == [invitation])
            #expect(try desk.access.invitations.look(token.text).note == "for Vera")
            func join(_ name: String) throws -> SignedIn {
                try desk.access.invitations.accept(
                    token.text, name: name, signInName: name, password: "long enough, I think",
                    from: Desk.stranger)
            }
            let vera = try join("Vera")
            #expect(vera.member.role == .viewer)
            #expect(try desk.isPresent(vera))
            #expect(failure { _ = try join("Eve") }?.code == .notFound)
            #expect(try desk.access.invitations.list(by: desk.ada.caller).isEmpty)
        }
    }

    @Test("a link that expired, was withdrawn or never existed lets nobody in")
    func gone() throws {
        try withDesk(.sqlite) { desk in
            let invitations = desk.access.invitations
            let expired = try invitations.make(role: .editor, by: desk.ada.caller)
            desk.clock.advance(.seconds(7 * 86_400))
            #expect(failure { _ = try invitations.look(expired.token.text) }?.code == .notFound)
            let withdrawn = try invitations.make(role: .editor, by: desk.ada.caller)
            try invitations.withdraw(withdrawn.invitation.id, by: desk.ada.caller)
            for token in [expired.token.text, withdrawn.token.text, "quire_join_x", ""] {
                #expect(
                    failure {
                        _ = try invitations.accept(
                            token, name: "Eve", signInName: "eve", password: "long enough, I think",
                            from: Desk.stranger)
                    }?.code == .notFound)
            }
            #expect(try invitations.list(by: desk.ada.caller).isEmpty)
            #expect(
                failure { _ = try invitations.make(role: .viewer, life: .zero, by: desk.ada.caller) }?.code
                    == .invalid)
        }
    }

    @Test("a name that is taken leaves the invitation open")
    func taken() throws {
        try withDesk(.sqlite) { desk in
            let token = try desk.access.invitations.make(role: .editor, by: desk.ada.caller).token.text
            #expect(
                failure {
                    _ = try desk.access.invitations.accept(
                        token, name: "Ada 2", signInName: "ADA@example.org", password: "long enough, I think",
                        from: Desk.stranger)
                }?.field == "signInName")
            _ = try desk.access.invitations.look(token)
        }
    }
}
