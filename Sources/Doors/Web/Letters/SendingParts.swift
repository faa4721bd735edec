import App
import Markup
import Work

/// Somebody's packet, and what has become of it.
struct DeliveryItem: Sendable {
    var packet: String
    var number: Int
    var name: String
    var address: String
    /// As the ledger names it: `made`, `accepted`, `bounced`…
    var state: String
    var at: Moment?
    var reason: String?
    var links = 0
    var openings = 0
}

/// A letter in the outbox, as lists show it.
struct OutboxLine: Sendable {
    var id: String
    var name: String
    var address: String
    var title: String
    /// `waiting`, `accepted`, `refused`…
    var state: String
    var at: Moment
    var reason: String?

    /// Nothing of it is with a server yet.
    var canCancel: Bool { state == "waiting" }
    var canRetry: Bool { ["refused", "uncertain", "bounced", "cancelled", "suppressed"].contains(state) }
}

/// What is attached to a letter, or goes with it.
struct EnclosureLine: Sendable {
    var name: String
    var mediaType: String
    var byteCount: Int64
}

/// The parts of the last step.
enum GivingPart: String, Sendable, CaseIterable {
    case packets, letter, sending, deliveries, replies

    /// What is said above it.
    var head: String {
        switch self {
        case .packets: "take"
        case .letter, .sending, .deliveries: "send"
        case .replies: "replies"
        }
    }

    func address(_ batch: BatchLine) -> String {
        self == .replies ? "/harvests?batch=\(batch.id)" : "/batches/\(batch.id)/\(rawValue)"
    }
}

extension Pages {
    /// What the parts of the last step have around them.
    static func givingStep(
        _ frame: Frame, _ batch: BatchLine, _ here: GivingPart, actions: HTML = .empty, _ content: HTML
    ) -> HTML {
        let t = frame.texts
        return stepPage(
            frame, batch, .give, part: here.head, actions: actions,
            """
            \(Part.tabs(
                frame, t("sending.parts"),
                GivingPart.allCases.map { part in
                    (t("sending.part.\(part.rawValue)"), part.address(batch), here == part, 0)
                }))
            \(content)
            """)
    }

    /// The state of a packet in a word and a colour; the word alone says it all.
    static func deliveryChip(_ frame: Frame, _ state: String) -> HTML {
        let (mood, icon): (Part.Mood, Icon) =
            switch state {
            case "accepted", "handedOver": (.good, .check)
            case "shared": (.good, .share)
            case "opened": (.good, .eye)
            case "returned": (.good, .restore)
            case "bounced", "refused": (.bad, .warning)
            case "uncertain", "suppressed": (.warn, .warning)
            case "posted": (.plain, .clock)
            case "cancelled": (.plain, .stop)
            default: (.plain, .document)
            }
        return Part.chip(frame, frame.texts("delivery.state.\(state)"), mood, icon: icon)
    }

    static func outboxChip(_ frame: Frame, _ state: String) -> HTML {
        let (mood, icon): (Part.Mood, Icon) =
            switch state {
            case "accepted": (.good, .check)
            case "sending", "ending": (.good, .again)
            case "refused", "bounced": (.bad, .warning)
            case "uncertain", "suppressed": (.warn, .warning)
            case "cancelled": (.plain, .stop)
            default: (.plain, .clock)
            }
        return Part.chip(frame, frame.texts("outbox.state.\(state)"), mood, icon: icon)
    }

    /// Chips that narrow a list; one without anything in it is left out unless it is the chosen one.
    static func filterChips(
        _ frame: Frame, label: String, chosen: String, _ parts: [(key: String, name: String, count: Int)],
        address: (String) -> String
    ) -> HTML {
        """
        <div class="row filter-row" role="group" aria-label="\(label)">\(parts.map { part -> HTML in
            guard part.count > 0 || part.key == chosen || part.key.isEmpty else { return .empty }
            return """
                <a class="filter-chip" href="\(url: address(part.key))" data-soft\
                \(attribute: "aria-current", part.key == chosen ? "true" : nil)>\(part.name) \
                <span class="count">\(Part.number(part.count))</span></a>
                """
        })</div>
        """
    }

    /// "Sent 12 of 300", with a bar that says the same.
    static func tally(_ frame: Frame, sent: Int, total: Int) -> HTML {
        let t = frame.texts
        let words = t("deliveries.tally", ["sent": .number(sent), "total": .number(total)])
        return """
            <div class="tally" role="status"><p><strong>\(words)</strong></p>\
            <progress max="\(max(1, total))" value="\(min(sent, max(1, total)))" aria-label="\(words)"></progress></div>
            """
    }

    static func enclosures(_ frame: Frame, _ files: [EnclosureLine]) -> HTML {
        guard !files.isEmpty else { return .empty }
        return """
            <ul class="enclosures" aria-label="\(frame.texts("letter.attachments"))">\(files.map { file -> HTML in
                """
                <li>\(Part.sheet(file.mediaType, name: file.name))<span><span dir="auto">\(file.name)</span> \
                <span class="soft small">\(Part.size(file.byteCount))</span></span></li>
                """
            })</ul>
            """
    }

    /// A mail as its reader will see it.
    static func mail(
        _ frame: Frame, heads: [(name: String, value: String)], subject: String, text: String, html: String?,
        enclosures files: [EnclosureLine], worn: Worn? = nil
    ) -> HTML {
        let t = frame.texts
        let head = html == nil ? nil : worn.flatMap(mailHead)
        // What people typed was made safe where its marks were turned into HTML.
        let body: HTML =
            html.map { "<div class=\"mail-body prose\" dir=\"auto\">\(raw: $0)</div>" }
            ?? "<div class=\"mail-body mail-plain\" dir=\"auto\">\(text)</div>"
        return """
            <article class="mail" aria-label="\(t("letter.preview"))"><dl class="mail-heads">\(heads.map { head -> HTML in
                "<div><dt>\(head.name)</dt><dd dir=\"auto\">\(head.value)</dd></div>"
            })</dl><p class="mail-subject" dir="auto">\(subject.isEmpty ? t("letter.noSubject") : subject)</p>
            \(head)\(body)\(enclosures(frame, files))</article>
            """
    }

    /// What a letter will wear, in a style of ours: that of the mail itself stands in it.
    private static func mailHead(_ worn: Worn) -> HTML? {
        let sheet = worn.dye?.sheet ?? .empty
        if let logo = worn.logo {
            return
                "\(sheet)<p class=\"mail-logo \(worn.dye?.name ?? "")\"><img src=\"\(url: Looks.address(ofLogo: logo))\" alt=\"\(worn.name)\"></p>"
        }
        guard !worn.name.isEmpty else { return nil }
        return "\(sheet)<p class=\"mail-name \(worn.dye?.name ?? "")\" dir=\"auto\">\(worn.name)</p>"
    }
}
