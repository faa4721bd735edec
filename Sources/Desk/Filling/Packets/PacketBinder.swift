import Bytes
import Crypto
import PDF
import PDFForms
import Storage

extension PacketMaker {
    /// The finished file of one recipient. `firstPage` counts the pages of the packets before, for numbers that run
    /// through all of them; `opened` leaves the lock off, for looking at it.
    func file(
        _ row: PacketRow, number: Int, firstPage: Int = 0, attachments: [Thought.Attachment] = [],
        proves: Bool = false, opened: Bool = false
    ) throws -> (file: PacketFile, problems: [PacketProblem]) {
        var extras = DocumentExtras()
        let values = outside(row, number: number)
        extras.info = values.info
        if !opened, let password = values.password { extras.lock = try Self.lock(password) }
        let made = try make(row, number: number, attachments: attachments, proves: proves, extras: extras)
        let file: PacketFile
        if isOneForm, case .filled(_, let form, let filled, _) = made.papers[0] {
            file = try Self.file(of: form, filled)
        } else {
            file = try bound(made, extras, firstPage: firstPage)
        }
        return (file, made.problems)
    }

    /// The same, for writing down.
    func result(
        number: Int, firstPage: Int, attachments: [Thought.Attachment], row: () throws -> PacketRow
    ) -> Result<MadePacket, PacketTrouble> {
        do {
            let (file, problems) = try file(
                row(), number: number, firstPage: firstPage, attachments: attachments,
                proves: pins.options.proves)
            return .success(
                MadePacket(
                    digest: file.digest.hex, byteCount: file.byteCount, pageCount: file.pageCount,
                    problems: problems))
        } catch let trouble as PacketTrouble {
            return .failure(trouble)
        } catch let failure as Failure {
            return .failure(PacketTrouble(failure.message))
        } catch {
            return .failure(PacketTrouble("\(error)"))
        }
    }

    /// What most batches are: one form, and nothing done to it but filling. Its copies share their beginning.
    private static func file(of form: FormPart, _ filled: Filled) throws -> PacketFile {
        let bytes =
            filled.base.isEmpty
            ? SHA256.hash(filled.added) : form.base.digest(of: filled)
        guard let digest = Digest(bytes: bytes) else { throw PacketTrouble("Its digest cannot be taken.") }
        return PacketFile(
            pieces: filled.base.isEmpty ? [filled.added] : [filled.base, filled.added],
            byteCount: filled.byteCount, pageCount: form.form.form.pageCount + filled.addedPages,
            digest: digest)
    }

    /// Several papers become one file, with a bookmark for each.
    private func bound(_ made: PacketParts, _ extras: DocumentExtras, firstPage: Int) throws -> PacketFile {
        var parts: [PDFAssembly.Part] = []
        /// True for each page that has something on it.
        var printed: [Bool] = []
        for (place, paper) in made.papers.enumerated() {
            let (name, bytes) = try opened(paper)
            let file = try Templates.explained { try PDFFile(bytes: bytes) }
            let count = file.pages.count
            printed += Array(repeating: true, count: count)
            let isLast = place == made.papers.count - 1
            var blank: PDFFile?
            if pins.options.duplex, count % 2 == 1, !isLast { blank = try BlankPage.like(lastOf: file) }
            parts.append(PDFAssembly.Part(file, bookmark: made.papers.count > 1 ? name : nil))
            if let blank {
                parts.append(PDFAssembly.Part(blank))
                printed.append(false)
            }
        }
        return try Templates.explained {
            var bytes = try PDFAssembly(parts).bytes
            var finish = DocumentFinish()
            finish.numbers = numbers(printed, firstPage: firstPage)
            finish.info = extras.info
            bytes = try finish.applied(to: bytes)
            // Read again as it is before it is locked: every page has to be there.
            let count = try PDFFile(bytes: bytes).pages.count
            guard count == printed.count else { throw PacketTrouble("Put together, pages are missing.") }
            if let lock = extras.lock {
                var locked = DocumentFinish()
                locked.lock = lock
                bytes = try locked.applied(to: bytes)
            }
            return PacketFile(
                pieces: [bytes], byteCount: bytes.count, pageCount: printed.count, digest: Digest(of: bytes))
        }
    }

    private func opened(_ paper: PacketParts.Paper) throws -> (name: String, bytes: [UInt8]) {
        switch paper {
        case .filled(let part, _, let filled, _): return (part.name, filled.bytes)
        case .whole(_, let name, let digest, _):
            return (name, try store.blobs.read(digest, atMost: Templates.longestFile))
        }
    }

    func numbers(_ printed: [Bool], firstPage: Int) -> [String] {
        guard let numbering = pins.options.numbering else { return [] }
        let count = printed.count { $0 }
        var page = 0
        return printed.map { isPrinted in
            guard isPrinted else { return "" }
            page += 1
            var texts: [String] = []
            if let bates = numbering.bates {
                let number = String(bates.first + firstPage + page - 1)
                let zeros = String(repeating: "0", count: max(0, bates.digits - number.count))
                texts.append(bates.prefix + zeros + number)
            }
            if let pattern = numbering.pattern {
                texts.append(
                    pattern.split(separator: "{page}", omittingEmptySubsequences: false)
                        .joined(separator: "\(page)")
                        .split(separator: "{pages}", omittingEmptySubsequences: false)
                        .joined(separator: "\(count)"))
            }
            return texts.joined(separator: " · ")
        }
    }

    private static func lock(_ password: String) throws -> PDFLock {
        guard !password.isEmpty else {
            throw PacketTrouble("The formula gives this recipient an empty password.")
        }
        do throws(PDFError) {
            return try PDFLock(userPassword: password)
        } catch {
            throw PacketTrouble("The password cannot be used. \(error)")
        }
    }
}

/// An empty page as large as the one before it.
enum BlankPage {
    static func like(lastOf file: PDFFile) throws -> PDFFile {
        var size = [0.0, 0.0, 612.0, 792.0]
        if let last = file.pages.last {
            var node = file.dictionary(.reference(last)) ?? [:]
            for _ in 0..<64 {
                let box = file.numbers(node["CropBox"] ?? node["MediaBox"])
                if box.count == 4 {
                    size = box
                    break
                }
                guard let parent = file.dictionary(node["Parent"]) else { break }
                node = parent
            }
        }
        var draft = PDFDraft()
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree), "Resources": .dictionary([:]),
                "MediaBox": .array(size.map(PDFObject.real)),
            ]))
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
            ]), at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return try PDFFile(bytes: draft.bytes(root: root))
    }
}
