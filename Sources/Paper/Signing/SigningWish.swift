public import PDF

/// How a paper is to be signed.
public struct SigningWish: Sendable {
    /// Where it is seen: on a page counted from 0, in points from the lower left corner of the sheet as a reader sees it.
    public struct Place: Sendable, Equatable {
        public var page: Int
        public var box: PDFRectangle

        public init(page: Int, box: PDFRectangle) {
            self.page = page
            self.box = box
        }
    }

    /// The field to be signed; a new one if there is none of that name, or none is said.
    public var field: String?
    public var place: Place?
    public var certifies: CheckedSignature.Allowance?
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

    public var sentence: String {
        switch self {
        case .locked: "The paper is locked with a password. Take the password off first, then sign it."
        case .damaged: "The paper is damaged, and mending it would end the signatures on it."
        case .noPages: "The paper has no page that could be signed."
        case .noSuchPage(let page, let count): "There is no page \(page): the paper has \(count)."
        case .placeTooSmall: "The place for the signature is too small to be read: at least 40 by 16 points."
        case .placeOffPage: "The place for the signature is not on the page."
        case .noSuchField(let name): "The paper has no field “\(name)” to be signed."
        case .signedAlready(let name): "The field “\(name)” is signed already."
        case .notASignatureField(let name): "The field “\(name)” is not for signatures."
        case .forbidden(let name):
            name.isEmpty
                ? "The paper was certified so that nothing may be changed, not even by signing."
                : "The paper was certified by \(name) so that nothing may be changed, not even by signing."
        case .noNewPlace(let name):
            name.isEmpty
                ? "The paper was certified so that nothing may be put on its pages. Sign in a field that it has, or without a picture."
                : "The paper was certified by \(name) so that nothing may be put on its pages. Sign in a field that it has, or without a picture."
        case .tooLateToCertify: "The paper is signed already; only who signs first can certify it."
        case .tooLong: "The certificates and the time stamp take more room than was left for them."
        }
    }
}
