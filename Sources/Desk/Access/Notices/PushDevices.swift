internal import Bytes
internal import Crypto
internal import SQL
public import Storage
public import Work

/// A browser that shows a member's notices also while no page of the desk is open.
public struct PushDevice: Sendable, Equatable {
    public let id: ID<PushDevice>
    public let name: String
    /// Where its maker's service takes what is meant for it.
    public let endpoint: String
    public let madeAt: Moment
    /// When it was last told something.
    public let toldAt: Moment?
    /// Why it could not be told the last time.
    public let trouble: String?

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        endpoint = try row.text("endpoint")
        madeAt = try row.moment("made_at")
        toldAt = try row.optionalMoment("told_at")
        trouble = try row.optionalText("trouble")
    }
}

extension Notices {
    public static let mostDevices = 20
    public static let noDevice = Failure(.notFound, "There is no such device. It may have been removed.")

    /// The devices of one member, the newest first; none of whoever sits at the machine.
    public func devices(by caller: Caller) throws -> [PushDevice] {
        try caller.require(.view)
        return try access.store.read { desk in
            try desk.rows(
                "SELECT * FROM push_device WHERE member_id = \(caller.memberID) ORDER BY made_at DESC, id DESC"
            ).map(PushDevice.init)
        }
    }

    /// Keeps what a browser said of itself, as long as somebody is signed in there. The same browser again takes its own place, also of
    /// somebody else who was signed in there before.
    ///
    /// - Parameter origin: where the desk is for this browser, `https://desk.example.org`.
    @discardableResult
    public func addDevice(
        _ endpoint: String, point: [UInt8], secret: [UInt8], origin: String, from visitor: Visitor,
        by caller: Caller
    ) throws -> PushDevice {
        try caller.require(.view)
        guard let member = caller.memberID, case .session(let session) = caller.via else {
            throw Failure(
                .unsupported, "Notices are shown in browsers in which somebody has signed in.",
                field: "endpoint")
        }
        guard endpoint.utf8.count <= 1_000, endpoint.hasPrefix("https://"), secret.count == 16,
            (try? PublicKey(es256Point: point)) != nil
        else {
            throw Failure(
                .invalid, "This is no address at which a browser can be told something.", field: "endpoint")
        }
        return try access.store.write { tx in
            try tx.run("DELETE FROM push_device WHERE endpoint = \(endpoint)")
            let count =
                try tx.row(
                    "SELECT count(*) AS n FROM push_device WHERE member_id = \(member)")?.int("n") ?? 0
            guard count < Self.mostDevices else {
                throw Failure(
                    .conflict, "\(Self.mostDevices) devices are told already. Remove one of them first.")
            }
            let id = tx.newID(of: PushDevice.self)
            try tx.run(
                """
                INSERT INTO push_device (id, member_id, session_id, endpoint, point, secret, origin, name, made_at, until)
                VALUES (\(id), \(member), \(session), \(endpoint), \(point), \(secret), \(origin),
                    \(Device.name(fromUserAgent: visitor.userAgent)), \(tx.now), \(tx.now))
                """)
            tx.record(
                JournalEntry(actor: caller.actor, verb: "push-device.added", subject: "push-device/\(id)"))
            return try device(id, by: caller, in: tx)
        }
    }

    public func removeDevice(_ id: ID<PushDevice>, by caller: Caller) throws {
        try caller.require(.view)
        try access.store.write { tx in
            _ = try device(id, by: caller, in: tx)
            try tx.run("DELETE FROM push_device WHERE id = \(id)")
            tx.record(
                JournalEntry(actor: caller.actor, verb: "push-device.removed", subject: "push-device/\(id)"))
        }
    }

    private func device(
        _ id: ID<PushDevice>, by caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> PushDevice {
        let row = try desk.row(
            "SELECT * FROM push_device WHERE id = \(id) AND member_id = \(caller.memberID)")
        guard let row else {
            throw Self.noDevice
        }
        return try PushDevice(row)
    }

    // MARK: What they are to be told

    /// What one device is to be told.
    public struct Push: Sendable {
        public let device: PushDevice
        public let caller: Caller
        public let origin: String
        public let point: [UInt8]
        public let secret: [UInt8]
        /// Unread and not told there yet, the oldest first; none where it is only to be tried.
        public let notices: [Notice]
    }

    /// Of all devices that have something to tell. What is older than a day is no news.
    public func pushes(in desk: borrowing some Readable & ~Copyable, now: Moment) throws -> [Push] {
        try desk.rows(Self.devices("1 = 1")).compactMap { row in
            let reader = try Self.reader(row)
            let notices = try desk.rows(
                """
                SELECT * FROM notice WHERE \(Self.mine(reader)) AND read_at IS NULL
                    AND at > \(try row.moment("until")) AND at > \(now - .seconds(86_400)) ORDER BY at, id LIMIT 50
                """
            ).map(Notice.init)
            return notices.isEmpty ? nil : try Self.push(row, reader, notices)
        }
    }

    /// To see whether it arrives.
    public func trial(_ id: ID<PushDevice>, by caller: Caller) throws -> Push {
        try caller.require(.view)
        return try access.store.read { desk in
            _ = try device(id, by: caller, in: desk)
            guard let row = try desk.row(Self.devices("d.id = \(id)")) else {
                throw Self.noDevice
            }
            return try Self.push(row, caller, [])
        }
    }

    private static func devices(_ which: Query) -> Query {
        """
        SELECT d.*, m.name AS member_name, m.role FROM push_device d JOIN member m ON m.id = d.member_id
        WHERE \(which) ORDER BY d.id
        """
    }

    private static func reader(_ row: Row) throws -> Caller {
        Caller(
            memberID: try row.id("member_id"), name: try row.text("member_name"),
            role: try row.choice("role"), via: .local, seesPrivate: false)
    }

    private static func push(_ row: Row, _ reader: Caller, _ notices: [Notice]) throws -> Push {
        Push(
            device: try PushDevice(row), caller: reader, origin: try row.text("origin"),
            point: try row.blob("point"), secret: try row.blob("secret"), notices: notices)
    }

    /// It was told, or could not be.
    public func mark(_ push: Push, trouble: String?, in tx: borrowing Transaction) throws {
        guard trouble == nil else {
            _ = try tx.run("UPDATE push_device SET trouble = \(trouble) WHERE id = \(push.device.id)")
            return
        }
        let newest = push.notices.map(\.at).max()
        try tx.run(
            """
            UPDATE push_device SET trouble = NULL, told_at = \(tx.now), until = COALESCE(\(newest), until)
            WHERE id = \(push.device.id)
            """)
    }

    /// Its browser does not want to hear of the desk any more.
    public func forget(_ push: Push, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM push_device WHERE id = \(push.device.id)")
    }

    /// Where what is told goes through, for the account of what leaves the desk.
    public func pushServices() throws -> [String] {
        try access.store.read { desk in
            let places = try desk.rows("SELECT DISTINCT endpoint FROM push_device").map { row in
                try row.text("endpoint").split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
            }
            return Set(places).sorted()
        }
    }
}
