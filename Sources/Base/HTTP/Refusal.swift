/// A request that cannot be answered as asked, with the status that says so. What the parsers of this room throw.
public struct Refusal: Error, Sendable, Equatable {
    public var status: Status
    /// A sentence for a person.
    public var detail: String
    public var headers: Headers

    public init(_ status: Status, _ detail: String, headers: Headers = [:]) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }
}
