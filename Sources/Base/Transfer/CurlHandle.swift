import CCurl
import Glibc

/// curl must be started once, before any thread uses it.
enum CurlLibrary {
    static let start: Void = { _ = ccurl_start() }()
}

/// One transfer at a time, and the connections it keeps open for the next one.
///
/// It runs curl's multi loop around a single transfer, because that loop can be left at once when somebody
/// cancels; the plain blocking call looks up only once a second.
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    /// It is connected, and what is said over the connection is the caller's: `say` and `hear`.
    private(set) var isOpen = false

    var onBody: ((UnsafeRawBufferPointer) -> Bool)?
    var onHeader: ((UnsafeRawBufferPointer) -> Bool)?
    var onUpload: ((UnsafeMutableRawBufferPointer) -> Int?)?
    var onRewind: (() -> Bool)?
    var onDialogue: ((_ sent: Bool, UnsafeRawBufferPointer) -> Void)?
    /// Says why an address may not be reached; nil lets the connection go ahead.
    var onConnect: ((IPAddress) -> String?)?
    private(set) var refused: (address: IPAddress, why: String)?

    init() throws(TransferError) {
        CurlLibrary.start
        guard let easy = curl_easy_init(), let multi = curl_multi_init() else {
            throw .invalidRequest("no memory for a connection")
        }
        self.easy = easy
        self.multi = multi
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        hangUp()
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        for list in lists { curl_slist_free_all(list) }
        words.deallocate()
    }

    /// Forgets everything about the last transfer but its open connections.
    func reset() {
        hangUp()
        curl_easy_reset(easy)
        for list in lists { curl_slist_free_all(list) }
        lists = []
        (onBody, onHeader, onUpload, onRewind, onDialogue, onConnect) = (nil, nil, nil, nil, nil, nil)
        refused = nil
        words[0] = 0
        ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
        set(CURLOPT_NOSIGNAL, 1)
        // A proxy named in the environment would resolve names for us, behind the guard's back.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        let me = Unmanaged.passUnretained(self).toOpaque()
        ccurl_on_write(easy, curlWrite, me)
        ccurl_on_read(easy, curlRead, me)
        ccurl_on_seek(easy, curlSeek, me)
        ccurl_on_header(easy, curlHeader, me)
        ccurl_on_open(easy, curlOpen, me)
    }

    func set(_ option: CURLoption, _ value: Int) { ccurl_set_long(easy, option, value) }
    func set(_ option: CURLoption, _ value: String) { ccurl_set_text(easy, option, value) }
    func set(_ option: CURLoption, _ bytes: [UInt8]) { ccurl_set_bytes(easy, option, bytes, bytes.count) }
    func setSize(_ option: CURLoption, _ value: Int64) { ccurl_set_size(easy, option, curl_off_t(value)) }

    func set(_ option: CURLoption, _ values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values { list = curl_slist_append(list, value) ?? list }
        guard let list else { return }
        lists.append(list)
        ccurl_set_list(easy, option, list)
    }

    func listen() {
        ccurl_on_debug(easy, curlDebug, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Carries out the transfer; `stop` is asked at least ten times a second whether to give up.
    func perform(givingUpWhen stop: () -> Bool) -> CURLcode {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
        defer { if !isOpen { curl_multi_remove_handle(multi, easy) } }
        var running: Int32 = 1
        while true {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            if running == 0 { break }
            if stop() { return CURLE_ABORTED_BY_CALLBACK }
            guard curl_multi_poll(multi, nil, 0, 100, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            let result = ccurl_finished(message)
            guard result >= 0 else { continue }
            isOpen = isConnectOnly && result == 0
            return CURLcode(rawValue: UInt32(result))
        }
        return CURLE_FAILED_INIT
    }

    // MARK: A connection whose words are ours

    private var isConnectOnly = false

    /// Connects, encrypts and signs in, and leaves the connection to the caller.
    func open(givingUpWhen stop: () -> Bool) -> CURLcode {
        isConnectOnly = true
        defer { isConnectOnly = false }
        set(CURLOPT_CONNECT_ONLY, 1)
        return perform(givingUpWhen: stop)
    }

    func hangUp() {
        guard isOpen else { return }
        isOpen = false
        curl_multi_remove_handle(multi, easy)
    }

    /// How much of it went; nil when none can now.
    func say(_ bytes: UnsafeRawBufferPointer) throws(CurlTrouble) -> Int? {
        var count = 0
        let code = curl_easy_send(easy, bytes.baseAddress, bytes.count, &count)
        if code == CURLE_AGAIN { return nil }
        guard code == CURLE_OK else { throw CurlTrouble(code: code) }
        return count
    }

    /// How much came, 0 at the end; nil when there is nothing now.
    func hear(_ room: UnsafeMutableRawBufferPointer) throws(CurlTrouble) -> Int? {
        var count = 0
        let code = curl_easy_recv(easy, room.baseAddress, room.count, &count)
        if code == CURLE_AGAIN { return nil }
        guard code == CURLE_OK else { throw CurlTrouble(code: code) }
        return count
    }

    /// Waits a tenth of a second at most until something can be said, or heard.
    func waitAWhile(toSay: Bool) -> Bool {
        var line = pollfd(fd: ccurl_socket(easy), events: Int16(toSay ? POLLOUT : POLLIN), revents: 0)
        return poll(&line, 1, 100) > 0
    }

    /// What curl says about a failure, in its words.
    func words(for code: CURLcode) -> String {
        let said = String(cString: words)
        // A number of the machine's explains nothing to anybody.
        if said.hasPrefix("response reading failed") { return "the connection broke while it answered" }
        return said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
    }

    func error(for code: CURLcode, host: String) -> TransferError {
        if let refused {
            return .forbiddenAddress(host: host, address: refused.address.description, why: refused.why)
        }
        let why = words(for: code)
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound(host: host)
        case CURLE_COULDNT_CONNECT: .unreachable(host: host, why: why)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(host: host)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            .certificate(host: host, why: why)
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .invalidAddress(host)
        default: .broken(host: host, why: why)
        }
    }

    fileprivate func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let family = address.pointee.family
        let kind = address.pointee.socktype
        let number = address.pointee.protocol
        let target = withUnsafePointer(to: &address.pointee.addr) { IPAddress($0) }
        guard let target else { return -1 }
        if let why = onConnect?(target) {
            refused = (target, why)
            return -1
        }
        return socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), number)
    }
}

struct CurlTrouble: Error {
    let code: CURLcode
}

// curl calls these on the thread that performs the transfer, with the handle as their context. They are
// functions of the file so that no isolation and no capture can slip in.

private func handle(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
    context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
}

private func curlWrite(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let handle = handle(context) else { return 0 }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size &* count)
    return handle.onBody?(piece) ?? true ? piece.count : 0
}

private func curlHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let handle = handle(context) else { return 0 }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size &* count)
    return handle.onHeader?(piece) ?? true ? piece.count : 0
}

private func curlRead(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let handle = handle(context) else { return Int(CURL_READFUNC_ABORT) }
    let room = UnsafeMutableRawBufferPointer(start: bytes, count: size &* count)
    guard let upload = handle.onUpload else { return 0 }
    return upload(room) ?? Int(CURL_READFUNC_ABORT)
}

private func curlSeek(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard offset == 0, origin == SEEK_SET, let rewind = handle(context)?.onRewind else {
        return CURL_SEEKFUNC_CANTSEEK
    }
    return rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func curlOpen(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let handle = handle(context), let address else { return -1 }
    return handle.open(address)
}

private func curlDebug(
    _ curl: UnsafeMutableRawPointer?, _ kind: curl_infotype, _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard kind == CURLINFO_HEADER_IN || kind == CURLINFO_HEADER_OUT else { return 0 }
    handle(context)?.onDialogue?(
        kind == CURLINFO_HEADER_OUT, UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
