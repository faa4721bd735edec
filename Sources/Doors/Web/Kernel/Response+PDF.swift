import HTTP

extension Response {
    /// A paper that was made for whoever asks, to be kept by them.
    static func pdf(_ bytes: [UInt8], named name: String) -> Response {
        Response(headers: ["Content-Type": "application/pdf"], body: .bytes(bytes))
            .with("Content-Disposition", Disposition.text(inline: false, fileName: name + ".pdf"))
            .with("Cache-Control", "private, no-cache")
    }
}
