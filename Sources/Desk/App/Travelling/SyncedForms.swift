import Bytes
import Filling
import Storage
import Sync
import Work

/// The forms that packets are made from, with the file each has now; earlier editions stay on the desk that had them.
struct SyncedTemplates: SyncedKind {
    let templates: Templates

    var name: String { "template" }
    var thing: SyncPlace.Thing { .templates }
    var subjects: [String]? { ["template/"] }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try templates.templateIDs(after: last, limit: limit, in: tx)
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let id = ID<Template>(id), let copy = try templates.copy(of: id, in: tx) else { return nil }
        var item = SyncItem()
        item.fields["name"] = .string(copy.name)
        // “folder” is a folder of the library in what travels.
        item.fields["in"] = .string(copy.folder)
        item.fields["added"] = ["at": .integer(copy.addedAt.milliseconds), "by": .string(copy.addedByName)]
        item.fields[Self.findings(copy.blob)] = copy.findings
        item.isTrashed = copy.trashedAt != nil
        item.blob = copy.blob
        item.changedAt = copy.changedAt.milliseconds
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Template>(id), let blob = item.blob, let name = item.fields["name"]?.string else {
            throw Failure(.damaged, "What came of a form is not whole.")
        }
        let here = try templates.copy(of: id, in: tx)
        let added = item.fields["added"]
        try templates.put(
            TemplateCopy(
                name: name, folder: item.fields["in"]?.string ?? "", blob: blob,
                findings: item.fields[Self.findings(blob)] ?? [:],
                addedAt: Moment(milliseconds: added?["at"]?.integer ?? tx.now.milliseconds),
                addedByName: added?["by"]?.string ?? "", changedAt: tx.now,
                trashedAt: item.isTrashed ? here?.trashedAt ?? tx.now : nil), as: id, by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Template>(id) else { return }
        try templates.forget(id, by: actor, in: tx)
    }

    /// What was found in a file goes with that file, whichever of two comes to stay.
    private static func findings(_ blob: Blob) -> String { "found:\(blob.digest.hex.prefix(16))" }
}

/// Which column goes into which field. The text travels as bytes of its own, so that what two desks wrote at the same time
/// is kept twice.
struct SyncedMappings: SyncedKind {
    let mappings: SavedMappings
    let store: Store

    var name: String { "mapping" }
    var thing: SyncPlace.Thing { .mappings }
    var subjects: [String]? { ["mapping/", "template/"] }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try mappings.mappingIDs(after: last, limit: limit, in: tx)
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let id = ID<SavedMapping>(id), let copy = try mappings.copy(of: id, in: tx) else { return nil }
        var item = SyncItem()
        item.fields["name"] = .string(copy.name)
        item.fields["template"] = .string(copy.template.text)
        item.fields["added"] = ["at": .integer(copy.addedAt.milliseconds), "by": .string(copy.addedByName)]
        if let form = copy.form { item.fields["form"] = .string(form.hex) }
        item.isTrashed = copy.trashedAt != nil
        item.blob = try store.shelved(copy.text, "text/plain")
        item.changedAt = copy.changedAt.milliseconds
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<SavedMapping>(id), let blob = item.blob, let name = item.fields["name"]?.string,
            let template = item.fields["template"]?.string.flatMap({ ID<Template>($0) })
        else { throw Failure(.damaged, "What came of a mapping is not whole.") }
        let here = try mappings.copy(of: id, in: tx)
        let added = item.fields["added"]
        try mappings.put(
            MappingCopy(
                template: template, name: name,
                text: String(decoding: try store.blobs.read(blob.digest), as: UTF8.self),
                form: item.fields["form"]?.string.flatMap { Digest($0) },
                addedAt: Moment(milliseconds: added?["at"]?.integer ?? tx.now.milliseconds),
                addedByName: added?["by"]?.string ?? "", changedAt: tx.now,
                trashedAt: item.isTrashed ? here?.trashedAt ?? tx.now : nil), as: id, by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<SavedMapping>(id) else { return }
        try mappings.forget(id, by: actor, in: tx)
    }
}

extension Store {
    /// Text as a file that can travel.
    func shelved(_ text: String, _ mediaType: String) throws -> Blob {
        try shelved(Array(text.utf8), mediaType)
    }

    func shelved(_ bytes: [UInt8], _ mediaType: String) throws -> Blob {
        let digest = Digest(of: bytes)
        if !blobs.contains(digest) { _ = try blobs.put(bytes) }
        return Blob(digest: digest, byteCount: Int64(bytes.count), mediaType: mediaType)
    }
}
