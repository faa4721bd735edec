import Access
import Bytes
import Jobs
import Library
import PDF
import PDFReading
import SQL
import Storage
import Synchronization
import TestSupport
import Testing
import Work

@Suite(
    "Scans and photos",
    .enabled(if: PageReader.isReady && Recognizer(jail: .detect()).isReady, "no poppler or Tesseract here"))
struct RecognitionTests {
    @Test(
        "A scan is found by what is to be seen on it, and its bytes stay as they are",
        arguments: Database.Kind.here)
    func scan(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let bytes = try SamplePaper.scan(["Invoice for the harbour", "Payment within thirty days"])
            let scan = try documents.add(.bytes(bytes), named: "scan.pdf", by: ada).document
            try documents.read()
            #expect(try documents.found("harbour") == [])
            #expect(try documents.recognition.pendingCount() == 1)
            #expect(try documents.recognition.catchUp() == 2)
            #expect(try documents.found("harbour") == ["scan.pdf"])
            #expect(try documents.find("thirty", by: viewer).finds.map(\.page) == [2])
            #expect(try documents.recognition.pendingCount() == 0)
            #expect(try store.blobs.read(scan.blob.digest) == bytes)
        }
    }

    @Test("Recognised words stand where they are seen, and can be marked in the reader")
    func places() throws {
        try withLibrary { documents, _, store in
            let scan = try documents.add(
                .bytes(SamplePaper.scan(["Invoice for the harbour"])), named: "scan.pdf", by: ada
            ).document
            try documents.read()
            try documents.recognition.catchUp()
            let reader = PageReader(jail: .detect())
            let pages = PaperPages(
                documents, previews: PagePreviews(in: store.home.previews, clock: store.clock) { reader }
            ) { reader }
            let words = try pages.words(of: scan, page: 0).words
            #expect(words.map(\.text) == ["Invoice", "for", "the", "harbour"])
            let place = try #require(words.first?.place)
            // Twelve points high on a line at 72, 700.
            #expect(
                abs(place.left - 72) < 3 && abs(place.bottom - 700) < 3 && (6...12).contains(place.height))
        }
    }

    @Test("Of a paper with words and pictures only the pictures are looked at")
    func mixed() throws {
        try withLibrary { documents, _, _ in
            _ = try documents.add(
                .bytes(Array(SamplePaper.pages(["Words of its own", ""]).utf8)), named: "half.pdf", by: ada)
            try documents.read()
            #expect(try documents.recognition.catchUp() == 1)
            #expect(try documents.recognition.catchUp() == 0)
            #expect(try documents.found("words own") == ["half.pdf"])
        }
    }

    @Test("A photo is found by its words, and a broken one keeps nobody waiting")
    func photo() throws {
        try withLibrary { documents, _, _ in
            let sheets = try Sheets(bytes: Array(SamplePaper.pages(["Grüße from Ada"]).utf8))
            let picture = try PageReader(jail: .detect()).picture(of: sheets, page: 0, width: 1600)
            _ = try documents.add(.bytes(picture), named: "photo.png", by: ada)
            _ = try documents.add(.bytes(Array(picture.prefix(400))), named: "broken.png", by: ada)
            try documents.read()
            try documents.recognition.catchUp()
            #expect(try documents.found("ada") == ["photo.png"])
            #expect(try documents.recognition.pendingCount() == 0)
        }
    }

    @Test("Short scans and a long one are looked at side by side, and each page stays with its paper")
    func manyAtOnce() throws {
        try withLibrary { documents, _, _ in
            let words = ["Harbour", "Mountain", "River", "Island", "Garden"]
            for word in words.prefix(3) {
                _ = try documents.add(.bytes(SamplePaper.scan([word])), named: "\(word).pdf", by: ada)
            }
            _ = try documents.add(.bytes(SamplePaper.scan(words)), named: "all.pdf", by: ada)
            try documents.read()
            let progress = Progress()
            #expect(try documents.recognition.catchUp(progress: progress) == 8)
            #expect(progress.snapshot.done == 8 && progress.snapshot.total == 8)
            #expect(try documents.recognition.pendingCount() == 0)
            for (number, word) in words.enumerated() {
                let finds = try documents.find(word.lowercased(), by: viewer).finds
                #expect(finds.contains { $0.document.name == "all.pdf" && $0.page == number + 1 }, "\(word)")
                #expect(finds.contains { $0.document.name == "\(word).pdf" } == (number < 3), "\(word)")
            }
        }
    }

    @Test("What arrives while a page is looked at is looked at by the lanes that are free")
    func arrivesMeanwhile() throws {
        try withLibrary { documents, _, _ in
            _ = try documents.add(.bytes(SamplePaper.scan(["Harbour"])), named: "first.pdf", by: ada)
            try documents.read()
            let looks = Monitor(0)
            let wereSideBySide = Atomic(false)
            // The first look goes on until somebody else begins with what comes meanwhile.
            let recognition = PaperRecognition(documents, lanes: 2) {
                let isFirst = looks.update { looks in
                    looks += 1
                    return looks == 1
                }
                if isFirst {
                    _ = try? documents.add(
                        .bytes(SamplePaper.scan(["Mountain"])), named: "second.pdf", by: ada)
                    _ = try? documents.read()
                    let isJoined = looks.wait(timeout: .seconds(60)) { $0 > 1 ? true : nil } ?? false
                    wereSideBySide.store(isJoined, ordering: .relaxed)
                }
                return PageReader(jail: .detect())
            } recognizer: {
                Recognizer(jail: .detect(), languages: ["eng"])
            }
            #expect(try recognition.catchUp() == 2)
            let isJoined = wereSideBySide.load(ordering: .relaxed)
            #expect(isJoined)
            #expect(try documents.found("harbour") == ["first.pdf"])
            #expect(try documents.found("mountain") == ["second.pdf"])
        }
    }

    @Test("The words of a fine scan stand where those of a coarse one stand")
    func resolutions() throws {
        let recognizer = Recognizer(jail: .detect(), languages: ["eng"])
        let words = "Harbour Mountain\nRiver Island Garden"
        let texts = try [150, 300].map { dots in
            let sheets = try Sheets(bytes: SamplePaper.scan([words], dotsPerInch: dots))
            #expect((ScannedPage(of: sheets, page: 0) != nil) == (dots == 300))
            return try recognizer.text(of: sheets, page: 0, reader: PageReader(jail: .detect())).text
        }
        #expect(texts[0].text == texts[1].text && texts[0].words.count == 5)
        for (coarse, fine) in zip(texts[0].words, texts[1].words) {
            #expect(abs(coarse.place.left - fine.place.left) < 2, "\(fine.text)")
            #expect(abs(coarse.place.top - fine.place.top) < 2, "\(fine.text)")
            #expect(abs(coarse.place.width - fine.place.width) < 3, "\(fine.text)")
        }
    }

    @Test("What is asked for in the middle, to be read from the beginning once more, is not taken for done")
    func askedInTheMiddle() throws {
        try withLibrary { documents, _, store in
            let paper = try documents.add(
                .bytes(SamplePaper.scan(["Harbour", "Mountain", "River"])), named: "scan.pdf", by: ada
            ).document
            try documents.read()
            let recognition = documents.recognition
            let isAsked = Atomic(false)
            let progress = Progress { snapshot in
                guard snapshot.done > 0, !isAsked.exchange(true, ordering: .relaxed) else { return }
                _ = try? recognition.lookAgain(at: paper.id, in: ["eng"], queue: JobQueue(store), by: ada)
            }
            try recognition.catchUp(progress: progress)
            let wasAsked = isAsked.load(ordering: .relaxed)
            #expect(wasAsked)
            #expect(try recognition.pendingCount() == 0)
            for word in ["harbour", "mountain", "river"] {
                #expect(try documents.found(word) == ["scan.pdf"], "\(word)")
            }
        }
    }

    @Test("A new version is looked at anew")
    func revised() throws {
        try withLibrary { documents, _, _ in
            let scan = try documents.add(
                .bytes(SamplePaper.scan(["Harbour"])), named: "scan.pdf", by: ada
            ).document
            try documents.read()
            try documents.recognition.catchUp()
            try documents.revise(scan.id, with: .bytes(SamplePaper.scan(["Mountain"])), by: ada)
            #expect(try documents.found("harbour") == [])
            try documents.read()
            try documents.recognition.catchUp()
            #expect(try documents.found("mountain") == ["scan.pdf"])
        }
    }
}

@Suite(
    "The language of a scan",
    .enabled(
        if: PageReader.isReady && ["eng", "fra", "spa"].allSatisfy(Recognizer.installed.contains),
        "no poppler, or no Tesseract with English, French and Spanish"))
struct ScanLanguageTests {
    private static let french = """
        Madame, Monsieur, nous vous prions de bien vouloir payer la facture
        dans les trente jours qui suivent la date de cette lettre, avec le
        formulaire que vous trouverez dans votre dossier et sur notre site.
        """
    private static let spanish = """
        Muy estimado cliente: por medio de la presente le pedimos que pague
        la factura en los treinta dias que siguen a la fecha de esta carta,
        con el formulario que se encuentra en su carpeta y en el sitio.
        """
    private static let english = """
        Dear customer, we kindly ask you to pay the invoice within thirty
        days from the date of this letter, with the form that you have in
        your folder, and not by cash. This is for the garden of the house.
        """

    private func looking(_ languages: [String] = []) -> Recognizer {
        Recognizer(jail: .detect(), languages: languages)
    }

    private func recognition(_ documents: Documents, _ languages: [String] = []) -> PaperRecognition {
        PaperRecognition(documents, lanes: 2) {
            PageReader(jail: .detect())
        } recognizer: {
            looking(languages)
        }
    }

    @Test("is found out from the page itself, and told", arguments: ["eng", "fra", "spa"])
    func detected(language: String) throws {
        let text = ["eng": Self.english, "fra": Self.french, "spa": Self.spanish][language] ?? ""
        let sheets = try Sheets(bytes: SamplePaper.scan([text]))
        let found = try looking().text(of: sheets, page: 0, reader: PageReader(jail: .detect()))
        #expect(found.languages == [language])
        #expect(
            found.text.text.contains(
                ["eng": "garden", "fra": "formulaire", "spa": "carpeta"][language] ?? "?"))
    }

    @Test("may change from page to page, and a page with a few words is read in several")
    func mixed() throws {
        try withLibrary { documents, _, _ in
            let paper = try documents.add(
                .bytes(SamplePaper.scan([Self.english, Self.french, "Total 12"])), named: "mixed.pdf", by: ada
            ).document
            try documents.read()
            #expect(try recognition(documents).catchUp() == 3)
            #expect(try documents.found("garden") == ["mixed.pdf"])
            #expect(try documents.found("formulaire") == ["mixed.pdf"])
            guard case .recognised(3, let languages) = try documents.wordState(of: paper.id, by: ada) else {
                Issue.record("it was not recognised")
                return
            }
            #expect(Set(languages) == ["eng", "fra", "spa"])
        }
    }

    @Test("can be chosen for the desk, and for one paper that is read once more")
    func chosen() throws {
        try withLibrary { documents, _, store in
            let paper = try documents.add(
                .bytes(SamplePaper.scan([Self.french])), named: "lettre.pdf", by: ada
            ).document
            let before = paper.blob
            try documents.read()
            let english = recognition(documents, ["eng"])
            try english.catchUp()
            #expect(
                try documents.wordState(of: paper.id, by: ada) == .recognised(1, languages: ["eng"]))
            let queue = JobQueue(store)
            _ = try english.lookAgain(at: paper.id, in: ["fra"], queue: queue, by: ada)
            #expect(try english.pendingCount() == 1)
            try english.catchUp()
            #expect(
                try documents.wordState(of: paper.id, by: ada) == .recognised(1, languages: ["fra"]))
            _ = try english.lookAgain(at: paper.id, in: [Recognizer.auto], queue: queue, by: ada)
            try english.catchUp()
            #expect(
                try documents.wordState(of: paper.id, by: ada) == .recognised(1, languages: ["fra"]))
            #expect(try documents.found("formulaire") == ["lettre.pdf"])
            let refused = #expect(throws: Failure.self) {
                try english.lookAgain(at: paper.id, in: ["xyz"], queue: queue, by: ada)
            }
            #expect(refused?.field == "languages" && refused?.message.contains("eng") == true)
            let text = try documents.addText("plain.txt")
            #expect(throws: Failure.self) {
                try english.lookAgain(at: text.id, in: ["eng"], queue: queue, by: ada)
            }
            #expect(try documents.get(paper.id, by: ada).blob == before)
        }
    }
}

extension Documents {
    fileprivate var recognition: PaperRecognition {
        PaperRecognition(self, lanes: 2) {
            PageReader(jail: .detect())
        } recognizer: {
            Recognizer(jail: .detect(), languages: ["eng"])
        }
    }
}
