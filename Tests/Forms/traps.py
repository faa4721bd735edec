"""A form made of traps: 34 fields, each of a kind that programs which fill forms are known to get wrong.

`build(path)` writes the form; `TRAPS` says what goes in and what must be seen afterwards.
"""
from dataclasses import dataclass, field


@dataclass
class Trap:
    number: int
    name: str
    meant: str
    value: object
    # What a reader must find as the value; None where nothing may be kept.
    kept: object = "same"
    # What must be seen in each place of the field: a text, or True and False for boxes.
    seen: list = field(default_factory=list)


TRAPS = []


def trap(number, name, meant, value, kept="same", seen=None):
    TRAPS.append(Trap(number, name, meant, value, value if kept == "same" else kept, [value] if seen is None else seen))


trap(1, "inherited.low", "type, appearance and alignment come from the grandparent", "Inherited")
trap(2, "twice", "two places with a size and alignment of their own", "Two places", seen=["Two places", "Two places"])
trap(3, "twin", "two dictionaries of one name", "Twins", seen=["Twins", "Twins"])
trap(4, "agree de", "the ticked state is called Ja", "Ja", seen=[True])
trap(5, "agree utf8", "the state's name is UTF-8 and there is no picture for off", "är på", seen=[True])
trap(6, "pick", "boxes with different states in one field", "B", seen=[False, True])
trap(7, "colour", "radio buttons whose values are in Opt", "green", "1", [False, True])
trap(8, "land", "a combo that stores DE and shows Germany", "DE", seen=["Germany"])
trap(9, "free", "a combo that takes free text", "Peru")
trap(10, "several", "a list with several choices", ["b", "d"], ["b", "d"], ["Alpha Beta Gamma Delta"])
trap(11, "comb", "a comb aligned to the right", "4711")
trap(12, "secret", "a password", "hunter2", None, ["*******"])
trap(13, "auto", "automatic size on one line", "A line that is rather long for so small a place")
trap(14, "autolines", "automatic size in a paragraph",
     "Many words that must be broken into lines and set small enough that the last of them is still seen in the place: end")
trap(15, "lines", "line ends of three kinds", "one\r\ntwo\rthree", "one\rtwo\rthree", ["one two three"])
trap(16, "turned", "a place turned by 90 degrees", "Turned")
trap(17, "framed", "background, border and bevel", "Framed")
trap(18, "cyrillic", "letters the font lacks: Cyrillic", "Дарья Шевченко")
trap(19, "cjk", "letters the font lacks: Chinese", "王小明先生")
trap(20, "arabic", "letters that join and run left", "مريم الأحمد")
trap(21, "devanagari", "letters that are reordered", "नमस्ते कृष्ण")
trap(22, "nofont", "a font the form does not have", "No such font")
trap(23, "differences", "a font with an encoding of its own", "Čapek & AB")
trap(24, "money", "a number format", "1234.5", seen=["$1,234.50"])
trap(25, "sum", "a sum of two fields", None, "42", ["42"])
trap(26, "part one", "what is summed", "40")
trap(27, "hidden", "a hidden place stays hidden", "unseen", seen=[""])
trap(28, "part two", "what is summed, read only", "2")
trap(29, "short", "five characters at most", "12345678", "12345", ["12345"])
trap(30, "escapes", "brackets and backslashes", "a(b\\c)d ((")
trap(31, "bare", "a box without any picture", True, "Yes", [True])
trap(32, "rich", "old rich text", "New words")
trap(33, "имя.с.точкой", "a name in UTF-16 with dots", "Dotted")
trap(34, "orphan", "a place that only the page knows", "Found")


class PDF:
    def __init__(self):
        self.bodies = []

    def add(self, body=""):
        self.bodies.append(body)
        return len(self.bodies)

    def stream(self, entries, data):
        return self.add(b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries.encode(), len(data), data))

    def form_of_one_page(self, page, pages, fields, form=""):
        """The whole file: the fields on one page, and what else the form says."""
        listed = " ".join(f"{number} 0 R" for number in fields)
        self.bodies[page - 1] = f"<</Type/Page/Parent {pages} 0 R/MediaBox[0 0 612 792]/Annots[{listed}]>>"
        self.bodies[pages - 1] = f"<</Type/Pages/Kids[{page} 0 R]/Count 1>>"
        return self.bytes(self.add(
            f"<</Type/Catalog/Pages {pages} 0 R/AcroForm<</Fields[{listed}]/DA(/Helv 0 Tf 0 g){form}>>>>"))

    def bytes(self, root):
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, body in enumerate(self.bodies, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body if isinstance(body, bytes) else body.encode("latin-1"))
        table = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        for place in places:
            out += b"%010d 00000 n \n" % place
        out += b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, root, table)
        return bytes(out)


def text(string):
    if string.isascii():
        return "(" + string.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"
    return "<FEFF" + string.encode("utf-16-be").hex() + ">"


def name(string):
    return "/" + "".join(chr(b) if chr(b).isalnum() and b < 128 else f"#{b:02x}" for b in string.encode())


def build(path):
    """Writes the form and gives the rectangles of each trap's places."""
    pdf = PDF()
    page, pages = pdf.add(), pdf.add()
    helv = pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    odd = pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Type/Encoding"
                  "/Differences[65/B/A/Ccaron 128/ampersand]>>>>")
    fields, annotations, places = [], [], {}
    boxes = {t.number: (40 + 270 * ((t.number - 1) % 2), 745 - 42 * ((t.number - 1) // 2)) for t in TRAPS}

    def rectangle(number, dx=0, width=110, height=24):
        x, y = boxes[number]
        places.setdefault(number, []).append((x + dx, y, x + dx + width, y + height))
        return f"/Rect[{x + dx} {y} {x + dx + width} {y + height}]"

    def widget(entries):
        annotations.append(pdf.add(f"<</Type/Annot/Subtype/Widget/P {page} 0 R{'' if '/F ' in entries else '/F 4'}{entries}>>"))
        return annotations[-1]

    def simple(number, entries="", title=None, listed=True, **box):
        own = next(t.name for t in TRAPS if t.number == number) if title is None else title
        ref = widget(f"/FT/Tx/T{text(own)}{rectangle(number, **box)}{entries}")
        if listed:
            fields.append(ref)
        return ref

    def mark(on):
        return pdf.stream("/Type/XObject/Subtype/Form/BBox[0 0 24 24]",
                          b"0 0 0 RG 1 1 22 22 re S" + (b" 0 g 6 6 12 12 re f" if on else b""))

    def button(number, states, extra="", dx=0):
        pictures = "".join(f"{name(s)} {mark(s != 'Off')} 0 R" for s in states)
        return widget(f"{rectangle(number, dx, 24)}/AP<</N<<{pictures}>>>>/AS/Off{extra}")

    # 1
    top, middle = pdf.add(), pdf.add()
    low = widget(f"/T(low)/Parent {middle} 0 R{rectangle(1)}")
    pdf.bodies[top - 1] = f"<</T(inherited)/FT/Tx/DA(/Helv 9 Tf 0 0 1 rg)/Q 2/Kids[{middle} 0 R]>>"
    pdf.bodies[middle - 1] = f"<</Parent {top} 0 R/Kids[{low} 0 R]>>"
    fields.append(top)
    # 2
    twice = pdf.add()
    kids = [widget(f"/Parent {twice} 0 R{rectangle(2, 0)}/DA(/Helv 8 Tf 0 g)"),
            widget(f"/Parent {twice} 0 R{rectangle(2, 120)}/DA(/Helv 12 Tf 1 0 0 rg)/Q 1")]
    pdf.bodies[twice - 1] = f"<</T(twice)/FT/Tx/Kids[{kids[0]} 0 R {kids[1]} 0 R]>>"
    fields.append(twice)
    # 3
    simple(3)
    simple(3, dx=120)
    # 4 - 6
    for number, states, title in ((4, ["Ja", "Off"], "agree de"), (5, ["är på"], "agree utf8")):
        fields.append(button(number, states, f"/FT/Btn/T{text(title)}"))
    pick = pdf.add()
    kids = [button(6, [s, "Off"], f"/Parent {pick} 0 R", dx) for s, dx in (("A", 0), ("B", 40))]
    pdf.bodies[pick - 1] = f"<</T(pick)/FT/Btn/Kids[{kids[0]} 0 R {kids[1]} 0 R]>>"
    fields.append(pick)
    # 7
    colour = pdf.add()
    kids = [button(7, [s, "Off"], f"/Parent {colour} 0 R", dx) for s, dx in (("0", 0), ("1", 40))]
    pdf.bodies[colour - 1] = f"<</T(colour)/FT/Btn/Ff {1 << 15}/Opt[(red)(green)]/Kids[{kids[0]} 0 R {kids[1]} 0 R]>>"
    fields.append(colour)
    # 8 - 10
    pairs = "[[(FR)(France)][(DE)(Germany)]]"
    fields.append(widget(f"/FT/Ch/T(land)/Ff {1 << 17}/Opt{pairs}{rectangle(8)}"))
    fields.append(widget(f"/FT/Ch/T(free)/Ff {1 << 17 | 1 << 18}/Opt[(Chile)]{rectangle(9)}"))
    letters = "[[(a)(Alpha)][(b)(Beta)][(c)(Gamma)][(d)(Delta)]]"
    fields.append(widget(f"/FT/Ch/T(several)/Ff {1 << 21}/Opt{letters}/DA(/Helv 6 Tf 0 g){rectangle(10, 0, 110, 34)}"))
    # 11 - 17
    simple(11, f"/MaxLen 8/Ff {1 << 24}/Q 2")
    simple(12, f"/Ff {1 << 13}")
    simple(13, "/DA(/Helv 0 Tf 0 g)")
    simple(14, f"/Ff {1 << 12}/DA(/Helv 0 Tf 0 g)", height=30)
    simple(15, f"/Ff {1 << 12}/DA(/Helv 8 Tf 0 g)", height=34)
    simple(16, "/MK<</R 90>>/DA(/Helv 8 Tf 0 g)", width=24, height=32)
    simple(17, "/MK<</BG[1 1 0.8]/BC[0 0.4 0]>>/BS<</W 2/S/B>>")
    # 18 - 23
    for number in (18, 19, 20, 21):
        simple(number)
    simple(22, "/DA(/Nowhere 11 Tf 0 g)")
    simple(23, "/DA(/Odd 11 Tf 0 g)")
    # 24 - 30
    simple(24, '/AA<</F<</S/JavaScript/JS(AFNumber_Format\\(2, 0, 0, 0, "$", true\\);)>>>>')
    total = simple(25, '/AA<</C<</S/JavaScript/JS(AFSimple_Calculate\\("SUM", new Array \\("part one", "part two"\\)\\);)>>>>')
    simple(26)
    simple(27, "/F 2")
    simple(28, "/Ff 1")
    simple(29, "/MaxLen 5")
    simple(30)
    # 31 - 34
    fields.append(widget(f"/FT/Btn/T(bare)/MK<</CA(4)/BC[0]>>{rectangle(31, 0, 24)}"))
    simple(32, "/V(Old words)/RV(<body><p>Old words</p></body>)/DS(font: 12pt)")
    simple(33)
    simple(34, listed=False)

    content = pdf.stream("", "\n".join(
        f"BT /Helv 6 Tf 0.5 g {boxes[t.number][0]} {boxes[t.number][1] - 7} Td {text(str(t.number) + ' ' + t.meant)} Tj ET"
        for t in TRAPS).encode())
    pdf.bodies[page - 1] = (f"<</Type/Page/Parent {pages} 0 R/MediaBox[0 0 612 792]/Resources<</Font<</Helv {helv} 0 R>>>>"
                            f"/Contents {content} 0 R/Annots[{' '.join(f'{a} 0 R' for a in annotations)}]>>")
    pdf.bodies[pages - 1] = f"<</Type/Pages/Kids[{page} 0 R]/Count 1>>"
    xfa = pdf.stream("", b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'>"
                     b"<template xmlns='http://www.xfa.org/schema/xfa-template/2.5/'><subform name='form1'/></template>"
                     b"<xfa:datasets xmlns:xfa='http://www.xfa.org/schema/xfa-data/1.0/'><xfa:data><form1/></xfa:data></xfa:datasets></xdp:xdp>")
    form = pdf.add(f"<</Fields[{' '.join(f'{f} 0 R' for f in fields)}]/DR<</Font<</Helv {helv} 0 R/Odd {odd} 0 R>>>>"
                   f"/DA(/Helv 11 Tf 0 g)/NeedAppearances true/CO[{total} 0 R]/XFA {xfa} 0 R>>")
    root = pdf.add(f"<</Type/Catalog/Pages {pages} 0 R/AcroForm {form} 0 R>>")
    with open(path, "wb") as out:
        out.write(pdf.bytes(root))
    return places
