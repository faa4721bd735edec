public import Transfer

/// Objects in a bucket, below a prefix of their own. A store shows an object only when it is whole.
public struct S3Shelf: SyncShelf {
    private let client: S3Client
    private let prefix: String

    /// `prefix` ends in a slash, or is empty.
    public init(_ client: S3Client, prefix: String = "") {
        self.client = client
        self.prefix = prefix
    }

    public func names(in folder: String) throws -> [String] {
        do {
            var names: [String] = []
            try client.list(prefix: "\(prefix)\(folder)/") { page in
                names += page.map { String($0.key.dropFirst(prefix.count)) }
            }
            return names.sorted()
        } catch let error as TransferError {
            throw SyncTrouble(error, folder)
        }
    }

    public func fetch(_ name: String, into destination: Destination) throws {
        _ = try explained(name) { () throws(TransferError) in
            try client.get(prefix + name, into: destination)
        }
    }

    /// Newer stores refuse to write over what is there; older ones are asked first.
    public func lay(_ name: String, _ body: Upload) throws -> Bool {
        try explained(name) { () throws(TransferError) -> Bool in
            guard try client.head(prefix + name) == nil else { return false }
            do throws(TransferError) {
                try client.put(prefix + name, body, onlyNew: true)
                return true
            } catch {
                if case .answer(412, _) = error { return false }
                guard case .answer(501, _) = error else { throw error }
                try client.put(prefix + name, body)
                return true
            }
        }
    }

    public func remove(_ name: String) throws {
        try explained(name) { () throws(TransferError) in try client.delete(prefix + name) }
    }
}
