/// How a page is to look.
public enum Look: Int32, Sendable, CaseIterable {
    /// Colour where there is some, else grey; what is no paper stays as it is.
    case automatic = 0
    case color = 1
    case grey = 2
    case blackAndWhite = 3
    /// Cut out and nothing else.
    case photo = 4
}

#if !hasFeature(Embedded)

    extension Look {
        /// As people say them.
        public static let words: [(word: String, look: Look)] = [
            ("auto", .automatic), ("colour", .color), ("grey", .grey), ("bw", .blackAndWhite),
            ("photo", .photo),
        ]
    }

#endif
