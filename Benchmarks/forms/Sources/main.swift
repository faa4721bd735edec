import Glibc
import PDF
import PDFForms

let arguments = CommandLine.arguments
do {
    switch arguments.dropFirst().first {
    case "fields": try listFields(arguments[2])
    case "all": try fillAll(arguments[2], arguments[3], arguments[4], arguments.count > 5 ? arguments[5] : "")
    default: print("usage: forms-bench fields FORM | all FORM OUT SAMPLE [rewrite,flatten]")
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

/// Every field gets a value of its kind: for trying a form out.
func fillAll(_ path: String, _ out: String, _ sample: String, _ mode: String) throws {
    var options = PreparedForm.Options()
    if mode.contains("rewrite") { options.base = .rewrite }
    options.flattens = mode.contains("flatten")
    let form = try PreparedForm(path: path, options: options)
    var values: [String: FieldValue] = [:]
    for field in form.form.fields {
        switch field.kind {
        case .text:
            values[field.name] = .text(field.maximumLength.map { String(sample.prefix($0)) } ?? sample)
        case .checkBox, .radio: values[field.name] = .text(field.states.last ?? "Yes")
        case .combo, .list:
            if let option = field.options.dropFirst().first ?? field.options.first {
                values[field.name] = .text(option.export)
            }
        default: break
        }
    }
    let filled = form.fill(values)
    try save(filled.bytes, out)
    for finding in filled.findings { print("finding \(finding.kind.rawValue) \(finding)") }
    for remark in form.remarks { print("remark \(remark)") }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        if case .text(let text) = value {
            print("value {\"name\": \(quoted(name)), \"value\": \(quoted(text))}")
        }
    }
}

struct SaveError: Error { var path: String }

func save(_ bytes: [UInt8], _ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { throw SaveError(path: path) }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
        let wrote = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
        guard wrote > 0 else { throw SaveError(path: path) }
        done += wrote
    }
}
