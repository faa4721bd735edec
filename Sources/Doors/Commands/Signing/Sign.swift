import Bytes
import Crypto
import Glibc
import PDF
import Signing
import SigningKeys
import Storage
import Work

extension Command {
    static let sign = Command(
        name: "sign", summary: "sign PDF files with a certificate (PAdES)",
        discussion: """
            The signature is put behind each file, of which not one byte changes; several can sign one after another. \
            Papers stay on this machine: the desk that keeps the key is sent a digest. What an earlier signer forbade is \
            not done, and that is said before anything is written.

            A key in a card or a stick (--smart-card) never leaves it, and no desk is needed: what can sign there is listed by \
            quire identity list --smart-cards.

            --certify is for who signs first: it says what may still be done afterwards. --visible draws the name, the time \
            and the reason into a box on a page: its number or last, left, bottom, width and height in points, from the lower left \
            corner of the page as it is seen.

            --proofs asks those who vouched whether they still do, and keeps their answers in the file: so it can be checked \
            when they are gone. With --timestamp it also stays proven when it was signed.
            """,
        arguments: [Argument(name: "FILE", summary: "PDF files", isRepeating: true, completion: .file)],
        options: [
            Option("with", "IDENTITY", "who signs: a name or an id of quire identity list"),
            Option("smart-card", "NAME", "whose key in a card or a stick of this machine signs (PKCS #11)"),
            Option(
                "module", "FILE", "what speaks to the token; what the system knows of if left out",
                completion: .file),
            Option(
                "pin-file", "FILE",
                "the PIN of the token is the first line of this file; - is standard input",
                completion: .file),
            Option("out", "PLACE", "the file to write, or a folder", completion: .file),
            Option("in-place", nil, "put the signature behind the files themselves"),
            Option("field", "NAME", "the field to sign; a new one if left out"),
            Option("visible", "PAGE,X,Y,W,H", "where it is seen; not at all if left out"),
            Option(
                "lock", "FIELDS", "fields that nobody may change any more, with commas; all for every one"),
            Option(
                "certify", "WHAT", "what may be done afterwards: none, filling or notes",
                completion: .choices(CheckedSignature.Allowance.allCases.map(\.name))),
            Option("reason", "TEXT", "why you sign"), Option("place", "TEXT", "where you sign"),
            Option("timestamp", "URL", "a time stamp authority that attests when (RFC 3161)"),
            Option("proofs", nil, "put behind the file what later checks need (PAdES B-LT)"),
            PDFWork.force, .database,
        ],
        examples: [
            Example(
                "quire sign lease.pdf --with Ana --out signed.pdf", "a signature that is not seen"),
            Example(
                "quire sign *.pdf --with Office --out signed --visible 1,36,36,200,56 --reason Approved",
                "each of them, seen on the first page"),
            Example(
                "quire sign lease.pdf --smart-card Ana --out signed.pdf",
                "with Ana's card; its PIN is asked for"),
            Example(
                "quire sign lease.pdf --with Office --out signed.pdf --timestamp http://stamps.example/tsa --proofs",
                "a signature that can be checked for years"),
            Example(
                "quire sign form.pdf --with Office --in-place --certify filling",
                "a form that others may fill in, and no more"),
        ],
        run: { call in
            guard (call.value("with") != nil) != (call.value("smart-card") != nil) else {
                throw UsageError(
                    message: "\(call.title) needs to know who signs",
                    hint:
                        "Say --with IDENTITY, or --smart-card NAME for a card or a stick; quire identity list shows them."
                )
            }
            for option in ["module", "pin-file"]
            where call.value(option) != nil && call.value("smart-card") == nil {
                throw UsageError(message: "--\(option) goes with --smart-card", hint: "Say whose key signs.")
            }
            guard call.has("in-place") != (call.value("out") != nil) else {
                throw UsageError(
                    message: "\(call.title) needs --out PLACE or --in-place", hint: "Say one of them.")
            }
            let places = try SigningPlaces(call)
            let wish = try Self.wish(call)
            try call.withSignatory { signatory in try Self.sign(with: signatory, wish, places, call) }
        })

    private static func sign(
        with signatory: Signatory, _ wish: SigningWish, _ places: SigningPlaces, _ call: Invocation
    ) throws {
        var round = SigningRound(signatory: signatory, call: call)
        try call.withProgress("Signing") { progress in
            for (index, path) in call.arguments.enumerated() {
                progress.set(done: Int64(index), total: Int64(call.arguments.count))
                try progress.check()
                do {
                    try round.take(path, to: places.targets[index], wish)
                } catch {
                    // What was before it is signed, as if each were signed alone.
                    try round.sign()
                    throw error
                }
            }
            try round.sign()
        }
        call.answer(["files": .array(round.views)]) { round.lines }
    }

    private static func wish(_ call: Invocation) throws -> SigningWish {
        var wish = SigningWish(at: Clock.system.now().milliseconds / 1000)
        wish.field = call.value("field")
        wish.reason = call.value("reason") ?? ""
        wish.whereabouts = call.value("place") ?? ""
        if let word = call.value("certify") {
            guard let allowed = CheckedSignature.Allowance.allCases.first(where: { $0.name == word }) else {
                throw UsageError(
                    message: "--certify does not know “\(word)”", hint: "It knows none, filling, notes.")
            }
            wish.certifies = allowed
        }
        if let text = call.value("lock") { wish.locks = SigningWish.Lock(text) }
        if let text = call.value("visible") {
            var words = text.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.filter { $0 != " " } }
            let isLast = words.first == "last"
            if isLast { words[0] = "1" }
            let numbers = words.map { Double($0) ?? .nan }
            guard numbers.count == 5, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e5 }), numbers[0] >= 1,
                wish.field == nil
            else {
                throw UsageError(
                    message: wish.field == nil
                        ? "--visible needs PAGE,X,Y,W,H"
                        : "--visible is for new fields; one that is there has its place",
                    hint:
                        "Such as 1,36,36,200,56 or last,36,36,200,56: left and bottom edge, width and height in points."
                )
            }
            wish.place = SigningWish.Place(
                page: isLast ? SigningWish.Place.lastPage : Int(numbers[0]) - 1,
                box: PDFRectangle(
                    left: numbers[1], bottom: numbers[2], right: numbers[1] + numbers[3],
                    top: numbers[2] + numbers[4]))
        }
        return wish
    }
}

/// Signs papers as they come, several at once where whoever signs takes several.
private struct SigningRound {
    let signatory: Signatory
    let call: Invocation
    private(set) var views: [JSON] = []
    private(set) var lines = ""
    private var waiting: [Waiting] = []

    private struct Waiting {
        var path: String
        var target: String
        var paper: PreparedSignature
        var count: Int
    }

    private static let mostAtOnce = 64
    private static let mostBytes = 64 << 20

    init(signatory: Signatory, call: Invocation) {
        self.signatory = signatory
        self.call = call
    }

    mutating func take(_ path: String, to target: String, _ wish: SigningWish) throws {
        let bytes = try withForms { try PDFFile.read(call.absolute(path)) }
        try told(path) {
            let signer = try withForms { try PaperSigner(bytes, now: wish.time) }
            let paper = try signer.prepared(for: signatory, wish)
            if signer.wasMended {
                call.hint("“\(path)” had to be mended first; it is not the same byte for byte.")
            }
            waiting.append(
                Waiting(path: path, target: target, paper: paper, count: signer.signatures.count + 1))
        }
        let isFull =
            waiting.count >= Self.mostAtOnce
            || waiting.reduce(0, { $0 + $1.paper.byteCount }) >= Self.mostBytes
        if signatory.signSeveral == nil || isFull { try sign() }
    }

    mutating func sign() throws {
        guard !waiting.isEmpty else { return }
        let papers = waiting
        waiting = []
        let digests = papers.map(\.paper.digest)
        let signed =
            try papers.count > 1 ? signatory.signSeveral?(digests) : nil
        for (index, paper) in papers.enumerated() {
            let bytes = try told(paper.path) {
                try paper.paper.signed(by: signed?[index] ?? signatory.sign(digests[index]))
            }
            try writeWhole(
                bytes, to: paper.target, overwrites: call.has("force") || call.has("in-place"))
            tell(paper)
        }
    }

    private func told<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let trouble as SigningTrouble {
            var failure = Failure(trouble)
            failure.message = "\(path): \(failure.message)"
            throw failure
        }
    }

    private mutating func tell(_ paper: Waiting) {
        let name = signatory.certificate.name
        views.append([
            "file": .string(paper.path), "result": .string(paper.target), "signer": .string(name),
            "signatures": .int(paper.count),
        ])
        let count = Words.count(paper.count, "signature", "signatures")
        lines += "\(TextTable.harmless(paper.target)): signed by \(TextTable.harmless(name)), \(count)\n"
    }
}

/// Where signed files go. All of it is known before the first is signed.
private struct SigningPlaces {
    let targets: [String]

    init(_ call: Invocation) throws {
        guard let out = call.value("out") else {
            targets = call.arguments.map(call.absolute)
            return
        }
        let place = call.absolute(out)
        if call.arguments.count == 1, !out.hasSuffix("/"), !Self.isFolder(place) {
            targets = [place]
            return
        }
        if !Self.isFolder(place) {
            var path = place
            while path.hasSuffix("/") { path.removeLast() }
            guard mkdir(path, 0o777) == 0 else {
                throw Failure(
                    .unavailable, "“\(out)” could not be made: \(systemMessage(errno)).")
            }
        }
        let folder = place.hasSuffix("/") ? String(place.dropLast()) : place
        targets = PDFWork.apart(call.arguments.map { "\(folder)/\(Files.name($0))" })
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}
