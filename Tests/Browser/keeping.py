"""The library as people live with it: private folders, links for others, papers from elsewhere, chapters, changes."""

import io
import json
import re
import zipfile

from playwright.sync_api import expect

from desk import DESKTOP, PASSWORD, PHONE, accessible, acts, add, drag, eventually, more, picture, set_up, still, unfold
from filing import make_folder, paper, until_read
from first_steps import NO_OFFER, with_authenticator
from sentences import holds

SIZES = {"on a desktop": DESKTOP, "on a phone by touch": PHONE}


def everywhere(sentence):
    """The same sentence with a mouse on a desktop and by touch on a phone."""
    def remember(body):
        for where, size in SIZES.items():
            options = {"has_touch": True, "is_mobile": True} if size is PHONE else {}

            def told(browser, size=size, options=options, where=where):
                page = browser.page(browser.new_desk(), size, **options)
                set_up(page)
                press = (lambda target: target.tap()) if options else (lambda target: target.click())
                body(browser, page, press, where.split()[2])
                fits(page)
                assert not page.complaints, page.complaints
            holds(f"{sentence}, {where}")(told)
        return body
    return remember


def fits(page):
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{page.url} is {width} wide"


def close_private_folder(page, press):
    """A paper in a private folder that is closed."""
    add(page, "Diagnosis.txt", b"the clinic at the harbour")
    page.goto("/documents")
    make_folder(page, "Health")
    page.goto("/documents")
    page.get_by_label("Select Diagnosis.txt").check()
    acts(page)
    page.get_by_label("Move to").select_option("Health")
    press(page.get_by_role("button", name="Move", exact=True))
    expect(page.locator(".toast")).to_contain_text("filed")
    press(page.locator(".folder", has_text="Health"))
    page.get_by_text("Change this folder").click()
    press(page.get_by_role("button", name="Make it private"))
    expect(page.locator(".toast")).to_be_visible()
    page.goto("/documents")
    # Opened for whoever signed in a moment ago; once closed, the password is asked for.
    if page.get_by_role("button", name="Close them now").count() == 0:
        press(page.locator(".folder", has_text="Health"))
    press(page.get_by_role("button", name="Close them now"))
    expect(page.locator(".toast")).to_contain_text("closed")


@everywhere("A private folder asks for the password again, shows nothing until then, and is closed by one press")
def private(browser, page, press, name):
    close_private_folder(page, press)
    page.goto("/documents")
    expect(page.get_by_role("link", name="Diagnosis.txt")).to_have_count(0)
    accessible(page, f"a library with a private folder, {name}")
    picture(page, f"private-closed-{name}")
    page.goto("/search?q=clinic")
    expect(page.locator("main")).not_to_contain_text("Diagnosis")
    page.goto("/documents")
    press(page.locator(".folder", has_text="Health"))
    page.wait_for_url("**/unlock**")
    accessible(page, f"who is there, {name}")
    picture(page, f"private-asked-{name}")
    answer = page.locator("form[action='/unlock']")
    answer.locator("#f-password").fill("not this one")
    press(answer.locator("button"))
    expect(page.locator(".field-error, .notice-bad").first).to_be_visible()
    answer.locator("#f-password").fill(PASSWORD)
    press(answer.locator("button"))
    page.wait_for_url("**/documents?folder=**")
    expect(page.get_by_role("link", name="Diagnosis.txt")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Private folders are open. They close at")
    accessible(page, f"a private folder that is open, {name}")
    picture(page, f"private-open-{name}")
    press(page.get_by_role("button", name="Close them now"))
    expect(page.locator(".toast")).to_be_visible()
    page.goto("/documents")
    expect(page.get_by_role("link", name="Diagnosis.txt")).to_have_count(0)


@holds("A private folder asks for the passkey of an owner who has no password, and opens with it")
def private_by_passkey(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    with_authenticator(page)
    page.add_init_script(NO_OFFER)
    page.goto(page.entry)
    page.get_by_label("Your name").fill("Chloé Roy")
    page.get_by_label("Sign-in name").fill("chloe")
    page.get_by_role("button", name="Continue with a passkey").tap()
    page.wait_for_url(lambda url: "welcome" not in url or "step" in url)
    close_private_folder(page, lambda target: target.tap())
    page.goto("/documents")
    page.locator(".folder", has_text="Health").tap()
    page.wait_for_url("**/unlock**")
    assert page.get_by_label("Password").count() == 0
    accessible(page, "who is there, by passkey")
    picture(page, "private-asked-passkey")
    page.get_by_role("button", name="Open with a passkey").tap()
    page.wait_for_url("**/documents?folder=**")
    expect(page.get_by_role("link", name="Diagnosis.txt")).to_be_visible()
    assert not page.complaints, page.complaints


def opened(browser, page, name):
    """A stranger on a phone follows the link that is shown."""
    address = page.locator(".secret").inner_text()
    stranger = browser.page(browser.desks[-1], PHONE, has_touch=True, is_mobile=True)
    stranger.goto(address[address.index("/s/"):])
    return stranger


@everywhere("Chosen papers and a folder are given away by a link, with a password or for looking only")
def links(browser, page, press, name):
    add(page, "Plan.pdf", paper("Two rooms", "A garden"))
    add(page, "Note.txt", b"Dear neighbour")
    page.goto("/documents")
    page.get_by_label("Select Plan.pdf").check()
    page.get_by_label("Select Note.txt").check()
    acts(page)
    picture(page, f"links-chosen-{name}")
    press(page.get_by_role("group", name="With the selected").get_by_role("button", name="Share"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Share these papers")
    accessible(page, f"terms of a link, {name}")
    picture(page, f"links-terms-{name}")
    page.get_by_label(re.compile("^Password")).fill("between us two")
    press(page.get_by_role("button", name="Make link"))
    stranger = opened(browser, page, name)
    stranger.get_by_label("Password").fill("between us two")
    stranger.get_by_role("button", name="Show the paper").tap()
    expect(stranger.locator("main")).to_contain_text("Plan.pdf")
    expect(stranger.locator("main")).to_contain_text("Note.txt")
    accessible(stranger, f"chosen papers of somebody, {name}")
    picture(stranger, f"links-selection-{name}")
    with stranger.expect_download() as download:
        stranger.get_by_text("Download all").tap()
    names = zipfile.ZipFile(download.value.path()).namelist()
    assert sorted(names) == ["Note.txt", "Plan.pdf"], names
    # A folder, for looking only.
    page.goto("/documents")
    make_folder(page, "Garden")
    page.goto("/documents")
    page.get_by_label("Select Plan.pdf").check()
    acts(page)
    page.get_by_label("Move to").select_option("Garden")
    press(page.get_by_role("button", name="Move", exact=True))
    expect(page.locator(".toast")).to_contain_text("filed")
    press(page.locator(".folder", has_text="Garden"))
    page.get_by_text("Share this folder").click()
    page.get_by_label("For looking only").check()
    accessible(page, f"a folder to share, {name}")
    press(page.get_by_role("button", name="Make link"))
    guest = opened(browser, page, name)
    expect(guest.locator("main")).to_contain_text("Garden")
    guest.get_by_role("link", name="Plan.pdf").tap()
    expect(guest.locator("main img").first).to_have_js_property("complete", True)
    assert guest.locator("main img").first.evaluate("image => image.naturalWidth") > 300
    expect(guest.get_by_role("link", name="Download")).to_have_count(0)
    accessible(guest, f"a paper for looking only, {name}")
    picture(guest, f"links-looking-{name}")
    fits(guest)
    assert not stranger.complaints + guest.complaints, stranger.complaints + guest.complaints
    page.goto("/shares")
    expect(page.get_by_role("button", name="Take back")).to_have_count(2)
    accessible(page, f"all links, {name}")
    picture(page, f"links-all-{name}")
    press(page.get_by_role("button", name="Take back").first)
    press(page.get_by_role("dialog").get_by_role("button", name="Take back"))
    expect(page.locator(".toast")).to_be_visible()


def export() -> bytes:
    """What the exporter of Paperless-ngx writes for one paper, and for one it lost."""
    def row(model, key, **fields):
        return {"model": model, "pk": key, "fields": fields}
    manifest = [
        row("documents.correspondent", 1, name="Stadtwerke Süd"),
        row("documents.tag", 1, name="bill", color="#ff0000"),
        dict(row("documents.document", 11, title="Power bill", correspondent=1, tags=[1], created="2026-02-03",
                 checksum="aa"), __exported_file_name__="power.txt"),
        dict(row("documents.document", 12, title="Lost letter", tags=[], created="2026-02-03", checksum="bb"),
             __exported_file_name__="lost.txt"),
        row("documents.workflow", 1, name="Bills"),
    ]
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        packed.writestr("manifest.json", json.dumps(manifest))
        packed.writestr("metadata.json", '{"version": "2.18.4"}')
        packed.writestr("power.txt", "You owe 12,30")
    return held.getvalue()


@everywhere("A library comes over from Paperless-ngx, and what was left out is said")
def from_paperless(browser, page, press, name):
    page.goto("/documents/new")
    press(page.get_by_role("link", name="Import from Paperless-ngx"))
    page.wait_for_url("**/paperless")
    accessible(page, f"bringing a library, {name}")
    page.locator("#f-file").set_input_files(
        {"name": "photo.zip", "mimeType": "application/zip", "buffer": b"no archive at all"})
    press(page.get_by_role("button", name="Bring the papers"))
    expect(page.locator("main .notice-bad")).to_contain_text("no archive")
    page.goto("/paperless")
    page.locator("#f-file").set_input_files(
        {"name": "export.zip", "mimeType": "application/zip", "buffer": export()})
    press(page.get_by_role("button", name="Bring the papers"))
    expect(page.locator(".toast")).to_be_visible()
    # It is said on the page one waits at, when it is done.
    expect(page.locator("main")).to_contain_text("One new paper")
    expect(page.locator("main")).to_contain_text("Lost letter")
    accessible(page, f"what came of it, {name}")
    picture(page, f"paperless-{name}")
    fits(page)
    page.goto("/search?q=person:stadtwerke")
    press(page.get_by_role("link", name="Power bill").first)
    expect(page.locator("main")).to_contain_text("Stadtwerke Süd")
    expect(page.locator("main")).to_contain_text("bill")


@holds("Papers are dragged onto a folder with the mouse, and Undo brings them back")
def dragging(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    for number in range(3):
        add(page, f"Paper {number}.txt", f"{number}".encode())
    page.goto("/documents")
    make_folder(page, "Home")
    for view in ["list", "grid"]:
        page.goto(f"/documents?view={view}")
        row = "tbody tr" if view == "list" else ".library-grid li"
        expect(page.locator(row)).to_have_count(3)
        # Those that are chosen go together, whichever of them is taken hold of.
        page.get_by_label("Select Paper 0.txt").check()
        page.get_by_label("Select Paper 1.txt").check()
        drag(page.locator(row, has_text="Paper 1.txt").first, page.locator(".folder", has_text="Home"))
        expect(page.locator(".toast").last).to_contain_text("2 papers are filed")
        home = page.locator(".folder", has_text="Home")
        expect(home).to_contain_text("2 papers")
        picture(page, f"dragged-{view}")
        page.locator(".toast").last.get_by_role("button", name="Undo").click()
        expect(page.locator(".toast").last).to_contain_text("again as they were")
        expect(home).not_to_contain_text("2 papers")
    assert not page.complaints, page.complaints


@everywhere("A paper is converted and the result kept as its next version, and comparing shows both")
def kept_as_version(browser, page, press, name):
    add(page, "Letter.txt", b"Dear Ada,\nthe rent is 500.\n")
    page.locator(".upload").last.get_by_role("link").click()
    more(page)
    press(page.get_by_role("button", name="Convert or change"))
    page.wait_for_url("**/conversions/**")
    accessible(page, f"a paper to convert, {name}")
    press(page.get_by_role("button", name="Convert", exact=True))
    as_version = page.get_by_role("button", name=re.compile("version", re.I))
    expect(as_version).to_be_visible()
    picture(page, f"converted-{name}")
    fits(page)
    press(as_version)
    expect(page.locator("#versions .item")).to_have_count(2)
    unfold(page, "History and file")
    accessible(page, f"a converted paper, {name}")
    press(page.locator("#versions").get_by_role("link", name="Compare"))
    page.wait_for_url("**/changes**")
    still(page)
    picture(page, f"converted-compared-{name}")
    fits(page)
    page.go_back()
    unfold(page, "History and file")
    press(page.locator("#versions").get_by_role("button", name="Restore version 1"))
    expect(page.locator("#versions .item")).to_have_count(3)


@everywhere("Papers that are joined are joined no longer after Undo, and what is kept goes again with Undo")
def joined(browser, page, press, name):
    add(page, "One.pdf", paper("one"))
    add(page, "Two.pdf", paper("two"))
    page.goto("/documents")
    for _ in range(2):
        page.get_by_label("Select One.pdf").check()
        page.get_by_label("Select Two.pdf").check()
        acts(page)
        press(page.get_by_role("group", name="With the selected").get_by_role("button", name="Join"))
        page.wait_for_url("**/conversions/**")
        toast = page.locator(".toast").last
        expect(toast).to_contain_text("2 papers are being joined")
        if _ == 0:
            press(toast.get_by_role("button", name="Undo"))
            page.wait_for_url("**/documents**")
            expect(page.locator(".toast").last).to_contain_text("again as they were")
    press(page.get_by_role("button", name=re.compile("to your papers")).first)
    page.wait_for_url("**/documents/**")
    press(page.locator(".toast").last.get_by_role("button", name="Undo"))
    expect(page.locator(".toast").last).to_contain_text("again as it was")
    page.goto("/documents")
    expect(page.locator("tbody tr")).to_have_count(2)


def with_chapters() -> bytes:
    """Three pages with two bookmarks, and a file carried inside."""
    whole = paper("The beginning", "The middle", "The end").decode()
    body = whole[:whole.index("xref\n")]
    count = body.count(" 0 obj\n") + 1
    first, second, names, spec, stream = range(count, count + 5)
    kids = re.search(r"/Kids \[([^\]]*)\]", body).group(1).split(" R")
    pages = [kid.strip() + " R" for kid in kids if kid.strip()]
    outline = stream + 1
    body = body.replace("/Type /Catalog", f"/Type /Catalog /Outlines {outline} 0 R /Names << /EmbeddedFiles {names} 0 R >>")
    body += (
        f"{first} 0 obj\n<< /Title (Chapter one) /Parent {outline} 0 R /Next {second} 0 R /Dest [{pages[0]} /Fit] >>\nendobj\n"
        f"{second} 0 obj\n<< /Title (Chapter two) /Parent {outline} 0 R /Prev {first} 0 R /Dest [{pages[2]} /Fit] >>\nendobj\n"
        f"{names} 0 obj\n<< /Names [(data.csv) {spec} 0 R] >>\nendobj\n"
        f"{spec} 0 obj\n<< /Type /Filespec /F (data.csv) /UF (data.csv) /EF << /F {stream} 0 R >> >>\nendobj\n"
        f"{stream} 0 obj\n<< /Type /EmbeddedFile /Length 4 >>\nstream\na,b\n\nendstream\nendobj\n"
        f"{outline} 0 obj\n<< /Type /Outlines /First {first} 0 R /Last {second} 0 R /Count 2 >>\nendobj\n")
    places = [body.index(f"\n{number} 0 obj\n") + 1 for number in range(1, outline + 1)]
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (f"{body}xref\n0 {outline + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {outline + 1} /Root 1 0 R >>\n"
            f"startxref\n{len(body)}\n%%EOF\n").encode()


@everywhere("The reader leads through the chapters of a paper and hands over what it carries, two pages side by side")
def chapters(browser, page, press, name):
    add(page, "Book.pdf", with_chapters())
    page.locator(".upload").last.get_by_role("link").click()
    press(page.get_by_role("link", name="Read").first)
    page.locator("page-reader:defined").wait_for()
    press(page.get_by_role("button", name="Contents and attachments"))
    outline = page.locator("[data-outline]")
    expect(outline.get_by_role("link", name="Chapter two")).to_be_visible()
    accessible(page, f"the chapters of a paper, {name}")
    picture(page, f"chapters-{name}")
    fits(page)
    press(outline.get_by_role("link", name="Chapter two"))
    expect(page.locator("[data-number]")).to_have_value("3")
    with page.expect_download() as download:
        press(outline.get_by_role("link", name="data.csv"))
    assert download.value.path().read_bytes() == b"a,b\n"
    press(page.get_by_role("button", name="Contents and attachments"))
    press(page.get_by_role("button", name="Two pages side by side"))
    one, two = page.locator("#page-1").bounding_box(), page.locator("#page-2").bounding_box()
    assert abs(one["y"] - two["y"]) < 4 and two["x"] > one["x"] + one["width"] - 2, (one, two)
    picture(page, f"pairs-{name}")
    until_read(page, "middle")
    page.get_by_label("Find in this paper").fill("middle")
    page.get_by_label("Find in this paper").press("Enter")
    expect(page.locator("[data-hits]")).to_have_text("1 of 1")
    expect(page.locator("#page-2 rect")).to_have_count(1)


LONG_BOOK = [f"Chapter {number} about {'whales' if number == 50 else 'ships'}" for number in range(1, 61)]


@everywhere("A long book is whole as soon as its first page is there: its end, its words and a page in the middle are reached")
def long_book(browser, page, press, name):
    add(page, "Long.pdf", paper(*LONG_BOOK))
    address = page.locator(".upload").last.get_by_role("link").get_attribute("href") + "/read"
    sent = page.evaluate("async address => (await (await fetch(address)).text()).split('<figure').length - 1", address)
    assert sent == 24, sent
    for query, number in [("", "1"), ("?page=50#page-50", "50")]:
        page.goto("/documents")
        page.goto(address + query)
        expect(page.locator("[data-page]")).to_have_count(60)
        expect(page.locator(".reader-side img")).to_have_count(60)
        order = page.locator("[data-page]").evaluate_all("sheets => sheets.map(sheet => Number(sheet.dataset.page))")
        assert order == list(range(1, 61)), order
        small = page.locator(".reader-side a").evaluate_all("links => links.map(link => link.hash)")
        assert small == [f"#page-{place}" for place in range(1, 61)], small
        expect(page.locator("[data-number]")).to_have_value(number)
        heights = page.locator("[data-page]").evaluate_all("sheets => sheets.map(sheet => Math.round(sheet.getBoundingClientRect().height))")
        assert max(heights) - min(heights) <= 1, f"sheets that are not seen yet take another room than they will: {heights}"
        if page.locator(".reader-side").is_visible():
            expect(page.locator(".reader-side [aria-current]")).to_be_in_viewport()
    assert page.locator("[data-sheets]").evaluate("sheets => sheets.scrollWidth <= sheets.clientWidth"), "a sheet is wider than its place"
    expect(page.locator("#page-50 text")).to_have_text("Chapter 50 about whales")
    accessible(page, f"a long book, {name}")
    picture(page, f"long-book-{name}")
    page.locator("[data-sheets]").focus()
    page.keyboard.press("End")
    expect(page.locator("[data-number]")).to_have_value("60")
    expect(page.locator("#page-60 text")).to_have_text("Chapter 60 about ships")
    expect(page.locator("#page-60 img")).to_have_attribute("alt", "Page 60 of Long.pdf")
    until_read(page, "whales")
    page.goto(address)
    page.get_by_label("Find in this paper").fill("whales")
    page.get_by_label("Find in this paper").press("Enter")
    expect(page.locator("#page-50 rect")).to_have_count(1)
    expect(page.locator("[data-number]")).to_have_value("50")


@holds("Without scripts a long book is read by links from some pages to the next")
def long_book_without_scripts(browser):
    page = browser.page(browser.new_desk(), DESKTOP, java_script_enabled=False)
    set_up(page)
    page.goto("/documents/new")
    page.locator("input[type=file]").set_input_files(
        {"name": "Long.pdf", "mimeType": "application/pdf", "buffer": paper(*LONG_BOOK)})
    page.get_by_role("button", name="Add", exact=True).click()
    page.goto("/documents")
    page.get_by_role("link", name="Long.pdf").first.click()
    page.get_by_role("link", name="Read").first.click()
    expect(page.locator("[data-page]")).to_have_count(24)
    page.get_by_role("link", name="Page 25–48").click()
    expect(page.locator("#page-48")).to_be_attached()
    page.get_by_role("link", name="Page 49–60").click()
    expect(page.locator("[data-page]")).to_have_count(12)
    page.get_by_role("link", name="Page 25–48").click()
    expect(page.locator("[data-page]").first).to_have_attribute("id", "page-25")


@everywhere("A broken paper has a sheet in the place of its picture, and says what to do")
def broken_paper(browser, page, press, name):
    add(page, "Broken.pdf", b"%PDF-1.7\nnothing of what it promises\n%%EOF\n")
    page.goto("/documents?view=grid")
    card = page.locator(".paper-card").filter(has_text="Broken.pdf")
    sheet = card.locator(".thumb > :not(template)")
    expect(sheet).to_be_visible()
    expect(sheet).not_to_have_js_property("tagName", "IMG")
    expect(sheet).to_contain_text("PDF", ignore_case=True)
    picture(page, f"broken-{name}")
    press(card.get_by_role("link").first)
    page.wait_for_url("**/documents/*-*")
    # Its picture is asked for as long as nobody has tried to read it.
    why = "Save it once more in the program it comes from"
    assert eventually(lambda: page.reload() and why in page.locator("main").inner_text())
    expect(page.locator(".paper-well .sheet")).to_have_text("PDF")
    expect(page.locator(".paper-well img")).to_have_count(0)
    accessible(page, f"a broken paper, {name}")
    page.goto(page.url + "/read")
    expect(page.locator("main")).to_contain_text("Save it once more in the program it comes from")
    page.complaints.clear()  # That the picture cannot be had is what the browser complains about.
    # A picture that this browser does not know.
    add(page, "Photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0heicmif1")
    page.locator(".upload").last.get_by_role("link").click()
    expect(page.locator(".paper-well .sheet")).to_have_text("HEIC")


@everywhere("The languages of scans are chosen in Settings, and a rule for mails from somebody is made")
def languages_and_senders(browser, page, press, name):
    page.goto("/settings/language")
    expect(page.locator("main")).to_contain_text("Words in scans and photos")
    box = page.get_by_label("English", exact=True).last
    box.check()
    accessible(page, f"languages of scans, {name}")
    picture(page, f"scan-languages-{name}")
    press(page.locator("form[action='/settings/recognition'] button"))
    expect(page.locator(".toast")).to_be_visible()
    expect(page.locator("form[action='/settings/recognition'] input:checked")).to_have_count(1)
    page.goto("/rules")
    page.get_by_label("Name of the rule").fill("Bank")
    page.get_by_label("Mail from").fill("*@bank.example")
    page.get_by_label("Tags").fill("bank")
    page.get_by_label("Do it").check() if page.get_by_label("Do it").count() else page.locator("input[name=atOnce]").check()
    press(page.get_by_role("button", name="Make rule"))
    expect(page.locator(".toast")).to_contain_text("Bank")
    accessible(page, f"a rule about mails, {name}")
    mail = (b"From: The Bank <post@bank.example>\r\nSubject: News\r\nContent-Type: text/plain\r\n\r\nHello\r\n")
    add(page, "News.eml", mail)
    # It acts by itself, and says so: in the library, on the paper, with a way back.
    assert eventually(lambda: page.goto("/documents") and "Rules filed 1 paper" in page.locator("main").inner_text())
    accessible(page, f"what rules did, {name}")
    picture(page, f"rules-told-{name}")
    press(page.get_by_role("link", name="News.eml").first)
    expect(page.get_by_role("heading", level=1)).to_have_text("News.eml")
    expect(page.locator("main")).to_contain_text("What rules did")
    still(page)
    picture(page, f"rules-paper-{name}")
    press(page.get_by_role("button", name="Take it back"))
    expect(page.locator(".toast")).to_be_visible()
