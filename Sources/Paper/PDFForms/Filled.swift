/// One filled document.
public struct Filled: Sendable {
    /// The template's bytes, shared by all copies, and what this copy adds behind them.
    public let base: [UInt8]
    public let added: [UInt8]
    public let findings: [Finding]

    public var bytes: [UInt8] { base + added }
    public var byteCount: Int { base.count + added.count }
}
