import CQPDF

/// Bytes as FlateDecode stores them; nil only when memory ran out.
public func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    var count = 0
    guard let result = quire_deflate(bytes, bytes.count, &count) else { return nil }
    defer { quire_free(result) }
    return Array(UnsafeBufferPointer(start: result, count: count))
}
