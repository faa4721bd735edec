import Bytes
import Conversion
public import Work

/// What came of the engines when each converted a page in the service itself.
public struct EngineTrials: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public let engine: String
        public let milliseconds: Int
        /// Why it did not work, in English; nil when it did.
        public let trouble: String?
    }

    public let at: Moment
    public let lines: [Line]

    public var findings: [Finding] { lines.map(\.finding) }

    init(_ report: Report) {
        at = report.at
        lines = (report.detail["engines"]?.array ?? []).compactMap(Line.init)
    }
}

extension EngineTrials.Line {
    init(_ trial: Engines.Trial) {
        engine = trial.engine
        milliseconds = Int((trial.seconds * 1000).rounded())
        trouble = trial.trouble
    }

    init?(_ json: JSON) {
        guard let engine = json["engine"]?.string else { return nil }
        self.engine = engine
        milliseconds = json["milliseconds"]?.int ?? 0
        trouble = json["trouble"]?.string
    }

    var json: JSON {
        [
            "engine": .string(engine), "good": .bool(trouble == nil), "milliseconds": .int(milliseconds),
            "trouble": .optional(trouble),
        ]
    }

    var finding: Finding {
        trouble.map {
            Finding(
                .engines, "\(engine) at work", .limited, "It did not convert a page: \($0)",
                remedy: "look at the walls above; under systemd, at the settings of the unit")
        }
            ?? Finding(
                .engines, "\(engine) at work", .good, "It converted a page in \(milliseconds) ms.")
    }
}
