public import Access
public import Bytes
public import Jobs
import SQL
public import Storage
public import Work

/// Packets that are made together: decided as a draft, planned, approved, made.
public struct Batch: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// Being decided; nothing has been looked at yet, or something changed since.
        case draft
        /// Everybody's packet has been thought through; `summary` says how it looks.
        case planned
        case approved
        case filling
        case paused
        /// Every packet is made, has failed with a reason, or is held back with its problems.
        case done
        case cancelled
        /// Begun on another desk that is kept in step with this one; see `MadeElsewhere`. No row says so: it follows from
        /// what is known of the others.
        case elsewhere

        /// What was made stays as it was made: a begun batch is not changed, but copied.
        public var isBegun: Bool {
            switch self {
            case .draft, .planned, .approved: false
            case .filling, .paused, .done, .cancelled, .elsewhere: true
            }
        }
    }

    public let id: ID<Batch>
    public var draft: BatchDraft
    public var state: State
    /// Counts the changes of the draft, so that two people do not undo each other's unseen.
    public var version: Int
    /// The batch this one is a copy of, for telling what changed since.
    public var previous: ID<Batch>?
    /// What the last plan found; nil before the first.
    public var summary: PlanSummary?
    public var plannedAt: Moment?
    public var plannedByName: String?
    public var approvedAt: Moment?
    public var approvedByName: String?
    public var begunAt: Moment?
    public var endedAt: Moment?
    /// The job that fills it, while it does.
    public var job: ID<Job>?
    /// Why the work stopped by itself, when it did.
    public var trouble: String?
    public var addedAt: Moment
    public var addedBy: String
    public var addedByName: String
    public var changedAt: Moment
    public var trashedAt: Moment?
    /// How far it came on other desks, each under a mark of its own.
    public var elsewhere: [String: MadeElsewhere]
    /// Which plan counts; rows of others are on their way in or out.
    var plan: Int
    var plannedBy: String?
    var changedBy: String

    /// What somebody has looked at who is about to make it: this draft, in this plan.
    public var edition: String { "\(version).\(plan)" }
    public var name: String { draft.name }
    public var isTrashed: Bool { trashedAt != nil }
    /// Whether its packets are on this desk, and its letters go out from here.
    public var isBegunHere: Bool { state.isBegun && state != .elsewhere }
    /// Where it was begun last, other than here.
    public var madeElsewhere: MadeElsewhere? {
        elsewhere.values.max { ($0.begunAt, $0.desk) < ($1.begunAt, $1.desk) }
    }
    public var subject: Subject { Subject(kind: "batch", id: id.text) }
}

extension Batch {
    init(_ row: Row) throws {
        id = try row.id("id")
        draft = try BatchDraft(try row.json("draft"))
        state = try row.choice("state")
        version = try row.int("version")
        previous = try row.optionalID("previous")
        summary = try row.optionalText("summary").map { PlanSummary(kept: try JSON(parsing: $0)) }
        plannedAt = try row.optionalMoment("planned_at")
        plannedBy = try row.optionalText("planned_by")
        plannedByName = try row.optionalText("planned_by_name")
        approvedAt = try row.optionalMoment("approved_at")
        approvedByName = try row.optionalText("approved_by_name")
        begunAt = try row.optionalMoment("begun_at")
        endedAt = try row.optionalMoment("ended_at")
        job = try row.optionalID("job")
        trouble = try row.optionalText("trouble")
        addedAt = try row.moment("added_at")
        addedBy = try row.text("added_by")
        addedByName = try row.text("added_by_name")
        changedAt = try row.moment("changed_at")
        changedBy = try row.text("changed_by")
        trashedAt = try row.optionalMoment("trashed_at")
        elsewhere = MadeElsewhere.read(try row.optionalText("elsewhere").map { try JSON(parsing: $0) })
        if !state.isBegun, !elsewhere.isEmpty { state = .elsewhere }
        plan = try row.int("plan")
    }

    public var json: JSON {
        [
            "id": .string(id.text), "state": .string(state.rawValue), "version": .int(version),
            "draft": draft.json, "name": .string(name), "previous": .optional(previous?.text),
            "summary": .optional(summary?.json), "plannedAt": .optional(plannedAt?.iso8601),
            "plannedBy": .optional(plannedByName), "approvedAt": .optional(approvedAt?.iso8601),
            "approvedBy": .optional(approvedByName), "begunAt": .optional(begunAt?.iso8601),
            "endedAt": .optional(endedAt?.iso8601), "job": .optional(job?.text),
            "trouble": .optional(trouble),
            "addedAt": .string(addedAt.iso8601), "addedBy": .string(addedByName),
            "changedAt": .string(changedAt.iso8601), "trashedAt": .optional(trashedAt?.iso8601),
            "madeElsewhere": madeElsewhere?.view ?? .null,
        ]
    }
}

/// What a plan found, in numbers.
public struct PlanSummary: Sendable, Equatable {
    public var recipients = 0
    /// To be made when the batch is filled.
    public var planned = 0
    /// With a serious problem, and so not made unless the options say otherwise.
    public var held = 0
    /// The same as last time, and left out because the options say so.
    public var left = 0
    public var new = 0
    public var changed = 0
    public var same = 0
    public var pages = 0
    /// How many packets have each problem of a field, the most frequent first; a word that is no choice by itself.
    public var problems: [ProblemCount] = []
    /// What holds for the batch as a whole, in sentences: a column nobody has, a mapping for another edition.
    public var remarks: [String] = []

    public struct ProblemCount: Sendable, Equatable {
        public var kind: PacketProblem.Kind
        public var packets: Int
        /// The first of them, in words.
        public var example: String
        /// The part and the field it is about; nil for the packet as a whole, and where there are too many to tell.
        public var part: Int?
        public var field: String?
        /// What people call the field.
        public var label: String?
        public var value: String?
        public var meant: String?

        /// What is counted together.
        struct Subject: Hashable {
            var kind: PacketProblem.Kind
            var part: Int?
            var field: String?
            var value: String?

            init(kind: PacketProblem.Kind) { self.kind = kind }

            init(_ problem: PacketProblem) {
                kind = problem.kind
                part = problem.part
                field = problem.field
                value = problem.value
            }
        }

        /// Tells apart what is found equally often.
        var order: String { "\(part ?? -1) \(field ?? "") \(value ?? "")" }

        init(_ problem: PacketProblem, packets: Int = 0) {
            kind = problem.kind
            self.packets = packets
            example = problem.message
            part = problem.part
            field = problem.field
            value = problem.value
            meant = problem.meant
        }
    }

    public init() {}

    public var json: JSON {
        [
            "recipients": .int(recipients), "planned": .int(planned), "held": .int(held), "left": .int(left),
            "new": .int(new), "changed": .int(changed), "same": .int(same), "pages": .int(pages),
            "problems": .array(
                problems.map {
                    [
                        "kind": .string($0.kind.rawValue), "packets": .int($0.packets),
                        "serious": .bool($0.kind.isSerious), "example": .string($0.example),
                        "part": .optional($0.part), "field": .optional($0.field),
                        "label": .optional($0.label), "value": .optional($0.value),
                        "meant": .optional($0.meant),
                    ]
                }),
            "remarks": .array(remarks.map(JSON.string)),
        ]
    }

    init(kept json: JSON) {
        func int(_ key: String) -> Int { json[key]?.int ?? 0 }
        (recipients, planned, held, left) = (int("recipients"), int("planned"), int("held"), int("left"))
        (new, changed, same, pages) = (int("new"), int("changed"), int("same"), int("pages"))
        problems = (json["problems"]?.array ?? []).compactMap { item in
            guard let kind = item["kind"]?.string.flatMap(PacketProblem.Kind.init) else { return nil }
            let problem = PacketProblem(
                kind, part: item["part"]?.int, field: item["field"]?.string, item["example"]?.string ?? "",
                value: item["value"]?.string, meant: item["meant"]?.string)
            var count = ProblemCount(problem, packets: item["packets"]?.int ?? 0)
            count.label = item["label"]?.string
            return count
        }
        remarks = (json["remarks"]?.array ?? []).compactMap(\.string)
    }
}

/// Something happened to a batch; for those who show it.
public struct BatchChange: Sendable, Equatable {
    public var batch: ID<Batch>
    public var state: Batch.State
}
