public import PDFReading
import Scanning
public import Work

/// Cards that were photographed.
extension Engines {
    /// What each square code in a picture says.
    public func codes(
        in photo: Paper, cancellation: Cancellation = Cancellation()
    ) throws(ConversionError) -> [String] {
        try PhotoPixels(engines: self, cancellation: cancellation).codes(in: photo)
    }

    /// The print on the card in a photo, which is cut out of what lies around it and set upright first.
    public func print(
        onCard photo: Paper, languages: [String] = [], cancellation: Cancellation = Cancellation()
    ) throws(ConversionError) -> PageText {
        let recognizer = Recognizer(jail: jail, languages: languages)
        guard recognizer.isReady else { throw .missing(program: "Tesseract", package: "tesseract-ocr") }
        let pixels = PhotoPixels(engines: self, cancellation: cancellation)
        let wish = PageWish(look: .grey, mostPixels: 4_000_000, dotsPerInch: 0)
        let made = MadePage(wish, of: try pixels.unpacked(photo))
        do {
            return try recognizer.text(
                ofPicture: PhotoPixels.pixmap(made.raster, isGrey: true), cancellation: cancellation
            ).text
        } catch {
            throw ConversionError.of(error, photo.name)
        }
    }
}
