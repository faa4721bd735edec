public import PDFReading
public import Pictures
import Storage

/// What one sees of a picture that somebody brought, drawn anew on white: nothing else that was in its file, such as where
/// it was taken, is in there any more. It is decoded in the jail.
public enum PictureAnew {
    /// A JPEG: the first of the sizes that comes to no more bytes than may be; they follow from the width and the height it
    /// has on a page of its own.
    public static func drawn(
        _ bytes: [UInt8], _ layout: PictureLayout, atMost limit: Int, reader: PageReader?,
        sizes: (_ width: Double, _ height: Double) -> [(width: Int, quality: Int)]
    ) throws -> [UInt8] {
        guard Picture.format(of: bytes) != nil else {
            throw Failure(
                .invalid, "This is no picture that can be used. Take a JPEG or a PNG.", field: "file")
        }
        var sheet: [UInt8] = []
        do {
            var pages = try PicturePages(layout: layout) { sheet += $0 }
            try pages.add(bytes)
            try pages.finish()
        } catch {
            throw Failure(
                .invalid, "This picture is damaged. Take another one.", field: "file", cause: "\(error)")
        }
        guard let reader else {
            throw Failure(.unavailable, "Pictures cannot be drawn here. quire doctor says what is missing.")
        }
        do throws(ReadingError) {
            let sheets = try Sheets(bytes: sheet)
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
}
