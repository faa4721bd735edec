"""Papers of every kind, and what becomes of them."""
import os, re, struct, subprocess
from pathlib import Path

import pypdf

import paper
from options import letter
from trial import Folder, holds
from world import PNG, pdf

CORPUS = next((place for place in [os.environ.get("QUIRE_CORPUS"), "../shared/corpus", "../../shared/corpus"]
               if place and os.path.isdir(place)), None)


@holds(needs=("libreoffice",))
def office_papers_of_each_kind_are_made_and_become_pdf():
    with Folder(a_fodt=letter(), b_csv="Dear,Ada\n1,2\n", c_fodp=paper.slides(("Dear Ada", False))) as here:
        for source, kinds in [("a.fodt", "docx doc odt rtf txt html"), ("b.csv", "xlsx xls ods csv html"), ("c.fodp", "pptx ppt odp")]:
            for kind in kinds.split():
                if source.endswith(kind):
                    continue
                made = here.convert(source, "--to", kind, "--out", f"made.{kind}", "--force").bytes
                here.put("paper", made)
                # Under a name that says nothing, so that its contents have to.
                name = f"made.{kind}" if kind in ["txt", "csv"] else "paper"
                words = here.convert(name, "--out", "made.pdf", "--force").words()
                assert re.search("Dear.*Ada", " ".join(words)), (source, kind, words)


def sheets(*sheets):
    """Sheets of whole numbers, each of so many rows and columns, with lines around so many empty cells under and beside them."""
    lined = ('<style:style style:name="l" style:family="table-cell"><style:table-cell-properties fo:border="1pt solid #000"/></style:style>'
             '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>')
    cell = '<table:table-cell office:value-type="float" office:value="{0}"><text:p>{0}</text:p></table:table-cell>'.format
    empty = '<table:table-cell table:style-name="l"/>'
    body = ""
    for number, (rows, columns, under, beside, more, words) in enumerate(sheets):
        inside = "".join(f"<table:table-row>{''.join(cell(row * column) for column in range(columns))}{empty * beside}</table:table-row>" for row in range(rows))
        last = f'<table:table-row><table:table-cell office:value-type="string"><text:p>{words}</text:p></table:table-cell></table:table-row>'
        body += f'<table:table table:name="s{number}" {more}>{inside}{last}{f"<table:table-row>{empty}</table:table-row>" * under}</table:table>'
    return paper.flat("spreadsheet", f"<office:spreadsheet>{body}</office:spreadsheet>", lined)


@holds(needs=("libreoffice",))
def sheets_end_where_libreoffice_alone_ends_them():
    long = "Words that reach over their neighbours " * 6
    every = sheets((300, 8, 0, 0, "", "end"), (1, 1, 0, 0, "", long), (60, 6, 300, 0, "", "end"), (60, 6, 0, 12, "", "end"), (60, 2, 2500, 1, "", "end"),
                   (20, 40, 0, 0, "", "end"), (40, 3, 0, 0, 'table:style-name="h"', "hidden"))
    with Folder(all_fods=every) as here:
        here.convert("all.fods", "--to", "xlsx")
        made = here.convert("all.xlsx", "--out", "ours.pdf").words()
        subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{here.place}/own", "--convert-to", "pdf", "all.xlsx"],
                       cwd=here.place, check=True, capture_output=True, timeout=120)
        alone = here.convert("all.pdf", "--to", "pdf", "--out", "theirs.pdf").words()
        assert made == alone and "hidden" not in " ".join(made) and len(made) > 10, (len(made), len(alone))


def tiff(*colours):
    """Several pages of 8 by 8 dots, each of one colour."""
    out, place = b"II*\0", 4
    parts, offset = [], 8
    for number, colour in enumerate(colours):
        strip = bytes(colour) * 64
        entries = [(256, 4, 1, 8), (257, 4, 1, 8), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, offset), (277, 3, 1, 3), (278, 4, 1, 8),
                   (279, 4, 1, len(strip))]
        folder = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", *entry) for entry in entries)
        after = offset + len(strip) + len(folder) + 4
        parts.append((strip, folder, after + 0 if number + 1 < len(colours) else 0, offset + len(strip)))
        offset = after
    body = b""
    for number, (strip, folder, _, _) in enumerate(parts):
        following = parts[number + 1][3] if number + 1 < len(parts) else 0
        body += strip + folder + struct.pack("<I", following)
    return out + struct.pack("<I", parts[0][3]) + body


BMP = (b"BM" + struct.pack("<IHHI", 54 + 16, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 2, 2, 1, 24, 0, 16, 0, 0, 0, 0)
       + (b"\0\0\xff" * 2 + b"\0\0") * 2)
GIF = (b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\xff\0\0\0\0\0" + b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02D\x01\0;")


@holds(needs=("chromium",))
def pictures_of_each_kind_become_pages_in_the_order_given():
    with Folder(a_png=PNG, b_bmp=BMP, c_gif=GIF, d_tiff=tiff((255, 0, 0), (0, 0, 255), (255, 0, 0)),
                e_html="<body style='margin: 0; background: #f00'>") as here:
        for kind in ("jpg", "webp"):
            here.convert("e.html", "--to", kind, "--width", "120").bytes
        made = here.convert("d.tiff", "a.png", "e.jpg", "b.bmp", "e.webp", "c.gif", "--page-size", "a5", "--out", "all.pdf")
        reds = [made.red(page) > 30_000 for page in range(len(made.seen()))]
        assert reds == [True, False, True, True, True, True, True, True], reds


@holds(needs=("chromium",))
def a_jpeg_goes_in_byte_for_byte_and_a_png_loses_nothing():
    with Folder(a_html="<h1>Whole</h1>", b_png=PNG) as here:
        jpeg = here.convert("a.html", "--to", "jpg").bytes
        stored = next(iter(here.convert("a.jpg", "--force").pdf.pages[0]["/Resources"]["/XObject"].values())).get_object()
        assert stored["/Filter"] == "/DCTDecode" and stored._data == jpeg
        own = next(iter(here.convert("b.png").pdf.pages[0]["/Resources"]["/XObject"].values())).get_object()
        assert own.get_data() == b"\xff\0\0" * 16
        # The packed rows are those of the file.
        assert own._data == PNG[PNG.index(b"IDAT") + 4:PNG.index(b"IEND") - 8]


@holds(needs=("corpus",))
def jpeg_2000_goes_in_byte_for_byte_and_photos_of_telephones_stand_upright():
    source = pypdf.PdfReader(f"{CORPUS}/pdf/087-pdfbox-JPXTestGrey.pdf")
    found = next(item.get_object() for page in source.pages for item in page["/Resources"]["/XObject"].values()
                 if item.get_object().get("/Filter") == "/JPXDecode")
    with Folder(a_jp2=found._data) as here:
        stored = next(iter(here.convert("a.jp2").pdf.pages[0]["/Resources"]["/XObject"].values())).get_object()
        assert stored["/Filter"] == "/JPXDecode" and stored._data == found._data
        for name, upright in [("001-Landscape_3.jpg", False), ("002-Landscape_6.jpg", False), ("003-Portrait_8.jpg", True)]:
            width, height = here.convert(Path(CORPUS, "image", name).resolve(), "--out", "photo.pdf", "--force").size
            assert (height > width) == upright, name
        heic = here.convert(Path(CORPUS, "image/006-zPug_3.heic").resolve(), "--out", "photo.pdf", "--force")
        assert len(heic.pdf.pages) == 1 and heic.colours().std() > 10


@holds(needs=("chromium",))
def words_markdown_drawings_and_mails_become_pages():
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'><rect width='200' height='100' fill='#f00'/></svg>"
    mail = "From: ada@example.org\r\nTo: charles@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nDate: now\r\n\r\nHello there\r\n"
    with Folder(a_txt="Plain words\n\tindented\n", b_md="# Title\n\n*Dear* Ada\n", c_svg=svg, d_eml=mail) as here:
        # PDFium takes letters of one width for words.
        assert "Plainwordsindented" in here.convert("a.txt").words()[0].replace(" ", "")
        marked = here.convert("b.md").words()[0]
        assert "Title" in marked and "Dear Ada" in marked and "*" not in marked and "#" not in marked
        drawn = here.convert("c.svg")
        width, height = drawn.size
        assert width == 150 and 75 <= height <= 77 and drawn.red() > 150 * 75 * 0.9, (width, height, drawn.red())
        told = here.convert("d.eml").words()[0]
        assert "Grüße" in told and "Hello there" in told and "ada@example.org" in told


@holds(needs=("corpus", "ebook-convert", "chromium"))
def books_of_amazon_and_fictionbooks_become_pages():
    with Folder() as here:
        for name in ["004-lorem-ipsum.mobi", "001-lorem-ipsum.azw3", "003-lorem-ipsum.fb2"]:
            made = here.convert(Path(CORPUS, "ebook", name).resolve(), "--out", "book.pdf", "--force")
            assert "Lorem ipsum" in " ".join(made.words()), name
            assert [leg["engine"] for leg in made.report["legs"]] == ["calibre", "chromium"]


@holds("password", needs=("corpus", "libreoffice"))
def office_papers_that_are_locked_open_with_their_password():
    with Folder() as here:
        locked = Path(CORPUS, "office/005-protected_page_1.docx").resolve()
        assert here.convert(locked).code != 0 and here.convert(locked, "--password", "wrong").code != 0
        assert "Page 1" in here.convert(locked, "--password", "foo").words()[0]


LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:{0} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "{0}.dtd">
"""
LOCKING = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Locking" script:language="StarBasic">
Sub Save(source As String, target As String, kind As String)
  Dim hidden(0) As New com.sun.star.beans.PropertyValue, how(1) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden" : hidden(0).Value = True
  paper = StarDesktop.loadComponentFromURL(source, "_blank", 0, hidden())
  how(0).Name = "FilterName" : how(0).Value = kind
  how(1).Name = "Password" : how(1).Value = "sesame"
  paper.storeToURL(target, how())
  paper.close(True)
End Sub
</script:module>
"""


def locked(here, source, name, kind):
    """A paper as LibreOffice itself locks it, with the word sesame."""
    basic = here.place / "profile/user/basic/Standard"
    basic.mkdir(parents=True, exist_ok=True)
    # Without a word that it has begun before, LibreOffice puts a library of its own in the place of ours.
    (here.place / "profile/user/registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><item oor:path="/org.openoffice.Setup/Office"><prop oor:name="ooSetupInstCompleted" '
        'oor:op="fuse"><value>true</value></prop></item></oor:items>')
    (basic / "Locking.xba").write_text(LOCKING)
    (basic / "script.xlb").write_text(LIBRARY.format("library") + '<library:library xmlns:library="http://openoffice.org/2000/library" '
                                      'library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Locking"/></library:library>')
    (basic.parent / "script.xlc").write_text(LIBRARY.format("libraries") + '<library:libraries xmlns:library="http://openoffice.org/2000/library" '
                                             'xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" '
                                             'xlink:href="$(USER)/basic/Standard/script.xlb/" xlink:type="simple" library:link="false"/></library:libraries>')
    places = [f"file://{here.place}/{file}" for file in (source, name)]
    subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{here.place}/profile",
                    f'macro:///Standard.Locking.Save("{places[0]}","{places[1]}","{kind}")'], check=True, capture_output=True, timeout=120)
    assert (here.place / name).stat().st_size > 1000, f"LibreOffice made no {name}"
    return name


@holds(needs=("libreoffice",))
def old_office_papers_that_are_locked_are_said_to_be_and_open_with_their_password_or_say_what_to_do():
    with Folder(a_fodt=letter(), b_csv="Dear,Ada\n1,2\n") as here:
        for source, name, kind in [("a.fodt", "locked.doc", "MS Word 97"), ("b.csv", "locked.xls", "MS Excel 97")]:
            locked(here, source, name, kind)
            # By what is in it, too, whatever its name says.
            here.put("paper", (here.place / name).read_bytes())
            for paper in [name, "paper"]:
                without = here.convert(paper, "--out", "made.pdf", "--force")
                assert without.code != 0 and "is locked with a password" in without.said, (name, without.said)
            wrong = here.convert(name, "--password", "open", "--out", "made.pdf", "--force")
            assert wrong.code != 0 and "password" in wrong.said and "locked with a password" not in wrong.said, (name, wrong.said)
            made = here.convert(name, "--password", "sesame", "--out", "made.pdf", "--force")
            if name.endswith(".doc") and made.code != 0:  # LibreOffice may end over it; what can be done is said.
                assert "save it without one" in made.said, (name, made.said)
                continue
            words = made.words()
            assert re.search("Dear.*Ada", " ".join(words)), (name, words)


@holds(needs=("chromium",))
def what_becomes_pages_in_a_browser_gives_its_words_too():
    mail = "From: Ada <ada@example.org>\nSubject: Weaving\nContent-Type: text/plain; charset=utf-8\n\nDear reader, est\u00e1n aqu\u00ed\n"
    with Folder(a_html="<!doctype html><title>x</title><p>Dear reader, est\u00e1n aqu\u00ed</p>", b_md="# Weaving\n\nDear reader, est\u00e1n aqu\u00ed\n",
                c_eml=mail) as here:
        for name in ["a.html", "b.md", "c.eml"]:
            assert "Dear reader, est\u00e1n aqu\u00ed" in here.convert(name, "--to", "txt", "--force").text, name


@holds()
def words_of_a_page_come_in_the_order_they_are_read():
    two = pdf("x").replace(b"BT /F 30 Tf 72 700 Td (x) Tj ET", b"BT /F 12 Tf 320 700 Td (third) Tj 0 -14 Td (fourth) Tj -248 14 Td (first) Tj 0 -14 Td (second) Tj ET")
    two = re.sub(rb"/Length \d+", b"/Length 108", two, count=1)
    with Folder(a_pdf=two) as here:
        words = here.convert("a.pdf", "--to", "txt").text.split()
        assert sorted(words) == ["first", "fourth", "second", "third"] and words.index("first") < words.index("second"), words
        assert words.index("third") < words.index("fourth")


@holds()
def papers_that_cannot_be_converted_are_named_and_the_others_made():
    with Folder(a_pdf=pdf("one"), b_pdf="%PDF-1.7 and no more", c_pdf=pdf("three"), d_bin=bytes(range(64))) as here:
        made = here.convert("a.pdf", "b.pdf", "c.pdf", "d.bin", "--to", "txt")
        assert made.code != 0 and len(made.failures) == 2 and [file.name for file in made.files] == ["a.txt", "c.txt"]
        assert [name in told for name, told in zip(["b.pdf", "d.bin"], made.failures)] == [True, True]


@holds()
def a_broken_pdf_that_is_to_stay_one_is_handed_on_and_called_broken():
    with Folder(a_pdf="%PDF-1.7 and no more", b_pdf=pdf("one")) as here:
        made = here.convert("a.pdf", "b.pdf", "--to", "pdf", "--out", "made/")
        assert made.code == 0 and made.names == ["a.pdf", "b.pdf"]
        told = made.report["remarks"]
        assert len(told) == 1 and "a.pdf" in told[0] and "cannot be opened as a PDF" in told[0], told
