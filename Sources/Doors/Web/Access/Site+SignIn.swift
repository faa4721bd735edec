import Access
import Bytes
import HTTP
import Markup
import Storage

extension Site {
    static let signInActions: [Action] = [
        Action(.get, "/sign-in", .anyone) { visit in
            if try visit.access.firstOwner.isMissing() { return .redirect(to: "/welcome") }
            if visit.caller != nil { return .redirect(to: next(visit.request.query["next"])) }
            return visit.page(
                Pages.signIn(
                    visit.frame,
                    SignInPage(
                        next: visit.request.query["next"].map { next($0) },
                        usesRecoveryCode: visit.request.query["with"] == "recovery"))
            ).kept(false).away(.out)
        },
        Action(
            .post, "/sign-in", .anyone,
            .entry(
                "Sign in with a password or a recovery code", Schema.signIn,
                .ok("SignedIn", "The session is in the cookie"))
        ) { visit in
            let input = try visit.input
            let code = try input.text("recovery")
            do {
                let login = try input.text("login") ?? ""
                let password = try input.text("password") ?? ""
                let signedIn =
                    try code.map {
                        try visit.access.signIn.withRecoveryCode(
                            login, code: $0, newPassword: try input.text("newPassword") ?? password,
                            from: visit.visitor)
                    } ?? visit.access.signIn.withPassword(login, password, from: visit.visitor)
                var next = next(try input.text("next"))
                if code != nil { next = try afterPassword(signedIn.caller, visit.access, otherwise: next) }
                return visit.signedIn(
                    signedIn, visit.done(["member": signedIn.member.json], next: next))
            } catch let failure as Failure where visit.wantsPage && failure.code != .tooMany {
                return visit.page(
                    Pages.signIn(
                        visit.frame,
                        SignInPage(
                            login: (try? input.text("login")) ?? "", error: visit.said(failure),
                            next: (try? input.text("next")).map { next($0) }, usesRecoveryCode: code != nil)),
                    .unprocessable)
            }
        },
        Action(
            .post, "/sign-in/passkey-options", .anyone,
            .entry("Ask to sign in with a passkey", nil, .question)
        ) { visit in
            .ceremony(
                try visit.access.passkeys.signInOptions(at: try visit.relyingParty(), from: visit.visitor))
        },
        Action(
            .post, "/sign-in/passkey", .anyone,
            .entry("Sign in with a passkey", Schema.passkeyAnswer, .next(.ok))
        ) { visit in
            let input = try visit.input
            let signedIn = try visit.access.signIn.withPasskey(try input.credential(), from: visit.visitor)
            return visit.signedIn(signedIn, .json(["next": .string(next(try input.text("next")))]))
        },
        Action(
            .post, "/sign-out", .anyone,
            .entry("Sign out", nil, .init(.ok, "The session has ended", [.init(.json, ["type": "object"])]))
        ) { visit in
            if let caller = visit.caller, visit.session != nil { try visit.access.signIn.signOut(caller) }
            if let locked = visit.locked { try visit.endLocked(locked.session) }
            var response = visit.done([:], next: "/sign-in", notice: "notice.signedOut")
            response.set(visit.site.cookie("session", "", maxAge: 0, for: visit))
            response.set(visit.site.cookie("csrf", "", maxAge: 0, for: visit))
            // Pages a service worker or the browser kept belong to whoever was signed in.
            response.headers.set("Clear-Site-Data", "\"cache\"")
            return response
        },
        Action(
            .post, "/lock", .member(.view),
            .init("Lock the session at once", tag: "Sign-in", answers: [.init(.noContent, "Locked")])
        ) { visit in
            try visit.access.sessions.lock(by: try visit.member())
            return visit.done([:], .noContent, next: "/")
        },
        Action(.get, "/unlock", .anyone) { visit in
            guard let session = visit.locked?.session ?? visit.session else {
                guard visit.wantsPage else { throw Failure(.signInNeeded, "Sign in first.") }

                return .redirect(to: "/sign-in")
            }
            return visit.page(try lockPage(visit, session, next: next(visit.request.query["next"]))).kept(
                false)
        },
        Action(
            .post, "/unlock", .anyone,
            .entry(
                "Unlock the session, or confirm who one is, with the password", Schema.unlock,
                .init(.noContent, "Open"))
        ) { visit in
            let session = try visit.lockedSession()
            let input = try visit.input
            let next = next(try input.text("next"))
            do {
                try visit.access.signIn.unlock(
                    session, password: try input.text("password") ?? "", from: visit.visitor)
            } catch let failure as Failure where visit.wantsPage && failure.code != .tooMany {
                return visit.page(
                    try lockPage(visit, session, next: next, error: visit.said(failure)), .unprocessable)
            }
            return visit.done([:], .noContent, next: next)
        },
        Action(
            .post, "/unlock/passkey-options", .anyone,
            .entry("Ask to unlock with a passkey", nil, .question)
        ) { visit in
            .ceremony(
                try visit.access.passkeys.unlockOptions(
                    for: try visit.lockedSession(), at: try visit.relyingParty()))
        },
        Action(
            .post, "/unlock/passkey", .anyone,
            .entry("Unlock with a passkey", Schema.passkeyAnswer, .next(.ok))
        ) { visit in
            let session = try visit.lockedSession()
            let input = try visit.input
            try visit.access.signIn.unlock(session, passkey: try input.credential(), from: visit.visitor)
            return .json(["next": .string(next(try input.text("next")))])
        },
    ]

    /// Only places of this site: a link must not be able to send people elsewhere after they signed in.
    static func next(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return "/" }
        return text
    }

    /// For a locked session, and for an open one in which something grave asks once more who is there.
    static func lockPage(
        _ visit: Visit, _ session: Session, next: String, error: String? = nil
    ) throws -> HTML {
        let member = try visit.access.members.get(session.memberID)
        return Pages.lock(
            visit.frame,
            LockPage(
                reason: visit.locked == nil ? .proof : .lock, name: member.name, error: error,
                hasPassword: member.hasPassword, hasPasskey: member.passkeyCount > 0, next: next))
    }
}

extension Visit {
    /// The session to unlock; one that is open may be confirmed the same way.
    func lockedSession() throws(Failure) -> Session {
        guard let session = locked?.session ?? session else { throw Failure(.signInNeeded, "Sign in first.") }
        return session
    }

    /// Somebody who walks up to a locked desk may always close it.
    func endLocked(_ session: Session) throws {
        try access.sessions.revoke(session.id, by: .local)
    }
}
