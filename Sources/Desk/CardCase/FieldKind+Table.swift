extension FieldKind {
    /// Every kind there is, family by family, the usual ones first.
    public static let all: [FieldKind] =
        contact + social + developer + messaging + payment + creator + scheduling + other

    private static let contact: [FieldKind] = [
        FieldKind(
            "mobile", .contact, "Mobile", .telephone, "+1 514 555 0100", .telephone("cell"), isBrand: false),
        FieldKind(
            "phone", .contact, "Phone", .telephone, "+52 55 5555 0100", .telephone("voice"), isBrand: false),
        FieldKind(
            "workphone", .contact, "Work phone", .telephone, "+1 416 555 0100", .telephone("work"),
            isBrand: false),
        FieldKind(
            "homephone", .contact, "Home phone", .telephone, "+1 514 555 0101", .telephone("home"),
            isBrand: false),
        FieldKind("fax", .contact, "Fax", .telephone, "+1 514 555 0199", .telephone("fax"), isBrand: false),
        FieldKind("email", .contact, "E-mail", .mail, "ana@example.org", .mail, isBrand: false),
        FieldKind("website", .contact, "Website", .page, "https://example.org", isBrand: false),
        FieldKind("address", .contact, "Address", .place, "12 Main Street", .address, isBrand: false),
        FieldKind(
            "map", .contact, "Directions", .page, "https://maps.app.goo.gl/…",
            hosts: ["maps.app.goo.gl", "maps.google.com", "maps.apple.com", "openstreetmap.org"],
            isBrand: false),
        FieldKind("birthday", .contact, "Birthday", .day, "1990-04-15", .birthday, isBrand: false),
    ]

    private static let social: [FieldKind] = [
        account("linkedin", .social, "LinkedIn", "https://www.linkedin.com/in/{}", "ana-lopez"),
        account("x", .social, "X", "https://x.com/{}", "ana", hosts: ["twitter.com"]),
        account(
            "instagram", .social, "Instagram", "https://www.instagram.com/{}", "ana", hosts: ["instagr.am"]),
        account(
            "facebook", .social, "Facebook", "https://www.facebook.com/{}", "ana.lopez", hosts: ["fb.com"]),
        account("tiktok", .social, "TikTok", "https://www.tiktok.com/@{}", "ana"),
        account("threads", .social, "Threads", "https://www.threads.net/@{}", "ana", hosts: ["threads.com"]),
        account("bluesky", .social, "Bluesky", "https://bsky.app/profile/{}", "ana.bsky.social"),
        FieldKind(
            "mastodon", .social, "Mastodon", .federated, "@ana@mastodon.social", .profile,
            hosts: ["mastodon.social", "mastodon.online", "mstdn.social", "fosstodon.org", "mstdn.ca"]),
        FieldKind("fediverse", .social, "Fediverse", .federated, "@ana@social.example", .profile),
        account("reddit", .social, "Reddit", "https://www.reddit.com/user/{}", "ana"),
        account("pinterest", .social, "Pinterest", "https://www.pinterest.com/{}", "ana"),
        account("snapchat", .social, "Snapchat", "https://www.snapchat.com/add/{}", "ana"),
        account("tumblr", .social, "Tumblr", "https://www.tumblr.com/{}", "ana"),
        account("xing", .social, "XING", "https://www.xing.com/profile/{}", "Ana_Lopez"),
        account("vk", .social, "VK", "https://vk.com/{}", "ana"),
        account("weibo", .social, "Weibo", "https://weibo.com/{}", "ana"),
        account("strava", .social, "Strava", "https://www.strava.com/athletes/{}", "12345"),
        account("goodreads", .social, "Goodreads", "https://www.goodreads.com/{}", "ana"),
    ]

    private static let developer: [FieldKind] = [
        account("github", .developer, "GitHub", "https://github.com/{}", "octocat"),
        account("gitlab", .developer, "GitLab", "https://gitlab.com/{}", "ana"),
        account("codeberg", .developer, "Codeberg", "https://codeberg.org/{}", "ana"),
        account("bitbucket", .developer, "Bitbucket", "https://bitbucket.org/{}", "ana"),
        account("sourcehut", .developer, "SourceHut", "https://sr.ht/~{}", "ana"),
        FieldKind(
            "stackoverflow", .developer, "Stack Overflow", .page, "https://stackoverflow.com/users/1/ana",
            .profile, hosts: ["stackoverflow.com"]),
        account("npm", .developer, "npm", "https://www.npmjs.com/~{}", "ana"),
        account("pypi", .developer, "PyPI", "https://pypi.org/user/{}", "ana"),
        account("huggingface", .developer, "Hugging Face", "https://huggingface.co/{}", "ana"),
        account("kaggle", .developer, "Kaggle", "https://www.kaggle.com/{}", "ana"),
        account("devto", .developer, "DEV", "https://dev.to/{}", "ana"),
        account("codepen", .developer, "CodePen", "https://codepen.io/{}", "ana"),
        account("orcid", .developer, "ORCID", "https://orcid.org/{}", "0000-0002-1825-0097"),
        FieldKind(
            "scholar", .developer, "Google Scholar", .page, "https://scholar.google.com/citations?user=…",
            hosts: ["scholar.google.com"]),
        account(
            "researchgate", .developer, "ResearchGate", "https://www.researchgate.net/profile/{}", "Ana-Lopez"
        ),
    ]

    private static let messaging: [FieldKind] = [
        FieldKind(
            "whatsapp", .messaging, "WhatsApp", .number("https://wa.me/{}"), "+52 55 5555 0100",
            .messages("whatsapp")),
        account(
            "telegram", .messaging, "Telegram", "https://t.me/{}", "ana", .messages("telegram"),
            hosts: ["telegram.me"]),
        FieldKind(
            "signal", .messaging, "Signal", .number("https://signal.me/#p/+{}"), "+1 514 555 0100",
            .messages("sgnl")),
        FieldKind(
            "matrix", .messaging, "Matrix", .matrix, "@ana:matrix.org", .messages("matrix"),
            hosts: ["matrix.to"]),
        FieldKind("xmpp", .messaging, "XMPP", .jabber, "ana@jabber.example", .messages("xmpp")),
        FieldKind(
            "discord", .messaging, "Discord", .line, "ana", .messages("x-discord"),
            hosts: ["discord.gg", "discord.com"]),
        FieldKind(
            "slack", .messaging, "Slack", .page, "https://example.slack.com", .page, hosts: ["slack.com"]),
        account(
            "messenger", .messaging, "Messenger", "https://m.me/{}", "ana.lopez", .messages("x-messenger")),
        FieldKind("viber", .messaging, "Viber", .telephone, "+1 514 555 0100", .telephone("text")),
        account("line", .messaging, "LINE", "https://line.me/ti/p/~{}", "ana", .messages("x-line")),
        FieldKind("wechat", .messaging, "WeChat", .code, "ana_lopez", .messages("x-wechat")),
        FieldKind(
            "threema", .messaging, "Threema", .account("https://threema.id/{}"), "ECHOECHO",
            .messages("x-threema")),
        FieldKind("session", .messaging, "Session", .code, "05a1b2c3d4e5", .note),
        FieldKind(
            "zulip", .messaging, "Zulip", .page, "https://example.zulipchat.com", .page,
            hosts: ["zulipchat.com"]),
        FieldKind("irc", .messaging, "IRC", .line, "ana on irc.libera.chat", .note),
    ]

    private static let payment: [FieldKind] = [
        account("paypal", .payment, "PayPal", "https://paypal.me/{}", "ana", .page),
        account("venmo", .payment, "Venmo", "https://venmo.com/u/{}", "ana", .page),
        account("cashapp", .payment, "Cash App", "https://cash.app/${}", "ana", .page),
        account("revolut", .payment, "Revolut", "https://revolut.me/{}", "ana", .page),
        account("wise", .payment, "Wise", "https://wise.com/pay/me/{}", "ana", .page),
        FieldKind("interac", .payment, "Interac", .mail, "ana@example.org", .note),
        FieldKind("pix", .payment, "Pix", .line, "ana@example.org", .note),
        FieldKind("iban", .payment, "IBAN (SEPA)", .iban, "DE89 3704 0044 0532 0130 00", .note),
        FieldKind("clabe", .payment, "CLABE", .clabe, "032180000118359719", .note),
        account("mercadopago", .payment, "Mercado Pago", "https://link.mercadopago.com.mx/{}", "ana", .page),
        FieldKind(
            "stripe", .payment, "Stripe", .page, "https://buy.stripe.com/…", .page,
            hosts: ["buy.stripe.com", "donate.stripe.com"]),
        FieldKind("bitcoin", .payment, "Bitcoin", .code, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", .note),
        FieldKind(
            "ethereum", .payment, "Ethereum", .code, "0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe", .note),
        account("liberapay", .payment, "Liberapay", "https://liberapay.com/{}", "ana", .page),
        account("opencollective", .payment, "Open Collective", "https://opencollective.com/{}", "ana", .page),
    ]

    private static let creator: [FieldKind] = [
        account("youtube", .creator, "YouTube", "https://www.youtube.com/@{}", "ana", hosts: ["youtu.be"]),
        account("twitch", .creator, "Twitch", "https://www.twitch.tv/{}", "ana"),
        account("patreon", .creator, "Patreon", "https://www.patreon.com/{}", "ana"),
        account("kofi", .creator, "Ko-fi", "https://ko-fi.com/{}", "ana"),
        account("buymeacoffee", .creator, "Buy Me a Coffee", "https://buymeacoffee.com/{}", "ana"),
        account("medium", .creator, "Medium", "https://medium.com/@{}", "ana"),
        FieldKind(
            "substack", .creator, "Substack", .page, "https://ana.substack.com", .profile,
            hosts: ["substack.com"]),
        FieldKind(
            "spotify", .creator, "Spotify", .page, "https://open.spotify.com/artist/…", .profile,
            hosts: ["open.spotify.com"]),
        FieldKind(
            "applemusic", .creator, "Apple Music", .page, "https://music.apple.com/artist/…", .profile,
            hosts: ["music.apple.com"]),
        account("soundcloud", .creator, "SoundCloud", "https://soundcloud.com/{}", "ana"),
        FieldKind(
            "bandcamp", .creator, "Bandcamp", .page, "https://ana.bandcamp.com", .profile,
            hosts: ["bandcamp.com"]),
        account("vimeo", .creator, "Vimeo", "https://vimeo.com/{}", "ana"),
        account("behance", .creator, "Behance", "https://www.behance.net/{}", "ana"),
        account("dribbble", .creator, "Dribbble", "https://dribbble.com/{}", "ana"),
        account("deviantart", .creator, "DeviantArt", "https://www.deviantart.com/{}", "ana"),
        account("flickr", .creator, "Flickr", "https://www.flickr.com/people/{}", "ana"),
        account("unsplash", .creator, "Unsplash", "https://unsplash.com/@{}", "ana"),
        FieldKind(
            "podcast", .creator, "Podcast", .page, "https://example.org/podcast", .page,
            hosts: ["podcasts.apple.com"], isBrand: false),
        FieldKind(
            "feed", .creator, "News feed", .page, "https://example.org/feed.xml", .page, isBrand: false),
        account("linktree", .creator, "Linktree", "https://linktr.ee/{}", "ana"),
    ]

    private static let scheduling: [FieldKind] = [
        account("calendly", .scheduling, "Calendly", "https://calendly.com/{}", "ana", .page),
        account("calcom", .scheduling, "Cal.com", "https://cal.com/{}", "ana", .page),
        FieldKind(
            "googlecalendar", .scheduling, "Google Calendar", .page, "https://calendar.app.google/…", .page,
            hosts: ["calendar.app.google", "calendar.google.com"]),
        FieldKind(
            "bookings", .scheduling, "Microsoft Bookings", .page, "https://outlook.office.com/bookwithme/…",
            .page, hosts: ["outlook.office.com", "outlook.office365.com"]),
        account("doodle", .scheduling, "Doodle", "https://doodle.com/bp/{}", "ana", .page),
        account("savvycal", .scheduling, "SavvyCal", "https://savvycal.com/{}", "ana", .page),
        FieldKind("zoom", .scheduling, "Zoom", .page, "https://zoom.us/j/…", .page, hosts: ["zoom.us"]),
        FieldKind(
            "meet", .scheduling, "Google Meet", .page, "https://meet.google.com/…", .page,
            hosts: ["meet.google.com"]),
        FieldKind("jitsi", .scheduling, "Jitsi Meet", .account("https://meet.jit.si/{}"), "AnaLopez", .page),
        FieldKind(
            "freebusy", .scheduling, "Free and busy", .page, "https://example.org/ana.ifb", .feed,
            isBrand: false),
    ]

    private static let other: [FieldKind] = [
        FieldKind("link", .other, "Link", .page, "https://example.org/page", isBrand: false),
        FieldKind(
            "pgp", .other, "PGP key", .page, "https://keys.openpgp.org/…", .key, hosts: ["keys.openpgp.org"],
            isBrand: false),
        FieldKind("fingerprint", .other, "Key fingerprint", .code, "9A8B 7C6D 5E4F", .note, isBrand: false),
        FieldKind("wifi", .other, "Wi-Fi", .line, "Guests, password lavender", .note, isBrand: false),
        FieldKind(
            "hours", .other, "Opening hours", .lines, "Monday to Friday, 9 to 17", .note, isBrand: false),
        FieldKind(
            "languages", .other, "Languages", .line, "English, français, español", .note, isBrand: false),
        FieldKind("taxnumber", .other, "Tax number", .line, "LOPA900415AB1", .note, isBrand: false),
        FieldKind("licence", .other, "Licence number", .line, "QC 12345", .note, isBrand: false),
        FieldKind("text", .other, "Text", .lines, "A few words", .note, isBrand: false),
    ]

    private static func account(
        _ id: String, _ family: Family, _ name: String, _ template: String, _ example: String,
        _ place: Place = .profile, hosts: [String] = []
    ) -> FieldKind {
        FieldKind(id, family, name, .account(template), example, place, hosts: hosts)
    }
}
