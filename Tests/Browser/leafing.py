"""Papers that are no PDF, leafed through like one: faxes, photos."""

import io
import struct
import subprocess
import zipfile

from playwright.sync_api import expect

from desk import accessible, add, eventually, picture
from filing import paper, until_read
from keeping import everywhere, fits
from sentences import Skipped


def tiff(*pages: str) -> bytes:
    """A fax with a line of words on each page: grey dots, not packed."""
    out = b"II*\0" + struct.pack("<I", 8)
    for number, words in enumerate(pages, 1):
        drawn = subprocess.run(["pdftoppm", "-gray", "-r", "150", "-"], input=paper(words), capture_output=True, check=True).stdout
        _, size, _, dots = drawn.split(b"\n", 3)
        width, height = map(int, size.split())
        strip = len(out) + 2 + 11 * 12 + 4 + 8
        entries = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, strip), (277, 3, 1),
                   (278, 4, height), (279, 4, len(dots)), (282, 5, strip - 8), (283, 5, strip - 8)]
        out += struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
        end = strip + len(dots)
        out += struct.pack("<I", end + end % 2 if number < len(pages) else 0) + struct.pack("<II", 150, 1) + dots
        out += b"\0" * (len(out) % 2)
    return out


FAX = ["The harbour wall must be mended", "The old mill is for sale", "Three apple trees for the garden"]


@everywhere("A fax of several pages has its picture in the library, is leafed through, and is found by the words on its last page")
def fax(browser, page, press, name):
    add(page, "Fax.tiff", tiff(*FAX))
    page.goto("/documents?view=grid")
    card = page.locator(".paper-card").filter(has_text="Fax.tiff")
    assert eventually(lambda: card.locator("img").evaluate("image => image.naturalWidth > 0"))
    picture(page, f"fax-grid-{name}")
    press(card.get_by_role("link").first)
    assert eventually(lambda: page.locator(".paper-well img").evaluate("image => image.naturalWidth > 0"))
    picture(page, f"fax-paper-{name}")
    press(page.get_by_role("link", name="Read", exact=True).first)
    page.locator("page-reader:defined").wait_for()
    expect(page.locator("[data-page]")).to_have_count(3)
    expect(page.locator("#page-1 img")).to_have_js_property("complete", True)
    accessible(page, f"a fax, {name}")
    picture(page, f"fax-read-{name}")
    fits(page)
    if not subprocess.run(["which", "tesseract"], capture_output=True).stdout:
        raise Skipped("no Tesseract here")
    until_read(page, "apple")
    page.goto("/search?q=apple")
    hit = page.locator("main").get_by_role("link", name="Fax.tiff").first
    expect(page.locator("main mark").first).to_have_text("apple")
    press(hit)
    page.locator("page-reader:defined").wait_for()
    expect(page.locator("[data-number]")).to_have_value("3")
    expect(page.locator("#page-3 rect")).to_have_count(1)
    picture(page, f"fax-found-{name}")


MAIL = b"""From: Ben Meier <ben@example.org>\r
To: Ana Tremblay <ana@example.org>\r
Date: Mon, 2 Nov 2026 09:00:00 +0000\r
Subject: The lease\r
Content-Type: text/html; charset=utf-8\r
\r
<h1>The lease</h1><p>Four rooms, a <b>kitchen</b> and a balcony.</p><p>Keys are handed over on Friday.</p>\r
"""


@everywhere("A mail is opened and read on pages that are made for it, its words are found there, and the library has its picture from then on")
def mail(browser, page, press, name):
    if not any(subprocess.run(["which", program], capture_output=True).stdout for program in ("chromium", "chromium-browser")):
        raise Skipped("no Chromium here")
    add(page, "Lease.eml", MAIL)
    page.goto("/documents?view=grid")
    card = page.locator(".paper-card").filter(has_text="Lease.eml")
    expect(card.locator("img")).to_have_count(0)
    press(card.get_by_role("link").first)
    page.wait_for_url("**/documents/*-*")
    expect(page.locator(".paper-well .sheet")).to_be_visible()
    press(page.get_by_role("link", name="Read", exact=True).first)
    page.wait_for_url("**/read")
    picture(page, f"mail-waits-{name}")
    accessible(page, f"a mail that is opened, {name}")
    page.locator("page-reader:defined").wait_for(timeout=60_000)
    expect(page.locator("#page-1 img")).to_have_js_property("complete", True)
    page.get_by_label("Find in this paper").fill("kitchen")
    page.get_by_label("Find in this paper").press("Enter")
    expect(page.locator("#page-1 rect")).to_have_count(1)
    accessible(page, f"a mail that is read, {name}")
    picture(page, f"mail-read-{name}")
    fits(page)
    page.goto("/documents?view=grid")
    assert eventually(lambda: card.locator("img").evaluate("image => image.naturalWidth > 0"))
    expect(card).to_contain_text("One page")
    picture(page, f"mail-grid-{name}")


def letter(*paragraphs: str) -> bytes:
    """As Word writes one, with a page for each paragraph."""
    said = "".join(f'<w:p><w:r><w:t>{words}</w:t></w:r></w:p><w:p><w:r><w:br w:type="page"/></w:r></w:p>' for words in paragraphs)
    kinds = "http://schemas.openxmlformats.org/package/2006/"
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("[Content_Types].xml", f'<Types xmlns="{kinds}content-types"><Default Extension="rels" '
                      f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
                      f'PartName="/word/document.xml" ContentType="{word}"/></Types>')
        file.writestr("_rels/.rels", f'<Relationships xmlns="{kinds}relationships"><Relationship Id="r1" Type="{office}" '
                      'Target="word/document.xml"/></Relationships>')
        file.writestr("word/document.xml", '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
                      f"<w:body>{said}</w:body></w:document>")
    return out.getvalue()


@everywhere("A letter of an office program is found by its words, and opens on their page with the words marked")
def office(browser, page, press, name):
    if not any(subprocess.run(["which", program], capture_output=True).stdout for program in ("soffice", "libreoffice")):
        raise Skipped("no LibreOffice here")
    add(page, "Offer.docx", letter("Dear Ana", "The orchard is for sale", "Yours, Ben"))
    hit = page.locator("main").get_by_role("link", name="Offer.docx").first
    assert eventually(lambda: page.goto("/search?q=orchard") and hit.count() == 1)
    expect(hit).not_to_contain_text("page", ignore_case=True)
    expect(page.locator("main mark").first).to_have_text("orchard")
    picture(page, f"office-found-{name}")
    press(hit)
    page.locator("page-reader:defined").wait_for(timeout=60_000)
    expect(page.locator("[data-number]")).to_have_value("2")
    expect(page.locator("#page-2 rect")).to_have_count(1)
    picture(page, f"office-read-{name}")
