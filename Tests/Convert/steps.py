"""What the steps behind `--then` do, seen by other programs."""
import io, subprocess

import openpyxl
import pypdf

from trial import Folder, holds
from world import PNG, pdf


@holds("then", "merge", "pages", "rotate", needs=("libreoffice", "gs", "tesseract", "chromium"))
def papers_of_all_kinds_go_through_several_steps_in_one_call():
    with Folder(a_rtf="{\\rtf1 Dear Ada\\par}", b_png=PNG, c_html="<p>From the web</p>", d_pdf=pdf("one", "two")) as here:
        made = here.convert("a.rtf", "b.png", "c.html", "d.pdf", "--then", "merge", "--then", "ocr", "--then", "pages=5,1,3", "--then",
                            "rotate=90", "--then", "pdfa=2b", "--out", "all.pdf")
        assert [words.split(" ")[0] for words in made.words()] == ["two", "Dear", "From"]
        # Still on their sides: what makes the archive turns nothing back.
        assert all(float(page.mediabox.width) > float(page.mediabox.height) for page in made.pdf.pages)
        sheet = made.seen()[0]
        left, bottom, right, top = sheet.get_textpage().get_charbox(0)
        assert sheet.get_rotation() == 0 and left > sheet.get_width() / 2 and top > sheet.get_height() / 2
        assert b"pdfaid" in made.pdf.trailer["/Root"]["/Metadata"].get_data()
        assert [leg["engine"] for leg in made.report["legs"]][-5:] == ["merge", "ocr", "pages", "rotate", "pdfa"]
        # Nothing but the result is left of what came in between.
        assert sorted(path.name for path in here.place.iterdir()) == ["a.rtf", "all.pdf", "b.png", "c.html", "d.pdf"]


@holds("split", "merge")
def files_are_cut_into_several_and_put_together_again():
    with Folder(a_pdf=pdf("1", "2", "3", "4", "5")) as here:
        parts = here.convert("a.pdf", "--then", "split=2", "--out", "parts/")
        assert [len(pypdf.PdfReader(part).pages) for part in parts.files] == [2, 2, 1]
        whole = here.convert(*[f"parts/{name}" for name in parts.names], "--then", "merge", "--out", "whole.pdf")
        assert whole.words() == ["1", "2", "3", "4", "5"]


@holds("ocr", needs=("tesseract", "chromium"))
def words_in_pictures_are_found_and_the_picture_stays_as_it_is():
    with Folder(a_html="<body style='font: 40px sans-serif'><p>Recognised words</p>") as here:
        here.convert("a.html", "--out", "scan.png").bytes
        bare = here.convert("scan.png", "--out", "bare.pdf")
        found = here.convert("scan.png", "--then", "ocr=eng", "--out", "found.pdf")
        assert bare.words() == [""] and "Recognised words" in found.words()[0]
        assert (bare.colours() == found.colours()).all()


@holds("compress", "linearize", needs=("gs", "chromium"))
def files_become_smaller_and_never_larger_and_ready_for_browsers():
    with Folder(a_html="<body style='font: 30px sans-serif'>" + "<p>Words and more words of it</p>" * 20, b_pdf=pdf("one")) as here:
        here.convert("a.html", "--to", "png", "--width", "3000").bytes
        here.convert("a.png", "--page-size", "a4", "--out", "thick.pdf").bytes
        small = here.convert("thick.pdf", "--then", "compress", "--out", "small.pdf")
        assert len(small.bytes) < (here.place / "thick.pdf").stat().st_size and len(small.pdf.pages) == 1
        for name in ["b.pdf", "small.pdf"]:
            again = here.convert(name, "--then", "compress", "--out", "again.pdf", "--force")
            assert len(again.bytes) <= (here.place / name).stat().st_size
        quick = here.convert("b.pdf", "--then", "linearize", "--out", "quick.pdf")
        assert b"/Linearized" in quick.bytes[:1024] and quick.words() == ["one"]
        checked = subprocess.run(["qpdf", "--check-linearization", quick.files[0]], capture_output=True, text=True)
        assert checked.returncode == 0 and "no linearization errors" in checked.stdout, checked.stdout


@holds("flatten", needs=("chromium", "libreoffice"))
def fields_become_part_of_their_pages():
    field = ("<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada)/Rect[72 700 272 730]/DA(/F 14 Tf 0 g)/P 5 0 R>>")
    page = pdf("form").replace(b"/MediaBox", b"/Annots[9 0 R]/MediaBox").replace(b"/Pages 2 0 R>>", b"/Pages 2 0 R/AcroForm<</Fields[9 0 R]"
                               b"/DR<</Font<</F 3 0 R>>>>/NeedAppearances true>>>>").replace(b"xref\n", f"9 0 obj\n{field}\nendobj\nxref\n".encode(), 1)
    with Folder(a_pdf=page) as here:
        flat = here.convert("a.pdf", "--then", "flatten", "--out", "flat.pdf")
        assert not flat.pdf.get_fields() and "Ada" in flat.words()[0]


@holds("encrypt")
def files_are_locked_with_a_password():
    with Folder(a_pdf=pdf("secret")) as here:
        locked = here.convert("a.pdf", "--then", "encrypt=sesame", "--out", "locked.pdf")
        assert locked.pdf.is_encrypted and locked.pdf.decrypt("sesame") and not pypdf.PdfReader(locked.files[0]).decrypt("other")
        assert locked.words("sesame") == ["secret"]
        assert "sesame" not in str(locked.report)


@holds("watermark", "stamp")
def words_are_laid_over_every_page():
    with Folder(a_pdf=pdf("one", "two")) as here:
        marked = here.convert("a.pdf", "--then", "watermark=DRAFT", "--out", "marked.pdf")
        assert all("DRAFT" in page.extract_text().replace("\n", "") for page in marked.pdf.pages)
        # Across the middle, where there was nothing.
        assert (marked.colours()[300:500, 150:450] < 250).any() and not (here.convert("a.pdf", "--then", "rotate=180", "--out", "b.pdf")
                                                                         .colours()[300:500, 150:450] < 250).any()
        stamped = here.convert("a.pdf", "--then", "stamp=Copy 7", "--out", "stamped.pdf")
        assert all("Copy 7" in words for words in stamped.words()) and not (stamped.colours()[300:500, 150:450] < 250).any()


@holds("number", "resize", "crop")
def pages_are_numbered_and_put_on_other_paper_and_cut():
    with Folder(a_pdf=pdf("one", "two"), b_pdf=pdf("three")) as here:
        made = here.convert("a.pdf", "b.pdf", "--then", "number=bates=Q0009", "--then", "merge", "--out", "c.pdf")
        assert [words.split()[-1] for words in made.words()] == ["Q0009", "Q0010", "Q0011"]
        told = here.convert("a.pdf", "--then", "number=Sheet {page}/{pages}; place=top-left; pages=2", "--out", "d.pdf")
        assert "Sheet" not in told.words()[0] and "Sheet 2/2" in told.words()[1]
        small = here.convert("a.pdf", "--then", "resize=a5; margin=5mm", "--out", "e.pdf")
        assert all(abs(float(page.mediabox.width) - 419.53) < 0.1 for page in small.pdf.pages) and small.words() == ["one", "two"]
        cut = here.convert("a.pdf", "--then", "crop=36pt,0pt,0pt,72pt", "--out", "f.pdf")
        before, after = here.convert("a.pdf", "--then", "rotate=180", "--out", "g.pdf").pdf.pages[0].cropbox, cut.pdf.pages[0].cropbox
        assert abs(float(before.width - after.width) - 72) < 0.1 and abs(float(before.height - after.height) - 36) < 0.1
        assert any("hidden, not gone" in remark for remark in cut.report["remarks"])


@holds("picture", needs=("chromium",))
def a_logo_stands_on_the_pages():
    logo = '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48"><rect width="96" height="48" fill="#c00"/></svg>'
    with Folder(a_pdf=pdf("one", "two"), b_pdf=pdf("three"), logo_svg=logo) as here:
        made = here.convert("a.pdf", "logo.svg", "--then", "picture=bottom-left; width=2in; margin=0.5in; pages=2", "--out", "c.pdf")
        assert made.words() == ["one", "two"] and made.red(0) == 0
        colours = made.colours(1)
        rows, columns = ((colours[:, :, 0] > 200) & (colours[:, :, 1] < 60)).nonzero()
        height = len(colours)
        found = (columns.min(), columns.max() + 1, height - 1 - rows.max(), height - rows.min())
        assert all(abs(one - wanted) <= 2 for one, wanted in zip(found, (36, 180, 36, 108))), found
        # As sharp as it was drawn: no dots, but lines.
        assert not made.pdf.pages[1].images
        both = here.convert("a.pdf", "b.pdf", "logo.svg", "--then", "picture", "--out", "d/")
        assert both.names == ["a.pdf", "b.pdf"]
        alone = here.convert("a.pdf", "--then", "picture", "--out", "e.pdf")
        assert alone.code != 0 and "no picture to put on the pages" in alone.said, alone.said


@holds("nup", "booklet")
def pages_are_laid_out_on_sheets():
    with Folder(a_pdf=pdf("one", "two", "three", "four", "five")) as here:
        two = here.convert("a.pdf", "--then", "nup=2; paper=a4", "--out", "b.pdf")
        assert len(two.pdf.pages) == 3 and all(page.mediabox.width > page.mediabox.height for page in two.pdf.pages)
        assert sorted(two.words()[0].split()) == ["one", "two"]
        book = here.convert("a.pdf", "--then", "booklet=letter", "--out", "c.pdf")
        assert [sorted(words.split()) for words in book.words()] == [["one"], ["two"], ["three"], ["five", "four"]]


@holds("poster")
def a_page_covers_several_sheets():
    with Folder(a_pdf=pdf("one", "two")) as here:
        made = here.convert("a.pdf", "--then", "poster=2x3; paper=a4", "--out", "b.pdf")
        assert len(made.pdf.pages) == 12 and all(min(page.mediabox[2:]) > 595 for page in made.pdf.pages)


@holds("alternate", "background", "labels")
def several_papers_become_one_page_by_page():
    with Folder(a_pdf=pdf("one", "two"), b_pdf=pdf("back2", "back1"), head_pdf=pdf("head")) as here:
        woven = here.convert("a.pdf", "b.pdf", "--then", "alternate=from-end", "--out", "c.pdf")
        assert woven.words() == ["one", "back1", "two", "back2"], woven.words()
        ours = here.convert("a.pdf", "head.pdf", "--then", "background", "--out", "d.pdf")
        assert [sorted(words.split()) for words in ours.words()] == [["head", "one"], ["head", "two"]], ours.words()
        named = here.convert("a.pdf", "--then", "labels=1 Cover; 2 iv", "--out", "e.pdf")
        assert named.pdf.page_labels == ["Cover", "iv"], named.pdf.page_labels


@holds("sanitise")
def what_is_hidden_is_taken_out_and_told():
    with Folder(a_pdf=pdf("paper"), note_txt="for nobody") as here:
        here.convert("a.pdf", "note.txt", "--then", "attach", "--then", "author=Ada", "--out", "b.pdf").bytes
        clean = here.convert("b.pdf", "--then", "sanitise", "--out", "c.pdf")
        assert clean.words() == ["paper"] and not clean.pdf.attachments and not clean.pdf.metadata
        assert any("1 file carried inside (note.txt)" in remark for remark in clean.report["remarks"]), clean.report["remarks"]
        kept = here.convert("b.pdf", "--then", "sanitise=files", "--out", "d.pdf")
        assert kept.pdf.metadata["/Author"] == "Ada" and not kept.pdf.attachments


@holds("title", "author", "subject", "keywords")
def a_file_says_of_itself_what_it_is_told():
    with Folder(a_pdf=pdf("one")) as here:
        made = here.convert("a.pdf", "--then", "title=Notes", "--then", "author=Ada Lovelace", "--then", "subject=Engines", "--then",
                            "keywords=loom, cards", "--out", "b.pdf").pdf
        assert (made.metadata.title, made.metadata.author, made.metadata.subject) == ("Notes", "Ada Lovelace", "Engines")
        assert made.metadata["/Keywords"] == "loom, cards"


@holds("bookmarks")
def bookmarks_are_set_and_listed():
    with Folder(a_pdf=pdf("one", "two", "three")) as here:
        made = here.convert("a.pdf", "--then", "bookmarks=1 Letter; 2 Numbers; - 3 By month", "--out", "b.pdf")
        outline = made.pdf.outline
        assert [mark["/Title"] for mark in outline[:2]] == ["Letter", "Numbers"] and outline[2][0]["/Title"] == "By month"
        assert [made.pdf.get_destination_page_number(mark) for mark in [*outline[:2], outline[2][0]]] == [0, 1, 2]
        assert here.convert("b.pdf", "--then", "bookmarks", "--out", "list.txt").text == "1 Letter\n2 Numbers\n- 3 By month\n"


@holds("attach", "attachments")
def files_are_carried_inside_and_taken_out():
    with Folder(a_pdf=pdf("invoice"), data_xml="<invoice/>", blob_bin=bytes(range(256))) as here:
        made = here.convert("a.pdf", "data.xml", "blob.bin", "--then", "attach", "--out", "b.pdf")
        assert made.pdf.attachments["data.xml"] == [b"<invoice/>"] and made.pdf.attachments["blob.bin"] == [bytes(range(256))]
        out = here.convert("b.pdf", "--then", "attachments", "--out", "taken/")
        assert sorted(out.names) == ["blob.bin", "data.xml"] and (here.place / "taken/blob.bin").read_bytes() == bytes(range(256))


@holds("pdfa", "png", "txt", "xlsx", needs=("gs", "libreoffice", "pdftoppm"))
def what_was_made_becomes_another_kind_of_paper():
    with Folder(a_csv="Name,Sum\nAda,12.5\nCharles,7\nGrace,3\n") as here:
        table = here.convert("a.csv", "--then", "pdfa=3b", "--then", "xlsx", "--out", "b.xlsx")
        rows = [[str(cell) for cell in row] for row in openpyxl.load_workbook(io.BytesIO(table.bytes)).active.iter_rows(values_only=True)]
        assert rows[0] == ["Name", "Sum"] and ["Ada", "12.5"] in rows and ["Grace", "3"] in rows
        assert here.convert("a.csv", "--then", "pdf", "--then", "png", "--out", "b.png").bytes.startswith(b"\x89PNG")
        assert "Charles" in here.convert("a.csv", "--then", "pdf", "--then", "txt", "--out", "b.txt").text
