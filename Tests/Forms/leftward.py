"""A form whose fields are filled with Arabic, Hebrew and Urdu: at each side, in the middle, sized by the place, in paragraphs
and in cells. Where letters stand is found out from MuPDF, how they follow one another from poppler."""
import traps

COMB, PARAGRAPHS = 1 << 24, 1 << 12
HEBREW, ARABIC, URDU = "שלום עולם", "مريم الأحمد", "اردو میں ٹیکسٹ ڈھونڈیں"
LONG = "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם כולם חוננו בתבונה ובמצפון לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה"
# Name, entries of the field, height, value.
FIELDS = [
    *((f"{name}-{side}", f"/Q {side}/DA(/Helv 12 Tf 0 g)", 22, text)
      for name, text in (("hebrew", HEBREW), ("arabic", ARABIC), ("urdu", URDU)) for side in range(3)),
    ("sized", "/DA(/Helv 0 Tf 0 g)", 22, ARABIC),
    ("narrow", "/DA(/Helv 12 Tf 0 g)", 22, f"{ARABIC} محمد عبد الله الحسن بن علي بن عبد الرحمن الرشيدي"),
    *((f"paragraphs-{side}", f"/Q {side}/Ff {PARAGRAPHS}/DA(/Helv 12 Tf 0 g)", 80, LONG) for side in range(3)),
    *((f"cells-{side}", f"/Q {side}/Ff {COMB}/MaxLen 12/DA(/Helv 12 Tf 0 g)", 24, "שלום 123") for side in range(3)),
    ("digits", f"/Ff {COMB}/MaxLen 12/DA(/Helv 12 Tf 0 g)", 24, "١٢٣٤٥"),
]
LEFT, RIGHT = 60, 330
PLACES = {}
top = 770
for name, _, height, _ in FIELDS:
    PLACES[name] = LEFT, top - height, RIGHT, top
    top -= height + 8


def build(path):
    pdf = traps.PDF()
    page, pages = pdf.add(), pdf.add()
    font = pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    fields = []
    for name, entries, _, _ in FIELDS:
        box = " ".join(map(str, PLACES[name]))
        fields.append(pdf.add(f"<</Type/Annot/Subtype/Widget/FT/Tx/T({name})/F 4/Rect[{box}]/P {page} 0 R{entries}>>"))
    path.write_bytes(pdf.form_of_one_page(page, pages, fields, f"/DR<</Font<</Helv {font} 0 R>>>>"))


def cells(letters, box):
    """What stands in each of the twelve cells, from the left."""
    left, bottom, right, top = box
    found = [""] * 12
    for x, y, letter in letters:
        if left <= x <= right and bottom <= y <= top and not letter.isspace():
            found[min(11, int((x - left) * 12 / (right - left)))] += letter
    return found


def expected(name, text):
    """From the left: letters run left, numbers within them run right."""
    seen = {"digits": "١٢٣٤٥"}.get(name, "123 םולש")
    free = 12 - len(seen)
    before = {"1": free // 2, "2": free}.get(name[-1], 0)
    return ["" if c == " " else c for c in " " * before + seen + " " * (free - before)]


def reach(letters, box):
    """How far the letters stay away from the left and the right side of their place."""
    left, bottom, right, top = box
    found = [x for x, y, letter in letters if left <= x <= right and bottom <= y <= top and not letter.isspace()]
    return min(found) - left, right - max(found)
