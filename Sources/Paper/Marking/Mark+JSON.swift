public import Bytes

// Pages are counted from 1 here.

extension Mark {
    public init(json: JSON) throws(MarkError) {
        guard let name = json["kind"]?.string, let kind = Kind(rawValue: name) else { throw .badWish("kind") }
        guard let page = json["page"]?.int, page >= 1 else { throw .badWish("page") }
        self.init(kind, page: page - 1)
        func number(_ name: String, _ range: ClosedRange<Double>, _ usual: Double) throws(MarkError) -> Double
        {
            guard let value = json[name], !value.isNull else { return usual }
            guard let number = value.number, range.contains(number) else { throw .badWish(name) }
            return number
        }
        func colour(_ name: String) throws(MarkError) -> Colour? {
            guard let text = json[name]?.string, !text.isEmpty else { return nil }
            guard let colour = Colour(text) else { throw .badWish(name) }
            return colour
        }
        if let list = json["areas"]?.array {
            for item in list { areas.append(try Area(json: item)) }
        } else if json["x"] != nil {
            areas = [try Area(json: json)]
        }
        for stroke in json["strokes"]?.array ?? [] {
            var points: [Point] = []
            for item in stroke.array ?? [] {
                let numbers = (item.array ?? []).compactMap(\.number)
                guard numbers.count >= 2, numbers.allSatisfy({ abs($0) < 100_000 }) else {
                    throw .badWish("strokes")
                }
                points.append(
                    Point(
                        x: numbers[0], y: numbers[1],
                        pressure: numbers.count > 2 ? min(max(numbers[2], 0), 1) : 0.5))
            }
            strokes.append(points)
        }
        text = json["text"]?.string ?? ""
        if let colour = try colour("colour") { self.colour = colour }
        fill = try colour("fill")
        opacity = try number("opacity", 0.05...1, opacity)
        thickness = try number("thickness", 0.1...100, thickness)
        size = try number("size", 2...400, size)
        if let name = json["face"]?.string, !name.isEmpty {
            guard let known = Face(rawValue: name) else { throw .badWish("face") }
            face = known
        }
        if let data = json["picture"]?.string, !data.isEmpty {
            // As browsers have it, `data:image/png;base64,…`, or without what comes first.
            let body = data.split(separator: ",", maxSplits: 1).last.map(String.init) ?? ""
            guard data.utf8.count <= MarkChanges.largestPicture * 4 / 3 + 100, let bytes = Base64.decode(body)
            else { throw .badPicture }
            picture = bytes
        }
    }

    public var json: JSON {
        var json: JSONObject = [
            "kind": .string(kind.rawValue), "page": .int(page + 1), "areas": .array(areas.map(\.json)),
            "text": .string(text), "colour": .string(colour.text), "opacity": .number(opacity),
            "thickness": .number(thickness), "size": .number(size), "face": .string(face.rawValue),
        ]
        if let fill { json["fill"] = .string(fill.text) }
        if !strokes.isEmpty {
            json["strokes"] = .array(
                strokes.map { stroke in
                    .array(
                        stroke.map { .array([.number($0.x), .number($0.y), .number($0.pressure)]) })
                })
        }
        if !picture.isEmpty { json["picture"] = .string(Base64.encode(picture)) }
        return .object(json)
    }
}

extension Mark.Area {
    init(json: JSON) throws(MarkError) {
        func number(_ name: String) -> Double? { json[name].map { $0.isNull ? 0 : $0.number ?? .nan } }
        let numbers = [number("x"), number("y"), number("width") ?? 0, number("height") ?? 0].map {
            $0 ?? .nan
        }
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 100_000 }), numbers[2] >= 0, numbers[3] >= 0
        else { throw .badWish("areas") }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    public var json: JSON {
        func short(_ value: Double) -> JSON { .number((value * 100).rounded() / 100) }
        return ["x": short(x), "y": short(y), "width": short(width), "height": short(height)]
    }
}

extension MarkChanges {
    public init(json: JSON) throws(MarkError) {
        self.init()
        let list = json["add"]?.array ?? []
        guard list.count <= Self.mostAdded else { throw .tooMany }
        for item in list { added.append(try Mark(json: item)) }
        func names(_ name: String) throws(MarkError) -> [String] {
            var names: [String] = []
            for item in json[name]?.array ?? [] {
                guard let text = item.string else { throw .badWish(name) }
                names.append(text)
            }
            return names
        }
        func words(_ name: String) throws(MarkError) -> [Words] {
            var all: [Words] = []
            for item in json[name]?.array ?? [] {
                guard let id = item["id"]?.string, let text = item["text"]?.string else {
                    throw .badWish(name)
                }
                all.append(Words(id, text))
            }
            return all
        }
        removed = try names("remove")
        done = try names("done")
        reopened = try names("reopen")
        reworded = try words("reword")
        replies = try words("reply")
        isPartOfPage = json["partOfPage"]?.bool ?? false
        breaksSignatures = json["breakSignatures"]?.bool ?? false
    }
}

extension FoundMark {
    public var json: JSON {
        func moment(_ time: Int64?) -> JSON { time.map { .int(Int($0)) } ?? .null }
        return [
            "id": .string(id), "kind": .string(kind), "page": .int(page + 1), "area": area.json,
            "author": .string(author), "time": moment(time), "text": .string(text),
            "colour": colour.map { .string($0.text) } ?? .null, "done": .bool(isDone),
            "replies": .array(
                replies.map {
                    ["author": .string($0.author), "time": moment($0.time), "text": .string($0.text)]
                }),
        ]
    }
}
