// swift-tools-version: 6.2
import PackageDescription

// The house has five rooms, one above the other; a target may lean only on targets of its own room or of
// rooms below. `house(_:)` refuses anything else while the manifest is read, so a dependency that points
// up never reaches the compiler. docs/architecture.md tells what each room answers for.
enum Room: Int, Comparable {
    case c, base, paper, desk, doors
    static func < (a: Room, b: Room) -> Bool { a.rawValue < b.rawValue }
}

struct Part {
    var room: Room
    var name: String
    var uses: [String]
    var target: Target
}

// Programs that are built for use have Swift's own library inside: they begin sooner, hold less, and run where no Swift is
// installed. Tests do not, since the library they are written with is none to be put inside.
let withSwiftInside: LinkerSetting = .unsafeFlags(["-static-stdlib"], .when(configuration: .release))

let language: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func system(_ name: String, pkgConfig: String, debian: String) -> Part {
    Part(
        room: .c, name: name, uses: [],
        target: .systemLibrary(
            name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])]))
}

/// What it `shows` is found under its name by the libraries that a program loads, too.
func c(
    _ name: String, uses: [String] = [], exclude: [String] = [], links: [String] = [], shows: [String] = []
) -> Part {
    Part(
        room: .c, name: name, uses: uses,
        target: .target(
            name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/C/\(name)",
            exclude: exclude,
            linkerSettings: links.map { .linkedLibrary($0) }
                + shows.map { .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=\($0)"]) }))
}

/// A system library that is opened when it is first called: Sources/C/CLater tells why and how.
func later(_ name: String) -> Part { c(name, uses: ["CLater"]) }

/// A program in C that runs in the jail, beside `quire`; what it holds is loaded when it is asked for.
func engine(_ name: String, uses: [String], links: [String]) -> Part {
    Part(
        room: .c, name: name, uses: uses,
        target: .executableTarget(
            name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/C/\(name)",
            linkerSettings: (["dl"] + links).map { .linkedLibrary($0) } + [withSwiftInside]))
}

/// Rooms whose inside tests look at. What is built for use lets them do so as well, so that they are run on that very program
/// and everything is built once.
let lookedInto: Set<String> = ["Access", "Commands", "Comparing", "Library", "Sync", "Transfer", "Web"]
let openToTests: [SwiftSetting] = [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

/// Tests themselves are compiled as they stand: nobody waits for them as long as for a compiler that makes them quick.
let testing = language + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Nothing in the doors is hot: a page is made in well under a millisecond either way, and a core compiles three to
/// five times as much of them without the optimiser, which is what somebody waits for who builds Quire for the first
/// time. The same goes for rooms below that hand work on: to engines, to the database, or to the paper rooms.
let handsWorkOn: Set<String> = [
    "Access", "App", "Browsing", "CardCase", "Converting", "Delivery", "SigningKeys", "Starters",
]
let quickToBuild: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// What looks at each pixel of a photo is of no use unless it is quick, not even while developing: some ten seconds to a page.
let alwaysQuick: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

func part(_ room: Room, _ folder: String, _ name: String, uses: [String]) -> Part {
    Part(
        room: room, name: name, uses: uses,
        target: .target(
            name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(folder)/\(name)",
            swiftSettings: language + (lookedInto.contains(name) ? openToTests : [])
                + (room == .doors || handsWorkOn.contains(name) ? quickToBuild : [])
                + (name == "Scanning" ? alwaysQuick : [])))
}

func base(_ name: String, uses: [String] = []) -> Part { part(.base, "Base", name, uses: uses) }
func paper(_ name: String, uses: [String] = []) -> Part { part(.paper, "Paper", name, uses: uses) }
func desk(_ name: String, uses: [String] = []) -> Part { part(.desk, "Desk", name, uses: uses) }
func door(_ name: String, uses: [String] = []) -> Part { part(.doors, "Doors", name, uses: uses) }

func program(_ name: String, uses: [String]) -> Part {
    Part(
        room: .doors, name: name, uses: uses,
        target: .executableTarget(
            name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/Doors/\(name)",
            swiftSettings: language, linkerSettings: [withSwiftInside]))
}

/// Checks that every arrow points sideways or down, and gives the targets in the order they were named.
func house(_ parts: [Part]) -> [Target] {
    var rooms: [String: Room] = [:]
    for part in parts { rooms[part.name] = part.room }
    for part in parts {
        for use in part.uses {
            guard let below = rooms[use] else {
                fatalError("\(part.name) uses \(use), which is not in the house")
            }
            guard below <= part.room else {
                fatalError("\(part.name) (\(part.room)) may not use \(use) (\(below)): imports only go down")
            }
        }
    }
    return parts.map(\.target)
}

let parts = house([
    system("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    system("CMicroHTTPD", pkgConfig: "libmicrohttpd", debian: "libmicrohttpd-dev"),
    system("COpenSSL", pkgConfig: "openssl", debian: "libssl-dev"),
    system("CSodium", pkgConfig: "libsodium", debian: "libsodium-dev"),
    system("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
    system("CBrotli", pkgConfig: "libbrotlienc", debian: "libbrotli-dev"),
    system("CFriBidi", pkgConfig: "fribidi", debian: "libfribidi-dev"),
    system("CFreeType", pkgConfig: "freetype2", debian: "libfreetype-dev"),
    c("CSystem"),
    c("CIncoming", shows: ["recv", "gnutls_record_recv"]),
    c("CLater"),
    later("CPQ"),
    later("CCurl"),
    later("CHarfBuzz"),
    later("CFontconfig"),
    later("CICU"),
    c("CTokens", links: ["dl"]),
    c("CQPDF", links: ["qpdf", "z"]),
    c("CZint", links: ["zint"]),
    c("CWebAssets", exclude: ["files"]),
    engine("quire-engine", uses: ["CQPDF"], links: ["ZXing"]),

    base("Bytes"),
    base("Alphabet", uses: ["CICU"]),
    base("Work", uses: ["Bytes", "CSystem"]),
    base("Crypto", uses: ["Bytes", "COpenSSL", "CSodium"]),
    base("Tokens", uses: ["Bytes", "Crypto", "CTokens"]),
    base("SQL", uses: ["Bytes", "Work", "CSQLite", "CPQ", "CSystem"]),
    base("Archives", uses: ["Bytes", "Work", "CZlib", "CBrotli"]),
    base("HTTP", uses: ["Bytes", "Work", "Archives"]),
    base("HTTPServer", uses: ["Bytes", "Work", "Crypto", "HTTP", "CMicroHTTPD", "CIncoming", "CSystem"]),
    base("Transfer", uses: ["Bytes", "Work", "Crypto", "CCurl"]),
    base("Markup", uses: ["Bytes"]),

    paper("PDF", uses: ["Archives", "Crypto", "CQPDF"]),
    paper(
        "PDFDrawing", uses: ["PDF", "CHarfBuzz", "CFriBidi", "CFontconfig", "CFreeType", "CZint", "Alphabet"]),
    paper("PDFForms", uses: ["Archives", "Bytes", "Crypto", "PDF", "PDFDrawing"]),
    paper("PDFReading", uses: ["Work", "PDF", "PDFForms", "PDFDrawing"]),
    paper(
        "Redaction",
        uses: ["Bytes", "Work", "Crypto", "PDF", "PDFDrawing", "PDFForms", "PDFReading", "Alphabet"]),
    paper("Signing", uses: ["Bytes", "Work", "Crypto", "PDF", "PDFDrawing", "PDFReading"]),
    paper(
        "Marking",
        uses: ["Bytes", "Crypto", "PDF", "PDFDrawing", "PDFForms", "PDFReading", "Signing"]),
    paper(
        "Comparing",
        uses: [
            "Bytes", "Work", "Crypto", "Alphabet", "PDF", "PDFDrawing", "PDFForms", "PDFReading", "Marking",
        ]),
    paper("Pictures", uses: ["Archives", "PDF"]),
    paper("Browsing", uses: ["Bytes", "Work", "Archives", "Transfer"]),
    paper("Office", uses: ["Bytes", "Work"]),
    paper(
        "Conversion",
        uses: [
            "Bytes", "Work", "Archives", "Transfer", "Markup", "Kinds", "PDF", "PDFForms", "PDFReading",
            "PDFDrawing", "Tables", "Pictures", "Scanning", "Browsing", "Office", "Codes", "Marking",
        ]),
    paper("Starters", uses: ["PDF", "PDFDrawing", "PDFForms", "Codes"]),
    paper("Cards", uses: ["Bytes"]),
    paper("Tables", uses: ["Bytes", "Work", "SQL", "Archives", "Cards"]),
    paper("Codes", uses: ["Archives"]),
    paper("Scanning"),
    paper("Kinds", uses: ["Bytes", "Archives"]),
    paper("Formulas", uses: ["Work"]),
    paper("Writings", uses: ["Bytes", "Archives", "Kinds", "Markup", "Tables"]),
    paper("Mappings", uses: ["Bytes", "Work", "PDF", "PDFForms", "Tables", "Formulas"]),
    paper("Bundling", uses: ["Bytes", "Work", "Crypto", "Archives"]),
    paper(
        "Making",
        uses: [
            "Bytes", "Work", "Crypto", "Archives", "PDF", "PDFForms", "PDFReading", "Tables", "Formulas",
            "Mappings",
        ]),

    desk("Storage", uses: ["Bytes", "Work", "Crypto", "SQL", "CSystem"]),
    desk("Jobs", uses: ["Bytes", "Work", "SQL", "Storage"]),
    desk("Access", uses: ["Bytes", "Work", "Crypto", "SQL", "Storage"]),
    desk(
        "Library",
        uses: [
            "Bytes", "Work", "SQL", "Archives", "Transfer", "Kinds", "PDF", "Pictures", "PDFReading",
            "Writings",
            "Storage", "Jobs", "Access",
        ]),
    desk(
        "SigningKeys",
        uses: [
            "Bytes", "Work", "Crypto", "SQL", "Transfer", "PDF", "Signing", "Storage", "Jobs", "Access",
            "Library",
        ]),
    desk(
        "Filling",
        uses: [
            "Bytes", "Work", "Crypto", "SQL", "Transfer", "Archives", "Tables", "Formulas", "PDF", "PDFForms",
            "PDFReading", "Starters", "Mappings", "Making", "Storage", "Jobs", "Access", "Library", "People",
            "SigningKeys",
        ]),
    desk(
        "Delivery",
        uses: [
            "Bytes", "Work", "Crypto", "SQL", "Transfer", "Kinds", "Markup", "Pictures", "Tables", "Formulas",
            "Mappings",
            "PDF", "PDFForms", "PDFReading", "Marking", "Starters", "Bundling", "Making",
            "Storage", "Jobs", "Access", "Library", "People", "Filling",
        ]),
    desk(
        "People",
        uses: ["Bytes", "Work", "Crypto", "SQL", "Transfer", "Cards", "Tables", "Storage", "Jobs", "Access"]),
    desk(
        "CardCase",
        uses: [
            "Bytes", "Work", "Crypto", "SQL", "Cards", "Codes", "Pictures", "PDFReading", "Storage", "Jobs",
            "Access", "People",
        ]),
    desk(
        "Sync",
        uses: ["Bytes", "Work", "Crypto", "SQL", "Transfer", "Storage", "Jobs", "Access", "Library"]),
    desk(
        "Converting",
        uses: [
            "Bytes", "Work", "Crypto", "SQL", "Kinds", "PDF", "PDFReading", "Scanning", "Conversion",
            "Redaction", "Marking", "Comparing",
            "Storage", "Jobs", "Access", "Library",
        ]),
    desk(
        "App",
        uses: [
            "Bytes", "Work", "Crypto", "SQL", "Transfer", "Office", "Pictures", "PDFReading",
            "Conversion", "Storage",
            "Jobs",
            "Access", "Library", "Sync", "Converting",
            "Filling", "Delivery", "People", "CardCase", "SigningKeys", "CSystem",
        ]),

    door(
        "Gotenberg",
        uses: [
            "Bytes", "Work", "Crypto", "Archives", "HTTP", "Transfer", "Kinds", "Markup", "Browsing",
            "Office",
            "Conversion",
        ]),
    door("WebAssets", uses: ["Bytes", "Crypto", "HTTP", "Markup", "CWebAssets"]),
    door(
        "Web",
        uses: [
            "Bytes", "Work", "Crypto", "HTTP", "HTTPServer", "Transfer", "Kinds", "Cards", "Markup", "SQL",
            "PDF", "PDFForms", "Pictures",
            "PDFReading", "Starters", "Tables", "Formulas", "Mappings", "Making", "Scanning", "Browsing",
            "Conversion",
            "Redaction", "Marking", "Comparing", "Storage", "Jobs", "Access",
            "Library", "Sync", "Converting", "Archives", "People", "CardCase", "Signing", "SigningKeys",
            "Filling", "Delivery", "Bundling",
            "Codes", "App", "WebAssets",
        ]),
    door(
        "Commands",
        uses: [
            "Bytes", "Markup", "WebAssets", "Work", "Crypto", "HTTP", "HTTPServer", "Transfer", "SQL",
            "Storage", "Jobs", "Access",
            "Library", "Delivery", "App", "Web", "Kinds", "PDF", "PDFForms", "PDFReading", "Signing",
            "Tables",
            "Formulas",
            "Mappings",
            "Making", "Pictures", "Scanning", "Browsing", "Office", "Conversion", "Converting", "Gotenberg",
            "Redaction", "Marking", "Comparing",
            "CardCase", "People", "SigningKeys", "Bundling", "Codes", "Tokens",
        ]),
    program("quire", uses: ["Commands"]),
])

// Measures the forms engine in release, apart from the product: Benchmarks/forms.
let formsBench = Target.executableTarget(
    name: "forms-bench",
    dependencies: ["Bytes", "PDF", "PDFForms", "Tables", "Work"].map { .byName(name: $0) },
    path: "Benchmarks/forms/Sources", swiftSettings: language, linkerSettings: [withSwiftInside])

// Programs that measure the product or are there to be killed by its tests.
let quireBench = Target.executableTarget(
    name: "quire-bench",
    dependencies: [
        "Bytes", "Crypto", "Work", "HTTP", "HTTPServer", "SQL", "Transfer", "Tables", "PDF", "PDFForms",
        "Storage",
        "Jobs",
        "Access", "Cards", "Codes", "Library", "People", "Filling", "Delivery", "Scanning", "MadePhotos",
    ].map { .byName(name: $0) },
    path: "Benchmarks/quire-bench", swiftSettings: language, linkerSettings: [withSwiftInside])

// Gives spoiled files to whatever reads bytes of strangers, until told to stop: bin/fuzz.
let fuzz = Target.executableTarget(
    name: "fuzz",
    dependencies: [
        "Archives", "Bundling", "Bytes", "Cards", "Crypto", "HTTP", "HTTPServer", "PDF", "PDFForms",
        "PDFReading",
        "Redaction", "Signing", "Storage", "Sync",
        "Tables",
        "Transfer",
        "Work",
    ].map { .byName(name: $0) },
    path: "Tests/Fuzz", exclude: ["fuzz.py", "found"], swiftSettings: language)

// What the tests share: temporary folders, fixed clocks, a throw-away PostgreSQL cluster, running servers.
let testSupport = Target.target(
    name: "TestSupport",
    dependencies: [
        "Bytes", "Work", "Crypto", "SQL", "HTTP", "HTTPServer", "PDF", "Storage", "Jobs", "Access", "Library",
        "App",
    ],
    path: "Tests/TestSupport", swiftSettings: testing)

// Photos of sheets with corners that are known, for tests and for the bench.
let madePhotos = Target.target(
    name: "MadePhotos", dependencies: ["Scanning"], path: "Tests/MadePhotos",
    swiftSettings: language + alwaysQuick)

func tests(_ name: String, of uses: [String]) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: (uses + ["TestSupport"]).map { .byName(name: $0) },
        path: "Tests/\(name)Tests", swiftSettings: testing)
}

let package = Package(
    name: "quire",
    products: [.executable(name: "quire", targets: ["quire"])],
    targets: parts + [
        formsBench,
        quireBench,
        fuzz,
        testSupport,
        madePhotos,
        tests("Bytes", of: ["Bytes"]),
        tests("Work", of: ["Bytes", "Work"]),
        tests("Crypto", of: ["Bytes", "Crypto"]),
        tests("SQL", of: ["Bytes", "Work", "SQL"]),
        tests("Archives", of: ["Bytes", "Work", "Archives"]),
        tests("HTTP", of: ["Bytes", "HTTP"]),
        tests("HTTPServer", of: ["Bytes", "Work", "Crypto", "HTTP", "HTTPServer"]),
        tests("Transfer", of: ["Bytes", "Work", "Crypto", "Transfer"]),
        tests("Markup", of: ["Bytes", "Markup"]),
        tests("PDF", of: ["Work", "PDF"]),
        tests("PDFForms", of: ["Bytes", "Work", "PDF", "PDFDrawing", "PDFForms"]),
        tests("PDFReading", of: ["Work", "PDF", "PDFForms", "PDFReading"]),
        tests("Redaction", of: ["Work", "PDF", "PDFReading", "Redaction"]),
        tests("Signing", of: ["Bytes", "Work", "Crypto", "PDF", "PDFForms", "Signing"]),
        tests("Marking", of: ["Bytes", "Work", "Crypto", "PDF", "PDFReading", "Signing", "Marking"]),
        tests("Comparing", of: ["Bytes", "Work", "PDF", "PDFForms", "PDFReading", "Marking", "Comparing"]),
        tests("Pictures", of: ["Work", "Archives", "PDF", "Pictures"]),
        tests(
            "Browsing",
            of: ["Bytes", "Work", "Transfer", "HTTP", "HTTPServer", "PDF", "PDFReading", "Browsing"]),
        tests("Office", of: ["Work", "PDF", "PDFReading", "Office"]),
        tests(
            "Conversion",
            of: [
                "Bytes", "Work", "Archives", "Kinds", "PDF", "PDFReading", "Pictures", "Browsing", "Office",
                "Conversion", "Marking",
            ]),
        tests("Starters", of: ["Work", "Codes", "PDF", "PDFForms", "PDFReading", "Starters"]),
        tests("Cards", of: ["Bytes", "Cards"]),
        tests("Bundling", of: ["Bytes", "Work", "Archives", "Bundling"]),
        tests("Tables", of: ["Bytes", "Work", "SQL", "Archives", "Cards", "Tables"]),
        tests("Kinds", of: ["Bytes", "Work", "Archives", "Kinds"]),
        tests("Scanning", of: ["Scanning", "MadePhotos"]),
        tests("Codes", of: ["Work", "Codes"]),
        tests("Formulas", of: ["Work", "Formulas"]),
        tests("Mappings", of: ["Work", "PDFForms", "Tables", "Formulas", "Mappings"]),
        tests(
            "Making",
            of: [
                "Bytes", "Work", "PDF", "PDFForms", "PDFReading", "Tables", "Formulas", "Mappings", "Making",
            ]),
        tests("Storage", of: ["Bytes", "Work", "Crypto", "SQL", "Storage"]),
        tests("Jobs", of: ["Bytes", "Work", "SQL", "Storage", "Jobs"]),
        tests("Access", of: ["Bytes", "Work", "Crypto", "SQL", "Storage", "Access"]),
        tests(
            "Library",
            of: [
                "Bytes", "Work", "SQL", "HTTP", "HTTPServer", "Transfer", "PDF", "PDFReading", "Storage",
                "Jobs", "Access", "Library",
            ]),
        tests(
            "Filling",
            of: [
                "Bytes", "Work", "Crypto", "SQL", "Archives", "Tables", "PDF", "PDFForms", "PDFReading",
                "Signing", "Mappings", "Storage", "Jobs", "Access", "Library", "People", "SigningKeys",
                "Filling",
            ]),
        tests(
            "People",
            of: [
                "Archives", "Bytes", "Cards", "Work", "SQL", "Transfer", "Tables", "Storage", "Jobs",
                "Access",
                "People",
            ]),
        tests(
            "SigningKeys",
            of: [
                "Bytes", "Work", "Crypto", "SQL", "HTTP", "HTTPServer", "PDF", "Signing", "Storage", "Jobs",
                "Access", "Library", "SigningKeys",
            ]),
        tests(
            "CardCase",
            of: [
                "Bytes", "Work", "SQL", "Cards", "Codes", "Pictures", "Storage", "Jobs", "Access", "People",
                "CardCase",
            ]),
        tests(
            "Delivery",
            of: [
                "Bytes", "Work", "Crypto", "SQL", "Transfer", "Tables", "PDF", "Storage", "Jobs", "Access",
                "Library", "People", "Filling", "Delivery", "Bundling", "Starters",
            ]),
        tests(
            "Sync",
            of: [
                "Bytes", "Work", "Crypto", "SQL", "HTTP", "HTTPServer", "Transfer", "Storage", "Jobs",
                "Access",
                "Library", "Filling", "People", "Sync", "App", "Web",
            ]),
        tests(
            "App",
            of: [
                "Bytes", "Work", "Crypto", "Transfer", "SQL", "Pictures", "PDFReading", "Storage", "Jobs",
                "Access",
                "Library", "People", "App",
            ]),
        tests(
            "Web",
            of: [
                "Bytes", "Work", "Crypto", "HTTP", "Transfer", "Cards", "Markup", "PDF", "PDFReading",
                "Pictures",
                "Comparing", "Redaction", "Signing", "Browsing", "Office", "Conversion",
                "Storage",
                "Access", "People", "CardCase", "Delivery", "Bundling", "Starters", "App", "WebAssets",
                "Web",
            ]),
        tests(
            "Commands",
            of: [
                "Bytes", "Archives", "PDF", "PDFForms", "PDFReading", "Work", "HTTP", "HTTPServer",
                "Transfer",
                "SQL", "Storage", "Jobs", "Access", "Filling", "Delivery", "App", "Web", "Commands",
            ]),
        tests(
            "Scenarios",
            of: [
                "Bytes", "Archives", "Work", "Crypto", "HTTP", "HTTPServer", "SQL", "Storage", "Jobs",
                "Access",
                "PDFReading", "Library", "Sync",
                "People", "Filling", "Delivery", "Tables", "Transfer", "PDF", "Conversion", "Converting",
                "Browsing", "Writings",
                "Office", "Pictures",
                "App", "Web",
            ]),
    ],
    cLanguageStandard: .gnu2x,
    cxxLanguageStandard: .cxx17
)
