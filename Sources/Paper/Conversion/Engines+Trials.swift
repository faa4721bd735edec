import Browsing
import Kinds
import Office
import PDF
import PDFReading
public import Work

extension Engines {
    /// What came of one page with one of the engines.
    public struct Trial: Sendable {
        /// As `quire doctor` calls it.
        public let engine: String
        /// Why it did not work; nil when it did.
        public let trouble: String?
        public let seconds: Double
    }

    /// Converts one page with each engine that is installed: that a program lies on the disk does not mean that it works
    /// where Quire has it run.
    public func trials(progress: Progress = Progress()) -> [Trial] {
        let converter = Converter(self)
        let letter = Array(#"{\rtf1\ansi Quire}"#.utf8)
        let page = Array("<!DOCTYPE html><title>Quire</title><p>Quire</p>".utf8)
        var trials: [Trial] = []
        func attempt(_ engine: String, _ work: () throws -> Void) {
            guard !progress.cancellation.isCancelled else { return }
            progress.phase(engine)
            let watch = Stopwatch()
            var trouble: String?
            do { try work() } catch { trouble = "\(error)" }
            trials.append(Trial(engine: engine, trouble: trouble, seconds: watch.elapsed.inSeconds))
        }
        if Offices.isInstalled {
            attempt("LibreOffice") { _ = try converter.one("trial.rtf", letter, to: .pdf, progress) }
        }
        if Browsers.isInstalled {
            attempt("Chromium") { _ = try converter.one("trial.html", page, to: .pdf, progress) }
        }
        var picture: [UInt8]?
        if Child.find("pdftoppm") != nil {
            attempt("Poppler") {
                picture = try converter.one("trial.pdf", Self.sheet, to: .png, progress)
            }
        }
        if Child.find("gs") != nil {
            attempt("Ghostscript") {
                var options = ConversionOptions()
                options.archivePart = 2
                _ = try converter.one("trial.pdf", Self.sheet, to: .pdf, progress, options)
            }
        }
        let recognizer = Recognizer(jail: jail, languages: Recognizer.installed.filter { $0 == "eng" })
        if recognizer.isReady, let picture {
            attempt("Tesseract") { _ = try recognizer.text(ofPicture: picture) }
        }
        return trials
    }

    /// One page with a word on it; readers of PDF find the places of its objects by themselves.
    private static let sheet = Array(
        """
        %PDF-1.4
        1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
        2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
        3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R
            /Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> >> >> >> endobj
        4 0 obj <</Length 35>> stream
        BT /F 24 Tf 50 40 Td (Quire) Tj ET
        endstream endobj
        trailer <</Root 1 0 R /Size 5>>
        %%EOF

        """.utf8)
}

extension Converter {
    fileprivate func one(
        _ name: String, _ bytes: [UInt8], to goal: PaperKind, _ progress: Progress,
        _ options: ConversionOptions = ConversionOptions()
    ) throws -> [UInt8]? {
        try convert(
            [ConversionInput(name: name, .bytes(bytes))], to: goal, options,
            progress: Progress(cancellation: progress.cancellation)
        ).papers.first?.bytes
    }
}
