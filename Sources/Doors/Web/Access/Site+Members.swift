import Access
import Bytes
import Crypto
import HTTP
import Storage

extension Site {
    static let memberActions: [Action] = [
        Action(
            .get, "/members", .member(.administer),
            .init("List the members", tag: "Members", answers: [.ok("MemberList", "Everybody on this desk")])
        ) { visit in
            let members = try visit.access.members.list()
            return try visit.show(["members": .array(members.map(\.json))]) {
                Pages.members(visit.frame, try membersPage(visit))
            }
        },
        Action(
            .get, "/members/{id}", .member(.view),
            .init("Get a member", tag: "Members", answers: [.ok("Member", "Name and role")])
        ) { visit in
            let id: ID<Member> = try visit.id(of: "member")
            let caller = try visit.member()
            // How others sign in is nobody's business but theirs and the owners'.
            if caller.memberID != id { try caller.require(.administer) }
            let member = try visit.access.members.get(id)
            return visit.wantsPage ? .redirect(to: "/members") : .json(member.json)
        },
        Action(
            .patch, "/members/{id}", .member(.administer),
            .init(
                "Change a member's role or names", tag: "Members",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("role", Schema.choice(Role.allCases.map(\.rawValue))),
                                ("name", ["type": "string"]),
                                ("login", ["type": "string"]),
                            ], optional: ["role", "name", "login"]))
                ], answers: [.ok("Member", "As they are now")])
        ) { visit in
            let input = try visit.input
            let caller = try visit.member()
            let id: ID<Member> = try visit.id(of: "member")
            let before = try visit.access.members.get(id)
            if let word = try input.text("role") {
                try visit.access.members.change(id, to: try role(word), by: caller)
            }
            let (name, login) = (try input.text("name"), try input.text("login"))
            if name != nil || login != nil {
                try visit.access.members.rename(id, to: name, signInName: login, by: caller)
            }
            let after = try visit.access.members.get(id)
            // A role is chosen in passing, from a list that sends itself.
            let undo = Frame.Notice.Undo(
                action: "/members/\(id)",
                fields: [(name: "_method", value: "PATCH"), (name: "role", value: before.role.rawValue)])
            return visit.done(
                after.json, next: "/members", notice: "notice.saved",
                undo: after.role == before.role ? nil : undo)
        },
        Action(
            .delete, "/members/{id}", .member(.view),
            .init(
                "Remove a member", tag: "Members", answers: [.init(.noContent, "They are no member any more")]
            )
        ) { visit in
            try visit.access.members.remove(visit.id(of: "member"), by: try visit.member())
            return visit.done([:], .noContent, next: "/members", notice: "notice.removed")
        },
        Action(
            .get, "/invitations", .member(.administer),
            .init(
                "List open invitations", tag: "Members", answers: [.ok("InvitationList", "The newest first")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/members") }
            let invitations = try visit.access.invitations.list(by: try visit.member())
            return .json(["invitations": .array(invitations.map(\.json))])
        },
        Action(
            .post, "/invitations", .member(.administer),
            .init(
                "Invite somebody", description: "The address is told this once, and lets one person in.",
                tag: "Members",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("role", Schema.choice(Role.allCases.map(\.rawValue))),
                                ("note", ["type": "string"]),
                            ],
                            optional: ["note"]))
                ], answers: [.made("NewInvitation", "The invitation")])
        ) { visit in
            let input = try visit.input
            let token: Token
            let invitation: Invitation
            do {
                (token, invitation) = try visit.access.invitations.make(
                    role: try role(try input.requiredText("role")), note: try input.text("note") ?? "",
                    by: try visit.member())
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .denied].contains(failure.code)
            {
                var page = try membersPage(visit)
                page.error = visit.said(failure)
                return visit.page(
                    Pages.members(visit.frameAt("/members"), page), Site.status(of: failure.code))
            }
            let address = "\(visit.origin)/join/\(token.text)"
            guard visit.wantsPage else {
                var json = invitation.json.object ?? [:]
                json["address"] = .string(address)
                return Response.json(.object(json), .created)
                    .with("Location", "/invitations/\(invitation.id)").kept(false)
            }
            var page = try membersPage(visit)
            page.newInvitationAddress = address
            return visit.page(Pages.members(visit.frameAt("/members"), page)).kept(false)
        },
        Action(
            .delete, "/invitations/{id}", .member(.administer),
            .init(
                "Withdraw an invitation", tag: "Members",
                answers: [.init(.noContent, "It lets nobody in any more")])
        ) { visit in
            try visit.access.invitations.withdraw(visit.id(of: "invitation"), by: try visit.member())
            return visit.done([:], .noContent, next: "/members", notice: "notice.withdrawn")
        },
    ]

    private static func role(_ word: String) throws(Failure) -> Role {
        guard let role = Role(rawValue: word) else {
            throw Failure(.invalid, "A role is owner, editor or viewer.", field: "role")
        }
        return role
    }

    private static func membersPage(_ visit: Visit) throws -> MembersPage {
        let caller = try visit.member()
        let invitations = caller.may(.administer) ? try visit.access.invitations.list(by: caller) : []
        return MembersPage(
            members: try visit.access.members.list().map { member in
                let sessions =
                    caller.may(.administer) ? try visit.access.sessions.list(of: member.id, by: caller) : []
                return .init(
                    id: member.id.text, name: member.name, login: member.signInName,
                    role: Frame.Role(rawValue: member.role.rawValue) ?? .viewer,
                    lastSeenAt: sessions.first?.seenAt,
                    isReader: member.id == caller.memberID)
            },
            invitations: invitations.map {
                .init(
                    id: $0.id.text, note: $0.note, role: Frame.Role(rawValue: $0.role.rawValue) ?? .viewer,
                    expiresAt: $0.expiresAt)
            })
    }
}
