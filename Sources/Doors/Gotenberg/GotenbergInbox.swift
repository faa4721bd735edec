import Browsing
import Bytes
import Glibc
import HTTP
import Transfer

/// Takes in what a request brings: its fields, its files, and files it says are to be fetched.
struct GotenbergInbox {
    let settings: GotenbergSettings

    func form(of request: Request) throws -> GotenbergForm {
        let isMultipart = request.mediaType?.essence == "multipart/form-data"
        guard isMultipart else {
            throw GotenbergProblem(415, "Invalid 'Content-Type' header value: want 'multipart/form-data'")
        }
        let form = try request.form
        var files: [GotenbergForm.File] = []
        for file in form.files {
            files.append(.init(field: file.name, name: file.fileName, bytes: try read(file.path)))
        }
        files += try downloads(form.fields.first("downloadFrom"))
        return GotenbergForm(form.fields, files: files)
    }

    private func read(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw GotenbergProblem(500, "Internal Server Error") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    private func downloads(_ text: String?) throws -> [GotenbergForm.File] {
        guard let text, !text.isEmpty else { return [] }
        let reach = settings.downloads
        guard !reach.isOff else {
            throw GotenbergProblem(
                400, "Invalid form data: form field 'downloadFrom' is invalid (it is switched off here)")
        }
        guard let list = (try? JSON(parsing: text))?.array else {
            throw GotenbergProblem(
                400, "Invalid form data: form field 'downloadFrom' is invalid (it is no JSON array)")
        }
        let client = HTTPClient(guardian: reach.web.guardian)
        return try list.map { item in
            guard let url = item["url"]?.string else {
                throw GotenbergProblem(
                    400, "Invalid form data: form field 'downloadFrom' is invalid (an entry has no URL)")
            }
            guard reach.web.objection(to: url) == nil else { throw GotenbergProblem(403, "Forbidden") }
            var call = HTTPCall("GET", url, timeout: settings.time)
            for member in item["extraHttpHeaders"]?.object ?? [:] {
                if let value = member.value.string { call.headers.append((name: member.key, value: value)) }
            }
            let answer: HTTPAnswer
            do throws(TransferError) {
                answer = try client.send(call, into: .memory(limit: Int(clamping: settings.bodyLimit)))
            } catch {
                if case .forbiddenAddress = error { throw GotenbergProblem(403, "Forbidden") }
                throw GotenbergProblem(400, "Unable to download the file from '\(url)': \(error.kind)")
            }
            guard answer.isSuccess else {
                throw GotenbergProblem(
                    400, "Unable to download the file from '\(url)': it answered \(answer.status)")
            }
            guard let name = answer.header("Content-Disposition").flatMap(Self.fileName) else {
                throw GotenbergProblem(
                    400, "No 'filename' in the 'Content-Disposition' header of the file from '\(url)'")
            }
            let field = item["embedded"]?.bool == true ? "embeds" : item["field"]?.string ?? "files"
            return .init(field: field, name: name, bytes: answer.body)
        }
    }

    private static func fileName(_ disposition: String) -> String? {
        for part in disposition.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
            guard pair.count == 2, pair[0].lowercased() == "filename" else { continue }
            let last = pair[1].split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
            return last.flatMap { $0.isEmpty ? nil : $0 }
        }
        return nil
    }
}
