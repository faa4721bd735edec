"""Papers: in, found, named, shared, thrown away and back."""

import os
import re
import sqlite3
import uuid

from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, add, eventually, more, picture, set_up, still, wrote
from filing import paper
from sentences import holds

DROP = """([name, size]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(size).fill(65)], name, {type: "text/plain"}));
  for (const kind of ["dragover", "drop"])
    window.dispatchEvent(new DragEvent(kind, {dataTransfer: transfer, bubbles: true, cancelable: true}));
}"""


@holds("A paper dropped anywhere on the desk is in the library, and twice is once")
def dropping(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/")
    page.locator("upload-zone:defined").wait_for()
    page.evaluate(DROP, ["Dropped.txt", 4096])
    upload = page.locator(".upload")
    expect(upload.get_by_role("link", name="Dropped.txt")).to_be_visible()
    expect(upload).to_contain_text("In your papers")
    page.evaluate(DROP, ["Dropped.txt", 4096])
    expect(upload.nth(1)).to_contain_text("already")
    accessible(page, "uploads")
    upload.first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dropped.txt")
    assert not page.complaints, page.complaints


@holds("An upload can be stopped and tried again")
def stopping(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/documents/new")
    page.locator("upload-zone:defined").wait_for()
    # A slow line, so that there is something to stop.
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 200_000})
    page.evaluate(DROP, ["Large.txt", 3_000_000])
    page.get_by_role("button", name="Stop Large.txt").click()
    expect(page.locator(".upload")).to_contain_text("Stopped")
    devtools.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    page.get_by_role("button", name="Try again: Large.txt").click()
    expect(page.locator(".upload")).to_contain_text("In your papers")


@holds("A file that is chosen while the scripts are on their way is taken in when they are there")
def chosen_early(browser):
    page = browser.page(browser.new_desk(), service_workers="block")
    set_up(page)
    on_their_way = []
    page.route("**/js/upload-zone.js", lambda route: on_their_way.append(route))
    page.goto("/documents/new", wait_until="commit")
    page.locator("upload-zone input[type=file]").set_input_files({"name": "Early.txt", "mimeType": "text/plain", "buffer": b"Early"})
    assert eventually(lambda: on_their_way or page.wait_for_timeout(50))
    for route in on_their_way:
        route.continue_()
    expect(page.locator(".upload")).to_contain_text("In your papers")


@holds("What is thrown away comes back with Undo")
def undo(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    add(page, "Keep me.txt", b"please")
    page.goto("/documents")
    page.get_by_role("link", name="Keep me.txt").click()
    more(page)
    page.get_by_role("button", name="Move to trash").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Keep me.txt")
    accessible(page, "library with a message")
    toast.get_by_role("button", name="Undo").click()
    page.goto("/documents")
    expect(page.get_by_role("link", name="Keep me.txt")).to_be_visible()


@holds("Several papers go to the trash together, and come back from it")
def selection(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    for number in range(3):
        add(page, f"Paper {number}.txt", f"{number}".encode())
    page.goto("/documents")
    bar = page.get_by_role("group", name="With the selected")
    expect(bar).to_be_hidden()
    page.get_by_label("Select Paper 0.txt").check()
    page.get_by_label("Select Paper 2.txt").check()
    expect(bar).to_contain_text("2 selected")
    bar.get_by_role("button", name="Move to trash").click()
    expect(page.locator(".toast")).to_contain_text("2 papers")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.goto("/documents?trash=1")
    page.get_by_label("Select all on this page").check()
    page.get_by_role("group", name="With the selected").get_by_role("button", name="Restore").click()
    page.goto("/documents")
    expect(page.locator("tbody tr")).to_have_count(3)


@holds("A paper is renamed, and a name that is empty is refused beside the field")
def renaming(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    add(page, "Old name.txt", b"x")
    page.locator(".upload").get_by_role("link").click()
    wrote(page, "Name", "New name.txt")
    expect(page.get_by_role("heading", level=1)).to_have_text("New name.txt")
    page.get_by_label("Name", exact=True).fill("  ")
    page.get_by_label("Name", exact=True).blur()
    expect(page.locator("#f-name")).to_have_attribute("aria-invalid", "true")
    accessible(page, "document with an error")


def details(page, name):
    add(page, "Enrolment.pdf", paper("Emma Tremblay", "Class 3b"))
    page.goto("/documents")
    page.get_by_role("link", name="Enrolment.pdf").first.click()
    # What most come for is on the first screen, and nothing of it is a number for machines.
    assert eventually(lambda: page.locator(".paper-well img").evaluate("image => image.naturalWidth > 0"))
    for act in ("Read", "Share", "Download"):
        expect(page.locator(".paper-acts").get_by_role("link", name=act)).to_be_in_viewport()
    expect(page.get_by_role("button", name="More", exact=True)).to_be_in_viewport()
    assert not page.get_by_text(re.compile("[0-9a-f]{64}")).is_visible()
    expect(page.locator(".paper-head")).to_contain_text("2 pages")
    accessible(page, f"a paper, {name}")
    # Each field is kept when one goes on from it, and comes back alone.
    wrote(page, "Tags", "2026, school")
    expect(page.locator(".paper-head .chip")).to_have_text(["2026", "school"])
    wrote(page, "Day of the paper", "2026-11-03")
    page.locator(".toast").last.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("again as it was")
    expect(page.get_by_label("Day of the paper")).to_have_value("")
    expect(page.get_by_label("Tags")).to_have_value("2026, school")
    # By keyboard: the menu opens, goes through its acts and leaves no trace.
    more = page.get_by_role("button", name="More", exact=True)
    more.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Arrange pages")).to_be_visible()
    still(page)
    accessible(page, f"what can be done with a paper, {name}")
    picture(page, f"paper-acts-{name}", whole=False)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Write and sign")).to_be_focused()
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    # What leads to something in a fold opens it.
    page.get_by_role("link", name="Share", exact=True).click()
    expect(page.get_by_role("button", name="Make link")).to_be_visible()
    page.goto(page.url.split("#")[0] + "/versions")
    expect(page.get_by_text("This paper was never changed")).to_be_visible()
    expect(page.get_by_text("Checksum")).to_be_visible()
    accessible(page, f"a paper with all its folds, {name}")
    picture(page, f"paper-{name}")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert not page.complaints, page.complaints


@holds("A paper's page begins with its picture and four acts, and keeps each field by itself, on a desktop")
def details_on_a_desktop(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    details(page, "desktop")


@holds("A paper's page begins with its picture and four acts, and keeps each field by itself, on a phone")
def details_on_a_phone(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    details(page, "phone")


@holds("A link with a password lets a stranger read one paper until it is taken back")
def sharing(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    add(page, "For you.txt", b"Dear reader")
    page.locator(".upload").get_by_role("link").click()
    page.get_by_role("link", name="Share", exact=True).click()
    page.locator("#share").get_by_label(re.compile("^Password")).fill("between us two")
    page.get_by_role("button", name="Make link").click()
    address = page.locator(".secret").inner_text()
    accessible(page, "document with a new link")

    stranger = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    path = address[address.index("/s/"):]
    stranger.goto(path)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("This paper has a password")
    accessible(stranger, "locked paper")
    stranger.get_by_label("Password").fill("between us two")
    stranger.get_by_role("button", name="Show the paper").click()
    expect(stranger.get_by_role("heading", level=1)).to_have_text("For you.txt")
    accessible(stranger, "shared paper")
    with stranger.expect_download() as download:
        stranger.get_by_role("link", name="Download").click()
    assert download.value.path().read_bytes() == b"Dear reader"

    page.goto("/shares")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    expect(page.locator(".toast")).to_be_visible()
    stranger.goto(path)
    expect(stranger.get_by_role("heading", name="This link no longer opens anything")).to_be_visible()


def fill(desk, count: int):
    """Many rows without many uploads: the one there is, over and over, under other names."""
    database = sqlite3.connect(desk.home / "quire.db", timeout=20)
    database.row_factory = sqlite3.Row
    with database:
        row = dict(database.execute("SELECT * FROM document LIMIT 1").fetchone())
        names = list(row)
        statement = f"INSERT INTO document ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        original = row["name"]
        last = database.execute("SELECT max(index_number) FROM document").fetchone()[0]
        text_columns = [name for name in names if isinstance(row[name], str) and row[name].lower() == original.lower()]
        for number in range(count):
            copy = dict(row, id=str(uuid.uuid4()), index_number=last + number + 1)
            for column in text_columns:
                value = f"Paper {number:05}.txt"
                copy[column] = value.lower() if row[column] != original else value
            database.execute(statement, [copy[name] for name in names])
    database.close()


@holds("A library of 10,000 papers opens, sorts, pages and filters at once")
def long_table(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    add(page, "The one.txt", b"one")
    fill(desk, 10_000)
    # By the desk's own way, which puts its words where they are found.
    add(page, "Letter 04242.txt", b"a lease of four rooms")
    page.goto("/documents?sort=name&order=ascending")
    expect(page.locator("[data-count]")).to_have_text("10,002 papers")
    assert page.locator("tbody tr").count() <= 200
    head = page.locator("thead th").nth(1)
    page.mouse.wheel(0, 3000)
    page.wait_for_timeout(200)
    box = head.bounding_box()
    assert box and 0 <= box["y"] < 120, f"the heading scrolled away: {box}"
    page.get_by_role("link", name="Next page").click()
    expect(page.get_by_text(re.compile("Page 2 of"))).to_be_visible()
    page.get_by_label("Search names and words").fill("04242")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.get_by_role("link", name="Letter 04242.txt")).to_be_visible()
    expect(page.locator("[data-count]")).to_have_text("1 paper")
    assert "q=04242" in page.url
    # What it says finds it as well as what it is called; what is not read yet is told.
    assert eventually(lambda: page.request.get("/documents/matches?q=rooms", headers={"Accept": "application/json"}).json()["total"] == 1)
    page.get_by_label("Search names and words").fill("four rooms")
    expect(page.get_by_role("link", name="Letter 04242.txt")).to_be_visible()
    expect(page.get_by_text("papers are still being read")).to_be_visible()
    page.get_by_label("Search names and words").fill("zebra")
    expect(page.get_by_role("heading", name="Nothing found for “zebra”")).to_be_visible()
    phone = browser.page(desk, PHONE, has_touch=True, is_mobile=True, storage_state=page.context.storage_state())
    phone.goto("/documents")
    row = phone.locator("tbody tr").first.bounding_box()
    assert row["width"] <= 390, row
    accessible(phone, "long table on a phone")


@holds("A backup that is asked for shows in Activity and ends well")
def live_jobs(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    watcher = page.context.new_page()
    watcher.goto("/activity")
    page.goto("/settings/storage")
    page.locator("#f-folder").fill(str(desk.home) + "-backup")
    page.get_by_role("button", name="Back up now").click()
    expect(page.locator(".toast")).to_be_visible()
    expect(watcher.locator("[data-jobs] .item")).not_to_have_count(0)

    def ended():
        page.goto("/activity?view=history")
        return page.locator(".item", has_text="done").count() > 0

    assert eventually(ended), "the backup did not end"


@holds("Backups are encrypted by a tick, and the recovery sheet asks to be printed until it is")
def recovery_sheet(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    page.goto("/settings/storage")
    page.locator("#f-folder").fill(str(desk.home) + "-backup")
    page.get_by_label("Encrypt backups").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_be_visible()
    card = page.locator("#sheet")
    expect(card).to_contain_text("It was never printed.")
    accessible(page, "backups that are encrypted")
    picture(page, "storage-phone")
    page.goto("/")
    page.get_by_role("link", name="Print the recovery sheet").click()
    card.get_by_role("button", name="Show the recovery sheet").click()
    expect(page.get_by_role("heading", level=1, name="Recovery sheet")).to_be_visible()
    expect(page.locator(".sheet-key li")).to_have_count(8)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than its window"
    accessible(page, "a recovery sheet on a phone")
    picture(page, "sheet-phone")
    with page.expect_download() as file:
        page.get_by_role("button", name="Save as PDF").click()
    assert file.value.suggested_filename == "recovery-sheet.pdf"
    page.set_viewport_size(DESKTOP)
    accessible(page, "a recovery sheet")
    picture(page, "sheet-desktop")
    # On paper it is the key and what to do, and nothing that could be pressed.
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Save as PDF")).to_be_hidden()
    expect(page.locator(".sheet-key svg")).to_be_visible()
    picture(page, "sheet-print")
    page.emulate_media(media="screen")
    page.goto("/settings/storage")
    expect(page.locator("#sheet")).to_contain_text("It was printed last")
    picture(page, "storage-desktop")
    page.context.add_cookies([{"name": "quire_language", "value": "fr-CA", "url": desk.origin}])
    page.goto("/settings/storage")
    picture(page, "storage-fr")
    page.locator("#sheet").get_by_role("button", name="Afficher la feuille").click()
    expect(page.get_by_role("heading", level=1, name="Feuille de récupération")).to_be_visible()
    picture(page, "sheet-fr")
    assert not page.complaints, page.complaints


@holds("An owner has each engine convert a page where the desk runs, and reads there what came of it")
def engines(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    page.goto("/settings/about")
    card = page.locator("#engines")
    expect(card).to_contain_text("Nobody has tried them yet.")
    card.get_by_role("button", name="Try each engine now").click()
    expect(page.locator(".toast")).to_be_visible()
    # It is told there when it is done, without being asked.
    expect(card).to_contain_text("Tried", timeout=180_000)
    expect(card.get_by_role("button", name="Try each engine now")).to_be_visible()
    expect(card.locator(".item").first).to_contain_text("It converted a page in")
    accessible(page, "engines at work")
    folder = os.environ.get("PICTURES")
    if folder:
        page.set_viewport_size({"width": 1280, "height": 900})
        card.screenshot(path=f"{folder}/engines.png")
    assert not page.complaints, page.complaints


@holds("At least six papers stand on the first screen of a phone, in each language")
def many_at_once(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    page.goto("/documents")
    page.locator("upload-zone:defined").first.wait_for()
    for number in range(8):
        page.evaluate(DROP, [f"Letter of May {number + 1}.txt", 4096 + number])
    expect(page.locator(".upload a")).to_have_count(8)
    for tag in ["en", "es-MX", "fr-CA"]:
        other = browser.page(
            desk, PHONE, has_touch=True, is_mobile=True, locale=tag, storage_state=page.context.storage_state())
        other.goto("/documents")
        bar = other.locator(".nav").bounding_box()["y"]
        rows = [row.bounding_box() for row in other.locator("tbody tr").all()]
        seen = sum(row["y"] + row["height"] <= bar for row in rows)
        assert seen >= 6, f"{tag}: {seen} papers are seen"
        accessible(other, f"papers on a phone, {tag}")
