import Access
public import App
import Delivery
public import HTTP
import Markup
import Storage
public import Transfer
import WebAssets
import Work

/// The web app and its API over one desk: a router that the server, the command line and the tests share.
public final class Site: Sendable {
    public let quire: Quire
    public let router: Router
    let settings: SiteSettings
    let assets: Assets
    let events: EventHub
    let guardian: Guardian
    let frames: PageFrames
    let undoings = UndoShelf()
    let passes = PassShelf()
    let answers = AnswerCounts()

    public init(quire: Quire, settings: SiteSettings = SiteSettings()) {
        self.quire = quire
        self.settings = settings
        assets = Assets(fromDisk: settings.assetsFromDisk)
        events = EventHub(quire)
        guardian = Guardian(settings)
        frames = PageFrames(quire.store)
        // Handlers need the site and the site needs the router: the routes hold on to it through this reference,
        // which is set once below, before anything can ask.
        let reference = SiteReference()
        let actions = Site.actions
        let dav = DAVDoor(quire, guardian, uploadLimit: settings.uploadLimit)
        router = Router(
            actions.routes(reference, description: OpenAPI.document(of: actions.map(\.described))),
            failure: { error, request in reference.site.failed(error, request) },
            admission: { request, route in try reference.site.admit(request, route) },
            finishing: { response, request in reference.site.finished(response, request) }
        ).nesting(
            dav.router(
                failure: { error, request in reference.site.failed(error, request) },
                finishing: { response, request in reference.site.finished(response, request) }),
            under: "dav"
        ).nesting(
            CardDAVDoor(quire, guardian).router(
                failure: { error, request in reference.site.failed(error, request) },
                finishing: { response, request in reference.site.finished(response, request) }),
            under: CardDAVDoor.first
        ).nesting(
            CardDAVDoor.wellKnown(finishing: { response, request in reference.site.finished(response, request)
            }),
            under: ".well-known"
        ).nesting(
            PaperlessDoor(quire, guardian, uploadLimit: settings.uploadLimit).router(
                failure: { error, request in reference.site.failed(error, request) },
                finishing: { response, request in reference.site.finished(response, request) }),
            under: "api")
        reference.site = self
        let (assets, origin) = (self.assets, settings.publicOrigin)
        quire.noticeMail.speak { [weak quire] post in
            guard let quire else { throw Failure(.unavailable, "The desk is closing.") }
            return try NoticeTeller.mail(post, quire, assets.catalog, origin: origin)
        }
        quire.noticePush.speak { [weak quire] push in
            guard let quire else { throw Failure(.unavailable, "The desk is closing.") }
            return try NoticeTeller.push(push, quire, assets.catalog)
        }
    }

    /// Every action of the app, in the order the API description lists them.
    static let actions: [Action] =
        basicActions + presenceActions + welcomeActions + signInActions + documentActions + versionActions
        + readingActions
        + outlineActions
        + filingActions + contentActions + ruleActions + fieldActions + keepingActions + syncActions
        + shelfActions
        + searchableActions + comparisonActions
        + redactionActions + markActions + arrangeActions + smallerActions + fillingInActions
        + passwordActions + undoActions
        + shareActions
        + requestActions + replyActions
        + paperlessActions + privacyActions
        + templateActions
        + proposalActions + editionActions + mappingActions + listActions + listTableActions + contactActions
        + cardActions + cardPictureActions + publicCardActions + walletActions + identityActions
        + signatureActions
        + signingManyActions
        + redactionManyActions
        + reminderActions + cardReadingActions + contactActionsOfOne + followUpActions + mergeActions
        + importActions + batchActions + bundleActions + choosingActions + matchingActions + makingActions
        + sendingActions
        + outboxActions
        + letterActions + repetitionActions + harvestActions + ledgerActions
        + conversionActions
        + activityActions + noticeActions + pushActions + helpActions
        + settingsActions + planActions + phoneActions + trustActions + looksActions + securityActions
        + guardingActions
        + memberActions
        + tokenActions
        + storageActions
        + searchActions

    /// Ends the event streams; called when the server stops.
    public func close() { events.close() }
}

/// How a `Site` is reached.
public struct SiteSettings: Sendable {
    /// `https://desk.example`: where people reach this desk, when it is not simply the address it listens on.
    public var publicOrigin: String?
    /// Further host names that are this desk.
    public var allowedHosts: [String]
    /// Machines that say where their visitors come from, and are believed.
    public var trustedProxies: [Network]
    /// A checkout's assets folder, read anew for each request while one works on it.
    public var assetsFromDisk: String?
    /// The largest upload.
    public var uploadLimit: Int64
    /// What a program shows that keeps watch; nil lets none.
    public var metricsToken: String?
    /// Where the desk vouches for itself.
    public var house: HouseDoor?

    public init(
        publicOrigin: String? = nil, allowedHosts: [String] = [], trustedProxies: [Network] = [],
        assetsFromDisk: String? = nil, uploadLimit: Int64 = 4 << 30, metricsToken: String? = nil,
        house: HouseDoor? = nil
    ) {
        self.publicOrigin = publicOrigin
        self.allowedHosts = allowedHosts
        self.trustedProxies = trustedProxies
        self.assetsFromDisk = assetsFromDisk
        self.uploadLimit = uploadLimit
        self.metricsToken = metricsToken
        self.house = house
    }
}

final class SiteReference: @unchecked Sendable {
    // Written once by `Site.init`, before the router is given to anybody; only read afterwards. Unowned, because the
    // site owns the router that owns this.
    unowned(unsafe) var site: Site!
}
