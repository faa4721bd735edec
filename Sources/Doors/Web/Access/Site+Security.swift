import Access
import App
import Bytes
import HTTP
import Storage

extension Site {
    static let securityActions: [Action] = [
        Action(
            .get, "/settings/security", .member(.view),
            .init(
                "Find the ways in", tag: "Security",
                answers: [.init(.ok, "Where each is", [.init(.json, ["type": "object"])])])
        ) { visit in
            try visit.show([
                "passkeys": "/passkeys", "sessions": "/sessions",
                "lock": try visit.quire.settings.lock().json,
            ]) { Pages.security(visit.frame, try securityPage(visit)) }
        },
        Action(
            .post, "/settings/security/password", .member(.view),
            .init(
                "Change one's password",
                description: "Ends one's other sessions. For people, not for tokens.", tag: "Security",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("current", Schema.string), ("password", Schema.string)], optional: ["current"]))
                ], answers: [.init(.noContent, "Changed")])
        ) { visit in
            let input = try visit.input
            do {
                try visit.access.passwords.change(
                    from: try input.text("current"), to: try input.text("password") ?? "",
                    by: try visit.member(), from: visit.visitor)
                return visit.done(
                    [:], .noContent,
                    next: try afterPassword(
                        try visit.member(), visit.access, otherwise: "/settings/security"),
                    notice: "notice.password")
            } catch var failure as Failure {
                if failure.field == "new" { failure.field = "password" }
                return try failedPage(visit, failure)
            }
        },
        Action(
            .post, "/settings/security/lock", .member(.administer),
            .init(
                "Choose when an unused desk locks itself", tag: "Security",
                requestBody: [
                    .init(.json, Schema.object([("minutes", Schema.orNull(Schema.integer(1, 1_440)))]))
                ], answers: [.ok("Lock", "As it is now")])
        ) { visit in
            do {
                let minutes = try visit.input.integer("minutes")
                try visit.quire.settings.change(LockSettings(minutes: minutes), by: try visit.member())
            } catch let failure as Failure {
                return try failedPage(visit, failure)
            }
            return visit.done(
                try visit.quire.settings.lock().json, next: "/settings/security", notice: "notice.saved")
        },
        Action(
            .post, "/settings/security/recovery-codes", .member(.view),
            .init(
                "Make new recovery codes",
                description: "The ones before stop working. For people who proved lately who they are.",
                tag: "Security", answers: [.made("RecoveryCodes", "Told this once")])
        ) { visit in
            do {
                let codes = try visit.access.recoveryCodes.make(by: try visit.member(), from: visit.visitor)
                guard visit.wantsPage else {
                    return Response.json(["codes": .texts(codes)], .created).kept(false)
                }
                var page = try securityPage(visit)
                page.newRecoveryCodes = codes
                return visit.page(Pages.security(visit.frameAt("/settings/security"), page)).kept(false)
            } catch let failure as Failure {
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
        Action(
            .post, "/passkeys/options", .member(.view),
            .init("Ask to add a passkey", tag: "Security", answers: [.question])
        ) { visit in
            .ceremony(
                try visit.access.passkeys.registrationOptions(
                    for: try visit.member(), at: try visit.relyingParty()))
        },
        Action(
            .post, "/passkeys", .member(.view),
            .init(
                "Add a passkey", tag: "Security", requestBody: [.init(.json, Schema.newPasskey)],
                answers: [.made("Passkey", "The passkey")])
        ) { visit in
            let input = try visit.input
            let passkey = try visit.access.passkeys.register(
                try input.credential(), name: try input.text("name") ?? "", by: try visit.member(),
                from: visit.visitor)
            var json = passkey.json.object ?? [:]
            json["next"] = "/settings/security"
            return Response.json(.object(json), .created).with("Location", "/passkeys/\(passkey.id)")
        },
        Action(
            .patch, "/passkeys/{id}", .member(.view),
            .init(
                "Rename one of one's passkeys", tag: "Security",
                requestBody: [.init(.json, Schema.object([("name", Schema.name)]))],
                answers: [.ok("Passkey", "As it is now")])
        ) { visit in
            let passkey = try visit.access.passkeys.rename(
                visit.id(of: "passkey"), to: try visit.input.text("name") ?? "", by: try visit.member())
            return visit.done(passkey.json, next: "/settings/security", notice: "notice.renamed")
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
            .delete, "/sessions", .member(.view),
            .init(
                "Sign out everywhere else", tag: "Security",
                answers: [.init(.noContent, "Only this session is left")])
        ) { visit in
            try visit.access.sessions.revokeOthers(of: try visit.member())
            return visit.done([:], .noContent, next: "/settings/security", notice: "notice.revoked")
        },
        Action(
            .delete, "/sessions/{id}", .member(.view),
            .init(
                "Sign out somewhere else", tag: "Security", answers: [.init(.noContent, "Signed out there")])
        ) { visit in
            try visit.access.sessions.revoke(visit.id(of: "session"), by: try visit.member())
            let next = visit.request.query["next"] == "/phones" ? "/phones" : "/settings/security"
            return visit.done([:], .noContent, next: next, notice: "notice.revoked")
        },
    ]

    /// The page again, with the fault beside its field; where somebody should show first who they are, the page for
    /// that. Programs get the failure itself.
    private static func failedPage(_ visit: Visit, _ failure: Failure) throws -> Response {
        guard visit.wantsPage, [.invalid, .signInNeeded, .conflict, .denied].contains(failure.code) else {
            throw failure
        }
        if failure.field == "proof", let session = visit.session {
            return visit.page(try lockPage(visit, session, next: "/settings/security"), .unauthorized)
                .kept(false)
        }
        var page = try securityPage(visit)
        page.error = visit.said(failure)
        page.errorField = failure.field
        return visit.page(Pages.security(visit.frameAt("/settings/security"), page), .unprocessable)
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
                    isThisOne: $0.id == visit.session?.id, onlyCaptures: $0.onlyCaptures)
            },
            hasPassword: try visit.access.members.get(id).hasPassword,
            recoveryCodesLeft: try visit.access.recoveryCodes.remaining(of: id), lockAfterMinutes: lock)
    }
}
