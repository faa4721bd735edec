import Glibc
import Storage

/// Opens event streams and holds them until it is killed; says how many it holds.
///
///     quire-bench hold-streams PORT COUNT [TOKEN…]
enum HoldStreams {
    static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2, let port = UInt16(arguments[0]), let count = Int(arguments[1]) else {
            throw Failure(.invalid, "hold-streams PORT COUNT [TOKEN…]")
        }
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(files, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
        // A caller may hold only so many at once: the tokens take turns.
        let credentials = arguments.dropFirst(2).map { "Authorization: Bearer \($0)\r\n" }
        let requests = (credentials.isEmpty ? [""] : credentials).map {
            Array("GET /events HTTP/1.1\r\nHost: localhost\r\n\($0)\r\n".utf8)
        }
        var held = 0
        while held < count, open(port, requests[held % requests.count]) { held += 1 }
        Bench.say("\(held)")
        while true { pause() }
    }

    /// The socket stays open for as long as the program runs.
    private static func open(_ port: UInt16, _ request: [UInt8]) -> Bool {
        let stream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(stream, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0, write(stream, request, request.count) == request.count else { return false }
        var answer = [UInt8](repeating: 0, count: 1_024)
        let count = read(stream, &answer, answer.count)
        return count > 12 && answer[9..<12].elementsEqual("200".utf8)
    }
}
