import Bytes
import Sync

extension Schema {
    static let sync: [(String, JSON)] = [
        (
            "SyncPlace",
            object([
                ("id", id), ("name", string), ("kind", choice(SyncPlace.Kind.allCases.map(\.rawValue))),
                ("address", string), ("user", string), ("bucket", string), ("region", string),
                ("prefix", string), ("encrypted", boolean), ("versions", boolean),
                ("what", syncedThings), ("paused", boolean),
                ("state", choice(SyncPlace.State.allCases.map(\.rawValue))), ("sentence", string),
                ("triedAt", orNull(moment)), ("syncedAt", orNull(moment)), ("synced", whole),
                ("waiting", whole), ("failed", whole),
            ])
        ),
        ("SyncPlaceList", object([("places", list(of: ref("SyncPlace")))])),
        (
            "SyncStateList",
            object([
                (
                    "places",
                    list(
                        of: object([
                            ("place", id), ("name", string),
                            ("state", choice(SyncedState.Word.allCases.map(\.rawValue))),
                            ("sentence", string),
                        ]))
                )
            ])
        ),
        (
            "SyncInvitation",
            object([("code", string), ("address", string), ("key", string), ("token", id), ("place", id)])
        ),
        (
            "SyncShelf",
            object([
                ("quire", choice(["shelf"])), ("format", whole), ("place", id), ("names", list(of: string)),
            ])
        ),
        ("SyncLaid", object([("laid", boolean)])),
    ]

    static let syncDraft = object(
        [
            ("kind", choice(SyncPlace.Kind.allCases.map(\.rawValue))), ("address", string), ("name", string),
            ("user", string), ("password", string), ("bucket", string), ("region", string),
            ("prefix", string), ("passphrase", string), ("versions", boolean), ("what", syncedThings),
        ],
        optional: [
            "name", "user", "password", "bucket", "region", "prefix", "passphrase", "versions", "what",
        ])

    static let syncedThings = list(of: choice(SyncPlace.Thing.allCases.map(\.rawValue)))
}
