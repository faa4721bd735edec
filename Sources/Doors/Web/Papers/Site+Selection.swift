import Access
import App
import Archives
import Bytes
import Converting
import Glibc
import HTTP
import Library
import Markup
import Storage
import Work

// What is done with several papers at once.

extension Site {
    /// Papers in an archive, each under its own name; those of one name are numbered.
    static func archive(
        of documents: [Document], folders: [String] = [], named name: String, _ visit: Visit
    ) throws -> Response {
        archive(
            try archived(documents, folders: folders, in: visit.quire.store), named: name)
    }

    typealias Packed = (name: String, path: String, changed: Moment)

    /// Under which names papers lie in an archive, of which no two are alike.
    static func archived(
        _ documents: [Document], folders: [String] = [], in store: Store
    ) throws -> [Packed] {
        var taken: Set<String> = []
        var files: [Packed] = []
        for (place, document) in documents.enumerated() {
            let folder =
                folders.indices.contains(place) && !folders[place].isEmpty ? folders[place] + "/" : ""
            let whole = document.fileName.map { "/\\".contains($0) ? "-" : String($0) }.joined()
            let ending = FileName.ending(of: whole)
            let stem = ending.isEmpty ? whole : String(whole.dropLast(ending.count + 1))
            var entry = folder + whole
            var number = 2
            while !taken.insert(entry.lowercased()).inserted {
                entry = "\(folder)\(stem) (\(number))" + (ending.isEmpty ? "" : ".\(ending)")
                number += 1
            }
            files.append(
                (entry, try store.blobs.path(of: document.blob.digest), document.changedAt))
        }
        return files
    }

    static func archive(_ packed: [Packed], named name: String) -> Response {
        Response(
            headers: ["Content-Type": "application/zip"],
            body: .stream { sink in
                var zip = ZIPWriter { try sink.write($0) }
                for file in packed {
                    try zip.add(file.name, modified: file.changed, level: 1) { put in
                        try eachPiece(ofFile: file.path, put)
                    }
                }
                try zip.finish()
            }
        ).with("Content-Disposition", Disposition.text(inline: false, fileName: name + ".zip"))
            .with("Cache-Control", "private, no-cache")
    }

    /// Begins a conversion with papers of the library; it waits to be told what to make, or joins them at once.
    static func convert(
        _ ids: [ID<Document>], merging: Bool, from: String, _ visit: Visit
    ) throws -> Response {
        let caller = try visit.member()
        let conversions = visit.quire.conversions
        var wishes = ConversionWishes()
        wishes.isTogether = merging
        wishes.options["page-size"] = [visit.usualSize]
        let conversion = try conversions.begin(wishes, by: caller)
        do {
            for id in ids.prefix(Conversions.mostPapers) {
                let name = try visit.quire.documents.get(id, by: caller).name
                try conversions.add(.document(id), named: name, to: conversion.id, by: caller)
            }
        } catch {
            // A paper that cannot be converted is said at once, and nothing half begun stays.
            try conversions.discard(conversion.id, by: caller)
            throw error
        }
        if merging { _ = try conversions.start(conversion.id, by: caller) }
        return try visit.done(
            ["conversion": .string(conversion.id.text)], .created, at: "/conversions/\(conversion.id)",
            next: "/conversions/\(conversion.id)",
            notice: merging ? "notice.mergeBegun" : "notice.convertBegun",
            ["count": .number(ids.count)], undo: visit.undo(.began(conversion.id), from: from))
    }
}

extension Visit {
    var wantsGrid: Bool {
        (request.query["view"] ?? request.cookies[site.cookieName("view", self)]) == "grid"
    }

    /// The view that was chosen is the one next time.
    func rememberingView(_ response: Response) -> Response {
        guard let view = request.query["view"], ["grid", "list"].contains(view) else { return response }
        var response = response
        response.set(site.cookie("view", view, maxAge: 365 * 86_400, for: self))
        return response
    }
}
