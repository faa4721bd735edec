"""From a form and a table to the right papers: by mouse, by touch, by keyboard, and without scripts."""

import io
import os
import pathlib
import re

from playwright.sync_api import expect
from pypdf import PdfReader

from desk import DESKTOP, PHONE, accessible, drag, set_up, sign_in, still
from sentences import holds

EXAMPLES = pathlib.Path(__file__).parents[2] / "Examples"
CONSENT = EXAMPLES / "02-consent-forms"
TOUCH = {"has_touch": True, "is_mobile": True}


def picture(page, name: str):
    """For the guide: `DOCS_PICTURES=docs/pictures Tests/Browser/run "guide"` makes them anew."""
    folder = os.environ.get("DOCS_PICTURES")
    if not folder:
        return
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    page.evaluate("() => document.querySelectorAll('.toast').forEach(toast => toast.remove())")
    still(page)
    # Pictures of pages come in by themselves; half of one teaches nothing.
    for image in page.locator("main img").all():
        if image.is_visible() and image.bounding_box()["y"] < page.viewport_size["height"]:
            expect(image).to_have_js_property("complete", True)
    page.screenshot(path=f"{folder}/{name}.jpg", type="jpeg", quality=70)


def choose_form(page, path=CONSENT / "consent.pdf"):
    page.goto("/batches/new")
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#files").set_input_files(path)
    page.wait_for_url("**/people")


def bring_people(page, path=CONSENT / "people.csv"):
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#table-file").set_input_files(path)
    page.wait_for_url("**/imports/**")


def flow(page, look, press):
    """The whole way, with `look` at each step; `press` is how a button is pressed."""
    page.goto("/batches/new")
    page.locator("upload-zone:defined").first.wait_for()
    look("papers")
    page.locator("#files").set_input_files(CONSENT / "consent.pdf")
    page.wait_for_url("**/people")
    expect(page.get_by_role("heading", level=1)).to_have_text("Which form, and for whom?")
    look("people")
    bring_people(page)
    expect(page.locator(".lede")).to_contain_text("300 people")
    expect(page.get_by_label("Separator")).to_have_value(",")
    look("import")
    press(page.get_by_role("button", name="Bring in"))
    page.wait_for_url("**/mapping**")
    # What is called alike is matched by itself, with the reason beside it.
    first = page.locator("[data-entry='child name'] .field-row")
    expect(first).to_contain_text("Zoë Ångström")
    look("match")
    press(page.get_by_role("link", name="Next person"))
    expect(first).not_to_contain_text("Zoë Ångström")
    press(first)
    expect(page.locator("[data-entry='child name'] .editor")).to_be_visible()
    look("match-field")
    press(page.get_by_role("link", name=re.compile("^Next: Check")))
    expect(page.get_by_role("heading", level=1)).to_have_text("Is everything right?")
    expect(page.locator(".planned")).to_have_count(50)
    look("check")
    page.get_by_label("File names").fill("{class}/{child name}")
    expect(page.locator(".planned").first).to_contain_text("5a/Zoë Ångström.pdf")
    press(page.get_by_role("button", name=re.compile(r"^Make papers for \d+ people")))
    page.wait_for_url("**/filling")
    look("make")
    expect(page.locator(".making-count b")).to_have_text(re.compile("300|29[0-9]"), timeout=90_000)
    press(page.get_by_role("link", name=re.compile("^Next: Give out")))
    expect(page.get_by_role("heading", level=1)).to_have_text("The papers")
    expect(page.locator(".sheet-item")).to_have_count(60)
    expect(page.locator(".sheet-item img").first).to_have_js_property("complete", True)
    look("take")
    press(page.locator(".sheet-item a").first)
    value = page.locator("[data-entry='child name'] summary")
    expect(value).to_contain_text("Zoë Ångström")
    press(value)
    expect(page.locator("[data-entry='child name']")).to_contain_text("people.csv, line 2")
    look("packet")
    with page.expect_download() as download:
        press(page.get_by_role("link", name="Download"))
    assert pathlib.Path(download.value.path()).read_bytes().startswith(b"%PDF")


@holds("The guide: from a form and a table to 300 right papers, on a desktop")
def on_a_desktop(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)

    def look(name):
        accessible(page, name)
        picture(page, name)

    flow(page, look, lambda target: target.click())
    assert not page.complaints, page.complaints


@holds("The guide: from a form and a table to 300 right papers, on a phone by touch")
def on_a_phone(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)

    def look(name):
        accessible(page, f"{name} on a phone")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], f"{name} is {width} wide"
        picture(page, f"phone-{name}")

    flow(page, look, lambda target: target.tap())
    assert not page.complaints, page.complaints


def press_enter(target):
    target.focus()
    target.press("Enter")


@holds("From a form and a table to 300 right papers, by keyboard alone")
def by_keyboard(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    flow(page, lambda name: None, press_enter)


@holds("A form and the table of its people are brought together; a table alone waits for its form, and one that cannot be read says so")
def together(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/batches/new")
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#files").set_input_files(CONSENT / "people.csv")
    expect(page.locator(".upload-state")).to_have_text("Now choose the form that is filled with it.")
    accessible(page, "a table that waits for its form")
    page.locator("#files").set_input_files(CONSENT / "consent.pdf")
    page.wait_for_url("**/imports/**batch=**")
    expect(page.locator(".lede")).to_contain_text("300 people")
    expect(page.locator(".nav [aria-current]")).to_have_text("Send-outs")
    page.goto("/batches/new")
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#files").set_input_files([
        {"name": "people.xlsx", "mimeType": "application/octet-stream", "buffer": b"PK\x03\x04 no table"},
        {"name": "consent.pdf", "mimeType": "application/pdf", "buffer": (CONSENT / "consent.pdf").read_bytes()}])
    expect(page.locator(".upload.is-bad")).to_contain_text("people.xlsx")
    # The send-out is there, and its people can come another way.
    page.get_by_role("link", name="consent.pdf").click()
    page.wait_for_url("**/people")
    assert not page.complaints, page.complaints


@holds("Packets can be left at any step and gone on with later")
def coming_back(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    choose_form(page)
    page.goto("/batches")
    expect(page.locator(".item")).to_contain_text("Step 1 of 4: Form and people")
    page.get_by_role("link", name="consent", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Which form, and for whom?")
    bring_people(page)
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    page.goto("/batches")
    page.get_by_role("link", name="consent", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What goes where?")
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Form and people").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Which form, and for whom?")


@holds("A column is put onto a field by dragging, by tapping, and by the keyboard; a formula says where it is wrong")
def matching(browser):
    # The column and the field are both in sight: who drags cannot scroll between pressing and moving, as a test would.
    page = browser.page(browser.new_desk(), {**DESKTOP, "height": 1400})
    set_up(page)
    choose_form(page)
    bring_people(page)
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    page.locator("match-board:defined").wait_for()
    field = page.locator("[data-entry='guardian name']")
    chip = page.locator(".column-chip[data-column='phone']")
    # Letters of another width move the chips; a hand would wait for them.
    page.evaluate("() => document.fonts.ready.then(() => true)")
    drag(chip, field.locator(".field-row"))
    expect(field.locator(".source-chip")).to_have_text("phone")
    page.set_viewport_size({**DESKTOP, "height": 1100})
    page.locator(".column-chip[data-column='relation']").click()
    expect(page.locator(".column-chip[data-column='relation']")).to_have_attribute("aria-pressed", "true")
    field.locator(".field-row").click()
    expect(field.locator(".source-chip")).to_have_text("relation")
    row = field.locator(".field-row")
    row.focus()
    row.press("Enter")
    formula = field.get_by_label("Put together by a formula")
    page.evaluate("window.isStillHere = true")
    formula.fill('upper({guardian nmae})')
    expect(field.locator(".formula-echo mark")).to_be_visible()
    accessible(page, "a formula with an error")
    formula.fill('upper({guardian name})')
    expect(field.locator("#formula-said strong")).to_have_text("ŽOFIE ÅNGSTRÖM")
    assert page.evaluate("window.isStillHere"), "writing a formula loaded the page anew"
    expect(page.get_by_role("button", name=re.compile(r"^Today \d\d-\d\d-\d\d$"))).to_be_visible()
    page.get_by_role("button", name="Row number 1").click()
    expect(row.locator(".value")).to_have_text("1")
    row.click()
    formula.fill('upper({guardian name})')
    formula.press("Enter")
    expect(row.locator("code")).to_have_text("upper({guardian name})")
    expect(row.locator(".value")).to_have_text("ŽOFIE ÅNGSTRÖM")
    # On the page: a click on the place opens the field in the list.
    page.locator("[data-mark='class']").first.dispatch_event("click")
    expect(page.locator("[data-entry='class'] .editor")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("People are ticked one by one or as they are found, on a phone and a desk; nobody ticked is no way on")
def choosing(browser):
    for size in [PHONE, DESKTOP]:
        page = browser.page(browser.new_desk(), size)
        set_up(page)
        choose_form(page)
        chosen = page.url
        bring_people(page)
        # Whoever goes away before the table is in goes on with it later.
        page.goto(chosen)
        page.get_by_role("link", name="Go on with it").click()
        page.wait_for_url("**/imports/**")
        page.get_by_role("button", name="Bring in").click()
        page.wait_for_url("**/mapping**")
        page.get_by_role("navigation", name="Steps").get_by_role("link", name="Form and people").click()
        page.get_by_role("button", name="Choose people one by one").click()
        page.wait_for_url("**/whom**")
        page.locator("soft-page:defined").wait_for()
        ticked = page.locator("strong[role=status]")
        onward = page.get_by_role("link", name="Next: Fill in")
        expect(ticked).to_have_text("300 of 300 ticked")
        expect(onward).to_be_in_viewport()
        page.get_by_role("button", name="Untick everybody").click()
        expect(ticked).to_have_text("0 of 300 ticked")
        expect(onward).to_have_count(0)
        page.get_by_role("searchbox", name="Search the people").fill("5a")
        expect(page.get_by_role("button", name="Untick the 107 found")).to_be_visible()
        page.locator(".choice-item").nth(0).click()
        expect(ticked).to_have_text("1 of 300 ticked")
        page.locator(".choice-item input").nth(1).press("Space")
        expect(ticked).to_have_text("2 of 300 ticked")
        accessible(page, "people to tick")
        page.get_by_role("searchbox", name="Search the people").fill("")
        expect(page.get_by_role("button", name="Tick everybody", exact=True)).to_be_visible()
        expect(ticked).to_have_text("2 of 300 ticked")
        onward.click()
        page.wait_for_url("**/mapping**")
        expect(page.get_by_text("1 of 2", exact=True)).to_be_visible()
        assert not page.complaints, page.complaints


@holds("Packets held back are made from the list as it is now; in one PDF of all, fields can stay")
def held_back(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    choose_form(page)
    rows = f"child name,class,guardian name\nAna,5a,Eva\nBo,{'5b and ' * 60},Li\nCem,5c,Ali\n"
    bring_people(page, {"name": "4b.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    page.get_by_role("link", name=re.compile("^Next: Check")).click()
    with page.expect_response(lambda answer: answer.request.method in ("POST", "PATCH")):
        page.get_by_label("Numbers and dates").select_option("de-CH")
    page.reload()
    expect(page.get_by_label("Numbers and dates")).to_have_value("de-CH")
    page.get_by_role("button", name="Make papers for 2 people").click()
    page.wait_for_url("**/filling")
    expect(page.locator(".making-count b")).to_have_text("2")
    expect(page.get_by_role("button", name="Also make those that waited")).to_be_visible()
    accessible(page, "packets that were held back")
    making = page.url

    page.goto("/lists")
    page.get_by_role("link", name="4b", exact=True).click()
    page.locator("grid-table:defined").wait_for()
    cells = page.locator("tbody tr").nth(1).locator("td[data-column]")
    cells.nth(1).click()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("5b")
    page.keyboard.press("Enter")
    expect(cells.nth(1)).to_have_text("5b")

    page.goto(making)
    page.get_by_label("From the list as it is now").check()
    page.get_by_role("button", name="Also make those that waited").click()
    expect(page.locator(".making-count b")).to_have_text("3")
    page.get_by_role("link", name=re.compile("^Next: Give out")).click()
    page.get_by_text("Order, receipts, printing").click()
    accessible(page, "ways to take packets out")
    page.get_by_label("Fields can still be filled").check()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("^One PDF")).click()
    fields = PdfReader(download.value.path()).get_fields()
    assert fields["2.class"]["/V"] == "5b", sorted(fields)
    assert not page.complaints, page.complaints


def said(page, address):
    """What a program is told at this address."""
    return page.request.get(address, headers={"Accept": "application/json"}).json()


@holds("What is written last counts: on Match and on Check it is kept by going on, and what is wrong is said where it is")
def going_on(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    choose_form(page)
    rows = "child name,class,email\nAna,5a,ana@example.org\nBo,5b,bo at home\nCem,5c,\n"
    bring_people(page, {"name": "4b.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    address = page.url.split("/mapping")[0]

    # A formula without "Set": a wrong one stays where it is and is marked, a right one is kept.
    row = page.locator("[data-entry='guardian name'] .field-row")
    row.click()
    formula = page.get_by_label("Put together by a formula")
    formula.fill("upper({nobody})")
    page.get_by_role("link", name=re.compile("^Next: Check")).click()
    expect(page.locator("[data-entry='guardian name'] .formula-echo mark")).to_be_visible()
    page.get_by_label("Put together by a formula").fill("upper({child name})")
    page.get_by_role("link", name=re.compile("^Next: Check")).click()
    page.wait_for_url("**/plan")
    assert "guardian name = upper({child name})" in said(page, address + "/mapping")["text"]

    # A matching is kept under a name, and used again.
    page.go_back()
    page.get_by_text("Save this matching for later").click()
    page.get_by_label("Keep as").fill("With a guardian")
    page.get_by_label("Keep as").press("Enter")
    expect(page.locator(".toast").last).to_be_visible()
    row.click()
    page.locator("[data-entry='guardian name'] .editor").get_by_role("button", name="Leave empty").click()
    expect(page.locator("[data-entry='guardian name']")).to_contain_text("left empty")
    page.get_by_text("Save this matching for later").click()
    page.get_by_label("Use a kept one").select_option("With a guardian")
    page.get_by_role("button", name="Use", exact=True).click()
    expect(row.locator("code")).to_have_text("upper({child name})")
    page.get_by_role("link", name=re.compile("^Next: Check")).click()

    # Whom it would go to, and who has no address one could write to.
    expect(page.locator(".planned").first).to_contain_text("ana@example.org")
    page.get_by_role("link", name=re.compile("^With problems 2")).click()
    expect(page.locator(".planned")).to_have_count(2)
    expect(page.locator(".planned").last).to_contain_text("no address to write to")
    page.get_by_role("link", name=re.compile("^All 3")).click()

    # Wrong page numbers and a wrong password: no green word, no button, and the reason beside the field.
    page.get_by_text("Password, signature, page numbers, printing").click()
    go = page.get_by_role("button", name=re.compile("^Make"))
    page.get_by_label("Page numbers").fill("p {nope}")
    expect(page.locator("#f-pageNumbers-error")).to_contain_text("{nope}")
    expect(page.get_by_role("alert")).to_contain_text("{nope}")
    expect(page.get_by_text("Everything is right")).to_have_count(0)
    expect(go).to_have_count(0)
    page.get_by_label("Page numbers").fill("{page}/{pages}")
    expect(go).to_be_visible()
    password = page.get_by_label("Password for each")
    password.fill("{nope}")
    expect(page.locator("#f-password-error")).to_contain_text("nope")
    expect(password).to_have_attribute("aria-invalid", "true")
    accessible(page, "a wrong password on Check")
    password.fill('"lamp"')
    expect(go).to_be_visible()
    page.get_by_label("File names").fill("{child nome}")
    expect(page.locator("#f-naming-error")).to_contain_text("child nome")

    # Pressed at once behind the last letter.
    page.get_by_label("Running number").fill("A-")
    page.get_by_label("Title").fill('"For " & {child name}')
    page.get_by_label("File names").fill("{class}/{child name}")
    go.click()
    page.wait_for_url("**/filling")
    expect(page.locator(".making-count b")).to_have_text("3")
    packet = said(page, address + "/packets")["packets"][0]
    assert packet["fileName"] == "5a/Ana.pdf", packet
    pdf = PdfReader(io.BytesIO(page.request.get(f"/packets/{packet['id']}/file").body()), password="lamp")
    assert pdf.metadata.title == "For Ana"
    assert "A-000001 · 1/1" in pdf.pages[0].extract_text()

    # Somebody else changes it meanwhile: what was not looked at is not made.
    page.goto(address + "/packets")
    page.get_by_role("button", name="Send to new people").click()
    page.goto(page.url.rsplit("/", 1)[0] + "/plan")
    csrf = page.locator("meta[name=csrf]").get_attribute("content")
    answer = page.request.patch(page.url.rsplit("/", 1)[0], data={"naming": "{class}"}, headers={
        "X-Quire-CSRF": csrf, "Accept": "application/json", "Origin": page.url.split("/batches")[0]})
    assert answer.ok, answer.text()
    go.click()
    expect(page.locator(".toast").last).to_contain_text("one more look")
    expect(page.locator(".planned").first).to_contain_text("5a.pdf")
    assert not page.complaints, page.complaints


@holds("A cell is changed where it is read: by arrows, Enter and Esc, and by a second tap; Undo takes it back")
def grid(browser):
    desk = browser.new_desk()
    page = browser.page(desk, DESKTOP)
    set_up(page)
    page.goto("/lists/new")
    bring_people(page)
    page.get_by_role("button", name="Bring in").click()
    page.locator("grid-table:defined").wait_for()
    accessible(page, "a list")
    cells = page.locator("tbody tr").first.locator("td[data-column]")
    cells.nth(1).click()
    page.keyboard.press("Enter")
    page.keyboard.type("6b")
    page.keyboard.press("Escape")
    expect(cells.nth(1)).to_have_text("5a")
    page.keyboard.press("Enter")
    page.keyboard.type("6b")
    page.keyboard.press("Enter")
    expect(cells.nth(1)).to_have_text("6b")
    expect(page.locator("tbody tr").nth(1).locator("td[data-column]").nth(1)).to_be_focused()
    # Only when it is saved does the word about it stand above the one about the list.
    expect(page.locator(".is-saving")).to_have_count(0)
    # The page renews itself meanwhile, and the cell that was changed is another one by now.
    page.evaluate("""document.querySelectorAll("td[data-column]").forEach((cell) => cell.replaceWith(cell.cloneNode(true)))""")
    page.locator(".toast").last.get_by_role("button", name="Undo").click()
    expect(cells.nth(1)).to_have_text("5a")
    expect(page.locator(".is-saving")).to_have_count(0)
    page.reload()
    expect(cells.nth(1)).to_have_text("5a")
    page.get_by_label("Search this list").fill("Ångström")
    expect(page.locator("tbody tr")).not_to_have_count(100)
    count = page.locator("tbody tr").count()
    page.locator("tbody input[name=id]").first.check()
    page.get_by_role("button", name="Remove", exact=True).first.click()
    expect(page.locator(".toast").last).to_contain_text("removed from the list")
    page.locator(".toast").last.get_by_role("button", name="Undo").click()
    expect(page.locator(".lede")).to_have_text("300 people")
    assert count > 0

    phone = browser.page(desk, PHONE, storage_state=page.context.storage_state(), **TOUCH)
    phone.goto(page.url.split("?")[0])
    phone.locator("grid-table:defined").wait_for()
    cell = phone.locator("tbody tr").first.locator("td[data-column='class']")
    cell.tap()
    cell.tap()
    cell.locator("input").fill("7c")
    cell.locator("input").press("Enter")
    expect(cell).to_have_text("7c")
    accessible(phone, "a list on a phone")
    assert not page.complaints + phone.complaints, page.complaints + phone.complaints


@holds("A pasted block becomes a list, and what was guessed is changed in one click")
def pasting(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    page.goto("/lists/new")
    page.get_by_text("Paste rows").click()
    page.get_by_label("Rows from a spreadsheet").fill("Name\tE-mail\nAda\tada@example.org\nGrace\tgrace@example.org\n")
    page.get_by_role("button", name="Look").click()
    expect(page.get_by_label("Separator")).to_have_value("tab")
    expect(page.locator(".grid tbody tr")).to_have_count(2)
    page.get_by_label("Headings are in").select_option("0")
    expect(page.locator(".grid tbody tr")).to_have_count(3)
    page.get_by_label("Headings are in").select_option("1")
    expect(page.locator(".grid tbody tr")).to_have_count(2)
    accessible(page, "an import")
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator(".lede")).to_have_text("2 people")


@holds("Fields of a form are found by click and by arrow keys, on the page and in the list")
def fields(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    page.goto("/templates/new")
    page.locator("upload-zone:defined").first.wait_for()
    page.locator("#files").set_input_files(CONSENT / "consent.pdf")
    page.wait_for_url(re.compile("/templates/[0-9a-f-]{36}"))
    page.locator("page-fields:defined").wait_for()
    accessible(page, "a form")
    picture(page, "form")
    page.locator("[data-mark='class']").first.dispatch_event("click")
    summary = page.locator("[data-entry='class'] summary")
    expect(summary).to_be_focused()
    expect(page.locator("[data-mark='class'] .is-chosen")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".mark.is-chosen")).to_have_count(1)
    expect(page.locator("[data-mark='class'] .is-chosen")).to_have_count(0)
    assert not page.complaints, page.complaints


def words_of_a_list(page, look):
    """A list with other words than the form, put right for everybody from the check."""
    rows = "child name,class,lunch,consent trip\nAna,5a,vege,ja\nBo,5b,pork,sure\nCem,5c,pork,N\n"
    choose_form(page)
    bring_people(page, {"name": "words.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    tables = page.get_by_role("region", name="What your words mean")
    expect(tables.get_by_label("pork")).to_have_value("?")
    expect(tables.get_by_label("vege")).to_have_value("Vegetarian")
    look("matching")
    page.get_by_role("link", name=re.compile("^Next: Check")).click()
    page.wait_for_url("**/plan")
    remarks = page.locator("main").get_by_role("listitem").filter(has_text="“pork” in “Lunch”")
    expect(remarks.first).to_contain_text("for 2 people")
    look("check")
    remarks.first.get_by_role("link", name="Say what it means").click()
    page.wait_for_url("**/mapping**#words")
    expect(page.get_by_role("link", name="Back to the check")).to_be_visible()
    lunch = tables.locator("details", has=page.get_by_label("pork"))
    lunch.get_by_label("pork").select_option("(leave empty)")
    look("deciding")
    lunch.get_by_role("button", name="Use for everybody").click()
    page.wait_for_url("**/plan**")
    expect(page.locator("main")).not_to_contain_text("“pork”")
    expect(page.locator("main")).to_contain_text("“sure” in")


@holds("What a word of the list means is said once for everybody, from the check and back to it, on a phone and a desk")
def words_mean(browser):
    for size, more in [(PHONE, TOUCH), (DESKTOP, {})]:
        # On one desk the second time would know what was decided the first.
        page = browser.page(browser.new_desk(), size, **more)
        set_up(page)

        def look(name):
            accessible(page, name)
            folder = os.environ.get("PICTURES")
            if folder:
                page.screenshot(path=f"{folder}/words-{name}-{size['width']}.png", full_page=True)

        words_of_a_list(page, look)
        assert not page.complaints, page.complaints


@holds("What a word of the list means can be said without scripts, too")
def words_without_scripts(browser):
    desk = browser.new_desk()
    page = browser.page(desk, DESKTOP)
    set_up(page)
    choose_form(page)
    rows = "child name,lunch\nAna,pork\n"
    bring_people(page, {"name": "words.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    address = page.url
    plain = browser.page(desk, PHONE, java_script_enabled=False)
    sign_in(plain)
    plain.goto(address)
    plain.get_by_label("pork").select_option("Vegetarian")
    plain.get_by_role("button", name="Use for everybody").click()
    plain.wait_for_url("**/mapping**")
    assert "pork = Vegetarian" in said(page, address.split("?")[0])["text"]


@holds("Without scripts a packet is drafted, matched and checked")
def no_scripts(browser):
    page = browser.page(browser.new_desk(), DESKTOP, java_script_enabled=False)
    set_up(page)
    page.goto("/batches/new")
    page.locator("#files").set_input_files(CONSENT / "consent.pdf")
    page.get_by_role("button", name="Add", exact=True).first.click()
    page.locator("#table-file").set_input_files(CONSENT / "people.csv")
    page.get_by_role("button", name="Add", exact=True).first.click()
    page.get_by_role("button", name="Bring in").click()
    page.locator("[data-entry='class'] .field-row").click()
    page.locator("[data-entry='class'] .editor").get_by_role("button", name="Leave empty").click()
    expect(page.locator("[data-entry='class']")).to_contain_text("left empty")
    page.get_by_role("link", name=re.compile("^Next: Check")).click()
    expect(page.locator(".planned")).to_have_count(50)
