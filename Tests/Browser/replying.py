"""Forms that those outside fill in where they open their link, sign by hand, and send back."""

import subprocess
import tempfile

from playwright.sync_api import expect

from desk import PHONE, accessible, add, picture, set_up
from keeping import fits
from reading import LOOKS, PLAIN
from sentences import holds

TOUCH = {"has_touch": True, "is_mobile": True}


def trip() -> bytes:
    """A form with a name, a place to sign and a day, as a school sends it."""
    content = ("BT /F 18 Tf 60 740 Td (Trip to the lake) Tj ET BT /F 10 Tf 60 700 Td (Name of the child) Tj ET "
               "BT /F 10 Tf 60 600 Td (I agree that my child comes along.) Tj ET "
               "BT /F 10 Tf 60 500 Td (Signature of a parent) Tj ET BT /F 10 Tf 380 500 Td (Date) Tj ET "
               "60 518 m 300 518 l S")
    widget = "/Type/Annot/Subtype/Widget/F 4/P 4 0 R/DA(/F 10 Tf 0 g)"
    bodies = [
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R 7 0 R]/DR<</Font<</F 3 0 R>>>>>>>>",
        "<</Type/Pages/Kids[4 0 R]/Count 1>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents 8 0 R/Annots[5 0 R 6 0 R 7 0 R]>>",
        f"<<{widget}/FT/Tx/T(child)/TU(Name of the child)/Ff 2/Rect[180 695 420 713]>>",
        f"<<{widget}/FT/Sig/T(parent)/TU(Signature of a parent)/Ff 2/Rect[60 516 300 556]>>",
        f"<<{widget}/FT/Tx/T(day)/TU(Date)/Rect[380 516 480 534]/AA<</F<</S/JavaScript/JS(AFDate_FormatEx\\(\"mm/dd/yyyy\"\\);)>>>>>>",
        f"<</Length {len(content)}>>stream\n{content}\nendstream",
    ]
    out, places = "%PDF-1.7\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n" + "".join(f"{place:010} 00000 n \n" for place in places)
    return (out + f"trailer\n<</Size {len(bodies) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").encode("latin-1")


def asked(page, note="Ana Miller"):
    """A link to the form, which may come back by it."""
    add(page, "Trip to the lake.pdf", trip())
    page.goto("/documents")
    page.get_by_role("link", name="Trip to the lake.pdf").first.click()
    page.get_by_role("link", name="Share", exact=True).click()
    page.get_by_label("May be filled in, signed by hand and sent back").check()
    page.get_by_label("For whom").fill(note)
    page.get_by_role("button", name="Make link").click()
    link = page.locator(".secret").inner_text()
    return page.url.split("?")[0].split("#")[0], link[link.index("/s/"):]


def draw(guest):
    pad = guest.locator(".mark-pad").bounding_box()
    guest.mouse.move(pad["x"] + 20, pad["y"] + pad["height"] * 0.7)
    guest.mouse.down()
    for step in range(1, 25):
        guest.mouse.move(pad["x"] + 20 + step * (pad["width"] - 40) / 25, pad["y"] + pad["height"] * (0.3 + 0.4 * (step % 3) / 2))
    guest.mouse.up()


def came(page):
    replies = page.request.get("/replies", headers={"Accept": "application/json"}).json()["replies"]
    file = page.request.get(f"/documents/{replies[0]['document']}/file").body()
    return replies, file


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@holds("A parent signs a form by hand on a phone, and the office sees that it is signed")
def signed(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    place, link = asked(page)
    for size in (PHONE, {"width": 320, "height": 640}):
        guest = browser.page(desk, size, **TOUCH)
        guest.goto(link)
        guest.get_by_role("link", name="Fill in and sign").tap()
        guest.locator("sign-places:defined").wait_for()
        for look in LOOKS:
            guest.emulate_media(**PLAIN | LOOKS[look])
            accessible(guest, f"a form to sign at {size['width']} ({look})")
            picture(guest, f"sign-{size['width']}-{look}")
        guest.emulate_media(**PLAIN)
        fits(guest)
        guest.get_by_role("link", name="To the signature").tap()
        guest.locator(".sign-place").get_by_role("button", name="Sign here").tap()
        expect(guest.get_by_role("dialog")).to_be_visible()
        accessible(guest, f"signing at {size['width']}")
        fits(guest)
        draw(guest)
        picture(guest, f"sign-dialog-{size['width']}")
        guest.get_by_role("button", name="Sign with it").tap()
        expect(guest.locator("[data-signed]")).to_have_text("Signed: 1 of 1")
        expect(guest.locator(".sign-here svg")).to_be_attached()
        # It waits in this tab, and is taken away and done again.
        guest.reload()
        guest.locator("sign-places:defined").wait_for()
        expect(guest.locator("[data-signed]")).to_have_text("Signed: 1 of 1")
        guest.get_by_role("button", name="Clear").tap()
        expect(guest.locator("[data-signed]")).to_have_text("Signed: 0 of 1")
        guest.locator(".sign-place").get_by_role("button", name="Sign here").tap()
        draw(guest)
        guest.get_by_role("button", name="Sign with it").tap()
        # Nothing is written that nobody asked for.
        expect(guest.get_by_label("Date")).to_have_value("")
        guest.get_by_role("button", name="Write today’s date").tap()
        expect(guest.get_by_label("Date")).not_to_have_value("")
        guest.get_by_role("button", name="Send", exact=True).tap()
        expect(guest.get_by_role("alert")).to_contain_text("“Name of the child” is required and still empty.")
        accessible(guest, f"a form that is not sent yet at {size['width']}")
        expect(guest.locator("[data-signed]")).to_have_text("Signed: 1 of 1")
        guest.get_by_label("Name of the child").fill("Bo Miller")
        picture(guest, f"sign-signed-{size['width']}")
        guest.get_by_role("button", name="Send", exact=True).tap()
        expect(guest.get_by_role("heading", level=1)).to_have_text("Sent")
        accessible(guest, f"a form that was sent at {size['width']}")
        fits(guest)
        picture(guest, f"sign-sent-{size['width']}")
        assert not guest.complaints, guest.complaints
    replies, file = came(page)
    assert len(replies) == 2 and replies[0]["signed"] == 1, replies
    with tempfile.NamedTemporaryFile(suffix=".pdf") as paper:
        paper.write(file)
        paper.flush()
        assert "Bo Miller" in run("pdftotext", paper.name, "-")
        run("qpdf", "--check", paper.name)
    page.goto(f"/documents/{replies[0]['document']}")
    expect(page.get_by_text("Signed by hand", exact=True)).to_be_visible()
    picture(page, "sign-office")
    page.goto(place)
    expect(page.get_by_role("heading", name="Filled in at a link")).to_be_visible()
    expect(page.get_by_text("Sent back by the link for Ana Miller").first).to_be_visible()
    accessible(page, "a paper with replies")
    page.get_by_role("button", name="Read all 2 into a table").click()
    expect(page.get_by_role("cell", name="Bo Miller")).to_have_count(2)
    assert not page.complaints, page.complaints


@holds("A form is signed by typing a name, by keys alone, and without scripts, in each language")
def typed(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    _, link = asked(page)
    guest = browser.page(desk)
    guest.goto(link + "/form")
    # Who has not opened it opens it first.
    guest.goto(link + "/form")
    guest.locator("sign-places:defined").wait_for()
    guest.get_by_label("Name of the child").fill("Bo")
    button = guest.locator(".sign-place").get_by_role("button", name="Sign here")
    button.focus()
    guest.keyboard.press("Enter")
    guest.get_by_text("Type it, or photograph it on paper").focus()
    guest.keyboard.press("Enter")
    guest.get_by_label("Your name", exact=True).focus()
    guest.keyboard.type("Ana Miller")
    guest.get_by_role("button", name="Sign with it").focus()
    guest.keyboard.press("Enter")
    expect(guest.locator("[data-signed]")).to_have_text("Signed: 1 of 1")
    picture(guest, "sign-typed")
    guest.get_by_role("button", name="Send", exact=True).focus()
    guest.keyboard.press("Enter")
    expect(guest.get_by_role("heading", level=1)).to_have_text("Sent")
    plain = browser.page(desk, PHONE, java_script_enabled=False)
    plain.goto(link)
    plain.get_by_role("link", name="Fill in and sign").click()
    picture(plain, "sign-plain")
    plain.get_by_label("Name of the child").fill("Bo")
    plain.get_by_label("Your name, typed").fill("Ana Miller")
    plain.get_by_role("button", name="Send", exact=True).click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Sent")
    replies, file = came(page)
    assert [reply["signed"] for reply in replies] == [1, 1], replies
    with tempfile.NamedTemporaryFile(suffix=".pdf") as paper:
        paper.write(file)
        paper.flush()
        assert "Ana Miller" in run("pdftotext", paper.name, "-")
    for language in ("es-MX", "fr-CA"):
        other = browser.page(desk, PHONE, locale=language, **TOUCH)
        other.goto(link)
        other.goto(link + "/form")
        other.locator("sign-places:defined").wait_for()
        other.locator(".sign-place .button").first.tap()
        expect(other.get_by_role("dialog")).to_be_visible()
        accessible(other, f"signing in {language}")
        fits(other)
        picture(other, f"sign-{language}")
