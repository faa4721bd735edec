public import Bytes
import Work

/// A program that Quire uses when it is there.
public struct Engine: Sendable, Equatable {
    public let name: String
    /// The Debian package that brings it.
    public let package: String
    /// What it is for.
    public let use: String
    let programs: [String]

    /// Where it lies; nil when it is not installed.
    public var path: String? { programs.lazy.compactMap { Child.find($0) }.first }

    public static let all = [
        Engine(
            name: "LibreOffice", package: "libreoffice-writer libreoffice-calc libreoffice-impress",
            use: "office papers into PDF",
            // What Quire speaks to is the library; the program that starts it in a window may be missing.
            programs: ["/usr/lib/libreoffice/program/soffice.bin", "soffice", "libreoffice"]),
        Engine(
            name: "Chromium", package: "chromium", use: "web pages, mail and e-books into PDF",
            programs: ["/usr/lib/chromium/chromium", "chromium", "chromium-browser", "google-chrome"]),
        Engine(
            name: "Calibre", package: "calibre", use: "MOBI and AZW e-books", programs: ["ebook-convert"]),
        Engine(
            name: "Tesseract", package: "tesseract-ocr", use: "reading text in pictures",
            programs: ["tesseract"]),
        Engine(
            name: "Ghostscript", package: "ghostscript", use: "PDF/A for archives, and smaller files",
            programs: ["gs"]),
        Engine(
            name: "Poppler", package: "poppler-utils", use: "pictures and text of pages",
            programs: ["pdftoppm"]),
        Engine(name: "qpdf", package: "qpdf", use: "checking and repairing PDF", programs: ["qpdf"]),
    ]

    public var json: JSON {
        [
            "name": .string(name), "package": .string(package), "use": .string(use), "path": .optional(path),
        ]
    }
}
