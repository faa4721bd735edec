public import Bytes
import Glibc
import Work

/// A program that Quire uses when it is there.
public struct Engine: Sendable, Equatable {
    public let name: String
    /// The Debian package that brings it.
    public let package: String
    /// What it is for.
    public let use: String
    var programs: [String] = []
    /// Of those that are no programs; any of them will do.
    var libraries: [String] = []

    /// Where it lies; nil when it is not installed.
    public var path: String? {
        programs.lazy.compactMap { Child.find($0) }.first ?? libraries.lazy.compactMap(Self.library).first
    }

    private static func library(_ name: String) -> String? {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        return folders.lazy.map { "\($0)/\(name)" }.first { access($0, R_OK) == 0 }
    }

    public static let all = [
        Engine(
            name: "LibreOffice", package: "libreoffice-writer libreoffice-calc libreoffice-impress",
            use: "office papers into PDF",
            // What Quire speaks to is the library; the program that starts it in a window may be missing.
            programs: ["/usr/lib/libreoffice/program/soffice.bin", "soffice", "libreoffice"]),
        Engine(
            name: "LibreOffice Math", package: "libreoffice-math", use: "formulas in office papers",
            libraries: ["libreoffice/program/libsmlo.so"]),
        Engine(
            name: "Chromium", package: "chromium-headless-shell", use: "web pages, mail and e-books into PDF",
            programs: [
                "/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium",
                "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
            ]),
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
        Engine(
            name: "Leptonica", package: "liblept5", use: "TIFF, WebP, GIF and BMP pictures",
            libraries: ["liblept.so.5", "libleptonica.so.6"]),
        Engine(
            name: "libheif", package: "libheif1", use: "HEIC pictures of phones", libraries: ["libheif.so.1"]),
        Engine(name: "qpdf", package: "qpdf", use: "checking and repairing PDF", programs: ["qpdf"]),
    ]

    public var json: JSON {
        [
            "name": .string(name), "package": .string(package), "use": .string(use), "path": .optional(path),
        ]
    }
}
