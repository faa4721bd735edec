import Access
import App
import Bytes
import HTTP
import Library
import Storage
import Transfer
import Work

/// The library over WebDAV (RFC 4918, classes 1 and 2): what file managers, phones and sync programs speak.
///
/// The folders are its folders and the papers its files. Writing over a paper makes a new version of it, removing one
/// puts it into the trash. Who comes shows a token as password; the user's name does not matter.
struct DAVDoor: Sendable {
    let quire: Quire
    let entrance: DAVEntrance
    let locks: DAVLocks
    let uploadLimit: Int64

    init(_ quire: Quire, _ guardian: Guardian, uploadLimit: Int64) {
        self.quire = quire
        entrance = DAVEntrance(quire: quire, guardian: guardian)
        self.uploadLimit = uploadLimit
        locks = DAVLocks(clock: quire.store.clock) { [chance = quire.store.chance] in chance.bytes(16) }
    }

    /// A call, with what every method needs of it.
    struct Call {
        let request: Request
        let caller: Caller
        let tree: DAVTree
        /// Below `/dav`.
        let path: [String]
        let conditions: DAVConditions

        var place: DAVPlace { get throws { try tree.place(path) } }
    }

    typealias Method = @Sendable (DAVDoor, Call) throws -> Response

    private static let methods: [(name: String, body: Route.BodyRule, right: Right, answer: Method)] = [
        ("OPTIONS", .none, .view, { _, _ in Self.options }),
        ("GET", .none, .view, { try $0.get($1) }),
        ("PUT", .upload(limit: 1 << 50, held: BlobShelf.mostBytesFresh), .edit, { try $0.put($1) }),
        ("DELETE", .none, .edit, { try $0.delete($1) }),
        ("MKCOL", .bytes(limit: 1 << 20), .edit, { try $0.makeFolder($1) }),
        ("COPY", .none, .edit, { try $0.copyOrMove($1, isMove: false) }),
        ("MOVE", .none, .edit, { try $0.copyOrMove($1, isMove: true) }),
        ("PROPFIND", .bytes(limit: 1 << 20), .view, { try $0.describe($1) }),
        ("PROPPATCH", .bytes(limit: 1 << 20), .edit, { try $0.setProperties($1) }),
        ("LOCK", .bytes(limit: 1 << 20), .edit, { try $0.lock($1) }),
        ("UNLOCK", .none, .edit, { try $0.unlock($1) }),
    ]

    private static let options = Response(
        .noContent,
        headers: [
            "DAV": "1, 2", "MS-Author-Via": "DAV", "Allow": methods.map(\.name).joined(separator: ", "),
        ])

    func router(failure: @escaping Router.FailureAnswer, finishing: @escaping Router.Finish) -> Router {
        let routes = Self.methods.map { method in
            Route(.init(method.name) ?? .get, "/dav/{...}", mode: .work, body: method.body) { request in
                // What only looks does so in one snapshot: each of its own would cost as much as what it looks for.
                guard method.right == .view else { return try method.answer(self, self.call(request, .edit)) }
                let caller = try entrance.caller(request)
                return try quire.store.read { _ in
                    try method.answer(self, self.call(request, method.right, by: caller))
                }
            }
        }
        return Router(
            routes, failure: { error, request in Self.failed(error, request, failure) },
            admission: { request, route in
                guard case .upload = route.body else { return nil }
                try entrance.callerOfMuch(request)?.require(.edit)
                try request.checkLength(atMost: uploadLimit)
                return nil
            }, finishing: finishing)
    }

    private static func failed(
        _ error: any Error, _ request: Request, _ otherwise: Router.FailureAnswer
    ) -> Response {
        var response = DAVEntrance.failed(error, request, otherwise)
        // Names that WebDAV has no place for: not what its users call a mistake of form.
        if let failure = error as? Failure, failure.code == .invalid { response.status = .forbidden }
        return response
    }

    // MARK: Who and where

    private func call(_ request: Request, _ right: Right, by known: Caller? = nil) throws -> Call {
        let caller = try known ?? entrance.caller(request)
        try caller.require(right)
        let path = request.pathBelow
        let conditions = try DAVConditions(request.headers["If"]) {
            request.path(ofAddress: $0, below: "dav")
        }
        let call = Call(
            request: request, caller: caller, tree: DAVTree(documents: quire.documents, caller: caller),
            path: path,
            conditions: conditions)
        let holds = try conditions.hold(for: path, locks: locks) { try Self.tag($0, call.tree) }
        guard holds else { throw Refusal(.preconditionFailed, "What the If header asks for does not hold.") }
        return call
    }

    private static func tag(_ path: [String], _ tree: DAVTree) throws -> String? {
        guard case .paper(let paper) = try tree.place(path) else { return nil }
        return DAVResource.tag(of: paper).description
    }

    private func check(_ call: Call, _ paths: [[String]], below: Bool = false) throws {
        try locks.check(paths, below: below, tokens: call.conditions.tokens, by: call.caller.actor)
    }

    private static func nothing() -> Refusal { Refusal(.notFound, "There is nothing at this address.") }
    private static func noParent() -> Refusal {
        Refusal(.conflict, "The folder it would lie in is not there. Make it first.")
    }

    // MARK: Reading

    private func get(_ call: Call) throws -> Response {
        switch try call.place {
        case .top: return .redirect(to: "/documents")
        case .folder(let folder): return .redirect(to: "/documents?folder=\(folder.id)")
        case .paper(let paper):
            let (shelf, digest) = (quire.store.blobs, paper.blob.digest)
            // What has just come need not be waited for.
            let contents: Response.Body =
                try shelf.fresh(digest).map { .bytes($0.bytes) } ?? .file(path: shelf.path(of: digest))
            // A browser that comes by must not run what it finds.
            return .file(
                contents,
                MediaType(paper.blob.mediaType) ?? .octets,
                tag: DAVResource.tag(of: paper), saveAs: paper.fileName
            ).with("Cache-Control", "private, no-cache, no-transform").with("Accept-Ranges", "bytes")
                .with("Last-Modified", HTTPDate.text(paper.changedAt.milliseconds / 1000))
                .with("Content-Security-Policy", SecurityHeaders.fileContents)
        case .free, .nowhere: throw Self.nothing()
        }
    }

    private func describe(_ call: Call) throws -> Response {
        let wish = try DAVWish(call.request.bytes)
        let depth = call.request.headers["Depth"]?.lowercased() ?? "infinity"
        guard depth == "0" || depth == "1" else {
            return DAVXML.response(
                "<D:error xmlns:D=\"DAV:\"><D:propfind-finite-depth/></D:error>", .forbidden)
        }
        let here = try call.place
        guard here.isThere else { throw Self.nothing() }
        var resources = [try resource(here, call.path)]
        if depth == "1", here.isFolder { resources += try inside(here, call) }
        let owners = resources.compactMap(\.owner)
        let own = try quire.documents.properties(of: owners, by: call.caller)
        for place in resources.indices {
            resources[place].own = resources[place].owner.flatMap { own[$0] } ?? []
        }
        return DAVXML.multistatus(resources.map { $0.described(wish, locks) }.joined())
    }

    private func resource(_ place: DAVPlace, _ path: [String]) throws -> DAVResource {
        switch place {
        case .top: DAVResource(path: path, name: "Quire", isFolder: true)
        case .folder(let folder):
            DAVResource(
                path: path, name: folder.name, isFolder: true, madeAt: folder.madeAt,
                owner: folder.propertyOwner)
        case .paper(let paper):
            DAVResource(
                path: path, name: path.last ?? paper.name, isFolder: false, paper: paper,
                owner: paper.propertyOwner)
        case .free, .nowhere: throw Self.nothing()
        }
    }

    private func inside(_ place: DAVPlace, _ call: Call) throws -> [DAVResource] {
        let folder = Self.folder(place)
        let folders = try call.tree.folders(in: folder).map { folder in
            DAVResource(
                path: call.path + [folder.name], name: folder.name, isFolder: true, madeAt: folder.madeAt,
                owner: folder.propertyOwner)
        }
        let papers = try call.tree.papers(in: folder).map { name, paper in
            DAVResource(
                path: call.path + [name], name: name, isFolder: false, paper: paper,
                owner: paper.propertyOwner)
        }
        return folders + papers
    }

    private static func folder(_ place: DAVPlace) -> ID<Folder>? {
        if case .folder(let folder) = place { folder.id } else { nil }
    }

    // MARK: Writing

    private func put(_ call: Call) throws -> Response {
        guard call.request.headers["Content-Range"] == nil else {
            throw Refusal(.badRequest, "A part of a file cannot be put.")
        }
        let (source, byteCount): (Documents.Source, Int64) =
            switch call.request.body {
            case .file(let path, let byteCount): (.upload(path), byteCount)
            case .bytes(let bytes): (.bytes(bytes), Int64(bytes.count))
            case .none, .form: (.bytes([]), 0)
            }
        // Also what did not say beforehand how long it would be.
        try Request.checkLength(byteCount, atMost: uploadLimit)
        // One look at the desk for all that leads there.
        switch try quire.store.read({ _ in try call.place }) {
        case .top, .folder: throw Refusal(.methodNotAllowed, "A folder lies here.")
        case .nowhere: throw Self.noParent()
        case .paper(let paper):
            try call.request.checkTags(DAVResource.tag(of: paper))
            try check(call, [call.path])
            let revised = try quire.documents.writeOver(paper, with: source, by: call.caller)
            return Response.noContent.with("ETag", DAVResource.tag(of: revised.document).description)
        case .free(let folder):
            try call.request.checkTags(nil)
            try check(call, [call.path, call.path.dropLast()])
            let made = try add(source, at: call.path, in: folder, call)
            return Response(.created, headers: ["ETag": DAVResource.tag(of: made).description])
        }
    }

    private func add(
        _ source: Documents.Source, at path: [String], in folder: ID<Folder>?, _ call: Call
    ) throws -> Document {
        let name = try Self.name(path)
        return try quire.documents.arriving(by: .networkFolder).add(
            source, named: name, into: folder, evenIfThere: true, by: call.caller
        ).document
    }

    /// What would be kept under another name is not kept at all: it would not be found again.
    private static func name(_ path: [String]) throws(Refusal) -> String {
        guard let name = path.last, FileName.cleaned(name) == name else {
            throw Refusal(.forbidden, "Quire keeps nothing under such a name.")
        }
        return name
    }

    private func makeFolder(_ call: Call) throws -> Response {
        guard call.request.bytes.isEmpty else {
            throw Refusal(.unsupportedMediaType, "A folder is made without a body.")
        }
        switch try call.place {
        case .top, .folder, .paper: throw Refusal(.methodNotAllowed, "Something lies here already.")
        case .nowhere: throw Self.noParent()
        case .free(let parent):
            try check(call, [call.path, call.path.dropLast()])
            try quire.documents.makeFolder(named: Self.name(call.path), in: parent, by: call.caller)
            return Response(.created)
        }
    }

    private func delete(_ call: Call) throws -> Response {
        let place = try call.place
        if place.isThere { try check(call, [call.path], below: true) }
        if call.path.count > 0 { try check(call, [call.path.dropLast()]) }
        try trash(place, call)
        locks.forget(call.path)
        return .noContent
    }

    private func trash(_ place: DAVPlace, _ call: Call) throws {
        switch place {
        case .top: throw Refusal(.forbidden, "The whole library is not thrown away at once.")
        case .folder(let folder): try quire.documents.trashFolder(folder.id, by: call.caller)
        case .paper(let paper): try quire.documents.trash(paper.id, by: call.caller)
        case .free, .nowhere: throw Self.nothing()
        }
    }

    private func copyOrMove(_ call: Call, isMove: Bool) throws -> Response {
        guard let header = call.request.headers["Destination"],
            let target = call.request.path(ofAddress: header, below: "dav")
        else { throw Refusal(.badRequest, "The Destination header names no place here.") }
        let source = try call.place
        guard source.isThere else { throw Self.nothing() }
        guard target != call.path, !(isMove && target.starts(with: call.path)), !call.path.isEmpty else {
            throw Refusal(.forbidden, "It cannot be put where it is, or into itself.")
        }
        let there = try call.tree.place(target)
        let name = try Self.name(target)
        if case .nowhere = there { throw Self.noParent() }
        guard !there.isThere || call.request.headers["Overwrite"]?.uppercased() != "F" else {
            throw Refusal(.preconditionFailed, "Something lies there already.")
        }
        if isMove { try check(call, [call.path], below: true) }
        try check(call, [target], below: there.isThere)
        if isMove { try check(call, [call.path.dropLast()]) }
        if !there.isThere { try check(call, [target.dropLast()]) }
        let isInside = !isMove && target.starts(with: call.path)
        guard !isInside || call.request.headers["Depth"] == "0" else {
            throw Refusal(.forbidden, "A folder cannot be copied into itself.")
        }
        if there.isThere {
            guard !call.path.starts(with: target) else {
                throw Refusal(.forbidden, "What is moved lies in what it would replace.")
            }
            try trash(there, call)
            locks.forget(target)
        }
        let parent = Self.folder(try call.tree.place(target.dropLast()))
        switch source {
        case .paper(let paper) where isMove:
            try quire.documents.file([paper.id], as: .init(folder: .some(parent)), by: call.caller)
            try quire.documents.rename(paper.id, to: DAVTree.meant(name), by: call.caller)
        case .paper(let paper):
            try quire.documents.copy(paper.id, named: DAVTree.meant(name), into: parent, by: call.caller)
        case .folder(let folder) where isMove:
            try quire.documents.changeFolder(
                folder.id, name: name, parent: .some(parent), by: call.caller)
        case .folder(let folder):
            try copy(folder, named: name, into: parent, isDeep: call.request.headers["Depth"] != "0", call)
        case .top, .free, .nowhere: throw Self.nothing()
        }
        if isMove { locks.forget(call.path) }
        return Response(there.isThere ? .noContent : .created)
    }

    private func copy(
        _ folder: Folder, named name: String, into parent: ID<Folder>?, isDeep: Bool, _ call: Call
    ) throws {
        let made = try quire.documents.makeFolder(named: name, in: parent, by: call.caller)
        let own = try quire.documents.properties(of: [folder.propertyOwner], by: call.caller)
        if let own = own[folder.propertyOwner] {
            try quire.documents.setProperties(
                own.map { ($0, false) }, of: made.propertyOwner, by: call.caller)
        }
        guard isDeep else { return }
        for (name, paper) in try call.tree.papers(in: folder.id) {
            try quire.documents.copy(paper.id, named: name, into: made.id, by: call.caller)
        }
        for child in try call.tree.folders(in: folder.id) {
            try copy(child, named: child.name, into: made.id, isDeep: true, call)
        }
    }

    private func setProperties(_ call: Call) throws -> Response {
        let place = try call.place
        guard place.isThere else { throw Self.nothing() }
        try check(call, [call.path])
        let resource = try resource(place, call.path)
        return try quire.documents.patch(
            call.request, at: resource.address, of: resource.owner, isFixed: DAVResource.isLive,
            by: call.caller)
    }

    // MARK: Locks

    private func lock(_ call: Call) throws -> Response {
        let seconds = Self.seconds(call.request)
        let body = call.request.bytes
        guard !body.isEmpty else {
            guard let lock = locks.refresh(call.conditions.tokens, on: call.path, seconds: seconds) else {
                throw Refusal(.preconditionFailed, "There is no such lock to be held on to.")
            }
            return Self.answer(lock, .ok)
        }
        let root = try DAVXML.root(body, "lockinfo")
        guard root.child("locktype", in: "DAV:")?.child("write", in: "DAV:") != nil,
            let scope = root.child("lockscope", in: "DAV:")
        else { throw Refusal(.badRequest, "Only locks for writing are known here.") }
        let place = try call.place
        if case .nowhere = place { throw Self.noParent() }
        let depth = call.request.headers["Depth"]?.lowercased() ?? "infinity"
        if !place.isThere { try check(call, [call.path.dropLast()]) }
        let lock = try locks.take(
            call.path, isDeep: depth != "0", isShared: scope.child("shared", in: "DAV:") != nil,
            owner: root.child("owner", in: "DAV:").map { DAVXML.content(of: $0) } ?? "",
            holder: call.caller.actor, seconds: seconds ?? DAVLocks.mostSeconds)
        guard let lock else {
            throw Refusal(.locked, "Somebody else holds this for writing. Try again later.")
        }
        guard case .free(let folder) = place else { return Self.answer(lock, .ok) }
        // A lock on what is not there yet makes it, empty.
        do {
            _ = try add(.bytes([]), at: call.path, in: folder, call)
        } catch {
            locks.forget(call.path)
            throw error
        }
        return Self.answer(lock, .created)
    }

    private static func answer(_ lock: DAVLocks.Lock, _ status: Status) -> Response {
        DAVXML.response(
            "<D:prop xmlns:D=\"DAV:\"><D:lockdiscovery>\(DAVXML.locks([lock]))</D:lockdiscovery></D:prop>",
            status
        ).with("Lock-Token", "<\(lock.token)>")
    }

    /// `Second-600`; no lock is forever.
    private static func seconds(_ request: Request) -> Int? {
        guard let first = request.headers["Timeout"]?.split(separator: ",").first else { return nil }
        let text = first.drop { $0 == " " }
        guard text.lowercased().hasPrefix("second-"), let seconds = Int(text.dropFirst(7)), seconds > 0 else {
            return DAVLocks.mostSeconds
        }
        return min(seconds, DAVLocks.mostSeconds)
    }

    private func unlock(_ call: Call) throws -> Response {
        guard let header = call.request.headers["Lock-Token"], header.hasPrefix("<"), header.hasSuffix(">")
        else {
            throw Refusal(.badRequest, "The Lock-Token header names no lock.")
        }
        let token = String(header.dropFirst().dropLast())
        guard locks.release(token, on: call.path, by: call.caller.actor) else {
            throw Refusal(.conflict, "There is no such lock here.")
        }
        return .noContent
    }
}
