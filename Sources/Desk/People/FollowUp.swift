public import Bytes
public import Storage
public import Work

/// When somebody means to get back to a person, and what about.
///
/// It belongs to the desk and not to the card: cards go out to others.
public struct FollowUp: Sendable, Equatable {
    /// How far one day is from the next.
    public enum Step: String, Sendable, CaseIterable {
        case week, twoWeeks, month, quarter, halfYear, year

        var days: Int? {
            switch self {
            case .week: 7
            case .twoWeeks: 14
            default: nil
            }
        }

        var months: Int {
            switch self {
            case .month: 1
            case .quarter: 3
            case .halfYear: 6
            case .year: 12
            default: 0
            }
        }

        func after(_ day: WallTime, times: Int = 1) -> WallTime {
            days.map { day.adding(days: $0 * times) } ?? day.adding(months: months * times)
        }
    }

    /// Whether it comes again.
    public enum Rhythm: String, Sendable, CaseIterable {
        case once, week, twoWeeks, month, quarter, halfYear, year

        public var step: Step? { Step(rawValue: rawValue) }
    }

    /// `2026-04-15`
    public var on: String
    public var every: Rhythm
    public var note: String
    /// The day it counts from, so that the 31st comes back after a shorter month.
    var from: String

    public init(on: String = "", every: Rhythm = .once, note: String = "") {
        self.on = on
        self.every = every
        self.note = note
        from = on
    }

    public static let longestNote = 500

    public static let fields: [ThingField<FollowUp>] = [
        .day("on", \.on, isRequired: true, label: "followUp.on", "the day to get back to them"),
        .choice(
            "every", \.every, label: "followUp.every", "whether it comes again", called: "WHEN"),
        .line("note", \.note, longest: longestNote, label: "followUp.note", "what it is about"),
    ]

    /// The next day of one that repeats, after this one and after today; nil for one that does not.
    public func next(after today: WallTime) -> FollowUp? {
        guard let step = every.step, let day = WallTime(day: on) else { return nil }
        let from = WallTime(day: from) ?? day
        let passed = max(day, today)
        // Near to it at once: it may have been left for years.
        let length = Int64(step.days ?? step.months * 31)
        var times = max(0, Int((passed.dayNumber - from.dayNumber) / length))
        while step.after(from, times: times) <= passed { times += 1 }
        var next = self
        next.on = step.after(from, times: times).dayText
        return next
    }
}

extension FollowUp {
    /// As it is kept, and as other desks are told of it.
    public var kept: JSON {
        var json = Self.fields.json(of: self)
        json["from"] = .string(from)
        return .object(json)
    }

    /// Nil when nothing is kept.
    public init?(kept json: JSON) {
        self.init()
        do throws(Failure) { try Self.fields.take(json, into: &self) } catch { return nil }
        guard WallTime(day: on) != nil else { return nil }
        from = json["from"]?.string.flatMap { WallTime(day: $0)?.dayText } ?? on
    }

    init?(kept text: String) {
        guard !text.isEmpty, let json = try? JSON(parsing: text) else { return nil }
        self.init(kept: json)
    }
}
