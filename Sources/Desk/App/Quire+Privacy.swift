public import Access
import Bytes
import Converting
import Filling
public import Jobs
import Library
import Storage

extension Quire {
    /// Which of these, as the journal names them, are private papers and folders, or made of private papers, while those
    /// are closed to this caller.
    public func hidden(among subjects: some Sequence<String>, from caller: Caller) throws -> Set<String> {
        guard !caller.seesPrivate, try documents.hasPrivateFolders() else { return [] }
        let subjects = Set(subjects)
        func ids<Of>(_ kind: String) -> [ID<Of>] {
            subjects.compactMap {
                $0.hasPrefix(kind + "/") ? ID<Of>(String($0.dropFirst(kind.count + 1))) : nil
            }
        }
        var found = try documents.hidden(among: subjects, from: caller)
        found.formUnion(
            try conversions.hidden(among: ids("conversion"), from: caller).map { "conversion/\($0)" })
        found.formUnion(try templates.hidden(among: ids("template"), from: caller).map { "template/\($0)" })
        let batches = try batches.hidden(from: caller).map { "batch/\($0)" }
        return found.union(batches).intersection(subjects)
    }

    /// What a job works on, as the journal names it.
    public static func subjects(_ job: Job) -> [String] {
        let papers = (job.payload["documents"]?.array ?? []).compactMap(\.string).map { "document/\($0)" }
        return papers
            + ["conversion", "batch", "document"].compactMap { kind in
                job.payload[kind]?.string.map { "\(kind)/\($0)" }
            }
    }
}
