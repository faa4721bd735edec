extension FormulaFunction {
    static let choices: [FormulaFunction] = [
        FormulaFunction(
            "if",
            [.flag("condition"), .any("value"), .any("condition or otherwise").optional.repeated], gives: nil,
            "the value behind the first condition that holds, else the last value; a condition on nothing does not hold"
        ) { call in
            var index = 0
            while index + 1 < call.count {
                if try call.flag(index) == true { return try call.datum(index + 1) }
                index += 2
            }
            return try call.datum(index)
        },
        FormulaFunction(
            "switch",
            [
                .any("value"), .any("match"), .any("result"),
                .any("match, result or otherwise").optional.repeated,
            ],
            gives: nil, "the result behind the first match that equals the value, else the last value alone"
        ) { call in
            let value = try call.datum(0)
            var index = 1
            while index + 1 < call.count {
                if call.run.equal(value, try call.datum(index)) { return try call.datum(index + 1) }
                index += 2
            }
            return try call.datum(index)
        },
        FormulaFunction(
            "default", aliases: ["coalesce"], [.any("value"), .any("otherwise").optional.repeated],
            gives: nil,
            "the first value that is not blank"
        ) { call in
            for index in 0..<call.count {
                let datum = try call.datum(index)
                if !datum.isBlank { return datum }
            }
            return .blank
        },
        FormulaFunction(
            "lookup", [.any("value"), .text("table", as: .table), .any("otherwise").optional], gives: nil,
            "what a small table of the mapping says for the value"
        ) { call in
            let key = try call.text(0)
            let name = try call.text(1)
            guard let table = call.context.table(name) else {
                throw call.fail(1, "There is no small table “\(FormulaRun.short(name))”.")
            }
            if let value = table.value(key) { return try call.give(value) }
            if call.has(2) { return try call.datum(2) }
            if key.trimmed.isEmpty { return .blank }
            throw call.fail(
                0, "The table “\(table.name)” says nothing about “\(FormulaRun.short(key))”.",
                hint: "Add a line to it, or a value for all others as the third one here.")
        },
        FormulaFunction(
            "is_blank", aliases: ["isblank"], [.any("value")], gives: .flag, "whether there is nothing"
        ) {
            Datum(.flag(try $0.datum(0).isBlank))
        },
        FormulaFunction(
            "one_of", [.any("value"), .any("match").repeated], gives: .flag,
            "whether the value is one of those"
        ) { call in
            let value = try call.datum(0)
            for index in 1..<max(1, call.count) where call.run.equal(value, try call.datum(index)) {
                return Datum(.flag(true))
            }
            return Datum(.flag(false))
        },
        FormulaFunction(
            "yes_no", [.any("value")], gives: .flag, "the value read as yes or no, in several languages"
        ) { call in try call.flag(0).map { Datum(.flag($0)) } ?? .blank },
        FormulaFunction("text", [.any("value")], gives: .text, "the value as it is shown") {
            try $0.give($0.text(0))
        },
        FormulaFunction(
            "problem", [.text("sentence")], gives: .blank,
            "no value: the sentence is told as a problem of the row"
        ) { call in throw call.fail(-1, try call.text(0)) },
    ]
}
