import CCurl
import Work

/// One request and its answer, without redirects.
final class HTTPExchange {
    private static let headerLimit = 64 * 1024

    private let call: HTTPCall
    private let address: WebAddress
    private let handle: CurlHandle
    private let settings: HTTPClient.Settings
    private var status = 0
    private var headers: [(name: String, value: String)] = []
    private var headerBytes = 0
    private var failure: TransferError?

    init(_ call: HTTPCall, to address: WebAddress, over handle: CurlHandle, _ settings: HTTPClient.Settings) {
        self.call = call
        self.address = address
        self.handle = handle
        self.settings = settings
    }

    func perform(into destination: Destination, _ progress: Progress?) throws(TransferError) -> HTTPAnswer {
        let upload = try UploadReader(call.body)
        let download = DownloadWriter(destination)
        try prepare(upload)
        handle.onUpload = { upload.read(into: $0) }
        handle.onRewind = { upload.rewind() }
        handle.onHeader = { [unowned self] in header($0, download) }
        handle.onBody = { download.write($0) }
        handle.onConnect = { [guardian = settings.guardian, host = address.host] in
            guardian.objection(to: $0, host: host.trimmingBrackets)
        }
        let code = handle.perform {
            progress?.set(done: upload.sent + download.received, total: self.total(upload))
            return progress?.cancellation.isCancelled ?? false
        }
        defer { handle.reset() }
        guard code == CURLE_OK else {
            throw download.failure ?? upload.failure ?? failure ?? handle.error(for: code, host: address.host)
        }
        try download.finish()
        progress?.set(done: upload.sent + download.received, total: upload.sent + download.received)
        return HTTPAnswer(
            status: status, headers: headers, body: download.bytes, byteCount: download.received,
            url: address.text)
    }

    private func prepare(_ upload: UploadReader) throws(TransferError) {
        guard !call.method.isEmpty, call.method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw .invalidRequest("\(call.method) is not a method")
        }
        handle.reset()
        handle.set(CURLOPT_URL, address.text)
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_USERAGENT, settings.userAgent)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.timerMilliseconds)
        handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, settings.idleTimeout.timerMilliseconds / 1000))
        if let timeout = call.timeout { handle.set(CURLOPT_TIMEOUT_MS, timeout.timerMilliseconds) }
        if let file = settings.certificateAuthorities { handle.set(CURLOPT_CAINFO, file) }
        if let identity = settings.identity {
            handle.set(CURLOPT_SSLCERT_BLOB, identity.certificate)
            handle.set(CURLOPT_SSLKEY_BLOB, identity.key)
        }
        prepareBody(upload)
        handle.set(CURLOPT_HTTPHEADER, try headerLines())
    }

    private func prepareBody(_ upload: UploadReader) {
        if case .none = call.body {
            if call.method == "HEAD" {
                handle.set(CURLOPT_NOBODY, 1)
            } else {
                handle.set(CURLOPT_HTTPGET, 1)
                handle.set(CURLOPT_CUSTOMREQUEST, call.method)
            }
        } else {
            handle.set(CURLOPT_UPLOAD, 1)
            handle.set(CURLOPT_CUSTOMREQUEST, call.method)
            handle.setSize(CURLOPT_INFILESIZE_LARGE, upload.byteCount ?? -1)
        }
    }

    private func headerLines() throws(TransferError) -> [String] {
        // Waiting for "100 Continue" costs a second with every server that does not know it.
        var lines = ["Expect:"]
        for (name, value) in call.headers {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else {
                throw .invalidRequest("\(name) is not a header's name")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .invalidRequest("the header \(name) holds a line break or another control character")
            }
            // curl takes "Name:" as a wish to remove the header; with a semicolon it is sent empty.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }

    /// Collects status and headers; every header line is one call, an informational answer starts over.
    private func header(_ line: UnsafeRawBufferPointer, _ download: DownloadWriter) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            failure = .malformedAnswer("its headers are longer than \(Self.headerLimit) bytes")
            return false
        }
        let text = String(decoding: line, as: UTF8.self).trimmingLineEnd
        if text.hasPrefix("HTTP/") {
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].trimmingSpaces
            headers.append((name: String(text[..<colon]), value: value))
        } else if text.isEmpty, status >= 200 {
            download.isAside = !(200...299).contains(status)
            let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap {
                Int64($0.value)
            }
            if call.method != "HEAD", let length { return download.expect(byteCount: length) }
        }
        return true
    }

    private func total(_ upload: UploadReader) -> Int64? {
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int64($0.value) }
        if status >= 200 { return length.map { $0.addingReportingOverflow(upload.sent).partialValue } }
        return upload.byteCount
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension Duration {
    /// For curl's timers, where 0 would mean "never".
    var timerMilliseconds: Int { Int(clamping: max(1, wholeMilliseconds)) }
}

extension StringProtocol {
    var trimmingSpaces: String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        var rest = self[...].drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return String(rest)
    }

    var trimmingLineEnd: String {
        // "\r\n" is a single character in Swift.
        var rest = self[...]
        while let last = rest.last, last.isNewline { rest = rest.dropLast() }
        return String(rest)
    }

    /// `[::1]` as the guard's allow-list spells it.
    var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
    }
}
