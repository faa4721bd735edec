public import Browsing
public import Bytes

/// What happened on the way, for whoever wants to know how good the result is.
public struct ConversionReport: Sendable {
    public struct Leg: Sendable {
        public var name: String
        public var engine: String
        public var seconds: Double
    }

    public var legs: [Leg] = []
    public var pageCount: Int?
    /// Fonts the paper asks for that this machine does not have, and what was taken instead.
    public var substitutedFonts: [(wanted: String, taken: String)] = []
    public var blocked: [PageReport.Resource] = []
    public var failed: [PageReport.Resource] = []
    public var consoleErrors: [String] = []
    public var remarks: [String] = []
    /// What was looked at afterwards and found to be as it should.
    public var assurances: [String] = []
    /// Of a paper that was made smaller in several ways: what there was in it, and behind that what is left each time.
    public var parts: [PaperParts] = []
    public var seconds = 0.0

    public init() {}

    /// What happened to another portion.
    mutating func add(_ other: ConversionReport) {
        legs += other.legs
        for font in other.substitutedFonts where !substitutedFonts.contains(where: { $0 == font }) {
            substitutedFonts.append(font)
        }
        blocked += other.blocked
        failed += other.failed
        consoleErrors += other.consoleErrors
        remarks += other.remarks.filter { !remarks.contains($0) }
        assurances += other.assurances.filter { !assurances.contains($0) }
    }

    mutating func add(_ page: PageReport) {
        blocked += page.blocked
        failed += page.failed
        consoleErrors += page.consoleErrors + page.exceptions
        remarks += page.remarks.filter { !remarks.contains($0) }
    }
}

extension ConversionReport {
    /// For programs.
    public var json: JSON {
        func resources(_ list: [PageReport.Resource]) -> JSON {
            .array(
                list.map { item in
                    [
                        "address": .string(item.address), "status": .optional(item.status),
                        "reason": .string(item.reason),
                    ]
                })
        }
        return [
            "pages": .optional(pageCount), "seconds": .number(seconds),
            "legs": .array(
                legs.map {
                    ["paper": .string($0.name), "engine": .string($0.engine), "seconds": .number($0.seconds)]
                }),
            "substitutedFonts": .array(
                substitutedFonts.map { ["wanted": .string($0.wanted), "taken": .string($0.taken)] }),
            "blocked": resources(blocked), "failed": resources(failed),
            "consoleErrors": .array(consoleErrors.map(JSON.string)),
            "remarks": .array(remarks.map(JSON.string)),
            "assurances": .array(assurances.map(JSON.string)), "parts": .array(parts.map(\.json)),
        ]
    }
}
