import App
import Bytes
public import Crypto
public import HTTP
import Markup
import Storage
import Transfer
import WebAssets

/// Where a desk is found that vouches for itself in the house it stands in.
public struct HouseDoor: Sendable {
    /// Whom phones are to trust.
    public var authority: X509Certificate
    /// The machine's address in the house at this moment; nil where it has none.
    public var host: @Sendable () -> String?

    public init(
        authority: X509Certificate, host: @escaping @Sendable () -> String? = HouseDoor.machine
    ) {
        self.authority = authority
        self.host = host
    }

    public static let machine: @Sendable () -> String? = { Machine.houseAddress?.description }
}

// A phone trusts the desk: the page that leads it there, and what it installs. Open to everybody, as what is in a certificate
// is shown to whoever connects.

extension Site {
    static let trustActions: [Action] = [
        Action(.get, "/trust", .anyone) { visit in
            let page = try trustPage(visit)
            guard visit.wantsPage else {
                return .json([
                    "name": .string(page.name), "fingerprint": .string(page.fingerprint),
                    "address": .string(page.address), "certificate": "/trust/quire.crt",
                    "profile": "/trust/quire.mobileconfig",
                ])
            }
            // Nothing is set and no token given: it changes nothing.
            return Response.html(Pages.trust(visit.frame, page).text)
                .with("Content-Security-Policy", page.policy(visit.frame))
                .with("Referrer-Policy", "no-referrer")
        },
        Action(.get, "/trust/quire.crt", .anyone) { visit in
            Response.text(
                try house(visit).authority.pem, MediaType("application/x-x509-ca-cert") ?? .octets
            ).with("Content-Disposition", "attachment; filename=\"quire.crt\"")
        },
        Action(.get, "/trust/quire.mobileconfig", .anyone) { visit in
            let profile = TrustProfile(
                authority: try house(visit).authority, description: visit.texts("trust.profile"))
            return .text(profile.text, TrustProfile.mediaType)
        },
        // Whether the desk is reached without a warning. The page that asks may have come without encryption; to no other site
        // it is told that a desk answers here.
        Action(.get, "/trust/check", .anyone) { visit in
            _ = try house(visit)
            var response = Response.noContent
            if let host = visit.request.headers["Host"] {
                response.headers.set("Access-Control-Allow-Origin", "http://\(host)")
                response.headers.set("Cross-Origin-Resource-Policy", "cross-origin")
            }
            return response
        },
    ]

    /// What is answered without encryption, on the same port: the way to trust the desk. All else goes where it is encrypted.
    public var plainRouter: Router {
        let open = ["/trust", "/trust/quire.crt", "/trust/quire.mobileconfig"]
        let site = self
        return Router(
            open.map { path in
                Route(.get, path) { request in site.router.response(to: request) }
            },
            failure: { _, request in site.leading(request) },
            finishing: { response, _ in
                var response = response
                response.headers.remove("Set-Cookie")
                SecurityHeaders.add(to: &response, isSecure: false)
                return response
            })
    }

    private func leading(_ request: Request) -> Response {
        do {
            try guardian.admit(request)
        } catch {
            return failed(error, request)
        }
        guard let host = request.headers["Host"], request.method.isSafe else {
            return .problem(
                .forbidden, detail: "Here only https is spoken. What you sent was not read; send it there.")
        }
        // Most phones try it so when somebody types the address of a desk that they do not know yet.
        guard !request.path.isEmpty && request.path != [""] else { return .redirect(to: "/trust#on") }
        return .redirect(to: "https://\(host)\(request.target)")
    }

    private static func house(_ visit: Visit) throws(Failure) -> HouseDoor {
        guard let house = visit.site.settings.house else {
            throw Failure(.notFound, "This desk has no authority of its own that a phone could trust.")
        }
        return house
    }

    private static func trustPage(_ visit: Visit) throws -> TrustPage {
        let authority = try house(visit).authority
        let agent = visit.request.headers["User-Agent"] ?? ""
        let phone: TrustPage.Phone =
            agent.contains("Android")
            ? .android : agent.contains("iPhone") || agent.contains("iPad") ? .apple : .other
        return TrustPage(
            name: authority.name, fingerprint: authority.shownFingerprint,
            address: "https://" + (visit.request.headers["Host"] ?? "localhost"), phone: phone)
    }
}

extension Visit {
    /// Where phones reach the desk: under the name it was asked by, or at its address in the house where that leads nowhere
    /// but to this machine.
    var originForPhones: String {
        guard Guardian.isOnlyHere(origin), let host = site.settings.house?.host() else { return origin }
        let port = request.headers["Host"].flatMap { Guardian.port(ofAuthority: $0) }
        return "https://\(host.contains(":") ? "[\(host)]" : host)" + (port.map { ":\($0)" } ?? "")
    }

    /// Where a phone learns to trust it, in the clear, as that comes before.
    var trustAddress: String? {
        guard site.settings.house != nil, site.settings.publicOrigin == nil else { return nil }
        return originForPhones.replacing("https://", with: "http://") + "/trust"
    }
}
