import CHarfBuzz

/// A table of a font as HarfBuzz holds it: a stretch of the file, of which only what is read takes memory.
///
/// Any number of threads may read it: the blob is immutable, and lives as long as this does.
final class FontTable: @unchecked Sendable {
    let bytes: UnsafeBufferPointer<UInt8>
    private let blob: OpaquePointer

    /// Nil when the font has no such table.
    init?(_ name: String, of face: OpaquePointer) {
        guard let blob = hb_face_reference_table(face, name.utf8.reduce(0) { $0 << 8 | UInt32($1) }) else {
            return nil
        }
        hb_blob_make_immutable(blob)
        var count: UInt32 = 0
        guard let data = hb_blob_get_data(blob, &count), count > 0 else {
            hb_blob_destroy(blob)
            return nil
        }
        self.blob = blob
        bytes = UnsafeRawBufferPointer(start: data, count: Int(count)).assumingMemoryBound(to: UInt8.self)
    }

    deinit { hb_blob_destroy(blob) }
}
