public import PDFReading
public import Pictures
public import Storage

/// What one sees of a picture that somebody brought, drawn anew on white: nothing else that was in its file, such as where
/// it was taken, is in there any more. It is decoded in the jail.
public enum PictureAnew {
    /// A JPEG: the first of the sizes that comes to no more bytes than may be; they follow from the width and the height it
    /// has on a page of its own.
    public static func drawn(
        on page: [UInt8], atMost limit: Int, reader: PageReader,
        sizes: (_ width: Double, _ height: Double) -> [(width: Int, quality: Int)]
    ) throws -> [UInt8] {
        do throws(ReadingError) {
            let sheets = try Sheets(bytes: page)
            for (width, quality) in sizes(sheets.frames[0].width, sheets.frames[0].height) {
                let drawn = try reader.picture(
                    of: sheets, page: 0, width: width, format: .jpeg(quality: quality))
                if drawn.count <= limit { return drawn }
            }
        } catch {
            throw Failure(
                .unavailable, "The picture could not be drawn. Take another one.", cause: "\(error)")
        }
        throw Failure(.invalid, "This picture cannot be made small enough. Take another one.", field: "file")
    }

    /// Such a page.
    public static func page(_ add: (inout PicturePages) throws -> Void) throws -> [UInt8] {
        var page: [UInt8] = []
        do {
            var pages = try PicturePages { page += $0 }
            try add(&pages)
            try pages.finish()
        } catch {
            throw Failure(
                .invalid, "This picture is damaged. Take another one.", field: "file", cause: "\(error)")
        }
        return page
    }

    public static let unusable = Failure(
        .invalid, "This is no picture that can be used. Take a JPEG or a PNG.", field: "file")
}
