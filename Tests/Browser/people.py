"""People one works with: written down, looked at, changed, tagged, taken out and put back."""

import pathlib
import re
import tempfile

import pngs
import vobject
import zxingcpp
from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, eventually, picture, set_up, sign_in
from packets import TOUCH, choose_form
from scanning import Camera
from sentences import holds

CARDS = "".join(
    f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{number}\r\nFN:{name}\r\nX-ODD;a=b:c\r\nORG:{company}\r\nTEL;TYPE=CELL:{phone}\r\n"
    f"EMAIL;TYPE=WORK:{name.split()[0].lower()}@example.org\r\nEND:VCARD\r\n"
    for number, (name, company, phone) in enumerate([
        ("Ana Pérez", "Choir", "+52 55 1234 5678"), ("Bo Lind", "Choir", "(514) 555-0100"), ("Zoë Ng", "Bakery", "555 0199")]))


def brought(page):
    page.goto("/contacts")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "phone.vcf", "mimeType": "text/vcard", "buffer": CARDS.encode()})
    expect(page.get_by_role("link", name="Zoë Ng")).to_be_visible()


def fits(page):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than its window"


@holds("Somebody is opened from the list, reached with a tap, changed in place, and the change is taken back")
def person(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    brought(page)
    page.get_by_role("searchbox").fill("5145550100")
    expect(page.get_by_role("link", name="Ana Pérez")).to_have_count(0)
    page.get_by_role("link", name="Bo Lind").tap()
    expect(page.get_by_role("heading", level=1, name="Bo Lind")).to_be_visible()
    expect(page.get_by_role("link", name="Call")).to_have_attribute("href", "tel:5145550100")
    expect(page.get_by_role("link", name="bo@example.org")).to_have_attribute("href", "mailto:bo@example.org")
    accessible(page, "a person on a phone")
    page.locator("#edit summary").first.tap()
    page.get_by_label("Note", exact=True).fill("Tenor")
    page.get_by_label("Tags", exact=True).fill("Neighbours, Choir")
    page.get_by_text("Add a telephone number").tap()
    new = page.locator("more-lines", has_text="Add a telephone number")
    new.get_by_label("Telephone", exact=True).fill("+1 514 555 0101")
    new.get_by_label("Kind").select_option("work")
    new.get_by_role("button", name="Another one").tap()
    new.get_by_label("Telephone", exact=True).nth(1).fill("+1 514 555 0102")
    accessible(page, "the form of a person")
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
    page.locator("#edit").get_by_role("button", name="Save").tap()
    expect(page.get_by_text("Saved.")).to_be_visible()
    facts = page.locator(".facts")
    for said in ("Tenor", "+1 514 555 0101", "+1 514 555 0102", "Neighbours"):
        expect(facts).to_contain_text(said)
    page.locator("#edit summary").first.tap()
    page.get_by_label("Email", exact=True).first.fill("nobody")
    page.locator("#edit").get_by_role("button", name="Save").tap()
    expect(page.get_by_role("alert")).to_contain_text("“nobody” is not a mail address.")
    page.get_by_label("Email", exact=True).first.fill("bo@lind.example")
    page.locator("#edit").get_by_role("button", name="Save").tap()
    expect(facts).to_contain_text("bo@lind.example")
    page.get_by_role("button", name="Undo").tap()
    expect(facts).to_contain_text("bo@example.org")
    expect(facts).to_contain_text("Tenor")
    assert not page.complaints, page.complaints


@holds("Two who change the same person at once are told, and neither loses what they typed")
def meanwhile(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    brought(page)
    page.get_by_role("link", name="Ana Pérez").click()
    other = page.context.new_page()
    other.goto(page.url)
    for each, note, met in ((other, "theirs", ""), (page, "mine", "the fair")):
        each.locator("#edit summary").first.click()
        each.get_by_label("Note", exact=True).fill(note)
        each.get_by_label("Where you met").fill(met)
        each.locator("#edit").get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Somebody else changed this person")
    expect(page.get_by_label("Note", exact=True)).to_have_value("mine")
    expect(page.locator("#p-note-hint")).to_contain_text("theirs")
    page.locator("#edit").get_by_role("button", name="Save").click()
    expect(page.locator(".facts")).to_contain_text("mine")
    expect(page.locator(".facts")).to_contain_text("the fair")


@holds("Several people get a tag, are found by it, are saved as a file, and come back after they were taken out")
def selection(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    brought(page)
    page.get_by_label("Select Ana Pérez").check()
    page.get_by_label("Select Bo Lind").check()
    page.get_by_placeholder("Tag", exact=True).fill("Altos")
    accessible(page, "people who are chosen")
    page.get_by_role("button", name="Give this tag").click()
    expect(page.get_by_text("2 people are changed.")).to_be_visible()
    page.get_by_role("link", name="Ana Pérez").click()
    page.get_by_role("link", name="Altos").click()
    expect(page.locator(".person-item")).to_have_count(2)
    page.get_by_label("Select Bo Lind").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert b"X-ODD;a=b:c\r\n" in open(download.value.path(), "rb").read()
    page.get_by_role("button", name="Take out").click()
    expect(page.get_by_text("One person is taken out.")).to_be_visible()
    expect(page.locator(".person-item")).to_have_count(2)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".person-item")).to_have_count(3)
    assert not page.complaints, page.complaints


@holds("A new person is written down, gets a photo that is made smaller, and is there without scripts too")
def new(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    page.goto("/contacts/new")
    page.get_by_label("First name").fill("Zoë")
    page.get_by_label("Last name").fill("Ng")
    page.get_by_label("Email", exact=True).fill("zoe@example.org")
    accessible(page, "a new person")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1, name="Zoë Ng")).to_be_visible()
    page.get_by_text("Photo", exact=True).click()
    page.locator("photo-field:defined input[type=file]").set_input_files(
        {"name": "large.png", "mimeType": "image/png", "buffer": pngs.of_one_colour(2400, 1800, (0x30, 0x80, 0xC0))})
    assert eventually(lambda: page.evaluate("document.querySelector('#photo').files[0]?.name") == "photo.jpg"), "it is as large as before"
    page.locator("photo-field").get_by_role("button", name="Save").click()
    expect(page.locator("img.face")).to_be_visible()
    assert page.locator("img.face").evaluate("image => image.decode().then(() => image.naturalWidth)") == 640
    accessible(page, "a person with a photo")


@holds("Doubles are shown with their reasons, looked at side by side, merged, and two again with Undo")
def doubles(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    page.goto("/contacts")
    double = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:9\r\nFN:Ana Perez\r\nTEL:55 1234 5678\r\nNOTE:Alto\r\nBDAY:1990-04-15\r\nEND:VCARD\r\n"
    page.locator("input[type=file]").first.set_input_files(
        {"name": "phone.vcf", "mimeType": "text/vcard", "buffer": (CARDS + double).encode()})
    page.get_by_role("link", name="Look for doubles").tap()
    expect(page.get_by_role("main")).to_contain_text("Same number: 512345678")
    accessible(page, "doubles")
    page.get_by_role("link", name="Look and merge").tap()
    expect(page.get_by_role("main")).to_contain_text("Says the same")
    page.get_by_label("Ana Perez", exact=True).check()
    page.get_by_role("button", name="Look at the result").tap()
    expect(page.get_by_role("heading", level=2, name="Ana Perez")).to_be_visible()
    accessible(page, "two cards as one")
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
    page.get_by_role("button", name="Merge", exact=True).tap()
    expect(page.get_by_role("heading", level=1, name="Ana Perez")).to_be_visible()
    for said in ("Alto", "1990-04-15", "ana@example.org"):
        expect(page.locator(".facts")).to_contain_text(said)
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_role("main")).to_contain_text("Same number: 512345678")
    page.get_by_role("button", name="Not the same").tap()
    expect(page.get_by_role("heading", name="No doubles")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("When to get back to somebody is planned with a tap on a phone, waits on Home, is done, and back with Undo")
def follow_ups(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    page.goto("/contacts")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "phone.vcf", "mimeType": "text/vcard", "buffer": CARDS.encode()})
    page.get_by_role("link", name="Ana Pérez").tap()
    page.get_by_text("Get back to them", exact=True).tap()
    page.get_by_label("What about").fill("The new hall")
    page.get_by_label("Repeat").select_option("quarter")
    accessible(page, "a follow-up being planned")
    fits(page)
    picture(page, "follow-up-planning")
    page.get_by_role("button", name="In two weeks").tap()
    expect(page.get_by_text("Follow-up planned.")).to_be_visible()
    box = page.locator("#follow-up")
    expect(box).to_contain_text("Every three months")
    box.get_by_text("Change", exact=True).tap()
    box.get_by_label("Day", exact=True).locator("visible=true").fill("2020-01-31")
    box.get_by_role("button", name="Save").tap()
    expect(box).to_contain_text("Overdue")
    expect(box).to_contain_text("Jan 31, 2020")
    accessible(page, "a follow-up that is overdue")
    fits(page)
    picture(page, "follow-up-overdue")
    page.goto("/")
    expect(page.get_by_role("heading", name="Get back to one person")).to_be_visible()
    fits(page)
    picture(page, "follow-up-home")
    page.get_by_role("link", name="All follow-ups").tap()
    expect(page.locator(".person-item")).to_have_count(1)
    accessible(page, "the people to get back to")
    fits(page)
    picture(page, "follow-up-list")
    # The calendar of the phone reads them, at an address of one's own.
    page.get_by_role("button", name="Make an address").tap()
    expect(page.get_by_text("Give the address to your calendar.")).to_be_visible()
    accessible(page, "a calendar of follow-ups")
    fits(page)
    picture(page, "follow-up-calendar")
    address = page.locator("#calendar [data-copy]").get_attribute("data-copy")
    entry = vobject.readOne(page.request.get(address).text()).vevent
    assert (entry.summary.value, str(entry.dtstart.value)) == ("Get back to Ana Pérez", "2020-01-31"), entry
    assert entry.description.value == "The new hall" and entry.rruleset[1].isoformat() == "2020-04-30T00:00:00", entry
    page.get_by_role("link", name="Ana Pérez").tap()
    box.get_by_role("button", name="Done").tap()
    expect(page.get_by_text("Follow-up done.")).to_be_visible()
    expect(box).not_to_contain_text("Overdue")
    page.get_by_role("button", name="Undo", exact=True).tap()
    expect(box).to_contain_text("Overdue")
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
    assert not page.complaints, page.complaints


@holds("A search of the contacts is kept as a smart list on a phone, holds whoever matches, and is chosen for a send-out")
def smart_lists(browser):
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    brought(page)
    page.get_by_role("searchbox").fill("choir")
    expect(page.locator(".person-item")).to_have_count(2)
    page.get_by_text("Keep as a smart list").tap()
    page.get_by_label("Name of the smart list").fill("Singers")
    accessible(page, "a search about to be kept")
    fits(page)
    picture(page, "smart-keeping")
    page.locator("details", has_text="Keep as a smart list").get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", level=1, name="Singers")).to_be_visible()
    expect(page.locator(".lede")).to_have_text("2 people match now")
    accessible(page, "a smart list on a phone")
    fits(page)
    picture(page, "smart-list")
    # Whoever comes later and matches is on it.
    page.goto("/contacts/new")
    page.get_by_label("First name").fill("Dee")
    page.get_by_label("Last name").fill("Chor")
    page.get_by_label("Note", exact=True).fill("Choir")
    page.get_by_role("main").get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", level=1, name="Dee Chor")).to_be_visible()
    page.goto("/lists")
    expect(page.get_by_role("main")).to_contain_text("3 people match now")
    accessible(page, "lists, one of them smart")
    picture(page, "smart-lists")
    choose_form(page)
    expect(page.get_by_role("main")).to_contain_text("3 people match now")
    fits(page)
    picture(page, "smart-send-out")
    page.goto("/lists")
    page.get_by_role("link", name="Singers").tap()
    page.get_by_text("Change the question").tap()
    page.get_by_label("Words on the card").fill("choir dee")
    page.locator("#question").get_by_role("button", name="Save").tap()
    expect(page.locator(".lede")).to_have_text("One person matches now")
    page.get_by_role("button", name="Undo", exact=True).tap()
    expect(page.locator(".lede")).to_have_text("3 people match now")
    page.set_viewport_size(DESKTOP)
    accessible(page, "a smart list on a desktop")
    picture(page, "smart-list-desktop")
    page.goto("/contacts?q=choir")
    picture(page, "smart-contacts-desktop")
    page.set_viewport_size({"width": 320, "height": 640})
    for place in ("/contacts", "/lists"):
        page.goto(place)
        fits(page)
    assert not page.complaints, page.complaints


PRINTED = """<!doctype html><style>
    body { margin: 0; background: #6b5238; display: grid; place-items: center; min-height: 100vh; }
    div { width: 850px; height: 550px; background: #fdfcf8; transform: rotate(2deg); padding: 40px; box-sizing: border-box;
        font: 26px/1.5 "DejaVu Sans", sans-serif; color: #111; }
    h1 { font-size: 46px; margin: 0 0 8px; } p { margin: 0; }
</style><div><p>HILLSIDE SCHOOL</p><h1>Ana Miller</h1><p>School Counselor</p><br><p>1200 Main Street</p><p>Springfield, IL 62704</p>
<p>Cell: (217) 555-0199</p><p>ana.miller@hillside.example</p></div>"""


def printed(browser):
    """A photo of a printed card on a table."""
    page = browser.chromium.new_context(viewport={"width": 1200, "height": 900}).new_page()
    page.set_content(PRINTED)
    photo = page.screenshot(type="jpeg", quality=90)
    page.context.close()
    return photo


def code(browser, said: str):
    """A photo of a square code, made by another program and held a little askew."""
    page = browser.chromium.new_context(viewport={"width": 640, "height": 480}).new_page()
    svg = zxingcpp.create_barcode(said, zxingcpp.BarcodeFormat.QRCode).to_svg()
    side = re.search(r'<svg width="(\d+)"', svg)[1]
    page.set_content(
        "<body style='background:#998'><div style='width:300px;transform:rotate(7deg);margin:60px auto;background:#fff;padding:20px'>"
        f"<svg viewBox='0 0 {side} {side}' {svg[svg.index('<svg') + 4:]}</div><style>svg {{ width: 300px; height: 300px }}</style>")
    photo = page.screenshot(type="jpeg", quality=85)
    page.context.close()
    return photo


@holds("Without a network a card is not read, and said so: what the code says and the photo stay where they are, and are read once there is one")
def scanned_unplugged(browser):
    page = browser.page(browser.new_desk(), PHONE)
    set_up(page)
    page.goto("/contacts/scan")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    # The page that was seen is there without a network, too.
    for _ in range(2):
        page.reload()
    page.context.set_offline(True)
    page.goto("/contacts/scan")
    said = "MECARD:N:Lind,Zoë;TEL:+15145550100;;"
    page.get_by_label("What the code says").fill(said)
    read = page.locator("form", has=page.locator("textarea")).get_by_role("button", name="Read it")
    read.click()
    expect(page.get_by_text("Nothing was sent. Press once more when this bar is gone.")).to_be_visible()
    expect(page.get_by_label("What the code says")).to_have_value(said)
    page.get_by_label("Photo of a QR code or a printed card").set_input_files(
        {"name": "badge.jpg", "mimeType": "image/jpeg", "buffer": code(browser, said)})
    page.locator("form", has=page.locator("input[type=file]")).get_by_role("button", name="Read it").click()
    assert page.locator("input[type=file]").evaluate("(field) => field.files.length") == 1
    picture(page, "card-scan-unplugged")
    page.context.set_offline(False)
    expect(page.get_by_text("Nothing was sent. Press once more when this bar is gone.")).to_be_hidden()
    read.click()
    expect(page.get_by_label("First name")).to_have_value("Zoë")
    assert not page.complaints, page.complaints


@holds("A card is scanned from a photo of its code, of its print, from pasted lines and with the camera, looked over, and only then kept")
def scanned(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE)
    set_up(page)
    page.goto("/contacts")
    page.get_by_role("link", name="Scan a card").click()
    accessible(page, "scanning a card")
    fits(page)
    picture(page, "card-scan")
    said = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Pérez;Ana;;;\r\nFN:Ana Pérez\r\nTEL;TYPE=CELL:+52 55 1234 5678\r\nX-ODD:kept\r\nEND:VCARD\r\n"
    page.get_by_label("Photo of a QR code or a printed card").set_input_files(
        {"name": "badge.jpg", "mimeType": "image/jpeg", "buffer": code(browser, said)})
    page.locator("form", has=page.locator("input[type=file]")).get_by_role("button", name="Read it").click()
    expect(page.get_by_text("Read from the code.")).to_be_visible()
    expect(page.get_by_label("First name")).to_have_value("Ana")
    accessible(page, "a card that was scanned")
    fits(page)
    picture(page, "card-scanned")
    page.get_by_label("Where you met").fill("Fair")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1, name="Ana Pérez")).to_be_visible()
    card = page.request.get("/contacts/cards?as=cards").text()
    assert "X-ODD:kept" in card and "X-MET-AT:Fair" in card, card

    page.goto("/contacts/scan")
    page.get_by_label("Photo of a QR code or a printed card").set_input_files(
        {"name": "card.jpg", "mimeType": "image/jpeg", "buffer": printed(browser)})
    page.locator("form", has=page.locator("input[type=file]")).get_by_role("button", name="Read it").click()
    expect(page.get_by_text("Read from the printed card.")).to_be_visible(timeout=60_000)
    for label, value in [("First name", "Ana"), ("Last name", "Miller")]:
        expect(page.get_by_label(label)).to_have_value(value)
    values = page.locator("input[name=part]").evaluate_all("all => all.map((each) => each.value)")
    for value in ["(217) 555-0199", "ana.miller@hillside.example", "1200 Main Street", "Springfield", "62704", "School Counselor", "HILLSIDE SCHOOL"]:
        assert value in values, (value, values)
    picture(page, "card-printed")

    page.goto("/contacts/scan")
    page.get_by_label("What the code says").fill("Bo Lind\nTreasurer\nChoir Association\nTel 514 555 0100\nbo@example.org")
    page.locator("form", has=page.locator("textarea")).get_by_role("button", name="Read it").click()
    expect(page.get_by_label("Last name")).to_have_value("Lind")
    page.go_back()
    page.get_by_label("What the code says").fill("https://example.org/c/7k2m9q4x")
    page.locator("form", has=page.locator("textarea")).get_by_role("button", name="Read it").click()
    expect(page.get_by_role("button", name="Get the card from there")).to_be_visible()
    accessible(page, "a code that leads elsewhere")
    picture(page, "card-leads")
    assert not page.complaints, page.complaints


@holds("A code before the camera is read as soon as it is seen, and a camera that may not be used says what to do")
def camera(browser):
    with tempfile.TemporaryDirectory() as name:
        film = pathlib.Path(name) / "film.mjpeg"
        film.write_bytes(code(browser, "MECARD:N:Ng,Zoë;TEL:+15145550199;;") * 60)
        desk = browser.new_desk()
        set_up(browser.page(desk))
        for is_refused in [True, False]:
            with Camera(browser, film, is_refused) as chromium:
                page = chromium.new_context(base_url=desk.origin, viewport=PHONE).new_page()
                sign_in(page)
                page.goto("/contacts/scan")
                page.get_by_role("button", name="Start the camera").click()
                if is_refused:
                    expect(page.get_by_text("This page may not use the camera.")).to_be_visible()
                    continue
                expect(page.get_by_text("Looking for a QR code…")).to_be_visible()
                picture(page, "card-camera")
                expect(page.get_by_label("First name")).to_have_value("Zoë", timeout=30_000)
                expect(page.get_by_label("Telephone").first).to_have_value("+15145550199")
