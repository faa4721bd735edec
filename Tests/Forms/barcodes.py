"""A form with a barcode of each kind, turned and upright: filled, drawn by three viewers, and read by a reader of
barcodes, as a scanner would."""
import re
import subprocess

import numpy
import pypdfium2
import zxingcpp

import traps

# What is asked for, and how it is turned.
FIELDS = [
    ("paper", "/Symbology/PDF417/ECC 4/nCodeWordCol 6", 0, "PDF417", "Zoë Müller, 21.11.2026"),
    ("turned", "/Symbology/PDF417", 90, "PDF417", "A line\nand another"),
    ("square", "/Symbology/QRCode/ECC 1", 0, "QRCode", "https://example.org/?a=1&b=(2)"),
    ("matrix", "/Symbology/DataMatrix", 180, "DataMatrix", "4711-0815"),
    ("script", "/Symbology/QRCode", 270, "QRCode", "王小明 مريم"),
]


def place(index):
    top = 760 - 145 * index
    return 60, top - 130, 300 if index < 1 else 200, top


def build(path):
    pdf = traps.PDF()
    page, pages = pdf.add(), pdf.add()
    fields = []
    for index, (name, entries, turn, _, _) in enumerate(FIELDS):
        box = " ".join(map(str, place(index)))
        fields.append(pdf.add(
            f"<</Type/Annot/Subtype/Widget/FT/Tx/T({name})/F 4/Rect[{box}]/P {page} 0 R/MK<</R {turn}/BC[0.5]>>/BS<</W 1>>"
            f"/PMD<</Type/PaperMetaData/Version 1/Resolution 300{entries}>>>>"))
    path.write_bytes(pdf.form_of_one_page(page, pages, fields))


def seen(path, folder):
    """For each viewer, what a scanner reads from its picture of the page."""
    subprocess.run(["pdftoppm", "-r", "200", "-gray", "-singlefile", path, folder / "codes"], check=True, timeout=120)
    subprocess.run(["mutool", "draw", "-q", "-r", "200", "-F", "pgm", "-o", folder / "codes-mupdf.pgm", path], check=True, timeout=120)
    for viewer, file in (("poppler", folder / "codes.pgm"), ("mupdf", folder / "codes-mupdf.pgm")):
        data = file.read_bytes()
        head = re.match(rb"P5\s+(?:#.*\s+)?(\d+)\s+(\d+)\s+255\s", data)
        yield viewer, read(numpy.frombuffer(data[head.end():], numpy.uint8).reshape(int(head[2]), int(head[1])))
    document = pypdfium2.PdfDocument(str(path))
    document.init_forms()
    yield "pdfium", read(document[0].render(scale=200 / 72, grayscale=True, may_draw_forms=True).to_numpy().squeeze())


def read(picture):
    """Each field by itself: readers stop at some number of codes on one picture, and not at the same."""
    scale, found = picture.shape[0] / 792, set()
    for index in range(len(FIELDS)):
        left, bottom, right, top = (n * scale for n in place(index))
        part = picture[int(picture.shape[0] - top) - 9:int(picture.shape[0] - bottom) + 9, int(left) - 9:int(right) + 9]
        for code in zxingcpp.read_barcodes(numpy.ascontiguousarray(part)):
            found.add((str(code.format).rsplit(".", 1)[-1].replace(" ", ""), code.text))
    return found
