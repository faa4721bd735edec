import Bytes
import Crypto
import Formulas
import Making
import Mappings
import PDFForms
import Storage
import Tables
import Transfer
import Work

/// Thinks through and makes the packets of one plan: the maker of papers with what only a desk knows, which are papers of
/// its library, addresses, and pages counted through everybody's packets.
final class PacketMaker: Sendable {
    let pins: Pins
    let maker: Maker
    let store: Store
    /// The digests of the forms of a plan, by part, and of what all their copies begin with.
    private let forms: [Int: (digest: Digest, base: HashedBase)]
    private let options: [UInt8]
    /// The list says where addresses stand, so that a missing one is worth a word.
    private let hasAddresses: Bool

    init(_ pins: Pins, store: Store, shelf: FormShelf) throws {
        self.pins = pins
        self.store = store
        let recipe = try PacketRecipe(pins, shelf).recipe()
        maker = Maker(recipe)
        var forms: [Int: (digest: Digest, base: HashedBase)] = [:]
        for (index, part) in recipe.parts.enumerated() {
            guard case .form(let form) = part.content, let digest = pins.parts[index].digest else { continue }
            forms[index] = (digest, HashedBase(form.form.fill([:]).base))
        }
        self.forms = forms
        hasAddresses = pins.columns.contains { $0.role == "email" }
        // What changes the papers without being in their values.
        options = pins.options.contentText.bytes
    }

    var parts: [Recipe.Part] { maker.parts }

    func digest(ofForm part: Int) -> Digest? { forms[part]?.digest }

    var hasAttachments: Bool {
        parts.contains { if case .own = $0.content { true } else { false } }
    }

    /// A single form with nothing that needs the whole of a document: the quick case.
    var isOneForm: Bool {
        guard parts.count == 1, case .form = parts[0].content else { return false }
        return pins.options.numbering == nil
    }

    func thought(_ row: PacketRow, number: Int) -> Thought { maker.think(row.cells, number: number) }

    /// What a recipient's packet would be. Nothing is made for it.
    func think(over row: PacketRow, number: Int) -> PacketThought {
        let paper = maker.think(row.cells, number: number)
        var thought = PacketThought(number: number, row: row)
        thought.content = content(of: paper)
        for piece in paper.pieces {
            thought.parts.append(piece.part)
            switch piece.content {
            case .form(let values):
                guard case .form(let form) = parts[piece.part].content else { continue }
                thought.pageCount += form.form.form.pageCount
                do {
                    let looked = try maker.look(at: values, of: form)
                    thought.pageCount += looked.addedPages
                    thought.problems += problems(form, values, looked.findings, part: piece.part)
                } catch {
                    thought.problems += problems(form, values, [], part: piece.part)
                    thought.problems.append(
                        PacketProblem(.doesNotFit, part: piece.part, "Its long texts: \(error)"))
                }
            case .paper(_, let pageCount): thought.pageCount += pageCount
            case .own(let name): thought.wanted.append((piece.part, name))
            }
        }
        thought.problems = remarks(paper) + thought.problems
        if thought.parts.isEmpty {
            thought.problems.append(
                PacketProblem(
                    .noParts, "No part of the packet is for this recipient: every condition says no."))
        }
        if row.email.isEmpty, hasAddresses {
            thought.problems.append(PacketProblem(.noAddress, "There is no address to write to."))
        } else if !row.email.isEmpty, MailAddress(parsing: row.email) == nil {
            thought.problems.append(PacketProblem(.badAddress, "“\(row.email)” is not a mail address."))
        }
        var problems: [MappingProblem] = []
        thought.fileName = maker.name(maker.scope(row.cells, number: number), &problems)
        thought.problems += problems.map { PacketProblem(.formula, "The file name: \($0)") }
        return thought
    }

    private func remarks(_ thought: Thought) -> [PacketProblem] {
        thought.remarks.map { remark in
            switch remark.about {
            case .part(let part): PacketProblem(.formula, part: part, "\(remark.problem)")
            case .password: PacketProblem(.missingValue, "\(remark.problem)")
            }
        }
    }

    /// A digest over everything the packet says, but for papers of the person's own, which are not found yet.
    func content(of thought: Thought) -> String {
        var content = SHA256Stream()
        content.update(options)
        for piece in thought.pieces {
            content.update(Array("part \(piece.part)\n".utf8))
            switch piece.content {
            case .form(let values):
                guard case .form(let form) = parts[piece.part].content else { continue }
                let digest = forms[piece.part]?.digest.hex ?? ""
                content.update(Array((digest + form.wording(values.values)).utf8))
            case .paper(let key, _): content.update(Array(key.utf8))
            case .own: break
            }
        }
        return Hex.encode(content.finish())
    }

    /// What is to be said of one form of a packet.
    func problems(
        _ form: FormPart, _ row: CompiledMapping.Row, _ findings: [Finding], part: Int
    ) -> [PacketProblem] {
        // What the form requires is said below, also for fields that the mapping does not know.
        var problems = row.problems.filter { $0.kind != .required }.map {
            PacketProblem(
                $0.kind == .takenAs ? .takenAs : $0.kind == .noSuchChoice ? .noSuchChoice : .formula,
                part: part, field: $0.field, $0.message, value: $0.value, meant: $0.meant)
        }
        problems += form.missing(row.values).map { field, label in
            PacketProblem(
                .missingValue, part: part, field: field,
                "“\(label)” must be filled in, and this row has nothing for it.")
        }
        return problems + findings.map { PacketProblem($0, part: part) }
    }

    /// The parts of a packet in their order, made and, if asked for, read again.
    func make(
        _ thought: Thought, attachments: [PacketThought.Attachment], proves: Bool, opened: Bool = false,
        orNothing: Bool = false
    ) throws -> PacketParts {
        var made = PacketParts()
        for piece in thought.pieces {
            let part = parts[piece.part]
            switch piece.content {
            case .form(let values):
                guard case .form(let form) = part.content else { continue }
                let filled =
                    isOneForm
                    ? try maker.fillAlone(thought, values, of: form, opened: opened)
                    : try maker.fill(values, of: form)
                made.problems += problems(form, values, filled.findings, part: piece.part)
                if proves {
                    let doubts = form.form.prove(filled, columns: form.columns, row: values.values)
                    if let doubt = doubts.first {
                        throw MakingTrouble("\(part.name): \(doubt.message) It was not kept.")
                    }
                }
                made.papers.append(.filled(part: piece.part, form, filled, values.values))
            case .paper(let key, let pageCount):
                guard let digest = Digest(key) else { continue }
                made.papers.append(.whole(part: piece.part, name: part.name, digest, pageCount: pageCount))
            case .own:
                for file in attachments where file.part == piece.part {
                    made.papers.append(
                        .whole(part: piece.part, name: file.name, file.digest, pageCount: nil))
                }
            }
        }
        guard orNothing || !made.papers.isEmpty else {
            throw MakingTrouble("No part of the packet is for this recipient.")
        }
        return made
    }
}

extension PacketMaker {
    /// The finished file of one recipient. `firstPage` counts the pages of the packets before, for numbers that run
    /// through all of them; `opened` leaves the lock off, for looking at it.
    func file(
        _ thought: Thought, firstPage: Int = 0, attachments: [PacketThought.Attachment] = [],
        proves: Bool = false, opened: Bool = false
    ) throws -> (file: PacketFile, problems: [PacketProblem]) {
        let made = try make(thought, attachments: attachments, proves: proves, opened: opened)
        if isOneForm, case .filled(let part, let form, let filled, _) = made.papers[0] {
            return (try file(of: form, part, filled), made.problems)
        }
        var binder = Binder()
        binder.duplex = pins.options.duplex
        binder.info = thought.info
        if !opened { binder.lock = try maker.lock(thought) }
        binder.numbers = { self.numbers($0, firstPage: firstPage) }
        let papers = try made.papers.map { try self.opened($0) }
        let (bytes, pageCount) = try Templates.explained { try binder.bound(papers) }
        let file = PacketFile(
            pieces: [bytes], byteCount: bytes.count, pageCount: pageCount, digest: Digest(of: bytes))
        return (file, made.problems)
    }

    /// What most batches are: one form, and nothing done to it but filling. Its copies share their beginning.
    private func file(of form: FormPart, _ part: Int, _ filled: Filled) throws -> PacketFile {
        let bytes =
            filled.base.isEmpty
            ? SHA256.hash(filled.added) : forms[part]?.base.digest(of: filled) ?? SHA256.hash(filled.bytes)
        guard let digest = Digest(bytes: bytes) else { throw MakingTrouble("Its digest cannot be taken.") }
        return PacketFile(
            pieces: filled.base.isEmpty ? [filled.added] : [filled.base, filled.added],
            byteCount: filled.byteCount, pageCount: form.form.form.pageCount + filled.addedPages,
            digest: digest)
    }

    private func opened(_ paper: PacketParts.Paper) throws -> (name: String, bytes: [UInt8]) {
        switch paper {
        case .filled(let part, _, let filled, _): return (parts[part].name, filled.bytes)
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

    /// A packet made for keeping: what the plan found is what is made, or nothing is.
    func result(
        number: Int, planned content: String, firstPage: Int, attachments: [PacketThought.Attachment],
        sealed seal: PacketSeal?, row: () throws -> PacketRow
    ) -> Result<MadePacket, MakingTrouble> {
        do {
            let thought = try thought(row(), number: number)
            guard content.hasPrefix(self.content(of: thought)) else {
                throw MakingTrouble(
                    "It would come out otherwise than it was planned, as Quire has changed since. Plan the batch again."
                )
            }
            let (bare, problems) = try file(
                thought, firstPage: firstPage, attachments: attachments, proves: pins.options.proves)
            let file = try seal?.signed(bare) ?? bare
            return .success(
                MadePacket(
                    digest: file.digest.hex, byteCount: file.byteCount, pageCount: file.pageCount,
                    problems: problems, isSigned: seal != nil))
        } catch let trouble as MakingTrouble {
            return .failure(trouble)
        } catch let failure as Failure {
            return .failure(MakingTrouble(failure.message))
        } catch {
            return .failure(MakingTrouble("\(error)"))
        }
    }
}

/// The digest of what all copies of a form begin with, so that each copy costs only what it adds.
private final class HashedBase: Sendable {
    private let byteCount: Int
    private let stream: SHA256Stream

    init(_ base: [UInt8]) {
        var stream = SHA256Stream()
        stream.update(base)
        self.stream = stream
        byteCount = base.count
    }

    func digest(of filled: Filled) -> [UInt8] {
        var copy = filled.base.count == byteCount ? SHA256Stream(copying: stream) : SHA256Stream()
        if filled.base.count != byteCount { copy.update(filled.base) }
        copy.update(filled.added)
        return copy.finish()
    }
}
