"""What the options of `quire convert` do, each with and without it."""
import base64, os, shutil, struct, time

import paper, pngs
from trial import Folder, holds
from world import PNG, World, pdf

PAGES = "".join(f"<p style='break-after: page'>Sheet {n}</p>" for n in range(1, 4)) + "<p>Sheet 4</p>"


def letter(words="Dear Ada"):
    return paper.text(f"<text:p>{words}</text:p>")


@holds("out", "to", "force")
def a_result_goes_where_it_is_told_and_takes_nobodys_place_unasked():
    with Folder(a_png=PNG) as here:
        assert here.convert("a.png").names == ["a.pdf"]
        assert here.convert("a.png", "--out", "made/").names == ["a.pdf"] and (here.place / "made/a.pdf").exists()
        assert here.convert("a.png", "--out", "b.pdf").names == ["b.pdf"]
        before = (here.place / "b.pdf").read_bytes()
        here.put("other.png", PNG)
        refused = here.convert("a.png", "other.png", "--out", "b.pdf")
        assert refused.code != 0 and "b.pdf" in refused.said and (here.place / "b.pdf").read_bytes() == before
        assert len(here.convert("a.png", "other.png", "--out", "b.pdf", "--force").pdf.pages) == 2
        assert here.convert("b.pdf", "--to", "png").names == ["b-1.png", "b-2.png"]
        assert here.convert("a.png", "--to", "gold").code == 2 and here.convert("a.png", "--to", "docx").code != 0


@holds("by-name")
def papers_come_as_they_are_given_or_by_their_names_with_numbers_as_numbers():
    with Folder() as here:
        for number in (10, 9, 1):
            here.put(f"p{number}.pdf", pdf(f"page {number}"))
        given = ["p10.pdf", "p1.pdf", "p9.pdf"]
        assert here.convert(*given, "--out", "given.pdf").words() == ["page 10", "page 1", "page 9"]
        assert here.convert(*given, "--by-name", "--out", "named.pdf").words() == ["page 1", "page 9", "page 10"]


@holds("engine", needs=("libreoffice",))
def another_machine_converts_what_is_left_to_it():
    WORLD.pages["/forms/libreoffice/convert"] = (200, {"Content-Type": "application/pdf"}, pdf("from afar"))
    with Folder(a_fodt=letter()) as here:
        made = here.convert("a.fodt", "--engine", WORLD.address)
        assert made.words() == ["from afar"] and [leg["engine"] for leg in made.report["legs"]] == ["remote"]
        assert here.convert("a.fodt", "--engine", "nowhere", "--force").code != 0


@holds("allow-private", needs=("chromium",))
def pages_of_this_machine_are_fetched_only_when_that_is_allowed():
    WORLD.pages["/page"] = (200, {"Content-Type": "text/html"}, b"<title>Near</title><p>from near")
    with Folder() as here:
        refused = here.convert(WORLD.address + "/page")
        assert refused.code != 0 and not list(here.place.iterdir())
        assert here.convert(WORLD.address + "/page", "--allow-private").words() == ["from near"]


@holds("allow-address", "deny-address", "allow-network", needs=("chromium",))
def lists_of_addresses_say_what_a_page_may_fetch():
    WORLD.pages["/red"] = (200, {"Content-Type": "image/png"}, PNG)
    picture = f"<img style='width: 90px; height: 90px' src='{WORLD.address}/red'>"
    WORLD.pages["/shows"] = (200, {"Content-Type": "text/html"}, f"<title>Shows</title>{picture}".encode())
    with Folder(a_html=picture) as here:
        there = [WORLD.address + "/shows", "--allow-private", "--force"]
        assert here.convert(*there).red() > 3000
        denied = here.convert(*there, "--deny-address", "/red$")
        assert denied.red() == 0 and [item["address"] for item in denied.report["blocked"]] == [WORLD.address + "/red"]
        assert here.convert(*there, "--allow-address", "/shows$").red() == 0
        assert here.convert(*there, "--allow-address", "/shows$", "--allow-address", "/red$").red() > 3000
        assert here.convert(*there, "--deny-address", "/shows").code != 0
        assert here.convert(*there, "--deny-address", "(").code == 2
        # A file fetches nothing of its own accord; what it asked for is named.
        alone = here.convert("a.html", "--force")
        assert alone.red() == 0 and alone.report["blocked"] + alone.report["failed"]
        assert here.convert("a.html", "--allow-network", "--force").red() == 0
        assert here.convert("a.html", "--allow-network", "--allow-private", "--force").red() > 3000


@holds("header", "cookie", needs=("chromium",))
def headers_and_cookies_go_along():
    WORLD.pages["/known"] = (200, {"Content-Type": "text/html"}, b"<title>Known</title><p>hello")
    with Folder() as here:
        here.convert(WORLD.address + "/known", "--allow-private", "--header", "X-Mine: yes", "--header", "Accept-Language: de",
                     "--cookie", "one=1", "--cookie", "two=2").pdf
        sent = next(call[2] for call in WORLD.seen if call[1] == "/known")
        assert sent["X-Mine"] == "yes" and sent["Accept-Language"].startswith("de") and {"one=1", "two=2"} == set(sent["Cookie"].split("; "))
        assert here.convert("example.com", "--header", "nothing").code == 2 and here.convert("example.com", "--cookie", "nothing").code == 2


@holds("pages", needs=("chromium", "libreoffice"))
def only_the_pages_named_are_made():
    two = paper.text("<text:p>one</text:p><text:p text:style-name=\"N\">two</text:p>", paper.style("N", "page"))
    with Folder(a_html=PAGES, b_fodt=two, c_pdf=pdf("one", "two", "three")) as here:
        assert here.convert("a.html", "--pages", "2,4").words() == ["Sheet 2", "Sheet 4"]
        assert here.convert("b.fodt", "--pages", "2").words() == ["two"]
        assert here.convert("c.pdf", "--to", "png", "--pages", "2-3").names == ["c-2.png", "c-3.png"]
        assert here.convert("c.pdf", "--to", "txt", "--pages", "3").text.strip() == "three"
        assert here.convert("c.pdf", "--to", "png", "--pages", "9", "--force").code != 0


@holds("password")
def locked_papers_open_with_their_password_alone():
    with Folder(a_pdf=pdf("a secret")) as here:
        here.convert("a.pdf", "--then", "encrypt=open sesame", "--out", "locked.pdf").bytes
        assert here.convert("locked.pdf", "--to", "txt").code != 0
        assert here.convert("locked.pdf", "--to", "txt", "--password", "wrong").code != 0
        assert "a secret" in here.convert("locked.pdf", "--to", "txt", "--password", "open sesame").text


@holds("page-size", "margin", "fit", "landscape", needs=("chromium",))
def sheets_are_as_large_as_they_are_wished_and_pictures_stand_on_them_as_told():
    with Folder(a_png=PNG, b_html="<p>words</p>") as here:
        def made(name, *wishes):
            return here.convert(name, *wishes, "--out", "made.pdf", "--force")

        assert made("a.png").size == (3, 3) and made("b.html").size == (612, 792)
        for size, points in [("a4", (595, 842)), ("letter", (612, 792)), ("a3", (842, 1191)), ("a5", (420, 595)), ("legal", (612, 1008)),
                             ("100mmx50mm", (283, 142))]:
            # The browser's sheets are whole dots of its own.
            assert all(abs(a - b) <= 1 for a, b in zip(made("b.html", "--page-size", size).size, points)), size
        assert made("a.png", "--page-size", "a4").size == (595, 842)
        # What fits a sheet and is no photo stays as large as it is; a camera's picture stands on the sheet of its region.
        assert made("a.png", "--page-size", "auto").size == (3, 3)
        (here.place / "c.jpg").write_bytes(here.convert("b.html", "--to", "jpg", "--width", "1600", "--out", "c.jpg").bytes)
        assert made("c.jpg", "--page-size", "picture").size[0] == 1200
        assert sorted(made("c.jpg").size) == [612, 792] and sorted(made("c.jpg", "--page-size", "auto-a4").size) == [595, 842]
        wide = made("b.html", "--page-size", "a4", "--landscape").size
        assert abs(wide[0] - 842) <= 1 and abs(wide[1] - 595) <= 1
        sheet = 612 * 792
        # A square of four dots: as wide as the sheet, no larger than it is, or over all of it.
        assert abs(made("a.png", "--page-size", "letter").red() - 612 * 612) < 2000
        assert made("a.png", "--page-size", "letter", "--fit", "shrink").red() < 30
        assert abs(made("a.png", "--page-size", "letter", "--fit", "fill").red() - sheet) < 2000
        assert abs(made("a.png", "--page-size", "letter", "--margin", "72pt").red() - 468 * 468) < 2000
        assert abs(made("a.png", "--page-size", "letter", "--margin", "1in", "--fit", "into").red() - 468 * 468) < 2000

        def left(outcome):
            return outcome.seen()[0].get_textpage().get_charbox(0)[0]

        assert abs(left(made("b.html", "--margin", "50mm")) - left(made("b.html", "--margin", "10mm")) - 40 / 25.4 * 72) < 2
        for wrong in [("--page-size", "large"), ("--margin", "thick"), ("--fit", "tight")]:
            assert made("a.png", *wrong).code == 2, wrong


@holds("scan")
def a_sheet_in_a_photo_becomes_a_page_of_its_own_size():
    with Folder(a_png=pngs.sheet_on_a_table()) as here:
        whole = here.convert("a.png").size
        page = here.convert("a.png", "--scan", "bw", "--force")
        assert all(abs(a - b) <= 2 for a, b in zip(page.size, (595, 842))), (whole, page.size)
        # Black and white, and the table is gone.
        assert b"CCITTFaxDecode" in page.bytes
        assert here.convert("a.png", "--scan", "sepia", "--force").code == 2


@holds("scan-size", "scan-sides")
def the_size_of_a_scanned_sheet_is_said_and_both_sides_of_a_card_stand_on_one_page():
    with Folder(a_png=pngs.sheet_on_a_table(), b_png=pngs.sheet_on_a_table()) as here:
        letter_page = here.convert("a.png", "--scan", "bw", "--scan-size", "letter", "--out", "letter.pdf")
        assert letter_page.size == (612, 792), letter_page.size
        assert here.convert("a.png", "--scan", "bw", "--scan-size", "huge", "--force").code == 2
        apart = here.convert("a.png", "b.png", "--scan", "bw", "--then", "merge", "--out", "apart.pdf")
        together = here.convert("a.png", "b.png", "--scan", "bw", "--scan-sides", "--then", "merge", "--out", "card.pdf")
        assert (len(apart.pdf.pages), len(together.pdf.pages)) == (2, 1)


@holds("landscape", needs=("libreoffice",))
def office_papers_lie_on_their_long_side():
    with Folder(a_fodt=letter()) as here:
        width, height = here.convert("a.fodt").size
        assert width < height and here.convert("a.fodt", "--landscape", "--force").size == (height, width)


@holds("scale", "one-page", "background", needs=("chromium",))
def a_web_page_is_scaled_coloured_and_put_on_one_sheet():
    with Folder(a_html="<body style='background: #f00'>" + "<p>line</p>" * 150) as here:
        whole = here.convert("a.html")
        assert whole.red() == 0 and here.convert("a.html", "--background", "--force").red() > 200_000
        assert len(here.convert("a.html", "--scale", "0.5", "--force").pdf.pages) < len(whole.pdf.pages)
        single = here.convert("a.html", "--one-page", "--force")
        assert len(single.pdf.pages) == 1 and single.words()[0].count("line") == 150
        assert here.convert("a.html", "--scale", "9", "--force").code == 2


@holds("reader", "outline", "tagged", "media", "page-header", "page-footer", "no-scripts", needs=("chromium",))
def a_web_page_is_dressed_marked_up_and_cleared_as_told():
    story = "".join(f"<p>{'The engine weaves algebraic patterns. ' * 12}</p>" for _ in range(3))
    html = ("<title>Weaving</title><style>.s { display: none } @media screen { .s { display: block } }</style><nav>All links</nav>"
            f"<article><h1>Weaving</h1>{story}<p class=s>on screens</p></article><p id=q>quiet</p><script>q.textContent = 'loud'</script>")
    with Folder(a_html=html) as here:
        def made(*wishes):
            return here.convert("a.html", *wishes, "--force")

        plain = made()
        said = " ".join(plain.words())
        assert "All links" in said and "loud" in said and "on screens" not in said and not plain.pdf.outline
        clear = " ".join(made("--reader").words())
        assert "algebraic" in clear and "All links" not in clear
        assert made("--outline").pdf.outline[0]["/Title"] == "Weaving"
        root = made("--tagged").pdf.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"] and "/StructTreeRoot" in root
        assert "on screens" in " ".join(made("--media", "screen").words()) and made("--media", "clay").code == 2
        small = "style='font-size: 10px'"
        dressed = made("--margin", "25mm", "--page-header", f"<b {small} class=title></b>", "--page-footer",
                       f"<b {small}>Sheet <i class=pageNumber></i> of <i class=totalPages></i></b>").words()[0]
        assert dressed.count("Weaving") == said.count("Weaving") + 1 and "Sheet 1 of 1" in dressed
        assert "quiet" in " ".join(made("--no-scripts").words())


@holds("tagged", needs=("libreoffice",))
def office_papers_are_marked_up_for_screen_readers():
    with Folder(a_fodt=letter()) as here:
        root = here.convert("a.fodt", "--tagged").pdf.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"] and b"pdfuaid" in root["/Metadata"].get_data()


@holds("wait", "wait-for", "wait-until", needs=("chromium",))
def what_comes_late_is_waited_for_as_told():
    late = "<p id=p>early</p><script>setTimeout(() => p.outerHTML = '<p id=there>late</p>', 1500)</script>"
    with Folder(a_html=late) as here:
        assert here.convert("a.html").words() == ["early"]
        for wish in [("--wait", "3"), ("--wait-for", "#there"), ("--wait-until", "document.getElementById('there')")]:
            assert here.convert("a.html", *wish, "--force").words() == ["late"], wish


@holds("width", "quality", "dpi", needs=("chromium", "pdftoppm"))
def pictures_are_as_wide_as_good_and_as_fine_as_wished():
    def size(png):
        return struct.unpack(">II", png[16:24])

    # Noise, which a JPEG of less quality says much shorter.
    noise = "<canvas id=c width=300 height=200></canvas><script>let s = 1, x = c.getContext('2d'); for (let n = 0; n < 6000; n++) { " \
        "s = s * 16807 % 2147483647; x.fillStyle = `hsl(${s % 360} 90% 50%)`; x.fillRect(s % 300, (s >> 8) % 200, 5, 5) }</script>"
    with Folder(a_html=noise, b_pdf=pdf("one")) as here:
        assert size(here.convert("a.html", "--to", "png", "--width", "400").bytes)[0] == 400
        assert size(here.convert("a.html", "--to", "png", "--width", "900", "--force").bytes)[0] == 900
        bad, good = (len(here.convert("a.html", "--to", "jpg", "--quality", percent, "--force").bytes) for percent in (10, 95))
        assert good > 2 * bad, (good, bad)
        webp = [len(here.convert("a.html", "--to", "webp", "--quality", percent, "--force").bytes) for percent in (10, 95)]
        assert webp[1] > 2 * webp[0], webp
        assert size(here.convert("b.pdf", "--to", "png", "--dpi", "36").bytes) == (306, 396)
        assert size(here.convert("b.pdf", "--to", "png", "--force").bytes) == (1275, 1650)
        here.convert("a.html", "--background", "--out", "c.pdf").bytes
        bad, good = (len(here.convert("c.pdf", "--to", "jpg", "--quality", percent, "--force").bytes) for percent in (10, 95))
        assert good > 2 * bad, (good, bad)
        assert here.convert("a.html", "--to", "jpg", "--quality", "best", "--force").code == 2


@holds("pdfa", needs=("gs", "libreoffice", "chromium"))
def archives_of_each_kind_are_made_of_every_kind_of_paper():
    with Folder(a_fodt=letter(), b_html="<p>Dear Ada</p>", c_pdf=pdf("Dear Ada"), d_png=PNG) as here:
        for part in (1, 2, 3):
            for name in ["a.fodt", "b.html", "c.pdf", "d.png"]:
                made = here.convert(name, "--pdfa", f"{part}b", "--out", "made.pdf", "--force")
                root = made.pdf.trailer["/Root"]
                claims = root["/Metadata"].get_data().replace(b"'", b'"')
                assert f"<pdfaid:part>{part}<".encode() in claims or f'pdfaid:part="{part}"'.encode() in claims, (name, part)
                assert root["/OutputIntents"], (name, part)
                assert name == "d.png" or "Dear Ada" in made.words()[0], (name, part)
        assert here.convert("c.pdf", "--pdfa", "9z", "--force").code == 2


@holds("changes", needs=("libreoffice",))
def tracked_changes_are_shown_or_not():
    tracked = ('<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>Ada</dc:creator>'
               '<dc:date>2026-11-22T10:00:00</dc:date></office:change-info><text:p>taken away</text:p></text:deletion></text:changed-region>'
               '</text:tracked-changes><text:p>Kept<text:change text:change-id="c1"/> words</text:p>')
    with Folder(a_fodt=paper.text(tracked)) as here:
        assert "taken away" in here.convert("a.fodt", "--changes", "shown").words()[0]
        assert "taken away" not in here.convert("a.fodt", "--changes", "hidden", "--force").words()[0]


@holds("append-attachments", needs=("chromium",))
def attachments_of_a_mail_are_listed_or_put_behind_it():
    mail = ("From: ada@example.org\r\nTo: charles@example.org\r\nSubject: Notes\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; "
            "boundary=x\r\n\r\n--x\r\nContent-Type: multipart/related; boundary=y\r\n\r\n--y\r\nContent-Type: text/html\r\n\r\n"
            "<p>Look</p><img style='width: 90px; height: 90px' src='cid:red@x'>\r\n--y\r\nContent-Type: image/png\r\nContent-ID: <red@x>\r\n"
            "Content-Transfer-Encoding: base64\r\n\r\nPICTURE\r\n--y--\r\n--x\r\nContent-Type: text/plain; name=more.txt\r\n"
            "Content-Disposition: attachment; filename=more.txt\r\n\r\nBehind it\r\n--x--\r\n")
    with Folder(a_eml=mail.replace("PICTURE", base64.b64encode(PNG).decode())) as here:
        alone = here.convert("a.eml")
        assert "more.txt" in alone.words()[0] and len(alone.words()) == 1 and alone.red() > 3000
        both = here.convert("a.eml", "--append-attachments", "--force").words()
        assert len(both) == 2 and "Behind it" in both[1]


@holds("time", needs=("chromium",))
def a_paper_is_given_up_after_its_time():
    with Folder(a_html="<script>for (;;);</script>") as here:
        watch = time.monotonic()
        given_up = here.convert("a.html", "--time", "2")
        assert given_up.code != 0 and "too long" in given_up.said and time.monotonic() - watch < 60


@holds(needs=("chromium", "libreoffice"))
def the_report_says_what_happened_on_the_way():
    html = ("<p>words</p><img src=gone.png><img src='http://192.168.7.7/x.png'><script>console.error('oh'); throw new Error('no')</script>")
    fonts = '<office:font-face-decls><style:font-face style:name="Q" svg:font-family="Quite Unknown Sans, Arial, sans-serif"/></office:font-face-decls>'
    with Folder(a_html=html, b_fodt=paper.text("<text:p>Dear Ada</text:p>", head=fonts)) as here:
        report = here.convert("a.html").report
        assert report["pages"] == 1 and report["seconds"] > 0
        assert [leg["engine"] for leg in report["legs"]] == ["chromium"] and report["legs"][0]["seconds"] > 0
        assert [item["address"] for item in report["failed"]] == ["gone.png"]
        assert any("192.168.7.7" in item["address"] and item["reason"] for item in report["blocked"])
        assert "oh" in report["consoleErrors"] and any("no" in error for error in report["consoleErrors"])
        office = here.convert("b.fodt").report
        assert [leg["engine"] for leg in office["legs"]] == ["libreoffice"]
        assert "Quite Unknown Sans" in [font["wanted"] for font in office["substitutedFonts"]]
        assert all(font["taken"] for font in office["substitutedFonts"])


@holds(needs=("unshare",))
def what_is_missing_names_its_package_and_stops_nothing_else():
    """Where only this call sees it: programs behind a device that is none, folders behind empty ones."""
    def without(*places):
        hidden = [f"mount --bind /dev/null {place}" if os.path.isfile(place) else f"mount -t tmpfs none {place}"
                  for place in places if os.path.exists(place)]
        return ["unshare", "-m", "sh", "-c", " && ".join([*hidden, 'exec "$0" "$@"'])]

    with Folder(a_pdf=pdf("one"), b_png=PNG, c_fodt=letter(), d_html="<p>words</p>", e_mobi=b"\0" * 60 + b"BOOKMOBI" + b"\0" * 60) as here:
        browsers = ["/usr/lib/chromium", *filter(None, map(shutil.which, ["chromium", "chromium-headless-shell"]))]
        for words, places, package in [
            (("a.pdf", "--to", "png"), ["/usr/bin/pdftoppm"], "poppler-utils"), (("a.pdf", "--then", "pdfa"), ["/usr/bin/gs"], "ghostscript"),
            (("a.pdf", "--then", "ocr"), ["/usr/bin/tesseract"], "tesseract-ocr"), (("c.fodt",), ["/usr/lib/libreoffice"], "libreoffice"),
            (("d.html",), browsers, "chromium"), (("e.mobi",), ["/usr/bin/ebook-convert"], "calibre"),
        ]:
            told = here.convert(*words, "--out", "made/", before=without(*places))
            assert told.code != 0 and "apt install " + package in told.said, (words, told.said)
            assert here.convert("b.png", "--force", before=without(*places)).names == ["b.pdf"]


WORLD = World()
