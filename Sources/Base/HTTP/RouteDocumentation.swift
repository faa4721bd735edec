public import Bytes

/// What the API description says about a route (OpenAPI 3.1). A route without a summary stays out of it.
public struct RouteDocumentation: Sendable {
    public struct Parameter: Sendable {
        public enum Place: String, Sendable { case path, query, header }

        public var name: String
        public var place: Place
        public var description: String
        public var isRequired: Bool
        public var schema: JSON

        public init(
            _ name: String, in place: Place = .query, _ description: String, isRequired: Bool? = nil,
            schema: JSON = ["type": "string"]
        ) {
            self.name = name
            self.place = place
            self.description = description
            self.isRequired = isRequired ?? (place == .path)
            self.schema = schema
        }
    }

    public struct Content: Sendable {
        public var mediaType: String
        public var schema: JSON

        public init(_ mediaType: MediaType, _ schema: JSON) {
            self.mediaType = mediaType.essence
            self.schema = schema
        }

        /// Bytes of whatever kind. They may well be JSON, which need not be a text; so nothing is said of their form.
        public static let anything = Content(mediaType: "*/*", schema: [:])

        private init(mediaType: String, schema: JSON) {
            self.mediaType = mediaType
            self.schema = schema
        }
    }

    public struct Answer: Sendable {
        public var status: Status
        public var description: String
        public var content: [Content]
        public var headers: [String]

        public init(
            _ status: Status, _ description: String, _ content: [Content] = [], headers: [String] = []
        ) {
            self.status = status
            self.description = description
            self.content = content
            self.headers = headers
        }
    }

    public var summary: String
    public var description: String
    public var tag: String
    /// Beyond those of the path, which the pattern names.
    public var parameters: [Parameter]
    public var requestBody: [Content]
    public var answers: [Answer]

    public init(
        _ summary: String = "", description: String = "", tag: String = "", parameters: [Parameter] = [],
        requestBody: [Content] = [], answers: [Answer] = []
    ) {
        self.summary = summary
        self.description = description
        self.tag = tag
        self.parameters = parameters
        self.requestBody = requestBody
        self.answers = answers
    }
}
