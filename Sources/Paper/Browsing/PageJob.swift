import Bytes
import Work

/// Loads a page as somebody wants it loaded, and then prints or pictures it.
struct PageJob {
    let page: BrowserPage
    let source: PageSource
    let load: LoadSettings
    let deadline: Deadline
    /// Told where the work is.
    let stage: @Sendable (PageStage) -> Void
    /// What the page calls itself, and where it has come to be.
    private(set) var told: [String] = []

    mutating func open() throws(BrowserError) {
        if !load.runsScripts { page.tell("Emulation.setScriptExecutionDisabled", ["value": true]) }
        if let agent = source.web?.userAgent {
            page.tell("Emulation.setUserAgentOverride", ["userAgent": .string(agent)])
        }
        // Awaited, and with it all that was told before: what the tab's process has not heard of when the page is given
        // to another process never reaches that one, and scripts would run.
        _ = try page.call(
            "Emulation.setEmulatedMedia",
            [
                "media": .string(load.media.rawValue),
                "features": .array(
                    load.mediaFeatures.map { ["name": .string($0.name), "value": .string($0.value)] }),
            ], deadline)
        if load.windowWidth != nil || load.windowHeight != nil || load.deviceScale != 1 {
            size(width: load.windowWidth ?? 800, height: load.windowHeight ?? 600)
        }
        stage(.asked)
        try page.navigate(to: source.address, deadline)
        stage(.coming)
        // Our own files come all of them, however busy the machine is.
        try load.takesUnfinished && source.web != nil ? awaitMost() : page.awaitLoaded(deadline)
        try judge()
        try settle()
    }

    /// Somebody's pictures or scripts may never come: then the rest is worth more than nothing.
    private func awaitMost() throws(BrowserError) {
        do throws(BrowserError) {
            try page.awaitLoaded(deadline.beforeLast)
        } catch .timedOut {
            try deadline.check()
            page.requests.end()
            page.requests.note { $0.remarks.append(PageReport.unfinished) }
            try page.awaitLoaded(deadline)
        }
    }

    func size(width: Int, height: Int) {
        page.tell(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .int(width), "height": .int(height), "deviceScaleFactor": .number(load.deviceScale),
                "mobile": false,
            ])
    }

    /// Fails where somebody asked for failing.
    private func judge() throws(BrowserError) {
        guard let main = page.requests.main else { return }
        if let status = main.status, Self.matches(status, load.failingStatuses) {
            throw .answered(status: status, address: source.address)
        }
        if main.status == nil { throw .notLoaded(main.reason) }
    }

    /// Waits for what was asked for, and for what nobody would want to miss: fonts, and pictures further down.
    private mutating func settle() throws(BrowserError) {
        try load.runsScripts ? arrive() : arriveWithoutScripts()
        if load.awaitsIdleNetwork || source.start.isAddress {
            // A page that never comes to rest is printed as it is after a while.
            let most = load.awaitsIdleNetwork ? deadline.left : .seconds(8)
            let patience = Deadline(min(most, deadline.left), deadline.cancellation)
            do throws(BrowserError) {
                try page.requests.awaitIdle(for: .milliseconds(load.awaitsIdleNetwork ? 500 : 150), patience)
            } catch .timedOut {
                try deadline.check()
            }
        }
        if load.delay > .zero { try wait(load.delay) }
        if let selector = load.selector {
            try hold(until: "document.querySelector(\(JSON.string(selector).text)) !== null")
        }
        if let expression = load.expression { try hold(until: "Boolean(\(expression))") }
        if let status = load.windowStatus { try hold(until: "window.status === \(JSON.string(status).text)") }
        if load.isReaderView { try page.evaluate(ReaderView.script, deadline) }
        // Otherwise the result would be called by the address it was served under.
        let naming =
            source.title.isEmpty
            ? "" : "document.title = document.title || \(JSON.string(source.title).text); "
        told =
            try page.evaluate(naming + "[document.title, location.href]", deadline).array?.map {
                $0.string ?? ""
            } ?? []
        try complain()
    }

    /// One question instead of several: each costs a way there and back.
    private func arrive() throws(BrowserError) {
        let scrolling = load.scrollsThrough ? "await \(Self.scrolling(patience));" : ""
        try page.evaluate(
            "(async () => { await \(Self.completion); \(scrolling) await document.fonts.ready; return true })()",
            deadline)
    }

    /// Where no script runs nothing tells when something has happened either, so it is asked again and again.
    private func arriveWithoutScripts() throws(BrowserError) {
        try hold(until: "document.readyState === 'complete'")
        if load.scrollsThrough {
            let late = try page.evaluate(Self.hastening, deadline).array ?? []
            // A picture that was put off counts as complete until it is asked for, which happens a little later, or
            // never where the page forbids it.
            try patiently(.seconds(10)) { deadline throws(BrowserError) in
                try page.requests.awaitAnswers(to: late.compactMap(\.string), deadline)
            }
        }
        try patiently(patience) { deadline throws(BrowserError) in
            while try page.evaluate(
                "[...document.images].every(image => image.complete) && document.fonts.status === 'loaded'",
                deadline) != true
            {
                try wait(.milliseconds(50))
                try deadline.check()
            }
        }
    }

    /// Goes on when something has not come about in its time.
    private func patiently(
        _ time: Duration, _ body: (Deadline) throws(BrowserError) -> Void
    ) throws(BrowserError) {
        do throws(BrowserError) {
            try body(Deadline(min(time, deadline.left), deadline.cancellation))
        } catch .timedOut {
            try deadline.check()
        }
    }

    /// How long pictures are waited for: somebody else's server may never send them, our own files only take their time
    /// on a busy machine.
    private var patience: Duration {
        min(source.web == nil ? .seconds(60) : .seconds(10), deadline.left / 4 * 3)
    }

    /// Makes pictures that load when they are seen load at once, and tells where they are.
    private static let hastening = """
        [...document.querySelectorAll('img[loading=lazy], iframe[loading=lazy]')].map(element => {
            element.loading = 'eager';
            const isPicked = element.srcset || element.closest('picture');
            return isPicked || !/^https?:/.test(element.src) ? null : element.src.replace(/#.*/, '');
        })
        """

    private func wait(_ duration: Duration) throws(BrowserError) {
        let pause = Monitor(false)
        let part = Deadline(min(duration, deadline.left), deadline.cancellation)
        do throws(BrowserError) {
            _ = try part.wait(pause) { $0 ? true : nil }
        } catch .timedOut {
            try deadline.check()
        }
    }

    private func hold(until condition: String) throws(BrowserError) {
        while true {
            if try page.evaluate(condition, deadline) == true { return }
            try wait(.milliseconds(50))
        }
    }

    private func complain() throws(BrowserError) {
        let report = page.requests.report
        var complaints: [String] = []
        if load.failsOnExceptions { complaints += report.exceptions }
        for resource in report.failed {
            if let status = resource.status {
                let isForgiven = load.forgivenHosts.contains { host in
                    let rest = resource.address.split(separator: "/").dropFirst().first ?? ""
                    return rest == host || rest.hasSuffix("." + host)
                }
                if !isForgiven, Self.matches(status, load.failingResourceStatuses) {
                    complaints.append("\(resource.address) answered \(status)")
                }
            } else if load.failsOnFailedResources {
                complaints.append("\(resource.address) could not be loaded: \(resource.reason)")
            }
        }
        if load.failsOnFailedResources {
            // What arrives later, if ever, is no part of what was to be loaded.
            complaints += report.blocked.filter { $0.reason != PageReport.staysOpen }.map {
                "\($0.address) was not fetched: \($0.reason)"
            }
        }
        if !complaints.isEmpty { throw .complaints(complaints) }
    }

    /// 499 stands for all of 400...499, 599 for all of 500...599; any other status for itself.
    static func matches(_ status: Int, _ list: [Int]) -> Bool {
        list.contains { $0 == status || ($0 % 100 == 99 && status / 100 == $0 / 100) }
    }

    private static let completion = """
        new Promise(done => document.readyState === 'complete' ? done(true) : addEventListener('load', () => done(true)))
        """

    private static func scrolling(_ patience: Duration) -> String {
        """
        (async () => {
            const late = [...document.querySelectorAll('img[loading=lazy], iframe[loading=lazy]')];
            for (const element of late) element.loading = 'eager';
            const root = document.scrollingElement || document.documentElement;
            const step = Math.max(200, innerHeight);
            // Only a script can bring anything else late, and every step costs a frame.
            const watches = document.scripts.length > 0 || document.querySelector('iframe');
            if (watches && root.scrollHeight > step * 1.5) {
                for (let y = 0, turn = 0; y < root.scrollHeight && turn < 300; y += step, turn++) {
                    scrollTo(0, y);
                    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 5)));
                }
                scrollTo(0, 0);
            }
            const open = [...document.images].filter(image => !image.complete);
            await Promise.race([
                Promise.all([
                    ...open.map(image => new Promise(done => { image.onload = image.onerror = done; })),
                    // What was put off may count as complete until it is asked for.
                    ...late.map(image => image.decode && image.decode().catch(() => true)),
                ]),
                new Promise(done => setTimeout(done, \(max(1, patience.wholeMilliseconds)))),
            ]);
            return true;
        })()
        """
    }
}

extension PageSource.Start {
    var isAddress: Bool { if case .address = self { true } else { false } }
}
