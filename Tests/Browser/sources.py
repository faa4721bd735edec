"""People from databases, servers and the phone's contacts; fields for flat papers; packets thrown away; a second pair of eyes."""

import io
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request

import openpyxl
from playwright.sync_api import expect
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, NameObject

from desk import DESKTOP, PASSWORD, PHONE, accessible, add, more, set_up
from packets import CONSENT, TOUCH, bring_people, choose_form
from sentences import holds

PEERS = pathlib.Path(__file__).parents[1] / "Peers"


class CardServer:
    """Tests/Peers/carddav.py with two cards in it."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="quire-cards-")
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(PEERS / "carddav.py"), self.folder.name], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        self.url = f"http://127.0.0.1:{self.port}/ana/friends/"
        self._ask("MKCOL", "", """<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><set><prop>
            <resourcetype><collection/><c:addressbook/></resourcetype><displayname>Friends</displayname></prop></set></mkcol>""", "text/xml")
        self.put("ada", "Ada Byron", "ada@example.org")
        self.put("nora", "Nora Lind", "nora@example.org")
        return self

    def put(self, key, name, mail):
        self._ask("PUT", f"{key}.vcf",
                  f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{key}\r\nFN:{name}\r\nN:{name.split()[1]};{name.split()[0]};;;\r\nEMAIL:{mail}\r\nEND:VCARD\r\n",
                  "text/vcard")

    def _ask(self, method, path, body, kind):
        import base64
        request = urllib.request.Request(self.url + path, data=body.encode(), method=method)
        request.add_header("Authorization", "Basic " + base64.b64encode(b"ana:geheim").decode())
        request.add_header("Content-Type", kind)
        urllib.request.urlopen(request, timeout=10).close()

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()
        self.folder.cleanup()


@holds("Contacts come from an address book on a server, and come again when they changed there")
def carddav(browser):
    with CardServer() as server:
        page = browser.page(browser.new_desk())
        set_up(page)
        page.goto("/contacts")
        page.get_by_text("Address book on a server").click()
        page.get_by_label("Address", exact=True).fill(server.url)
        page.get_by_label("User name").fill("ana")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Import the contacts").click()
        expect(page.get_by_role("alert")).to_contain_text("refuses this name and password")
        accessible(page, "an address book that cannot be used")
        page.get_by_label("Password").fill("geheim")
        page.get_by_role("button", name="Import the contacts").click()
        expect(page.locator(".toast")).to_contain_text("being imported")
        for _ in range(240):
            if page.get_by_text("ada@example.org").count():
                break
            page.wait_for_timeout(250)
            page.reload()
        expect(page.get_by_text("ada@example.org")).to_be_visible()
        server.put("ada", "Ada Lovelace", "ada@example.org")
        page.get_by_role("button", name="Update Friends").click()
        for _ in range(240):
            if page.get_by_text("Ada Lovelace").count():
                break
            page.wait_for_timeout(250)
            page.reload()
        expect(page.get_by_role("link", name="Ada Lovelace")).to_be_visible()
        accessible(page, "contacts of a server")
        page.get_by_label("Ada Lovelace").check()
        page.get_by_role("button", name="Put on a list").click()
        expect(page.locator(".lede")).to_have_text("One person")
        page.goto("/contacts")
        page.get_by_role("button", name="Remove Friends").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Ada Lovelace")).to_have_count(0)
        assert not page.complaints, page.complaints


@holds("A file of cards says what it brought and what it left out, is taken back, and contacts are saved as a file")
def cards(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/contacts")
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{0}\r\nFN:{0} Lind\r\nX-ODD:a;b\r\nEND:VCARD\r\n"
    both = card.format("Ada") + card.format("Nora")
    bad = "BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n"
    file = {"name": "friends.vcf", "mimeType": "text/vcard", "buffer": (both + bad).encode()}
    page.locator("input[type=file]").set_input_files(file)
    brought = page.locator("section.card", has=page.get_by_role("heading", name="Brought in"))
    expect(brought).to_contain_text("2 new · One left out")
    brought.get_by_text("What was left out").click()
    expect(brought).to_contain_text("Line 13: The card says nothing.")
    accessible(page, "contacts with what was brought in")
    page.set_viewport_size({"width": 360, "height": 720})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than a phone"
    page.get_by_text("Save contacts as a file").click()
    accessible(page, "contacts on a phone")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    assert download.value.suggested_filename == "Contacts.vcf"
    assert pathlib.Path(download.value.path()).read_bytes().decode() == both
    brought.get_by_role("button", name="Undo the import of friends.vcf").click()
    expect(page.get_by_text("Nora Lind")).to_have_count(0)
    expect(brought).to_contain_text("Undone")
    assert not page.complaints, page.complaints


@holds("People come out of a database by a question in SQL; a wrong question says what is wrong with it")
def database(browser):
    # The host opens the folders that may be named; the desk's own never is.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="quire-club-"))
    desk = browser.new_desk(QUIRE_REACHABLE_FOLDERS=str(folder))
    page = browser.page(desk)
    set_up(page)
    path = folder / "club.db"
    with sqlite3.connect(path) as club:
        club.execute("CREATE TABLE member (name TEXT, mail TEXT, number TEXT)")
        club.executemany("INSERT INTO member VALUES (?, ?, ?)", [("Ada Byron", "ada@example.org", "007"), ("Zoë Ångström", "zoe@example.org", "042")])
    page.goto("/lists/new")
    page.get_by_text("Query a database").click()
    page.get_by_label("Database").fill(str(desk.home / "quire.db"))
    page.get_by_label("SQL query").fill("SELECT * FROM credential")
    page.get_by_role("button", name="Look at the result").click()
    expect(page.get_by_role("alert")).to_contain_text("has not opened")
    page.get_by_label("Database").fill(str(path))
    page.get_by_label("SQL query").fill("SELECT nmae FROM member")
    page.get_by_role("button", name="Look at the result").click()
    expect(page.get_by_role("alert")).to_contain_text("nmae")
    accessible(page, "a wrong question")
    page.get_by_label("SQL query").fill("DELETE FROM member")
    page.get_by_role("button", name="Look at the result").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("SQL query").fill("SELECT name, mail, number FROM member ORDER BY number")
    page.get_by_role("button", name="Look at the result").click()
    expect(page.locator(".grid tbody tr")).to_have_count(2)
    expect(page.locator(".grid tbody")).to_contain_text("007")
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator(".lede")).to_have_text("2 people")
    with sqlite3.connect(path) as club:
        assert club.execute("SELECT count(*) FROM member").fetchone() == (2,), "the database was only to be read"
    shutil.rmtree(folder)


@holds("Where the browser offers its contacts, one of them fills the form; where not, there is no button")
def picker(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, **TOUCH)
    set_up(page)
    page.goto("/lists/new")
    page.get_by_label("An empty list, to type").fill("Friends")
    page.locator("form:has(#f-list-name) button").tap()
    page.wait_for_url(re.compile("/lists/[0-9a-f-]{36}"))
    page.locator("#add").get_by_role("button", name="Save").tap()
    expect(page.locator("contact-picker")).to_have_count(1)
    expect(page.locator("contact-picker button")).to_have_count(0)
    page.add_init_script("""
        Object.defineProperty(navigator, "contacts", {value: {select: async () => [
            {name: ["Nora Lind"], email: ["nora@example.org"], tel: ["555-0100"]}]}});
    """)
    page.reload()
    page.locator("contact-picker button").tap()
    values = page.locator("form input[name^='cell:']").evaluate_all("all => all.map(one => one.value)")
    assert any("Nora" in value for value in values), values
    accessible(page, "a person from the phone")


def flat_paper() -> bytes:
    """A page with two labelled lines and a box, and no fields."""
    words = [("Name", 72, 700), ("Street and town", 72, 640), ("I agree", 100, 580)]
    content = b"BT /F1 11 Tf ET\n" + b"".join(
        f"BT /F1 11 Tf {x} {y} Td ({text}) Tj ET\n".encode() for text, x, y in words)
    content += b"0.8 w 180 696 m 480 696 l S 180 636 m 480 636 l S 72 576 14 14 re S\n"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    file, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


def proposals(page):
    page.goto("/templates/new")
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#files").set_input_files({"name": "flat.pdf", "mimeType": "application/pdf", "buffer": flat_paper()})
    page.wait_for_url(re.compile("/templates/[0-9a-f-]{36}"))
    page.goto(page.url.split("?")[0] + "/proposals")
    page.locator("field-boxes:defined").wait_for()
    expect(page.locator("[data-entry]")).to_have_count(3)
    return page.locator("[data-entry]")


def place(entry):
    return [float(entry.locator(f"[data-measure={name}]").input_value()) for name in ("x", "y", "width", "height")]


def made(page, names):
    page.get_by_role("button", name="Make these fields").click()
    page.wait_for_url(re.compile("/templates/[0-9a-f-]{36}$"))
    for name in names:
        expect(page.locator("[data-field-list]")).to_contain_text(name)


@holds("Proposed fields are moved, renamed and left out by mouse")
def proposals_by_mouse(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    entries = proposals(page)
    accessible(page, "proposed fields")
    first = entries.first
    before = place(first)
    box = page.locator("[data-mark]").first.locator("rect")
    area = box.bounding_box()
    page.mouse.move(area["x"] + 20, area["y"] + area["height"] / 2)
    page.mouse.down()
    page.mouse.move(area["x"] + 50, area["y"] + area["height"] / 2 + 10, steps=4)
    page.mouse.up()
    after = place(first)
    assert after[0] > before[0] + 5 and after[1] > before[1] + 2 and after[2:] == before[2:], (before, after)
    handle = page.locator(".box-handle").bounding_box()
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(handle["x"] - 30, handle["y"] + handle["height"] / 2, steps=4)
    page.mouse.up()
    assert place(first)[2] < after[2] - 5, (after, place(first))
    first.locator("input[type=text]").fill("Child’s name")
    entries.nth(2).locator("input[type=checkbox]").uncheck()
    expect(page.locator("[data-count]")).to_have_text("2 fields")
    made(page, ["Child’s name"])
    expect(page.locator("[data-field-list] [data-entry]")).to_have_count(2)
    assert not page.complaints, page.complaints


@holds("Proposed fields are moved, renamed and left out by touch")
def proposals_by_touch(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    entries = proposals(page)
    accessible(page, "proposed fields on a phone")
    first = entries.first
    before = place(first)
    mark = page.locator("[data-mark]").first
    mark.scroll_into_view_if_needed()
    area = mark.locator("rect").bounding_box()
    middle = (area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    # The first touch chooses; only then does a finger move it.
    page.touchscreen.tap(*middle)
    expect(first).to_have_class(re.compile("is-chosen"))
    mark.scroll_into_view_if_needed()
    area = mark.locator("rect").bounding_box()
    middle = (area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    touch = page.context.new_cdp_session(page)
    for kind, dx in (("touchStart", 0), ("touchMove", 10), ("touchMove", 30), ("touchEnd", None)):
        points = [] if dx is None else [{"x": middle[0] + dx, "y": middle[1]}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert place(first)[0] > before[0] + 5, (before, place(first))
    first.locator("input[type=text]").fill("Child’s name")
    entries.nth(1).locator("input[type=checkbox]").tap()
    expect(page.locator("[data-count]")).to_have_text("2 fields")
    page.get_by_role("button", name="Make these fields").tap()
    page.wait_for_url(re.compile("/templates/[0-9a-f-]{36}$"))
    expect(page.locator("[data-field-list]")).to_contain_text("Child’s name")
    assert not page.complaints, page.complaints


@holds("Proposed fields are moved, resized, renamed and left out by keyboard alone")
def proposals_by_keyboard(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    entries = proposals(page)
    first = entries.first
    before = place(first)
    for _ in range(80):
        page.keyboard.press("Tab")
        if first.evaluate("entry => entry === document.activeElement"):
            break
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    after = place(first)
    # Places are kept to half a point.
    moved = [now - then for now, then in zip(after, before)]
    assert all(abs(change - wanted) <= 0.25 for change, wanted in zip(moved, (4, 4, 4, 0))), (before, after)
    page.keyboard.press("Enter")
    expect(first.locator("input[type=text]")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Child's name")
    entries.nth(1).focus()
    page.keyboard.press("Delete")
    expect(page.locator("[data-count]")).to_have_text("2 fields")
    button = page.get_by_role("button", name="Make these fields")
    button.focus()
    button.press("Enter")
    page.wait_for_url(re.compile("/templates/[0-9a-f-]{36}$"))
    expect(page.locator("[data-field-list]")).to_contain_text("Child's name")


@holds("Packets are thrown away and come back from their trash")
def trash(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    choose_form(page)
    page.goto("/batches")
    page.get_by_role("button", name="Move consent to the trash").click()
    expect(page.locator(".toast")).to_contain_text("consent")
    page.get_by_role("link", name=re.compile("^Trash")).click()
    expect(page.get_by_role("button", name="Restore consent")).to_be_visible()
    accessible(page, "the trash of packets")
    page.get_by_role("button", name="Restore consent").click()
    page.goto("/batches")
    expect(page.get_by_role("link", name="consent", exact=True)).to_be_visible()
    page.goto("/batches?trash=1")
    expect(page.get_by_role("heading", name="The trash is empty")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("A plan that asks for a second pair of eyes is made only after another member has approved it")
def second(browser):
    desk = browser.new_desk()
    owner = browser.page(desk)
    set_up(owner)
    owner.goto("/members")
    owner.get_by_label("For whom").fill("Bruno")
    owner.get_by_label("Can edit").check()
    owner.get_by_role("button", name="Make invitation").click()
    invitation = owner.locator(".secret").inner_text()
    bruno = browser.page(desk, PHONE, **TOUCH)
    bruno.goto(invitation[invitation.index("/join/"):])
    bruno.get_by_label("Your name").fill("Bruno Díaz")
    bruno.get_by_label("Sign-in name").fill("bruno")
    bruno.get_by_label("Password").fill(PASSWORD)
    bruno.get_by_role("button", name="Continue with the password").tap()
    bruno.wait_for_url(lambda url: "join" not in url)

    choose_form(owner)
    bring_people(owner)
    owner.get_by_role("button", name="Bring in").click()
    owner.wait_for_url("**/mapping**")
    owner.get_by_role("link", name=re.compile("^Next: Check")).click()
    owner.get_by_label("Somebody else looks first").check()
    owner.get_by_role("button", name=re.compile(r"^Make papers for \d+ people")).click()
    owner.wait_for_url("**/filling")
    expect(owner.locator(".notice")).to_be_visible()
    accessible(owner, "a plan that waits for somebody else")
    # Whoever planned it cannot be the second.
    expect(owner.get_by_role("button", name="Approve")).to_have_count(0)

    bruno.goto(owner.url)
    accessible(bruno, "a plan to approve, on a phone")
    bruno.get_by_role("button", name="Approve").tap()
    expect(bruno.locator(".making-count b")).to_have_text(re.compile("300|29[0-9]"), timeout=90_000)
    assert not owner.complaints + bruno.complaints, owner.complaints + bruno.complaints


def workbook(rows, hidden):
    """A sheet as Excel writes it, with some of its rows hidden."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for number in hidden:
        book.active.row_dimensions[number].hidden = True
    kept = io.BytesIO()
    book.save(kept)
    return {"name": "5b.xlsx", "mimeType": "application/octet-stream", "buffer": kept.getvalue()}


@holds("Hidden rows, several addresses and what columns mean are said while a table comes in, and on its list; a search becomes a group")
def meanings(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/lists/new")
    bring_people(page, workbook([
        ["Child", "E-mail of mother", "E-mail of father", "Class"], ["Ana", "eva@example.org", "", "5a"],
        ["Bo", "li@example.org", "wu@example.org", "5b"], ["Cem", "ayse@example.org", "", "5b"]], [3]))
    expect(page.get_by_text("The sheet hides one row")).to_be_visible()
    expect(page.locator(".grid tbody tr")).to_have_count(2)
    page.get_by_label("Bring in hidden rows, too").check()
    expect(page.locator(".grid tbody tr")).to_have_count(3)

    def means(column):
        return page.locator(".roles label").filter(has=page.get_by_text(column, exact=True)).locator("select")

    # Which address is meant is asked; the question stays open, and a second one does not take the first away.
    means("E-mail of mother").select_option("email")
    expect(page.locator(".grid .role")).to_have_count(1)
    means("E-mail of father").select_option("email")
    expect(page.locator(".grid .role")).to_have_count(2)
    means("Child").select_option("name")
    expect(page.locator(".grid .role")).to_have_text(["full name", "email address", "email address"])
    accessible(page, "what columns mean")
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator(".lede")).to_have_text("3 people")
    expect(page.locator(".grid .role")).to_have_text(["full name", "email address", "email address"])

    # The same afterwards, where the list is.
    means("E-mail of father").select_option("cc")
    page.locator("#columns").get_by_role("button", name="Save").click()
    expect(page.locator(".grid .role")).to_have_text(["full name", "email address", "copy to (Cc)"])
    page.get_by_label("More columns").fill("Bus, Swims")
    page.locator("#columns").get_by_role("button", name="Add").click()
    expect(page.locator(".grid thead th")).to_have_count(8)

    # What was searched for gets a name at once.
    page.get_by_label("Search this list").fill("5b")
    group = page.get_by_label("Save what “5b” finds as")
    group.fill("Group 5b")
    group.press("Enter")
    expect(page.get_by_role("link", name="Group 5b")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(2)

    # A row that does not fit waits on the list, and is put right there.
    page.goto("/lists/new")
    rows = "Child;Class\nAna;5a\nBo;5b;what;is;this\nCem;5c\n"
    bring_people(page, {"name": "bus.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    expect(page.locator("#flaws")).to_contain_text("Line 3")
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator(".lede")).to_have_text("2 people")
    page.get_by_label("Text of line 3").fill("Bo;5b")
    page.get_by_role("button", name="Put right").click()
    expect(page.locator(".lede")).to_have_text("3 people")
    assert not page.complaints, page.complaints


def consent(change=lambda writer: None) -> dict:
    """The form for consent, changed by somebody."""
    writer = PdfWriter(clone_from=CONSENT / "consent.pdf")
    change(writer)
    kept = io.BytesIO()
    writer.write(kept)
    return {"name": "consent.pdf", "mimeType": "application/pdf", "buffer": kept.getvalue()}


def without_phone(writer):
    page, form = writer.pages[0], writer._root_object["/AcroForm"]
    for holder, key in ((page, "/Annots"), (form, "/Fields")):
        kept = [field for field in holder[key] if field.get_object().get("/T") != "phone"]
        holder[NameObject(key)] = ArrayObject(kept)


@holds("A locked form asks for its password; its name, its editions and its matchings can be changed, and all of it taken back")
def one_form(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    a_form = re.compile("/templates/[0-9a-f-]{36}$")
    page.goto("/templates/new")
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#files").set_input_files(consent(lambda writer: writer.encrypt("lamp")))
    password = page.get_by_label("Password", exact=True)
    expect(password).to_be_focused()
    accessible(page, "a form that is locked")
    password.fill("lamp")
    password.press("Enter")
    page.wait_for_url(a_form)
    form = page.url

    page.goto(form + "?view=editions")
    page.get_by_label("Name", exact=True).fill("Trip")
    page.get_by_label("Folder").fill("School")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Trip")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("consent")

    kept = page.request.post(form + "/mappings", data={"name": "Pupils", "text": "[fields]\nphone = {phone}\nclass = {class}\n"},
                             headers={"X-Quire-CSRF": page.locator("meta[name=csrf]").get_attribute("content"), "Accept": "application/json",
                                      "Origin": page.url.split("/templates")[0]})
    assert kept.ok, kept.text()
    page.goto(form + "?view=editions")
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#files").set_input_files(consent(without_phone))
    page.wait_for_url("**/comparison**")
    expect(page.get_by_role("main")).to_contain_text("One field is gone")
    expect(page.get_by_role("main")).to_contain_text("Without a place now: phone")
    accessible(page, "a new edition beside the one before")
    page.get_by_role("button", name="Use edition 1 again").click()
    expect(page.locator(".item", has_text="Edition 1")).to_contain_text("in use")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".item", has_text="Edition 2")).to_contain_text("in use")
    page.get_by_role("button", name="Use edition 1 again").click()
    expect(page.locator(".item", has_text="Edition 1")).to_contain_text("in use")
    accessible(page, "editions of a form")

    page.get_by_role("link", name=re.compile("^Matchings")).click()
    page.get_by_text("Read, rename, remove").click()
    expect(page.locator("pre")).to_contain_text("phone = {phone}")
    accessible(page, "matchings of a form")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "Pupils.map"
    assert "class = {class}" in pathlib.Path(download.value.path()).read_text()
    page.get_by_label("Name", exact=True).fill("Pupils of 5a")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".item-title")).to_have_text("Pupils of 5a")
    page.get_by_text("Read, rename, remove").click()
    page.get_by_role("button", name="Remove Pupils of 5a").click()
    expect(page.get_by_role("heading", name="No matching is saved yet")).to_be_visible()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".item-title")).to_have_text("Pupils of 5a")
    assert not page.complaints, page.complaints


@holds("Forms come from ours, from the library whatever they are called there, and from an address, which says why not")
def other_forms(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    a_form = re.compile("/templates/[0-9a-f-]{36}$")
    page.goto("/templates/new")
    page.locator("#starters button").first.tap()
    page.wait_for_url(a_form)
    add(page, "Outing", consent()["buffer"])
    page.locator(".upload").last.get_by_role("link").tap()
    more(page)
    expect(page.get_by_role("button", name="Use as a form")).to_be_visible()
    page.goto("/templates/new")
    page.get_by_role("searchbox").fill("nothing of this name")
    expect(page.get_by_role("button", name="Use Outing as a form")).to_have_count(0)
    page.get_by_role("searchbox").fill("outing")
    page.get_by_role("button", name="Use Outing as a form").tap()
    page.wait_for_url(a_form)
    page.goto("/templates/new")
    page.get_by_label("Address of the PDF").fill("http://127.0.0.1:9/form.pdf")
    page.get_by_role("button", name="Fetch").tap()
    expect(page.locator("#f-address-error")).to_be_visible()
    accessible(page, "an address that leads nowhere, on a phone")

    # Parts and conditions, on the same desk.
    choose_form(page)
    page.get_by_text("Add another paper").tap()
    page.get_by_label("A form").select_option("Outing")
    page.locator("form:has(#add-template) button").tap()
    expect(page.locator("[data-swap=papers] .item")).to_have_count(2)
    page.locator("summary", has_text="For everyone").last.tap()
    page.locator("#when-2").fill("{class")
    page.locator("#add-pattern").tap()
    expect(page.locator("#when-2-error")).to_be_visible()
    page.locator("#when-2").fill('{class} = "5a"')
    page.get_by_role("link", name="Send-outs", exact=True).last.tap()
    page.wait_for_url("**/batches")
    page.go_back()
    expect(page.locator("#when-2")).to_have_value('{class} = "5a"')
    page.get_by_role("button", name="Move Outing up").tap()
    expect(page.locator("[data-swap=papers] .item-title").first).to_contain_text("Outing")
    assert not page.complaints, page.complaints
