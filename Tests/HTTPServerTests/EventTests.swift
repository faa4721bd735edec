import Glibc
import HTTP
import HTTPServer
import Synchronization
import Testing
import Work

@Suite("Event streams over a socket")
struct EventTests {
    /// A route that hands every new stream to the test.
    private final class Newsroom: Sendable {
        let streams = Monitor<[EventStream]>([])

        var route: Route {
            Route(.get, "/events", mode: .quick) { [self] _ in
                let stream = EventStream()
                streams.update { $0.append(stream) }
                return .events(stream)
            }
        }

        func waitFor(_ count: Int) -> [EventStream] {
            streams.wait(timeout: .seconds(60)) { $0.count >= count ? $0 : nil } ?? []
        }
    }

    private let ask = "GET /events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"

    @Test("bring what is sent, when it is sent")
    func bring() throws {
        let newsroom = Newsroom()
        try withServer([newsroom.route]) { live throws in
            let client = try live.connect()
            try client.send(ask)
            let stream = try #require(newsroom.waitFor(1).first)
            #expect(try client.read(until: "\r\n\r\n").contains("text/event-stream"))
            for number in 1...3 {
                stream.send(event: "job", data: "\(number)")
                #expect(try client.read(until: "data: \(number)\n\n").contains("event: job\n"))
            }
            stream.close()
            #expect(try client.read(until: "0\r\n\r\n").isEmpty == false)
            try client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.read(until: "ok\n").contains("200"))
        }
    }

    @Test("stay open by the hundred, cost the server nothing, and end properly when it stops")
    func hundreds() throws {
        let newsroom = Newsroom()
        var clients: [Client] = []
        try withServer([newsroom.route]) { live throws in
            for _ in 0..<300 {
                let client = try live.connect()
                try client.send(ask)
                clients.append(client)
            }
            let streams = newsroom.waitFor(300)
            #expect(streams.count == 300)
            for _ in 0..<10 { #expect(live.isHealthy) }
            for stream in streams { #expect(stream.send(data: "all of you")) }
            for client in clients { #expect(try client.read(until: "all of you\n\n").isEmpty == false) }
            #expect(live.server.eventStreamCount == 300)
        }
        for client in clients {
            #expect(String(decoding: client.readToEnd(), as: UTF8.self).hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("are kept alive by heartbeats, which find those who have gone")
    func heartbeats() throws {
        let newsroom = Newsroom()
        try withServer([newsroom.route], settings: { $0.heartbeat = .seconds(1) }) { live throws in
            let stays = try live.connect()
            try stays.send(ask)
            _ = newsroom.waitFor(1)
            var leaves: Client? = try live.connect()
            try leaves?.send(ask)
            let closed = Monitor(false)
            newsroom.waitFor(2).last?.onClose { closed.update { $0 = true } }
            leaves = nil
            #expect(try stays.read(until: ":\n\n").isEmpty == false)
            #expect(closed.wait(timeout: .seconds(8)) { $0 ? true : nil } == true)
            #expect(live.server.eventStreamCount == 1)
        }
    }
}

@Suite("Stopping")
struct StoppingTests {
    @Test("lets what is being answered finish")
    func finishes() throws {
        let started = Monitor(false)
        let gate = Monitor(false)
        let slow = Route(.get, "/slow") { _ in
            started.update { $0 = true }
            _ = gate.wait(timeout: .seconds(60)) { $0 ? true : nil }
            return .text("finished")
        }
        try withServer([slow]) { live throws in
            let client = try live.connect()
            try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(started.wait(timeout: .seconds(60)) { $0 ? true : nil } == true)
            let helper = Thread(name: "opens-gate") {
                usleep(50_000)
                gate.update { $0 = true }
            }
            live.server.stop(grace: .seconds(60))
            helper.join()
            let reply = Reply.all(in: client.readToEnd()).first
            #expect(reply?.text == "finished")
            #expect(reply?.headers["connection"]?.lowercased() == "close")
            #expect(throws: Client.Trouble.self) { try live.connect() }
        }
    }

    @Test("does not wait longer than its grace, and tells those it gives up")
    func givesUp() throws {
        let started = Monitor(false)
        let gate = Monitor(false)
        let slow = Route(.get, "/slow") { _ in
            started.update { $0 = true }
            _ = gate.wait(timeout: .seconds(60)) { $0 ? true : nil }
            return .text("too late")
        }
        try withServer([slow]) { live throws in
            let client = try live.connect()
            try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(started.wait(timeout: .seconds(60)) { $0 ? true : nil } == true)
            live.server.stop(grace: .milliseconds(50))
            #expect(Reply.all(in: client.readToEnd()).first?.status == 503)
            gate.update { $0 = true }
        }
    }

    @Test("turns new connections away at once while it finishes what it is at")
    func newcomers() throws {
        let (started, gate) = (Monitor(false), Monitor(false))
        let slow = Route(.get, "/slow") { _ in
            started.update { $0 = true }
            _ = gate.wait(timeout: .seconds(60)) { $0 ? true : nil }
            return .text("finished")
        }
        try withServer([slow]) { live throws in
            let client = try live.connect()
            try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(started.wait(timeout: .seconds(60)) { $0 ? true : nil } == true)
            let stop = Thread(name: "stops") { live.server.stop(grace: .seconds(60)) }
            var isTurnedAway = false
            let start = ContinuousClock.now
            while !isTurnedAway, start.duration(to: .now) < .seconds(60) {
                isTurnedAway = !live.isHealthy
            }
            #expect(isTurnedAway)
            gate.update { $0 = true }
            stop.join()
            #expect(Reply.all(in: client.readToEnd()).first?.text == "finished")
        }
    }

    @Test("ends well however often, with clients that come at that very moment")
    func often() throws {
        for _ in 0..<150 {
            try withServer([], settings: { $0.threads = 4 }) { live throws in
                let begun = Monitor(false)
                let comes = Thread(name: "comes") {
                    for _ in 0..<20 {
                        _ = live.isHealthy
                        begun.update { $0 = true }
                    }
                }
                _ = begun.wait(timeout: .seconds(60)) { $0 ? true : nil }
                live.server.stop()
                comes.join()
                #expect(throws: Client.Trouble.self) { try live.connect() }
            }
        }
    }

    @Test("may be asked for twice, and by a server that never began")
    func twice() throws {
        try withServer([]) { live throws in
            live.server.stop()
            live.server.stop()
        }
        Server(ServerSettings(), router: Router([]), workers: Workers(name: "none", threads: 1), log: .silent)
            .stop()
    }
}
