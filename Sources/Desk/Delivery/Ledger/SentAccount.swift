import Bytes
import Filling
public import Storage
public import Work

/// To whom the packets of one batch went, as its desk tells the others: what its ledger amounts to, without its seals.
public struct SentAccount: Sendable, Equatable {
    public struct Item: Sendable, Equatable {
        public var recipient: String
        public var address: String
        public var state: LedgerEvent
        public var at: Moment
    }

    /// In the order in which they came into the ledger.
    public private(set) var items: [Item]

    static let mostItems = 1_000_000

    init(items: [Item]) { self.items = items }

    public var bytes: [UInt8] {
        var bytes = JSON.object(["account": 1]).bytes + [UInt8(ascii: "\n")]
        for item in items {
            let line: JSON = [
                .string(item.recipient), .string(item.address), .string(item.state.rawValue),
                .integer(item.at.milliseconds),
            ]
            bytes += line.bytes + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    public init(_ bytes: [UInt8]) throws(Failure) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: Self.mostItems + 1)
        items = []
        guard let head = lines.first, (try? JSON(parsing: Array(head)))?["account"] == 1,
            lines.count <= Self.mostItems + 1
        else { throw Batches.notWhole }
        items.reserveCapacity(lines.count)
        for line in lines.dropFirst() {
            guard let json = try? JSON(parsing: Array(line)), let recipient = json[0]?.string,
                let address = json[1]?.string, let state = json[2]?.string.flatMap(LedgerEvent.init),
                let at = json[3]?.integer
            else { throw Batches.notWhole }
            items.append(
                Item(
                    recipient: recipient, address: address, state: state, at: Moment(milliseconds: at)))
        }
    }
}
