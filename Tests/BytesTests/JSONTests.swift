import Bytes
import Testing

@Suite("JSON")
struct JSONTests {
    @Test("A value written by hand reads as it was meant")
    func literals() {
        let json: JSON = [
            "id": "x", "n": 3, "share": 0.5, "tags": ["a", nil, true], "none": .optional(nil as Int?),
        ]
        #expect(json.text == #"{"id":"x","n":3,"share":0.5,"tags":["a",null,true],"none":null}"#)
        #expect(json["n"]?.integer == 3)
        #expect(json["tags"]?[2]?.bool == true)
        #expect(json["tags"]?[3] == nil)
        #expect(json["missing"] == nil)
        #expect(json["none"]?.isNull == true)
    }

    @Test("Members keep their order and can be set and taken away")
    func members() {
        var json: JSON = [:]
        for n in 0..<40 { json["m\(n)"] = .int(n) }
        json["m7"] = nil
        json["m8"] = "eight"
        #expect(json.object?.count == 39)
        #expect(json.object?.keys.prefix(9).last == "m9")
        #expect(json["m8"] == "eight")
        #expect(json["m39"]?.int == 39)
    }

    @Test("Objects are equal in whatever order they were written")
    func equality() throws {
        #expect(try JSON(parsing: #"{"a":1,"b":2}"#) == JSON(parsing: #"{"b":2,"a":1}"#))
        #expect(try JSON(parsing: #"{"a":1}"#) != JSON(parsing: #"{"a":1,"b":2}"#))
    }

    @Test("Whole numbers stay exact, all others are doubles")
    func numbers() throws {
        let json = try JSON(
            parsing: "[9223372036854775807, -9223372036854775808, 9223372036854775808, 1.0, 1e2, -0, 0]")
        #expect(json[0] == .integer(.max))
        #expect(json[1] == .integer(.min))
        #expect(json[2] == .number(9_223_372_036_854_775_808))
        #expect(json[3] == .number(1))
        #expect(json[4] == .number(100))
        #expect(json[5]?.number?.sign == .minus)
        #expect(json[6] == .integer(0))
    }

    @Test("Escapes, surrogate pairs and other scripts come through")
    func strings() throws {
        let json = try JSON(parsing: #"["a\"\\\/\b\f\n\r\té€😀","\ud83d\ude00 ü","\u0000"]"#)
        #expect(json[0]?.string == "a\"\\/\u{8}\u{C}\n\r\té€😀")
        #expect(json[1]?.string == "😀 ü")
        #expect(json[2]?.string == "\u{0}")
        #expect(try JSON(parsing: json.text) == json)
    }

    @Test("Inside a script nothing can end the script")
    func forScript() throws {
        let json: JSON = ["k": "</script><!-- & \u{2028}\u{2029} é"]
        #expect(!json.textForScript.contains { "<>&\u{2028}\u{2029}".contains($0) })
        #expect(json.textForScript.contains("é"))
        #expect(try JSON(parsing: json.textForScript) == json)
    }

    @Test("For people it is written on several lines")
    func pretty() {
        let json: JSON = ["a": [1, 2], "b": [:], "c": []]
        #expect(json.pretty == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}")
    }

    @Test(
        "Text that is not JSON is refused, and the place named",
        arguments: [
            ("", 0), ("  ", 2), ("nul", 3), ("nulL", 3), ("true false", 5), ("[1,]", 3), ("[1 2]", 3),
            ("[", 1),
            (#"{"a"}"#, 4), (#"{"a":1,}"#, 7), ("{a:1}", 1), (#"{"a":1 "b":2}"#, 7), (#"{"a":1,"a":2}"#, 7),
            ("01", 0), ("-01", 1), ("1.", 2), (".5", 0), ("1e", 2), ("1e+", 3), ("-", 1), ("+1", 0),
            ("1e999", 0),
            ("NaN", 0), (#""abc"#, 0), ("\"a\u{1}\"", 2), (#""\x""#, 1), (#""\u12g4""#, 5), (#""\ud800""#, 1),
            (#""\ud800A""#, 1), (#""\udc00""#, 1), ("\u{FEFF}1", 0), ("'a'", 0), ("1 // one", 2),
        ])
    func refusal(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error?.offset == offset, "\(error?.reason ?? "")")
    }

    @Test(
        "Bytes that are not UTF-8 are refused, and the place named",
        arguments: [
            ([0xFF], 0), ([0x61, 0xC0, 0xAF], 1), ([0xED, 0xA0, 0x80], 0), ([0xE2, 0x82], 0),
            ([0xF4, 0x90, 0x80, 0x80], 0), ([0x61, 0x62, 0x80], 2), ([0xE0, 0x80, 0x80], 0),
        ] as [([UInt8], Int)])
    func invalidUTF8(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: [0x22] + bytes + [0x22]) }
        #expect(error?.offset == offset + 1)
    }

    @Test("Depth and size have limits")
    func limits() throws {
        let nested = { (levels: Int) in
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(throws: Never.self) { try JSON(parsing: nested(64)) }
        #expect(throws: JSONError.self) { try JSON(parsing: nested(65)) }
        #expect(throws: JSONError.self) { try JSON(parsing: nested(1_000_000)) }
        #expect(throws: JSONError(offset: 3, reason: "more than 3 bytes")) {
            try JSON(parsing: "[1, 2]", maximumBytes: 3)
        }
    }

    @Test("Spoilt text never crashes, and what is accepted reads the same once written")
    func fuzzing() throws {
        let seeds: [String] = [
            #"{"id":"018f","n":-12.5e-3,"big":9223372036854775807,"tags":["a","\ud83d\ude00",null,true,false],"o":{"x":{}}}"#,
            #"[[],{},"",0,-0.0,1E400,"\u0000\\\"","é€😀"]"#,
            "  {\"a\" : [ 1 , 2.25 , [ [ [ \"deep\" ] ] ] ] }\n",
        ]
        var mutator = Mutator(seed: 2026)
        for run in 0..<30_000 {
            let spoilt = mutator.spoil(Array(seeds[run % seeds.count].utf8))
            do {
                let value = try JSON(parsing: spoilt)
                #expect(try JSON(parsing: value.bytes) == value)
                #expect(try JSON(parsing: value.pretty) == value)
                #expect(try JSON(parsing: value.textForScript) == value)
            } catch {
                #expect((0...spoilt.count).contains(error.offset))
            }
        }
    }
}
