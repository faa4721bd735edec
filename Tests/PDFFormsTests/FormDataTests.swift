import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@Suite("Form data")
struct FormDataTests {
    private let data = FormData(
        form: "form.pdf",
        entries: [
            .init(name: "name", values: ["Zoë (Miller) \\ 日本"]), .init(name: "home.city", values: ["Rome"]),
            .init(name: "home.zip", values: ["00100"]), .init(name: "langs", values: ["de", "fr"]),
            .init(name: "notes", values: ["two\nlines <&> \"'"]), .init(name: "empty", values: [""]),
        ])

    @Test("come back from FDF as they went in")
    func fdf() throws {
        #expect(try FormData(fdf: data.fdf) == data)
        #expect(try FormData(recognising: data.fdf) == data)
    }

    @Test("come back from XFDF as they went in")
    func xfdf() throws {
        #expect(try FormData(xfdf: Array(data.xfdf.utf8)) == data)
        #expect(try FormData(recognising: Array(data.xfdf.utf8)) == data)
    }

    @Test("are what was in the form")
    func harvested() throws {
        let template = FormMaker.make { $0.text("name", ["V": .text("Ann\rLee")]) }
        #expect(
            try FormData(Form(bytes: template)).entries == [.init(name: "name", values: ["Ann\nLee"])])
    }

    @Test("name the states of boxes, ticked or not, and numbers as they are written")
    func states() throws {
        let template = FormMaker.make { maker in
            for (name, state) in [("yes", "On"), ("no", "Off"), ("never", "")] {
                let picture = maker.appearance()
                var box: PDFDictionary = [
                    "T": .text(name), "FT": .name("Btn"),
                    "AP": .dictionary(["N": .dictionary(["On": .reference(picture)])]),
                ]
                if !state.isEmpty { box["V"] = .name(PDFName(state)) }
                maker.fields.append(maker.widget(box))
            }
            maker.text("amount", ["V": .real(12.5)])
            maker.text("count", ["V": .integer(7)])
        }
        let data = FormData(try Form(bytes: template))
        #expect(data.entries.suffix(2).map(\.values) == [["12.5"], ["7"]])
        let fdf = String(decoding: data.fdf, as: UTF8.self)
        #expect(
            fdf.contains("/T(yes)/V/On") && fdf.contains("/T(no)/V/Off") && fdf.contains("/T(never)/V/Off"))
        #expect(!fdf.contains("/V/>") && fdf.contains("/V(12.5)"))
        #expect(data.xfdf.contains("<field name=\"never\"><value>Off</value>"))
        #expect(try FormData(fdf: data.fdf).entries.map(\.isState) == [true, true, true, false, false])
    }

    @Test("as pdftk writes them are read: kids, names, streams, old encodings")
    func made() throws {
        let text = """
            %FDF-1.2
            %\u{E2}\u{E3}
            1 0 obj
            << /FDF << /F (C:/a.pdf) /Fields [
            << /T (top) /Kids [ << /T (agree) /V /Yes >> << /T <FEFF006E0061006D0065> /V 3 0 R >> ] >>
            2 0 R << /T (list) /V [(a) (b)] >> << /T (no value) >> << /T (acc\\351nt) /V (\\200 caf\\351) >>
            ] >> >>
            endobj
            2 0 obj
            << /T (second) /V (one\\rtwo) >>
            endobj
            3 0 obj
            << /Length 5 >> stream
            Hello
            endstream
            endobj
            trailer
            << /Root 1 0 R >>
            %%EOF
            """
        let read = try FormData(fdf: Array(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
        #expect(read.form == "C:/a.pdf")
        #expect(
            read.entries.map { "\($0.name)=\($0.values.joined(separator: "|"))" } == [
                "top.agree=Yes", "top.name=Hello", "second=one\ntwo", "list=a|b", "accént=• café",
            ])
    }

    @Test(
        "of ours are understood by pdftk, which fills a form with them",
        .enabled(if: Child.find("pdftk") != nil, "pdftk is not installed"))
    func pdftk() throws {
        try withScratchFolder { folder in
            try put(FormMaker.make { $0.text("name") }, "\(folder)/form.pdf")
            let data = FormData(entries: [.init(name: "name", values: ["Zoë"])])
            try put(data.fdf, "\(folder)/a.fdf")
            try put(Array(data.xfdf.utf8), "\(folder)/a.xfdf")
            for name in ["a.fdf", "a.xfdf"] {
                let made = try Child(
                    "pdftk", ["form.pdf", "fill_form", name, "output", "\(name).pdf"], folder: folder,
                    limits: .init(time: .seconds(60))
                ).run()
                #expect(made.succeeded, "\(made.errorText)")
                #expect(try Form(path: "\(folder)/\(name).pdf").fields[0].value == ["Zoë"])
            }
        }
    }

    @Test("in UTF-16, with prefixes, comments and character references are read")
    func xfdfShapes() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-16"?><!-- by hand --><x:xfdf xmlns:x="http://ns.adobe.com/xfdf/">
            <x:fields><x:field name="a"><x:value>1 &amp; 2 &#x41;<![CDATA[<b>]]></x:value></x:field>
            <x:field name='n'><x:field name="m"><x:value/></x:field></x:field><x:field name="none"/></x:fields></x:xfdf>
            """
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
        #expect(
            try FormData(xfdf: bytes).entries == [
                .init(name: "a", values: ["1 & 2 A<b>"]), .init(name: "n.m", values: [""]),
            ])
    }

    @Test(
        "that are harmful or something else are refused with a sentence",
        arguments: [
            "<!DOCTYPE x [<!ENTITY a \"b\">]><xfdf/>", "<html/>", "<xfdf><fields>", "<xfdf><a></b></xfdf>",
            "<xfdf>&bomb;</xfdf>", "<xfdf x=1/>", String(repeating: "<xfdf>", count: 5000),
            "%FDF-1.2\n1 0 obj\n<</FDF 1 0 R>>", "%FDF-1.2\ntrailer<</Root 7 0 R>>",
            "%FDF-1.2\n1 0 obj<</FDF<</Fields 2 0 R>>>>endobj 2 0 obj[<</Kids 2 0 R>>]endobj trailer<</Root 1 0 R>>",
        ])
    func hostile(text: String) {
        let bytes = Array(text.utf8)
        #expect(throws: FormDataError.self) {
            try FormData.isFDF(bytes) ? FormData(fdf: bytes) : FormData(xfdf: bytes)
        }
    }

    @Test("spoiled in any way never trap")
    func spoiled() {
        var dice = Dice(11)
        let fdf = String(decoding: data.fdf, as: UTF8.self)
        for _ in 0..<3000 {
            _ = try? FormData(fdf: Array(dice.spoil(fdf).utf8))
            _ = try? FormData(xfdf: Array(dice.spoil(data.xfdf).utf8))
        }
    }

    private func put(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
