import Bytes
import Filling
import Jobs

/// Packets: what each person gets, and where every value in it comes from.
extension Schema {
    static let packets: [(String, JSON)] = [
        ("Packet", object(packet)),
        ("PacketPage", page("packets", of: "Packet", counted: true)),
        (
            "PacketDetails",
            with(
                [
                    (
                        "parts",
                        Schema.list(
                            of: object([
                                ("part", whole), ("name", string), ("template", orNull(id)),
                                ("edition", orNull(whole)),
                            ]))
                    ), ("problems", Schema.list(of: ref("PacketProblem"))),
                    ("cells", Schema.list(of: object([("column", string)] + cell))),
                    ("source", object([("name", string), ("place", orNull(whole))])),
                ], packet)
        ),
        (
            "PacketProblem",
            object([
                ("kind", choice(PacketProblem.Kind.allCases.map(\.rawValue))), ("serious", boolean),
                ("part", orNull(whole)), ("field", orNull(string)), ("message", string),
                ("value", orNull(string)), ("meant", orNull(string)),
            ])
        ),
        ("PacketOrigin", ["type": "object"]),
        ("Receipt", ["type": "object"]),
        (
            "BatchProgress",
            object([
                ("state", choice(Batch.State.allCases.map(\.rawValue))), ("job", orNull(id)),
                ("counts", object(packetCounts)),
            ])
        ),
        ("BatchProgressJob", object([("job", id)])),
    ]

    private static let packet: [(String, JSON)] = [
        ("id", id), ("batch", id), ("place", whole), ("recipient", string), ("name", string),
        ("email", string), ("fileName", string), ("state", choice(Packet.State.allCases.map(\.rawValue))),
        ("change", choice(["new", "changed", "same"])), ("seriousProblems", whole), ("remarks", whole),
        ("pages", whole), ("reason", orNull(string)), ("digest", orNull(string)), ("byteCount", whole),
        ("madeAt", orNull(moment)),
    ]
}
