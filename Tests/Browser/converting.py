"""Papers come in, are looked at, and only then kept: photos, files, web pages, pasted words; on a desktop and a phone."""

import http.server
import json
import os
import re
import subprocess
import tempfile
import threading
from contextlib import contextmanager

import pngs
from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, eventually, picture, set_up
from filing import make_folder, paper
from sentences import holds

TOUCH = {"has_touch": True, "is_mobile": True}


def photo(name: str, colour: tuple, size=(60, 80)):
    return as_file(name, pngs.of_one_colour(*size, colour))


def as_file(name: str, picture: bytes):
    return {"name": name, "mimeType": "image/png", "buffer": picture}


PHOTOS = [photo("front.png", (200, 40, 40)), photo("back.png", (40, 40, 200)), photo("bill.png", (40, 160, 40), (80, 60))]


def bring(page, files, way="?from=photos"):
    page.goto(f"/conversions/new{way}")
    page.locator("upload-zone:defined").wait_for()
    page.locator("#upload-files").set_input_files(files)
    page.wait_for_url(re.compile("/conversions/[0-9a-f-]{36}"))


def made(page):
    expect(page.get_by_role("button", name=re.compile("^Add .*to your papers"))).to_be_visible()


def photos(browser, size, press, name, **options):
    page = browser.page(browser.new_desk(), size, **options)
    set_up(page)
    page.goto("/documents")
    make_folder(page, "Receipts")
    page.goto("/")
    press(page.get_by_role("button", name="New"))
    press(page.locator("#make").get_by_role("link", name=re.compile("^Photograph")))
    page.wait_for_url("**/scan")
    expect(page.get_by_text("There is no camera here.")).to_be_visible()
    accessible(page, f"photographing without a camera, {name}")
    page.goto("/conversions/new?from=photos")
    accessible(page, f"bringing photos in, {name}")
    picture(page, f"converting-new-{name}")
    bring(page, PHOTOS)
    made(page)
    expect(page.locator(".sheet-item")).to_have_count(3)
    accessible(page, f"looking at photos, {name}")
    # Called after when they came, and no larger than pages need, unless one wants every dot.
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^Photos \d{4}-\d\d-\d\d \d\d\.\d\d$"))
    expect(page.get_by_role("checkbox", name=re.compile("^Compress"))).to_be_checked()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size["width"], f"the page is {width} wide"
    picture(page, f"converting-review-{name}")
    papers = page.locator("[data-swap=papers] .item-title")
    expect(papers).to_have_text(["front.png", "back.png", "bill.png"])
    press(page.get_by_role("button", name="Move back.png up"))
    expect(papers).to_have_text(["back.png", "front.png", "bill.png"])
    press(page.get_by_role("button", name="Turn “front.png”"))
    expect(page.locator("[data-swap=papers]")).to_contain_text("turned by 90°")
    press(page.get_by_role("button", name="Remove bill.png"))
    expect(papers).to_have_count(2)
    made(page)
    expect(page.locator(".sheet-item")).to_have_count(2)
    page.get_by_label("Name", exact=True).fill("My card")
    page.get_by_label("Folder", exact=True).select_option(label="Receipts")
    press(page.get_by_role("button", name="Add to your papers"))
    page.wait_for_url("**/documents/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("My card.pdf")
    expect(page.locator("select[name=folder] option[selected]")).to_have_text("Receipts")
    page.goto("/conversions")
    expect(page.locator(".empty")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("Photos become one PDF that is turned, put in order and named before it is kept, on a desktop")
def on_a_desktop(browser):
    photos(browser, DESKTOP, lambda target: target.click(), "desktop")


@holds("Photos become one PDF that is turned, put in order and named before it is kept, on a phone by touch")
def on_a_phone(browser):
    photos(browser, PHONE, lambda target: target.tap(), "phone", **TOUCH)


@holds("A photo of a paper becomes a clean page of the paper's own size, by a choice on a phone")
def scanning(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    bring(page, [as_file("letter.png", pngs.sheet_on_a_table())])
    made(page)
    choice = page.get_by_label("Photos of papers")
    expect(choice).to_have_value("")
    choice.select_option(label="Scanned in black and white, the smallest")
    page.get_by_role("button", name="Apply").tap()
    expect(page.get_by_label("Photos of papers")).to_have_value("bw")
    made(page)
    accessible(page, "a scanned photo")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"the page is {width} wide"
    picture(page, "converting-scanned-phone")
    made_of_it = page.request.get(page.url.split("?")[0] + "/file").body()
    assert b"CCITTFaxDecode" in made_of_it, "the page is not black and white"
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(made_of_it)
        file.flush()
        about = subprocess.run(["pdfinfo", file.name], capture_output=True, check=True).stdout.decode()
    assert re.search(r"Page size: +59[45][.\d]* x 84[12]", about), about
    page.set_viewport_size(DESKTOP)
    picture(page, "converting-scanned-desktop")
    assert not page.complaints, page.complaints


@holds("Whoever closes the window finds what came in again, and throws it away")
def closing(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    bring(page, PHOTOS[:2])
    state = page.context.storage_state()
    page.close()
    again = browser.page(desk, DESKTOP, storage_state=state)
    again.goto("/tools")
    again.get_by_role("link", name="All that wait").click()
    accessible(again, "what is coming in")
    picture(again, "converting-list")
    again.get_by_role("link", name=re.compile("^Photos ")).click()
    made(again)
    again.get_by_role("button", name="Delete").click()
    again.get_by_role("dialog").get_by_role("button", name="Delete").click()
    again.wait_for_url("**/conversions")
    expect(again.locator(".toast")).to_contain_text("Photos ")
    assert not again.complaints, again.complaints


@holds("A page from inside the network is not fetched, and the reason is said")
def web_page(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    page.goto("/conversions/new?from=web")
    accessible(page, "bringing a web page in")
    page.get_by_label("Address of the page").fill(f"{desk.origin}/")
    page.get_by_role("button", name="Fetch the page").click()
    page.wait_for_url(re.compile("/conversions/[0-9a-f-]{36}"))
    expect(page.locator(".notice-bad")).to_contain_text("not fetched")
    accessible(page, "a page that was not fetched")
    picture(page, "converting-refused")


@contextmanager
def far_away():
    """A page of the web, and a server that fetches it on behalf of a desk, which fetches nothing from this machine itself."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!doctype html><title>The analytical engine</title><h1>The analytical engine</h1><p>It weaves patterns.</p>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    engine = subprocess.Popen([os.environ["QUIRE"], "gotenberg", "--port", "0", "--allow-private", "--json"], stdout=subprocess.PIPE)
    try:
        yield f"127.0.0.1:{web.server_port}/engine", json.loads(engine.stdout.readline())["address"]
    finally:
        engine.terminate()
        engine.wait(60)
        web.shutdown()


def fetched(browser, size, press, name, **options):
    with far_away() as (address, engine):
        page = browser.page(browser.new_desk(QUIRE_ENGINE=engine), size, **options)
        set_up(page)
        press(page.get_by_role("link", name="Tools"))
        press(page.get_by_role("link", name=re.compile("^Web page to PDF")))
        page.wait_for_url("**/conversions/new?from=web")
        page.get_by_label("Address of the page").fill("http://" + address)
        press(page.get_by_role("button", name="Fetch the page"))
        page.wait_for_url(re.compile("/conversions/[0-9a-f-]{36}"))
        made(page)
        expect(page.get_by_label("Name", exact=True)).to_have_value("The analytical engine.pdf")
        expect(page.locator(".sheet-item")).to_have_count(1)
        accessible(page, f"a page that was fetched, {name}")
        picture(page, f"converting-fetched-{name}")
        press(page.get_by_role("button", name="Add to your papers"))
        expect(page.get_by_role("heading", level=1)).to_have_text("The analytical engine.pdf")
        assert not page.complaints, page.complaints


@holds("A page of the web is fetched, looked at and kept under its own title, on a desktop")
def fetched_on_a_desktop(browser):
    fetched(browser, DESKTOP, lambda target: target.click(), "desktop")


@holds("A page of the web is fetched, looked at and kept under its own title, on a phone by touch")
def fetched_on_a_phone(browser):
    fetched(browser, PHONE, lambda target: target.tap(), "phone", **TOUCH)


def text_file(name: str, text: str):
    return {"name": name, "mimeType": "application/octet-stream", "buffer": text.encode()}


ENDLESS = text_file("endless.html", "<!doctype html><title>x</title><script>for (;;);</script>")


def cancelling(browser, size, press, name, **options):
    desk = browser.new_desk()
    page = browser.page(desk, size, **options)
    set_up(page)
    bring(page, [ENDLESS], way="")
    there = page.url
    state = page.locator("[data-swap=state]")
    expect(state.get_by_role("progressbar")).to_be_visible()
    expect(state.get_by_role("status")).to_contain_text("Working on “endless.html”")
    accessible(page, f"work under way, {name}")
    picture(page, f"converting-running-{name}")
    # The work is the desk's, not the window's.
    cookies = page.context.storage_state()
    page.close()
    again = browser.page(desk, size, storage_state=cookies, **options)
    again.goto("/conversions")
    press(again.get_by_role("link", name="endless"))
    again.wait_for_url(there)
    state = again.locator("[data-swap=state]")
    expect(state.get_by_role("progressbar")).to_be_visible()
    press(state.get_by_role("button", name="Cancel"))
    expect(state).to_contain_text("cancelled")
    expect(state.get_by_role("progressbar")).to_have_count(0)
    picture(again, f"converting-cancelled-{name}")
    # What came in is still there and can be gone on with.
    press(again.get_by_role("button", name="Remove endless.html"))
    expect(again.locator("[data-swap=papers] .item-title")).to_have_count(0)
    again.locator("upload-zone:defined").wait_for()
    again.locator("#upload-files").set_input_files([text_file("short.html", "<p>It has an end</p>")])
    made(again)
    expect(again.locator("[data-swap=papers] .item-title")).to_have_text(["short.html"])
    assert not again.complaints, again.complaints


@holds("Long work shows how far it is, goes on without its window, and is cancelled, on a desktop")
def cancelling_on_a_desktop(browser):
    cancelling(browser, DESKTOP, lambda target: target.click(), "desktop")


@holds("Long work shows how far it is, goes on without its window, and is cancelled, on a phone by touch")
def cancelling_on_a_phone(browser):
    cancelling(browser, PHONE, lambda target: target.tap(), "phone", **TOUCH)


@holds("Files of different kinds come in together, become one PDF, and are kept apart when that is wished")
def files_together(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.get_by_role("link", name="Tools").click()
    page.get_by_role("link", name=re.compile("^Convert to PDF")).click()
    page.wait_for_url("**/conversions/new")
    accessible(page, "bringing files in")
    page.locator("upload-zone:defined").wait_for()
    page.locator("#upload-files").set_input_files([text_file("letter.rtf", "{\\rtf1 Dear Ada\\par}"), text_file("notes.md", "# Notes\n"), PHOTOS[0]])
    page.wait_for_url(re.compile("/conversions/[0-9a-f-]{36}"))
    made(page)
    expect(page.locator(".sheet-item")).to_have_count(3)
    picture(page, "converting-files")
    page.get_by_label("All in one PDF").uncheck()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("[data-swap=state] h2")).to_have_text("3 papers came of it")
    page.get_by_role("button", name=re.compile("^Add .*to your papers")).click()
    page.goto("/documents")
    for name in ["letter.pdf", "notes.pdf", "front.pdf"]:
        expect(page.get_by_role("link", name=name)).to_be_visible()
    assert not page.complaints, page.complaints


@holds("Pasted words become a paper, which becomes pictures when that is wished")
def pasting(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/conversions/new?from=paste")
    accessible(page, "pasting")
    page.get_by_label("Text", exact=True).fill("# Minutes\n\n- bread\n- butter\n")
    page.get_by_label("It is").select_option("md")
    page.get_by_label(re.compile("^Name")).fill("Minutes")
    page.get_by_role("button", name="Convert", exact=True).click()
    page.wait_for_url(re.compile("/conversions/[0-9a-f-]{36}"))
    made(page)
    page.get_by_label("Kind of paper").select_option("png")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Minutes.png")
    picture(page, "converting-pasted")
    assert not page.complaints, page.complaints


def step(page, press, kind, value=None, choice=None):
    """Picks a step from the list, tells it what it needs, and adds it."""
    adding = page.locator("#add-step")
    if not adding.evaluate("element => element.open"):
        press(adding.locator("> summary"))
    form = adding.locator("li").filter(has=page.get_by_text(kind, exact=True))
    press(form.locator("summary"))
    if value is not None:
        form.locator("[name=value], [name=set-text], [name=set-every]").fill(value)
    if choice is not None:
        form.locator("select[name=value]").select_option(label=choice)
    press(form.get_by_role("button", name="Add"))


def steps(browser, size, press, name, **options):
    page = browser.page(browser.new_desk(), size, **options)
    set_up(page)
    bring(page, PHOTOS[:2], way="")
    made(page)
    card = page.locator("[data-swap=steps]")
    there = card.locator("ol > li .item-title")
    step(page, press, "Words across every page", "DRAFT")
    expect(there).to_have_text(["1. Words across every page"])
    expect(card.locator("ol")).to_contain_text("DRAFT")
    step(page, press, "Rotate all pages", choice="To the left")
    expect(there).to_have_text(["1. Words across every page", "2. Rotate all pages"])
    step(page, press, "Split", "1")
    expect(there).to_have_count(3)
    made(page)
    expect(page.locator("[data-swap=state] h2")).to_have_text("2 papers came of it")
    press(card.get_by_role("button", name="Move Rotate all pages up"))
    expect(there).to_have_text(["1. Rotate all pages", "2. Words across every page", "3. Split"])
    accessible(page, f"steps of a conversion, {name}")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size["width"], f"the page is {width} wide"
    picture(page, f"converting-steps-{name}")
    assert not page.complaints, page.complaints
    return page, card, there


@holds("Steps are picked from a list, told what they need, put in order and taken away, on a desktop")
def steps_on_a_desktop(browser):
    press = lambda target: target.click()  # noqa: E731
    page, card, there = steps(browser, DESKTOP, press, "desktop")
    press(card.get_by_role("button", name="Remove Split"))
    expect(there).to_have_count(2)
    # What a step was told can be told anew, and what makes no sense is refused in words.
    change = card.locator("ol > li").nth(1)
    press(change.locator("summary"))
    change.locator("[name=set-text]").fill("COPY")
    press(change.get_by_role("button", name="Save"))
    expect(card.locator("ol")).to_contain_text("COPY")
    step(page, press, "Keep only some pages", "seven")
    expect(page.locator("[data-swap=state]")).to_contain_text("names no pages")
    # A tick is a step like any other.
    press(card.get_by_role("button", name="Remove Keep only some pages"))
    expect(there).to_have_count(2)
    page.get_by_label("Compress").first.check()
    press(page.get_by_role("button", name="Apply"))
    expect(there).to_have_text(["1. Rotate all pages", "2. Words across every page", "3. Compress"])
    made(page)
    assert not page.complaints, page.complaints


@holds("Steps are picked from a list, told what they need and put in order, on a phone by touch")
def steps_on_a_phone(browser):
    steps(browser, PHONE, lambda target: target.tap(), "phone", **TOUCH)


@holds("Without scripts photos come in, are looked at and kept")
def no_scripts(browser):
    page = browser.page(browser.new_desk(), DESKTOP, java_script_enabled=False)
    set_up(page)
    page.goto("/conversions/new")
    page.locator("#upload-files").set_input_files(PHOTOS[:2])
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url(re.compile("/conversions/[0-9a-f-]{36}"))
    for _ in range(240):
        page.reload()
        if page.get_by_role("button", name="Add to your papers").count():
            break
        page.wait_for_timeout(250)
    page.get_by_role("button", name="Add to your papers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("front.pdf")
    page.go_back()
    page.locator("#add-step > summary").click()
    form = page.locator("#add-step li").filter(has=page.get_by_text("Rotate all pages", exact=True))
    form.locator("summary").click()
    form.get_by_role("button", name="Add").click()
    expect(page.locator("[data-swap=steps] ol")).to_contain_text("Rotate all pages")
    page.get_by_role("button", name="Remove Rotate all pages").click()
    expect(page.locator("[data-swap=steps] ol")).to_have_count(0)


@holds("A tool is found by its name, asks what it has to know, and makes it, on a phone by touch")
def tools(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    page.get_by_role("link", name="Tools").tap()
    page.wait_for_url("**/tools")
    accessible(page, "the tools")
    picture(page, "converting-tools")
    page.get_by_role("link", name=re.compile("^Split")).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Split")
    accessible(page, "a tool")
    page.locator("input[type=file]").set_input_files({"name": "Report.pdf", "mimeType": "application/pdf", "buffer": paper(*"abcde")})
    page.locator("#f-step-split-asked-every").fill("2")
    accessible(page, "what a tool asks")
    picture(page, "converting-tool-asks")
    page.get_by_role("button", name="Split").tap()
    expect(page.get_by_role("heading", name="3 papers")).to_be_visible()
    # What needs no answer begins at once.
    page.goto("/tools/rotate")
    page.locator("input[type=file]").set_input_files({"name": "Report.pdf", "mimeType": "application/pdf", "buffer": paper("turned")})
    made(page)
    assert not page.complaints, page.complaints


@holds("Without scripts a tool asks and makes as well")
def plain_tools(browser):
    desk = browser.new_desk()
    page = browser.page(desk, DESKTOP)
    set_up(page)
    plain = browser.page(desk, storage_state=page.context.storage_state(), java_script_enabled=False)
    plain.goto("/tools/watermark")
    plain.locator("input[type=file]").set_input_files({"name": "Report.pdf", "mimeType": "application/pdf", "buffer": paper("one")})
    plain.get_by_role("button", name="Add", exact=True).click()
    plain.locator("#f-step-watermark-asked-text").fill("DRAFT")
    plain.get_by_role("button", name="Watermark").click()
    assert eventually(lambda: (plain.reload(), plain.get_by_role("button", name=re.compile("^Add .*to your papers")).count())[1])


@holds("A tool over pages asks for its settings, each in a field, keeps them when they are changed, and says what it found")
def sheet_tools(browser):
    desk = browser.new_desk()
    page = browser.page(desk, DESKTOP)
    set_up(page)
    page.goto("/tools")
    accessible(page, "the tools")
    picture(page, "converting-tools-sheets")
    page.goto("/tools/number")
    page.locator("input[type=file]").set_input_files({"name": "Report.pdf", "mimeType": "application/pdf", "buffer": paper("one", "two")})
    page.locator("#f-step-number-asked-format").fill("Page {page} of {pages}")
    page.locator("#f-step-number-asked-place").select_option("top-right")
    accessible(page, "what numbers ask")
    picture(page, "converting-tool-number")
    page.get_by_role("button", name="Page numbers").click()
    made(page)
    said = page.get_by_text("How the number is written: Page {page} of {pages} · Where it stands: Above, on the right")
    expect(said.first).to_be_attached()
    # Without scripts as well, and what is hidden is named.
    plain = browser.page(desk, storage_state=page.context.storage_state(), java_script_enabled=False)
    plain.goto("/tools/resize")
    plain.locator("input[type=file]").set_input_files({"name": "Sheet.pdf", "mimeType": "application/pdf", "buffer": paper("one")})
    plain.get_by_role("button", name="Add", exact=True).click()
    plain.locator("#f-step-resize-asked-paper").select_option("a5")
    plain.get_by_role("button", name="Paper size").click()
    assert eventually(lambda: (plain.reload(), plain.get_by_role("button", name=re.compile("^Add .*to your papers")).count())[1])
    page.goto("/tools/crop")
    page.locator("input[type=file]").set_input_files({"name": "Edge.pdf", "mimeType": "application/pdf", "buffer": paper("one")})
    page.locator("#f-step-crop-asked-by").fill("10mm")
    page.get_by_role("button", name="Crop").click()
    made(page)
    expect(page.get_by_text("hidden, not gone").first).to_be_visible()
    assert not page.complaints, page.complaints
