import Access
import App
import Bytes
import HTTP
import Storage

extension Site {
    static let securityActions: [Action] = [
        Action(.get, "/settings/security", .member(.view)) { visit in
            try visit.show([
                "passkeys": "/passkeys", "sessions": "/sessions",
                "lock": try visit.quire.settings.lock().json,
            ]) { Pages.security(visit.frame, try securityPage(visit)) }
        },
        Action(.post, "/settings/security/password", .member(.view)) { visit in
            let input = try visit.input
            do {
                try visit.access.passwords.change(
                    from: try input.text("current"), to: try input.requiredText("password"),
                    by: try visit.member(),
                    from: visit.visitor)
                return visit.done([:], .noContent, next: "/settings/security", notice: "notice.password")
            } catch let failure as Failure where visit.wantsPage {
                return try failedPage(visit, failure)
            }
        },
        Action(.post, "/settings/security/lock", .member(.administer)) { visit in
            let minutes = try visit.input.integer("minutes")
            try visit.quire.settings.change(LockSettings(minutes: minutes), by: try visit.member())
            return visit.done(
                try visit.quire.settings.lock().json, next: "/settings/security", notice: "notice.saved")
        },
        Action(.post, "/settings/security/recovery-codes", .member(.view)) { visit in
            do {
                let codes = try visit.access.recoveryCodes.make(by: try visit.member(), from: visit.visitor)
                guard visit.wantsPage else {
                    return Response.json(["codes": .texts(codes)], .created).kept(false)
                }
                var page = try securityPage(visit)
                page.newRecoveryCodes = codes
                return visit.page(Pages.security(visit.frame, page)).kept(false)
            } catch let failure as Failure where visit.wantsPage {
                return try failedPage(visit, failure)
            }
        },
        Action(
            .get, "/passkeys", .member(.view),
            .init("List one's passkeys", tag: "Security", answers: [.ok("PasskeyList", "One's own")])
        ) { visit in
            guard let id = try visit.member().memberID else { return .json(["passkeys": []]) }
            if visit.wantsPage { return .redirect(to: "/settings/security") }
            return .json(["passkeys": .array(try visit.access.passkeys.list(of: id).map(\.json))])
        },
        Action(.post, "/passkeys/options", .member(.view)) { visit in
            .ceremony(
                try visit.access.passkeys.registrationOptions(
                    for: try visit.member(), at: try visit.relyingParty()))
        },
        Action(.post, "/passkeys", .member(.view)) { visit in
            let passkey = try addPasskey(visit)
            var json = passkey.json.object ?? [:]
            json["next"] = "/settings/security"
            return Response.json(.object(json), .created).with("Location", "/passkeys/\(passkey.id)")
        },
        Action(
            .delete, "/passkeys/{id}", .member(.view),
            .init(
                "Remove one of one's passkeys", tag: "Security",
                answers: [.init(.noContent, "It lets nobody in any more")])
        ) { visit in
            try visit.access.passkeys.remove(
                visit.id(of: "passkey"), by: try visit.member(), from: visit.visitor)
            return visit.done([:], .noContent, next: "/settings/security", notice: "notice.removed")
        },
        Action(
            .get, "/sessions", .member(.view),
            .init(
                "List where one is signed in", tag: "Security",
                answers: [.ok("SessionList", "One's own, last used first")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/settings/security") }
            let caller = try visit.member()
            guard let id = caller.memberID else { return .json(["sessions": []]) }
            let sessions = try visit.access.sessions.list(of: id, by: caller)
            return .json(["sessions": .array(sessions.map { $0.json(current: visit.session?.id) })])
        },
        Action(
            .delete, "/sessions/{id}", .member(.view),
            .init(
                "Sign out somewhere else", tag: "Security", answers: [.init(.noContent, "Signed out there")])
        ) { visit in
            try visit.access.sessions.revoke(visit.id(of: "session"), by: try visit.member())
            return visit.done([:], .noContent, next: "/settings/security", notice: "notice.revoked")
        },
    ]

    private static func failedPage(_ visit: Visit, _ failure: Failure) throws -> Response {
        guard [.invalid, .signInNeeded, .conflict, .denied].contains(failure.code) else { throw failure }
        var page = try securityPage(visit)
        page.error = failure.message
        page.errorField = failure.field == "new" ? "password" : failure.field
        return visit.page(Pages.security(visit.frame, page), .unprocessable)
    }

    private static func securityPage(_ visit: Visit) throws -> SecurityPage {
        let caller = try visit.member()
        let lock = try visit.quire.settings.lock().minutes
        guard let id = caller.memberID else {
            return SecurityPage(
                passkeys: [], sessions: [], hasPassword: false, recoveryCodesLeft: 0, lockAfterMinutes: lock)
        }
        return SecurityPage(
            passkeys: try visit.access.passkeys.list(of: id).map {
                .init(id: $0.id.text, name: $0.name, addedAt: $0.madeAt, lastUsedAt: $0.usedAt)
            },
            sessions: try visit.access.sessions.list(of: id, by: caller).map {
                .init(
                    id: $0.id.text, device: $0.device, address: $0.address, lastSeenAt: $0.seenAt,
                    isThisOne: $0.id == visit.session?.id)
            },
            hasPassword: try visit.access.members.get(id).hasPassword,
            recoveryCodesLeft: try visit.access.recoveryCodes.remaining(of: id), lockAfterMinutes: lock)
    }
}
