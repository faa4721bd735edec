import HTTP
import Synchronization
import Testing

@Suite("An event stream")
struct EventStreamTests {
    @Test("writes events as browsers read them")
    func framing() {
        let stream = EventStream()
        stream.send(event: "job", data: "{\"id\":1}", id: "7")
        stream.send(data: "two\nlines\r\nand\ra last\n")
        stream.heartbeat()
        stream.retry(afterMilliseconds: 500)
        #expect(
            stream.drain()
                == "id: 7\nevent: job\ndata: {\"id\":1}\n\n"
                + "data: two\ndata: lines\ndata: and\ndata: a last\ndata: \n\n:\n\nretry: 500\n\n")
    }

    @Test("lets nobody smuggle a field in through a name")
    func injection() {
        let stream = EventStream()
        stream.send(event: "a\ndata: evil", data: "", id: "1\r\nretry: 0")
        #expect(stream.drain() == "id: 1retry: 0\nevent: adata: evil\ndata: \n\n")
    }

    @Test("cuts off a listener that falls too far behind")
    func backlog() {
        let stream = EventStream(backlog: 100)
        let closed = Atomic(0)
        stream.onClose { closed.add(1, ordering: .relaxed) }
        var sent = 0
        while stream.send(data: "0123456789") { sent += 1 }
        #expect(sent == 5)
        #expect(stream.isClosed)
        #expect(closed.load(ordering: .relaxed) == 1)
        #expect(stream.drain().isEmpty)
        #expect(!stream.send(data: "more"))
    }

    @Test("tells those who ask late that it has ended, once")
    func onClose() {
        let stream = EventStream()
        stream.close()
        stream.close()
        let closed = Atomic(0)
        stream.onClose { closed.add(1, ordering: .relaxed) }
        #expect(closed.load(ordering: .relaxed) == 1)
    }
}
