/// The members of a JSON object, in the order they were written, each name once.
///
/// Two objects are equal when they have the same members in any order.
public struct JSONObject: Sendable {
    public typealias Member = (key: String, value: JSON)

    private var members: [Member]
    /// Where each name stands; only kept for larger objects, as a few names are found faster by looking.
    private var places: [String: Int]

    private static let indexedFrom = 16

    public init() {
        members = []
        places = [:]
    }

    /// Of two members with one name the last counts.
    public init(_ members: some Sequence<(String, JSON)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    public var keys: [String] { members.map(\.key) }

    public subscript(key: String) -> JSON? {
        get { place(of: key).map { members[$0].value } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): remove(at: place)
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    private func place(of key: String) -> Int? {
        places.isEmpty ? members.firstIndex { $0.key == key } : places[key]
    }

    private mutating func append(_ key: String, _ value: JSON) {
        members.append((key, value))
        if !places.isEmpty {
            places[key] = members.count - 1
        } else if members.count >= Self.indexedFrom {
            index()
        }
    }

    private mutating func remove(at place: Int) {
        members.remove(at: place)
        if !places.isEmpty { index() }
    }

    private mutating func index() {
        places.removeAll(keepingCapacity: true)
        for (place, member) in members.enumerated() { places[member.key] = place }
    }
}

extension JSONObject: RandomAccessCollection {
    public var startIndex: Int { members.startIndex }
    public var endIndex: Int { members.endIndex }
    public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: Equatable {
    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }
}
