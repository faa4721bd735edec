public import Access
import Bytes
import Glibc
public import Storage
public import Transfer
public import Work

extension Documents {
    public static let longestFetched: Int64 = 2 << 30

    /// Takes in what lies at an address of the web, behind the guard of whoever asks: by this nobody looks into the
    /// network the desk stands in.
    public func fetch(
        _ address: String, over client: HTTPClient, unpacking: Bool = false, into place: ID<Folder>? = nil,
        by caller: Caller, progress: Progress = Progress()
    ) throws -> Unpacked {
        try caller.require(.edit)
        let path =
            "\(store.home.temporary)/fetched-\(store.chance.bytes(8).map { String($0, radix: 16) }.joined())"
        defer { unlink(path) }
        let answer: HTTPAnswer
        do throws(TransferError) {
            answer = try client.send(
                HTTPCall("GET", address), into: .file(path: path, limit: Self.longestFetched),
                progress: progress)
        } catch {
            throw Failure(.invalid, "\(error.kind)", field: "address")
        }
        guard answer.isSuccess else {
            throw Failure(
                .invalid, "That address answered \(answer.status) instead of a file.", field: "address")
        }
        guard answer.byteCount > 0 else {
            throw Failure(.invalid, "There is nothing at that address.", field: "address")
        }
        let name = Self.name(of: answer)
        let documents = arriving(by: .web)
        if unpacking {
            return try documents.unpack(
                .upload(path), named: name, into: place, by: caller, progress: progress)
        }
        return Unpacked(papers: [try documents.add(.upload(path), named: name, into: place, by: caller)])
    }

    /// What the server calls it; otherwise the last part of the address, or the server itself.
    static func name(of answer: HTTPAnswer) -> String {
        let disposition = answer.header("Content-Disposition") ?? ""
        if let name = MailFile.parameter("filename", of: disposition).flatMap(FileName.cleaned) {
            return name
        }
        let address = answer.url.prefix { $0 != "?" && $0 != "#" }
        let parts = address.drop { $0 != ":" }.dropFirst(3).split(separator: "/")
        let last = parts.count > 1 ? parts.last : nil
        let name = last.map { String(decoding: PercentCoding.lenient($0), as: UTF8.self) }.flatMap(
            FileName.cleaned)
        return name ?? parts.first.map(String.init) ?? FileName.unnamed
    }
}
