import CMicroHTTPD
import Glibc
import HTTP
import Synchronization

// The functions libmicrohttpd calls, on its own threads. All callbacks for one connection come one after the
// other, never two at once.
//
// A request's context is either a retained `Exchange` or, for a constant answer, a number: the place in
// `Engine.constants` and in the low bits how far the request has come. Objects are aligned to 16 bytes, so an odd
// number cannot be one.

private enum Context {
    static let isConstant: UInt = 1
    static let isChecked: UInt = 2

    static func constant(_ index: Int) -> UInt { UInt(index) << 2 | isConstant }
    static func index(_ bits: UInt) -> Int { Int(bits >> 2) }
    static func pointer(_ bits: UInt) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: bits)
    }
}

private func engine(_ context: UnsafeMutableRawPointer) -> Engine {
    Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
}

let leaveEscaped:
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
        _, _, text in
        text.map { strlen($0) } ?? 0
    }

/// Somebody connects: whoever comes while the server stops is turned away.
let connectionArrived:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<sockaddr>?, socklen_t) -> MHD_Result = {
        context, _, _ in
        guard let context else { return .NO }
        return engine(context).isStopping.load(ordering: .relaxed) ? .NO : .YES
    }

/// The request line is there: the only moment the whole target can be seen, query and all.
let uriArrived:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
        UnsafeMutableRawPointer? = {
            context, target, connection in
            guard let context, let target, let connection else { return nil }
            let engine = engine(context)
            if let index = engine.constant(at: target) { return Context.pointer(Context.constant(index)) }
            return Exchange.begin(engine, connection, target: target).toOpaque()
        }

let answer:
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?,
        UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result = { context, connection, path, method, version, data, count, place in
        guard let context, let connection, let method, let version, let count, let place,
            let kept = place.pointee
        else { return .NO }
        let bits = UInt(bitPattern: kept)
        if bits & Context.isConstant != 0 {
            let engine = engine(context)
            let constant = engine.constants[Context.index(bits)]
            if bits & Context.isChecked != 0 {
                return MHD_queue_response(connection, constant.status, constant.response)
            }
            let facts = HeadFacts(
                connection, method: method, targetByteCount: strlen(constant.target), version: version)
            if facts.isPlain, strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0,
                !engine.isStopping.load(ordering: .relaxed)
            {
                place.pointee = Context.pointer(bits | Context.isChecked)
                return .YES
            }
            let exchange = Exchange.begin(engine, connection, target: constant.target)
            place.pointee = exchange.toOpaque()
            return exchange.takeUnretainedValue().headArrived(method: method, version: version)
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(kept).takeUnretainedValue()
        if exchange.isNew { return exchange.headArrived(method: method, version: version) }
        if count.pointee > 0 {
            let bytes = UnsafeRawBufferPointer(start: data, count: count.pointee)
            count.pointee = 0
            return exchange.bytesArrived(bytes)
        }
        return exchange.isReadyToAnswer()
    }

let requestCompleted:
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        MHD_RequestTerminationCode
    ) -> Void = { context, connection, place, ending in
        guard let context, let connection, let place, let kept = place.pointee else { return }
        place.pointee = nil
        let engine = engine(context)
        Connection.of(connection)?.expectsNextRequest(engine.settings)
        guard UInt(bitPattern: kept) & Context.isConstant == 0 else { return }
        let exchange = Unmanaged<Exchange>.fromOpaque(kept).takeRetainedValue()
        exchange.completed(ending)
    }

let connectionChanged:
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        MHD_ConnectionNotificationCode
    ) -> Void = { context, raw, place, change in
        guard let context, let raw, let place else { return }
        let engine = engine(context)
        if change == .CONNECTION_NOTIFY_STARTED {
            let connection = Connection(socket: quire_mhd_socket(raw), engine.settings)
            engine.connections.add(connection)
            let kept = Unmanaged.passRetained(connection).toOpaque()
            connection.watch(kept, isEncrypted: engine.settings.tls != nil)
            place.pointee = kept
        } else if let kept = place.pointee {
            place.pointee = nil
            let connection = Unmanaged<Connection>.fromOpaque(kept).takeRetainedValue()
            connection.forget()
            engine.connections.remove(connection)
        }
    }
