import Glibc
import PDF
import PDFForms
import PDFReading
import Testing
import Work

/// How good the proposals are: real forms are made flat, and what is proposed is compared with what was there.
@Suite(.enabled(if: Corpus.isThere && PageReader.isReady, "no corpus of real forms, or poppler is missing"))
struct ProposalCorpusTests {
    @Test func proposalsForFlattenedFormsAgreeWithTheirFields() throws {
        let reader = PageReader(jail: .detect())
        var sum = (hit: 0, found: 0, proposed: 0, there: 0)
        for (name, bytes) in Corpus.forms {
            var options = PreparedForm.Options()
            options.flattens = .all
            guard let prepared = try? PreparedForm(bytes: bytes, options: options),
                let file = try? PDFFile(bytes: prepared.fill([:]).bytes)
            else { continue }
            let places = prepared.form.fields.filter { $0.kind != .pushButton && $0.kind != .unknown }
                .flatMap(\.widgets).filter { $0.page != nil && !$0.isHidden && $0.rectangle.area > 20 }
            guard places.count > 4 else { continue }
            let proposals = try FieldProposals(for: file, reader: reader).all
            var free = places
            var hits = 0
            var found = 0
            for proposal in proposals {
                // Boxes for single characters are proposed as one comb, which finds all of them.
                let covered = free.indices.filter { Self.isCell(free[$0], of: proposal) }
                if covered.count > 1 {
                    hits += 1
                    found += covered.count
                    for index in covered.reversed() { free.remove(at: index) }
                    continue
                }
                guard let index = free.firstIndex(where: { Self.agree($0, proposal) }) else {
                    if getenv("QUIRE_PROPOSALS") != nil {
                        print(
                            "  extra \(proposal.kind) p\(proposal.page + 1) \(proposal.place.numbers.map { Int($0) }) \(proposal.confidence) “\(proposal.label.prefix(50))”"
                        )
                    }
                    continue
                }
                free.remove(at: index)
                hits += 1
                found += 1
            }
            if getenv("QUIRE_PROPOSALS") != nil {
                for place in free {
                    print("  missed p\((place.page ?? 0) + 1) \(place.rectangle.numbers.map { Int($0) })")
                }
            }
            print(
                "proposals \(name): \(hits) hits of \(proposals.count) proposed, \(found) found of \(places.count) there"
            )
            sum = (
                sum.hit + hits, sum.found + found, sum.proposed + proposals.count, sum.there + places.count
            )
        }
        let precision = Double(sum.hit) / Double(max(sum.proposed, 1))
        let recall = Double(sum.found) / Double(max(sum.there, 1))
        print(
            "proposals: precision \((precision * 1000).rounded() / 10) %, recall \((recall * 1000).rounded() / 10) %"
        )
        #expect(precision > 0.75 && recall > 0.75)
    }

    private static func isCell(_ widget: FieldWidget, of proposal: FieldProposal) -> Bool {
        guard proposal.kind == .comb, widget.page == proposal.page, let count = proposal.cellCount else {
            return false
        }
        let place = widget.rectangle
        return place.width < 1.6 * proposal.place.width / Double(count)
            && (place.left + place.right) / 2 > proposal.place.left
            && (place.left + place.right) / 2 < proposal.place.right
            && (place.bottom + place.top) / 2 > proposal.place.bottom
            && (place.bottom + place.top) / 2 < proposal.place.top
    }

    /// The same place: each has its middle in the other, and they are about as large.
    private static func agree(_ widget: FieldWidget, _ proposal: FieldProposal) -> Bool {
        guard widget.page == proposal.page else { return false }
        let (a, b) = (widget.rectangle, proposal.place)
        let width = min(a.right, b.right) - max(a.left, b.left)
        let height = min(a.top, b.top) - max(a.bottom, b.bottom)
        guard width > 0, height > 0 else { return false }
        return width * height >= 0.5 * min(a.area, b.area) && width >= 0.5 * max(a.width, b.width)
    }
}

extension PDFRectangle {
    var area: Double { width * height }
}
