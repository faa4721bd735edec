import Glibc
import PDF
import PDFForms

let arguments = CommandLine.arguments
do {
    switch arguments.dropFirst().first {
    case "fields": try listFields(arguments[2])
    default: print("usage: forms-bench fields FORM")
    }
} catch {
    print("error: \(error)")
    exit(1)
}

func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        case _ where scalar.value < 32:
            out += "\\u00" + (scalar.value < 16 ? "0" : "1") + String(scalar.value % 16, radix: 16)
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + "\""
}

func listFields(_ path: String) throws {
    let form = try Form(path: path)
    print(
        "{\"pages\": \(form.pageCount), \"xfa\": \"\(form.xfa)\", \"protection\": \"\(form.protection)\", \"rights\": \(form.hasUsageRights), \"encrypted\": \(form.isEncrypted), \"repairs\": \(form.repairs.count), \"na\": \(form.asksForAppearances), \"fields\": ["
    )
    print(
        form.fields.map { field in
            let widgets = field.widgets.map {
                "{\"page\": \(($0.page ?? -1) + 1), \"rect\": \($0.rectangle.numbers)}"
            }
            return
                "{\"name\": \(quoted(field.name)), \"type\": \"\(field.kind)\", \"flags\": \(field.flags.rawValue), \"value\": [\(field.value.map(quoted).joined(separator: ","))], \"listed\": \(field.isListed), \"maxlen\": \(field.maximumLength ?? 0), \"states\": [\(field.states.map(quoted).joined(separator: ","))], \"options\": [\(field.options.map { quoted($0.display) }.joined(separator: ","))], \"format\": \"\(field.format?.word ?? "")\", \"widgets\": [\(widgets.joined(separator: ","))]}"
        }.joined(separator: ",\n"))
    print("]}")
}
