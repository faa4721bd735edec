"""Papers made for the bench, the same each time: a small writer of PDF files, running text, and papers that hide what is to be
taken out in every place where a paper can keep it."""
import random
import zlib

POOL = ("the quick loom engine weaves algebraical patterns just as flowers and leaves card analytical table of numbers with "
        "notes on rent and notice for each tenant of this house and its garden beside the river where all letters were "
        "kept until the court decided about them in spring").split()


def prose(count, dice):
    return [dice.choice(POOL) for _ in range(count)]


def literal(text):
    return "(" + text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"


def wide(text):
    """A string of a paper as UTF-16 in hex, as many programs write it."""
    return "<FEFF" + text.encode("utf-16-be").hex().upper() + ">"


class Paper:
    def __init__(self):
        self.objects = {}
        self.leaves = []
        self.catalog = ""
        self.info = ""
        self.tree = self.reserve()
        self.font = self.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")

    def reserve(self):
        number = len(self.objects) + 1
        self.objects[number] = b"null"
        return number

    def put(self, number, body):
        self.objects[number] = body if isinstance(body, bytes) else body.encode("latin-1")
        return number

    def add(self, body):
        return self.put(self.reserve(), body)

    def stream(self, data, entries="", packed=True):
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        if packed:
            data, entries = zlib.compress(data), entries + "/Filter/FlateDecode"
        return self.add(f"<<{entries}/Length {len(data)}>>stream\n".encode() + data + b"\nendstream")

    def page(self, content, entries="", resources="", box=(0, 0, 612, 792)):
        place = " ".join(map(str, box))
        body = self.stream(content)
        number = self.add(f"<</Type/Page/Parent {self.tree} 0 R/MediaBox[{place}]/Contents {body} 0 R"
                          f"/Resources<</Font<</F {self.font} 0 R>>{resources}>>{entries}>>")
        self.leaves.append(number)
        return number

    def bytes(self, packed=False):
        kids = " ".join(f"{leaf} 0 R" for leaf in self.leaves)
        self.put(self.tree, f"<</Type/Pages/Count {len(self.leaves)}/Kids[{kids}]>>")
        root = self.add(f"<</Type/Catalog/Pages {self.tree} 0 R{self.catalog}>>")
        trailer = f"/Root {root} 0 R"
        if self.info:
            trailer += f"/Info {self.add(f'<<{self.info}>>')} 0 R"
        return self.in_streams(trailer) if packed else self.in_a_row(trailer)

    def in_a_row(self, trailer):
        out, places = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), []
        for number, body in self.objects.items():
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        begin = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        out += "".join(f"{place:010} 00000 n \n" for place in places).encode()
        return bytes(out + f"trailer\n<</Size {len(places) + 1}{trailer}>>\nstartxref\n{begin}\n%%EOF\n".encode())

    def in_streams(self, trailer):
        """Everything that is no stream lies in object streams, as new programs write it."""
        out, entries = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), {0: (0, 0, 0)}
        small = [(number, body) for number, body in self.objects.items() if not body.endswith(b"endstream")]
        for number, body in self.objects.items():
            if body.endswith(b"endstream"):
                entries[number] = (1, len(out), 0)
                out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        following = len(self.objects) + 1
        for begin in range(0, len(small), 100):
            some, heads, bodies = small[begin:begin + 100], [], b""
            for index, (number, body) in enumerate(some):
                heads.append(f"{number} {len(bodies)}")
                bodies += body + b"\n"
                entries[number] = (2, following, index)
            head = " ".join(heads).encode() + b"\n"
            data = zlib.compress(head + bodies)
            entries[following] = (1, len(out), 0)
            out += (f"{following} 0 obj\n<</Type/ObjStm/N {len(some)}/First {len(head)}/Filter/FlateDecode"
                    f"/Length {len(data)}>>stream\n").encode() + data + b"\nendstream\nendobj\n"
            following += 1
        begin = len(out)
        entries[following] = (1, begin, 0)
        rows = b"".join(kind.to_bytes(1, "big") + place.to_bytes(4, "big") + index.to_bytes(2, "big")
                        for kind, place, index in (entries[number] for number in range(following + 1)))
        data = zlib.compress(rows)
        out += (f"{following} 0 obj\n<</Type/XRef/Size {following + 1}/W[1 4 2]{trailer}/Filter/FlateDecode"
                f"/Length {len(data)}>>stream\n").encode() + data + b"\nendstream\nendobj\n"
        return bytes(out + f"startxref\n{begin}\n%%EOF\n".encode())


def lines(words, length=78):
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > length:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    if line:
        yield line


def column(words, size=11, top=740, lead=14):
    """Running text on a page."""
    shown = " ".join(f"{literal(line)} Tj T*" for line in lines(words))
    return f"BT /F {size} Tf {lead} TL 60 {top} Td {shown} ET"


class Secrets:
    """Social security numbers and addresses, none of them twice, and no digit of them anywhere else."""

    EXPRESSION = r"\d{3}-\d{2}-\d{4}|[a-z]+\.[a-z]+@[a-z]+\.example"

    def __init__(self, seed):
        self.dice, self.given = random.Random(seed), set()

    def letters(self, count):
        return "".join(self.dice.choice("bcdfghjklmnpqrstvwxz") for _ in range(count))

    def number(self):
        return self.new(lambda: f"{self.dice.randint(100, 899)}-{self.dice.randint(10, 99)}-{self.dice.randint(1000, 9999)}")

    def mail(self):
        return self.new(lambda: f"{self.letters(6)}.{self.letters(7)}@{self.letters(6)}.example")

    def new(self, make):
        while (made := make()) in self.given:
            pass
        self.given.add(made)
        return made

    def any(self):
        return self.number() if self.dice.random() < 0.5 else self.mail()


def running(pages, seed=5):
    """A long paper with one to three secrets on each page, in running text: the paper, and what is to go."""
    paper, secrets = Paper(), Secrets(seed)
    for _ in range(pages):
        words = prose(430, secrets.dice)
        for _ in range(secrets.dice.randint(1, 3)):
            words.insert(secrets.dice.randrange(len(words)), secrets.any())
        paper.page(column(words))
    return paper.bytes(packed=True), secrets.given


# Every place where a paper can keep what is to be taken out. Each kind puts one secret, and a neighbour that has to stay, on a page.

def shown(text, x=72, y=500, before="", font="F", size=12):
    return f"BT /{font} {size} Tf {before} {x} {y} Td {literal(text)} Tj ET"


NEIGHBOUR = "neighbour stays"
BESIDE = " " + shown(NEIGHBOUR, y=440)


def plain(paper, secret):
    paper.page(shown(f"before {secret} behind") + BESIDE)


def kerned(paper, secret):
    pieces = " ".join(f"{literal(letter)} {(index * 37) % 60 - 30}" for index, letter in enumerate(secret))
    paper.page(f"BT /F 12 Tf 72 500 Td [{pieces}] TJ ET" + BESIDE)


# Widths of Helvetica, of a thousand, for what is put down letter by letter.
WIDTHS = {**dict.fromkeys("0123456789", 556), "-": 333, ".": 278, "@": 1015, **dict.fromkeys("abdeghnopqu", 556),
          **dict.fromkeys("ckvxyzs", 500), "f": 278, "i": 222, "j": 222, "l": 222, "m": 833, "r": 333, "t": 278, "w": 722}


def letters(secret, size=12):
    x = 72.0
    for letter in secret:
        yield letter, x
        x += WIDTHS[letter] * size / 1000


def placed(paper, secret):
    """Each letter put down by itself, in any order."""
    parts = [f"BT /F 12 Tf 1 0 0 1 {x:.2f} 500 Tm {literal(letter)} Tj ET" for letter, x in letters(secret)]
    random.Random(secret).shuffle(parts)
    paper.page(BESIDE + " ".join(parts))


def divided(paper, secret):
    """In two pieces, one of them in hex, with the state changed between them."""
    half = len(secret) // 2
    paper.page(f"BT /F 12 Tf 72 500 Td {literal(secret[:half])} Tj 0 0 1 rg <{secret[half:].encode().hex()}> ' ET".replace(" '", " Tj")
               + BESIDE)


def turned(paper, secret):
    paper.page(f"q 0 1 -1 0 300 72 cm {shown('before ' + secret, 0, 0)} Q" + BESIDE, "/Rotate 270/UserUnit 2")


def unseen(paper, secret):
    """The words under a scan, which are not drawn."""
    picture = paper.stream(bytes(200 * 40), "/Type/XObject/Subtype/Image/Width 200/Height 40/BitsPerComponent 8/ColorSpace/DeviceGray")
    paper.page(f"q 300 0 0 60 60 480 cm /P Do Q {shown(secret, before='3 Tr')} 0 Tr" + BESIDE, resources=f"/XObject<</P {picture} 0 R>>")


def white(paper, secret):
    paper.page(f"1 g {shown(secret, size=1)} 0 g" + BESIDE)


def outside(paper, secret):
    """Beyond the edge of what one sees of the sheet."""
    paper.page(shown(secret, y=700) + BESIDE, "/CropBox[0 0 612 600]")


def clipped(paper, secret):
    paper.page(f"q 0 0 5 5 re W n {shown(secret)} Q" + BESIDE)


def covered(paper, secret):
    """Under a black box, as people think that it is gone."""
    paper.page(shown(secret) + " 60 490 300 30 re f" + BESIDE)


def layered(paper, secret):
    layer = paper.add(f"<</Type/OCG/Name{literal('Layer of ' + secret)}>>")
    paper.layers = getattr(paper, "layers", []) + [layer]
    every = " ".join(f"{one} 0 R" for one in paper.layers)
    paper.catalog = f"/OCProperties<</OCGs[{every}]/D<</OFF[{every}]>>>>"
    paper.page(f"/OC /L BDC {shown(secret)} EMC" + BESIDE, resources=f"/Properties<</L {layer} 0 R>>")


def form(paper, content, entries="", resources=""):
    return paper.stream(content, f"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F {paper.font} 0 R>>{resources}>>{entries}")


def nested(paper, secret):
    inner = form(paper, shown(secret))
    outer = form(paper, "q 1 0 0 1 10 10 cm /I Do Q", resources=f"/XObject<</I {inner} 0 R>>")
    paper.page("/O Do" + BESIDE, resources=f"/XObject<</O {outer} 0 R/Unused {inner} 0 R>>")


def grouped(paper, secret):
    group = form(paper, shown(secret), "/Group<</S/Transparency/I true>>")
    paper.page("/O Do" + BESIDE, resources=f"/XObject<</O {group} 0 R>>")


def masked(paper, secret):
    """In the drawing that says how much of something else is seen."""
    group = form(paper, "1 g " + shown(secret), "/Group<</S/Transparency/CS/DeviceGray/I true>>")
    paper.page("q /M gs 0.5 g 60 480 300 40 re f Q" + BESIDE, resources=f"/ExtGState<</M<</SMask<</S/Luminosity/G {group} 0 R>>>>>>")


def patterned(paper, secret):
    """In the cell of a pattern."""
    cell = paper.stream(shown(secret, 0, 4), "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 300 20]/XStep 300/YStep 20"
                        f"/Resources<</Font<</F {paper.font} 0 R>>>>")
    paper.page("/Pattern cs /P scn 60 480 300 40 re f 0 g" + BESIDE, resources=f"/Pattern<</P {cell} 0 R>>")


def enciphered(paper, secret, kind="Type0"):
    """A font of its own with codes that mean nothing without its table."""
    signs = sorted(set(secret))
    codes = {sign: 0x21 + number for number, sign in enumerate(random.Random(secret).sample(signs, len(signs)))}
    digits = 4 if kind == "Type0" else 2
    rows = "\n".join(f"<{code:0{digits}X}> <{ord(sign):04X}>" for sign, code in codes.items())
    table = paper.stream("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def\n"
                         f"1 begincodespacerange <{'0' * digits}> <{'F' * digits}> endcodespacerange\n"
                         f"{len(codes)} beginbfchar\n{rows}\nendbfchar endcmap end end")
    if kind == "Type0":
        about = paper.add("<</Type/FontDescriptor/FontName/Secret/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200"
                          "/CapHeight 700/StemV 80>>")
        inner = paper.add(f"<</Type/Font/Subtype/CIDFontType2/BaseFont/Secret/FontDescriptor {about} 0 R/DW 600"
                          "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/CIDToGIDMap/Identity>>")
        font = paper.add(f"<</Type/Font/Subtype/Type0/BaseFont/Secret/Encoding/Identity-H/DescendantFonts[{inner} 0 R]"
                         f"/ToUnicode {table} 0 R>>")
    else:
        drawn = {code: paper.stream(f"600 0 0 0 500 700 d1 {code * 3 % 200} 0 300 {300 + code * 5} re f") for code in codes.values()}
        names = " ".join(f"{code} /s{code}" for code in sorted(drawn))
        procedures = " ".join(f"/s{code} {number} 0 R" for code, number in drawn.items())
        first, last = min(drawn), max(drawn)
        font = paper.add(f"<</Type/Font/Subtype/Type3/FontBBox[0 0 600 800]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<{procedures}>>"
                         f"/Encoding<</Differences[{names}]>>/FirstChar {first}/LastChar {last}/Widths[{' 600' * (last - first + 1)}]"
                         f"/Resources<<>>/ToUnicode {table} 0 R>>")
    coded = "".join(f"{codes[sign]:0{digits}X}" for sign in secret)
    number = paper.page(f"BT /S 12 Tf 72 500 Td <{coded}> Tj ET" + BESIDE)
    paper.put(number, paper.objects[number].replace(b"/Font<<", f"/Font<</S {font} 0 R".encode()))


def drawings(paper, secret):
    enciphered(paper, secret, "Type3")


def spoken(paper, secret):
    """What a reader aloud says, over letters that say it and over lines that do not."""
    number = paper.page(f"/Span <</MCID 0/ActualText {wide(secret)}>> BDC {shown(secret)} EMC "
                        f"/Span <</ActualText {literal(secret)}>> BDC 72 520 m 90 530 l S EMC" + BESIDE,
                        f"/StructParents {len(paper.leaves)}")
    if not paper.catalog:
        paper.tags, paper.elements = paper.reserve(), []
        paper.catalog = f"/MarkInfo<</Marked true>>/StructTreeRoot {paper.tags} 0 R"
    paper.elements.append(paper.add(f"<</Type/StructElem/S/P/P {paper.tags} 0 R/Pg {number} 0 R/K 0/Alt{literal('of ' + secret)}"
                                    f"/ActualText{wide(secret)}/T{literal(secret)}/E{literal(secret)}>>"))
    every = " ".join(f"{one} 0 R" for one in paper.elements)
    places = " ".join(f"{index} [{one} 0 R]" for index, one in enumerate(paper.elements))
    paper.put(paper.tags, f"<</Type/StructTreeRoot/K[{every}]/ParentTree<</Nums[{places}]>>>>")


def notes(paper, secret):
    look = form(paper, shown(secret, 0, 0), "/Matrix[1 0 0 1 0 0]")
    box = paper.add(f"<</Type/Annot/Subtype/FreeText/Rect[60 300 400 320]/Contents{literal('call ' + secret)}/DA(/F 12 Tf)/F 4"
                    f"/RC{wide('<body><p>' + secret + '</p></body>')}/AP<</N {look} 0 R>>>>")
    note = paper.reserve()
    window = paper.add(f"<</Type/Annot/Subtype/Popup/Rect[400 300 500 400]/Parent {note} 0 R>>")
    paper.put(note, f"<</Type/Annot/Subtype/Text/Rect[400 300 420 320]/Contents{wide('ask ' + secret)}/T{literal(secret)}"
                    f"/Subj{literal(secret)}/Popup {window} 0 R>>")
    stamp = paper.add(f"<</Type/Annot/Subtype/Stamp/Rect[60 200 400 240]/AP<</N {form(paper, shown(secret, 0, 0))} 0 R>>>>")
    paper.page(BESIDE, f"/Annots[{box} 0 R {note} 0 R {window} 0 R {stamp} 0 R]")


def links(paper, secret):
    link = paper.add(f"<</Type/Annot/Subtype/Link/Rect[72 490 300 515]/A<</S/URI/URI{literal('https://house.example/?of=' + secret)}>>>>")
    other = paper.add("<</Type/Annot/Subtype/Link/Rect[72 300 300 315]/A<</S/Launch/F<</Type/Filespec/F"
                      f"{literal(secret + '.pdf')}/UF{wide(secret + '.pdf')}>>>>>>")
    paper.page(shown("the address") + BESIDE, f"/Annots[{link} 0 R {other} 0 R]")


def fields(paper, secret):
    number = len(paper.leaves)
    text, list_ = paper.reserve(), paper.reserve()
    look = form(paper, shown(secret, 2, 4))
    paper.put(text, f"<</Type/Annot/Subtype/Widget/FT/Tx/T(text{number})/TU{literal('once ' + secret)}/V{wide(secret)}/DV{literal(secret)}"
                    f"/RV{literal('<p>' + secret + '</p>')}/Rect[60 300 300 320]/DA(/F 12 Tf)/AP<</N {look} 0 R>>/MK<</CA{literal(secret)}>>>>")
    paper.put(list_, f"<</Type/Annot/Subtype/Widget/FT/Ch/Ff 131072/T(list{number})/Opt[[{literal(secret)}{literal('of ' + secret)}](other)]"
                     f"/V{literal(secret)}/I[0]/Rect[60 260 300 280]/DA(/F 12 Tf)/AP<</N {look} 0 R>>>>")
    paper.every = getattr(paper, "every", []) + [text, list_]
    kept = " ".join(f"{one} 0 R" for one in paper.every)
    paper.catalog = f"/AcroForm<</Fields[{kept}]/DA(/F 12 Tf)/DR<</Font<</F {paper.font} 0 R>>>>>>"
    paper.page(BESIDE, f"/Annots[{text} 0 R {list_} 0 R]")


def marks(paper, secret):
    """Bookmarks, names of places and labels of pages."""
    number = paper.page(BESIDE)
    if not paper.catalog:
        paper.outline, paper.items, paper.labels, paper.names = paper.reserve(), [], "", []
    title = wide(f"About {secret}") if len(paper.items) % 2 else literal(f"About {secret}")
    paper.items.append(paper.add(f"<</Title{title}/Parent {paper.outline} 0 R/Dest[{number} 0 R/Fit]>>"))
    paper.put(paper.outline, f"<</Type/Outlines/First {paper.items[0]} 0 R/Last {paper.items[-1]} 0 R/Count {len(paper.items)}>>")
    for index, item in enumerate(paper.items[:-1]):
        if b"/Next" not in paper.objects[item]:
            paper.put(item, paper.objects[item][:-2] + f"/Next {paper.items[index + 1]} 0 R>>".encode())
            paper.put(paper.items[index + 1], paper.objects[paper.items[index + 1]][:-2] + f"/Prev {item} 0 R>>".encode())
    paper.names.append((secret, number))
    paper.labels += f" {len(paper.leaves) - 1} <</P{literal(secret)}>>"
    named = "".join(f"{literal(name)}[{page} 0 R/Fit]" for name, page in sorted(paper.names))
    paper.catalog = f"/Outlines {paper.outline} 0 R/PageLabels<</Nums[{paper.labels}]>>/Names<</Dests<</Names[{named}]>>>>"


def about(paper, secret):
    """Properties of the paper and of its pages, and scripts."""
    data = paper.stream("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
                        "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/'>"
                        f"<dc:title>{secret}</dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>",
                        "/Type/Metadata/Subtype/XML", packed=len(paper.leaves) % 2 == 0)
    paper.info = f"/Title{literal(secret)}/Keywords{wide(secret)}/Own{literal(secret)}"
    paper.catalog = f"/Metadata {data} 0 R/OpenAction<</S/JavaScript/JS{literal('app.alert(1); // ' + secret)}>>"
    paper.page(shown(secret) + BESIDE, f"/Metadata {data} 0 R/PieceInfo<</Own<</LastModified(D:20260101)/Private{literal(secret)}>>>>")


def attached(paper, secret):
    inside = paper.stream(f"the file of {secret}", "/Type/EmbeddedFile")
    file = paper.add(f"<</Type/Filespec/F{literal(secret + '.txt')}/UF{wide(secret + '.txt')}/Desc{literal(secret)}/EF<</F {inside} 0 R>>>>")
    pin = paper.add(f"<</Type/Annot/Subtype/FileAttachment/Rect[60 300 80 320]/FS {file} 0 R/Contents{literal(secret)}>>")
    paper.catalog = f"/Names<</EmbeddedFiles<</Names[(a) {file} 0 R]>>>>/AF[{file} 0 R]"
    paper.page(shown(secret) + BESIDE, f"/Annots[{pin} 0 R]/AF[{file} 0 R]")


def properties(paper, secret):
    """Told beside the letters, and in the list of what a page draws with."""
    kept = paper.add(f"<</Type/Own/Value{literal(secret)}/ActualText{literal(secret)}>>")
    paper.page(f"/Artifact /K BDC {shown(secret)} EMC /Own <</Was{literal(secret)}>> DP" + BESIDE,
               resources=f"/Properties<</K {kept} 0 R>>")


def remarked(paper, secret):
    """In a remark of the drawing itself, which no program shows."""
    paper.page(f"% {secret}\n" + shown(secret) + BESIDE)


KINDS = [plain, kerned, placed, divided, turned, unseen, white, outside, clipped, covered, layered, nested, grouped, masked, patterned,
         enciphered, drawings, spoken, notes, links, fields, marks, about, attached, properties, remarked]


def hiding(kind, pages, seed, packed):
    paper, secrets = Paper(), Secrets(f"{kind.__name__}{seed}")
    for _ in range(pages):
        kind(paper, secrets.any())
    return paper.bytes(packed), secrets.given


def revised(pages, seed):
    """What stood on the pages before lies in front of what stands there now: both have to go."""
    paper, secrets = Paper(), Secrets(f"revised{seed}")
    for _ in range(pages):
        paper.page(shown(secrets.any()) + BESIDE)
    out = bytearray(paper.bytes())
    before = out.rindex(b"startxref\n") + 10
    before = int(out[before:out.index(b"\n", before)])
    changed = {}
    for leaf in paper.leaves:
        body = int(paper.objects[leaf].split(b"/Contents ")[1].split()[0])
        data = zlib.compress((shown("now " + secrets.any()) + BESIDE).encode())
        changed[body] = f"<</Filter/FlateDecode/Length {len(data)}>>stream\n".encode() + data + b"\nendstream"
    table = "xref\n"
    for number in sorted(changed):
        table += f"{number} 1\n{len(out):010} 00000 n \n"
        out += f"{number} 0 obj\n".encode() + changed[number] + b"\nendobj\n"
    begin = len(out)
    root = max(paper.objects)
    out += f"{table}trailer\n<</Size {root + 1}/Root {root} 0 R/Prev {before}>>\nstartxref\n{begin}\n%%EOF\n".encode()
    return bytes(out), secrets.given
