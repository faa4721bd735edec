import Access
import SigningKeys
import Storage
import Work

/// Signs packets in somebody's name when they are made, and keeps them.
struct PacketSeal: Sendable {
    let pen: Identities.Pen
    let store: Store

    func signed(_ file: PacketFile) throws -> PacketFile {
        let bytes = try pen.sign(file.bytes)
        return PacketFile(
            pieces: [bytes], byteCount: bytes.count, pageCount: file.pageCount,
            digest: try store.blobs.put(bytes))
    }
}

extension Batches {
    /// Nil where packets are not signed.
    func seal(for batch: Batch, _ maker: PacketMaker) throws -> PacketSeal? {
        guard let signer = maker.pins.options.signer else { return nil }
        guard let identities else {
            throw Failure(.unsupported, "Papers are not signed here.", field: "signer")
        }
        return PacketSeal(
            pen: try identities.pen(
                signer, asking: maker.pins.options.witnesses(), for: batch.name, by: "quire/filling"),
            store: store)
    }

    /// Packets are signed in nobody's name but that of whoever has them made.
    func requireSigner(of id: ID<Batch>, by caller: Caller) throws {
        guard let signer = try get(id, by: caller).draft.options.signer else { return }
        try identities?.requireUse(of: signer, by: caller)
    }
}
