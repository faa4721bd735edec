public import PDF

/// How a paper is to be signed.
public struct SigningWish: Sendable {
    /// Where it is seen: on a page counted from 0, in points from the lower left corner of the sheet as a reader sees it.
    public struct Place: Sendable, Equatable {
        public var page: Int
        /// However many pages there are.
        public static let lastPage = Int.max
        public var box: PDFRectangle

        public init(page: Int, box: PDFRectangle) {
            self.page = page
            self.box = box
        }
    }

    /// Fields whose values are final with this signature (ISO 32000-2 §12.8.2.4).
    public enum Lock: Sendable, Equatable {
        case all
        case only([String])

        /// `all`, or names with commas between them.
        public init(_ text: String) {
            let names = text.split(separator: ",").compactMap { part -> String? in
                var name = part.drop(while: \.isWhitespace)
                while name.last?.isWhitespace == true { name.removeLast() }
                return name.isEmpty ? nil : String(name)
            }
            self = names == ["all"] ? .all : .only(names)
        }
    }

    /// The field to be signed; a new one if there is none of that name, or none is said.
    public var field: String?
    public var place: Place?
    public var certifies: CheckedSignature.Allowance?
    public var locks: Lock?
    public var reason = ""
    public var whereabouts = ""
    /// Seconds since 1970.
    public var time: Int64
    /// What a visible signature says, line by line; made of the name, the time and the reason when empty.
    public var lines: [String] = []

    public init(at time: Int64) { self.time = time }
}

/// Why a paper cannot be signed.
public enum SigningTrouble: Error, Sendable, Equatable {
    case locked
    case damaged
    case noPages
    case noSuchPage(Int, of: Int)
    case placeTooSmall
    case placeOffPage
    case noSuchField(String)
    /// What is to be locked is no field of the paper.
    case nothingToLock(String)
    case signedAlready(String)
    case notASignatureField(String)
    /// Certified or locked so that nobody may sign any more; who said so.
    case forbidden(by: String)
    /// Certified so that nothing may be put on its pages; who said so.
    case noNewPlace(by: String)
    /// Others have signed before, so it is too late to say what they may do.
    case tooLateToCertify
    /// More certificates and stamps than there was room for.
    case tooLong
}
