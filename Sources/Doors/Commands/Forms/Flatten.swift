import Bytes
import PDF
import PDFForms
import Storage

extension Command {
    static let flatten = Command(
        name: "flatten", summary: "make the fields of a filled form part of its pages",
        discussion: """
            The result looks the same and cannot be changed by filling any more. Links and notes stay. Signed forms are \
            refused, as it would break the signature. With --fields only these become part of the page; a name stands \
            for everything below it, too. No desk is needed.
            """,
        arguments: [
            Argument(name: "FORM", summary: "a filled form", completion: .file),
            Argument(name: "RESULT", summary: "the file to write", completion: .file),
        ],
        options: [
            Option("fields", "NAMES", "only these fields, with commas between them", isRepeating: true),
            Option("force", letter: "f", nil, "replace the result if it is there already"),
            Option("password", "PASSWORD", "opens a locked form"),
        ],
        examples: [
            Example("quire flatten filled.pdf final.pdf", "a copy nobody can refill"),
            Example(
                "quire flatten filled.pdf for-review.pdf --fields Name,Address",
                "two fields can no longer be changed, the others can"),
        ],
        run: { call in
            let result = call.absolute(call.arguments[1])
            try withForms {
                var options = PreparedForm.Options()
                // Written anew: the old fields would otherwise still lie in the file, unseen.
                options.base = .rewrite
                var wishes = DocumentWishes()
                wishes.flattened = call.options["fields"] ?? []
                options.flattens = call.has("fields") ? wishes.flattening : .all
                let form = try PreparedForm(
                    path: call.absolute(call.arguments[0]), password: call.value("password"), options: options
                )
                try wishes.check(form.form)
                let flat = try PDFFile(bytes: form.fill([:]).bytes).rewritten()
                try writeWhole(flat, to: result, overwrites: call.has("force"))
                call.answer(["file": .string(result), "byteCount": .int(flat.count)]) { "\(result)\n" }
                for remark in form.remarks { call.hint(remark) }
            }
        })
}
