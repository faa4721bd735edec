public import Bytes
public import Storage

/// What is to be taken away of a batch, and in which shape.
public struct ExportChoice: Sendable, Equatable {
    public enum Form: String, Sendable, CaseIterable {
        /// An archive with a folder for each recipient: `Packet.pdf`, its message when there is one, its receipt.
        case folders
        /// An archive with one file for each recipient, called as the batch calls them.
        case files
        /// All packets one behind the other in one PDF for printing, with a bookmark for each. Without passwords.
        case merged
        /// The first pages of all packets as small pictures in one PDF, those with a problem in red.
        case sheet
    }

    public enum Order: String, Sendable, CaseIterable {
        /// As the recipients stand on their list.
        case list
        case name
        case fileName
    }

    public var form: Form
    public var order: Order
    /// Adds each packet's receipt.
    public var receipts: Bool
    /// In one PDF: each packet begins on the front of a sheet.
    public var duplex: Bool
    /// In one PDF: fields stay, those of each packet under names of their own; otherwise they become part of the pages.
    public var keepsFields: Bool
    /// Only the packets these words are found in; see `Batches.PacketListing`.
    public var filter: String

    public init(
        _ form: Form = .folders, order: Order = .list, receipts: Bool = false, duplex: Bool = false,
        keepsFields: Bool = false, filter: String = ""
    ) {
        self.form = form
        self.order = order
        self.receipts = receipts
        self.duplex = duplex
        self.keepsFields = keepsFields
        self.filter = filter
    }

    public init(_ json: JSON) throws(Failure) {
        self.init()
        if let word = json["form"]?.string {
            guard let choice = Form(rawValue: word) else {
                throw Failure(
                    .invalid, "An export is “folders”, “files”, “merged” or “sheet”.", field: "form")
            }
            form = choice
        }
        if let word = json["order"]?.string {
            guard let choice = Order(rawValue: word) else {
                throw Failure(.invalid, "The order is “list”, “name” or “fileName”.", field: "order")
            }
            order = choice
        }
        receipts = json["receipts"]?.bool ?? false
        duplex = json["duplex"]?.bool ?? false
        keepsFields = json["keepsFields"]?.bool ?? false
        filter = json["filter"]?.string ?? ""
    }

    public var isArchive: Bool { form == .folders || form == .files }
    public var mediaType: String { isArchive ? "application/zip" : "application/pdf" }
    public var ending: String { isArchive ? "zip" : "pdf" }
}

/// A letter that goes with a packet, for who writes the letters to give.
public struct ExportedMessage: Sendable, Equatable {
    public var text: String?
    /// The whole message as it would be sent (RFC 5322).
    public var whole: [UInt8]?

    public init(text: String? = nil, whole: [UInt8]? = nil) {
        self.text = text
        self.whole = whole
    }
}

/// What an export has taken along.
public struct ExportSummary: Sendable, Equatable {
    public var packets = 0
    /// Packets that could not be made again, with the reason.
    public var failed: [(packet: ID<Packet>, reason: String)] = []
    /// What of the forms is not in one PDF of all, in sentences.
    public var remarks: [String] = []

    public static func == (a: ExportSummary, b: ExportSummary) -> Bool {
        a.packets == b.packets && a.failed.map(\.packet) == b.failed.map(\.packet)
    }
}
