"""Papers that are written on: words marked, a flat form filled in, a name signed by hand."""

import re
import subprocess
import tempfile

from playwright.sync_api import expect

from desk import accessible, add, comes_true, more, picture
from filing import paper
from keeping import everywhere, fits


def kept(page):
    """What other programs find of it in the paper as it is now."""
    made = page.request.get(page.url.split("/marks")[0] + "/file").body()
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(made)
        file.flush()
        sound = subprocess.run(["qpdf", "--check", file.name], capture_output=True, text=True)
    assert sound.returncode == 0, sound.stdout + sound.stderr
    return page.request.get(page.url.split("#")[0], headers={"Accept": "application/json"}).json()["marks"]


def open_paper(page, press, name="Lease.pdf", words=("The rent is 900",)):
    add(page, name, paper(*words))
    page.goto("/documents")
    press(page.get_by_role("link", name=name).first)
    more(page)
    press(page.get_by_role("link", name="Write and sign"))
    page.locator("mark-desk:defined").wait_for()
    page.locator("[data-taken=move]").wait_for()


def at(page, x, y):
    """A point of the first page, in fractions of it."""
    sheet = page.locator(".mark-paper").first
    box = sheet.bounding_box()
    return box["x"] + box["width"] * x, box["y"] + box["height"] * y


def press_at(page, x, y, name):
    page.locator(".mark-paper").first.scroll_into_view_if_needed()
    x, y = at(page, x, y)
    page.touchscreen.tap(x, y) if name == "phone" else page.mouse.click(x, y)


def save(page, press):
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".toast")).to_contain_text("It is written on the paper")
    page.locator("mark-desk:defined").wait_for()


@everywhere("Words and a tick are put on a flat form, moved and undone by keys, and kept as a new version")
def filled_in(browser, page, press, name):
    open_paper(page, press)
    accessible(page, f"nothing written, {name}")
    fits(page)
    picture(page, f"marks-empty-{name}")
    press(page.get_by_role("button", name="Words", exact=True))
    press_at(page, 0.3, 0.3, name)
    field = page.locator(".mark-words")
    expect(field).to_be_focused()
    page.keyboard.type("Ana Gómez")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("img", name="Words: Ana Gómez")).to_have_count(1)
    press(page.get_by_role("button", name="Tick", exact=True))
    press_at(page, 0.3, 0.45, name)
    expect(page.locator(".written")).to_have_count(2)
    press(page.get_by_role("button", name="Undo", exact=True).first)
    expect(page.locator(".written")).to_have_count(1)
    press(page.get_by_role("button", name="Redo", exact=True))
    expect(page.locator(".written")).to_have_count(2)
    press(page.get_by_role("button", name="Choose and move"))
    words = page.get_by_role("img", name="Words: Ana Gómez")
    words.focus()
    before = words.bounding_box()["y"]
    page.keyboard.press("ArrowDown")
    comes_true(page, "(y) => document.querySelector('.written:focus')?.getBoundingClientRect().y > y", before)
    accessible(page, f"something written, {name}")
    # What is not kept waits for whoever loads the page again.
    page.reload()
    page.locator("mark-desk:defined").wait_for()
    expect(page.locator(".written")).to_have_count(2)
    picture(page, f"marks-written-{name}")
    save(page, press)
    expect(page.locator(".written")).to_have_count(0)
    marks = kept(page)
    assert [mark["kind"] for mark in marks] == ["text", "tick"], marks
    assert marks[0]["text"] == "Ana Gómez", marks
    expect(page.locator("#notes")).to_contain_text("2 notes on this paper")
    expect(page.locator("#notes")).to_contain_text("Ana Gómez")
    picture(page, f"marks-kept-{name}")
    accessible(page, f"kept, {name}")
    fits(page)


@everywhere("Words are marked by drawing over them, and a note on them is answered, settled and taken off")
def discussed(browser, page, press, name):
    open_paper(page, press)
    page.locator(".mark-paper").first.scroll_into_view_if_needed()
    press(page.get_by_role("button", name="Highlight", exact=True))
    box = page.locator(".mark-paper").first.bounding_box()
    words = page.request.get(page.locator("[data-words]").first.get_attribute("data-words")).json()
    line = words["lines"][0]
    def place(word, share):
        return box["x"] + (word["x"] + word["width"] * share) / words["width"] * box["width"], box["y"] + (word["y"] + word["height"] / 2) / words["height"] * box["height"]
    page.mouse.move(*place(line[0], 0.5))
    page.mouse.down()
    page.mouse.move(*place(line[1], 0.6), steps=6)
    page.mouse.up()
    expect(page.get_by_role("img", name="Highlight")).to_have_count(1)
    picture(page, f"marks-highlight-{name}")
    save(page, press)
    (mark,) = kept(page)
    assert mark["kind"] == "highlight", mark
    wide = line[1]["x"] + line[1]["width"] - line[0]["x"]
    assert abs(mark["area"]["width"] - wide) < 3, (mark, wide)
    notes = page.locator("#notes")
    press(notes.get_by_text("Reply or remove"))
    notes.get_by_label("Reply").fill("Is that with heating?")
    press(notes.get_by_role("button", name="Reply"))
    expect(notes).to_contain_text("Is that with heating?")
    press(notes.get_by_text("Reply or remove"))
    press(notes.get_by_role("button", name="Settled"))
    expect(notes.locator(".chip")).to_have_text("Settled")
    accessible(page, f"a note that is settled, {name}")
    picture(page, f"marks-discussed-{name}")
    press(notes.get_by_text("Reply or remove"))
    press(notes.get_by_role("button", name="Remove"))
    expect(notes).to_contain_text("Nothing is written on it yet.")


@everywhere("A name is drawn once, kept, and signed with on the next paper, as part of the page")
def signed(browser, page, press, name):
    open_paper(page, press)
    press(page.get_by_role("button", name="Sign by hand"))
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    accessible(page, f"signing by hand, {name}")
    pad = page.locator(".mark-pad").bounding_box()
    page.mouse.move(pad["x"] + pad["width"] * 0.2, pad["y"] + pad["height"] * 0.7)
    page.mouse.down()
    for step in range(1, 12):
        page.mouse.move(pad["x"] + pad["width"] * (0.2 + step * 0.05), pad["y"] + pad["height"] * (0.7 - 0.4 * (step % 2)))
    page.mouse.up()
    picture(page, f"marks-signing-{name}")
    press(dialog.get_by_role("button", name="Sign with it"))
    expect(dialog).to_have_count(0)
    press_at(page, 0.5, 0.6, name)
    expect(page.get_by_role("img", name=re.compile("Signature by hand"))).to_have_count(1)
    picture(page, f"marks-signed-{name}")
    save(page, press)
    (mark,) = kept(page)
    assert mark["kind"] == "signature" and mark["area"]["width"] > 100, mark
    # The next paper: the kept one is there, and this time nobody can take it off.
    open_paper(page, press, "Consent.pdf", ("I agree",))
    press(page.get_by_role("button", name="Sign by hand"))
    press(page.get_by_role("button", name="Sign with this signature"))
    press_at(page, 0.5, 0.5, name)
    page.get_by_label("Part of the page for good").check()
    save(page, press)
    marks = kept(page)
    assert marks == [], marks
    picture(page, f"marks-part-{name}")
    press(page.get_by_role("button", name="Sign by hand"))
    press(page.get_by_role("button", name="Remove this signature"))
    expect(page.locator(".mark-signature")).to_have_count(0)


@everywhere("Words are linked to an address and a place to another page; what is linked is led elsewhere and taken off again")
def linked(browser, page, press, name):
    open_paper(page, press, "Guide.pdf", ("See the forms", "Second"))
    dialog = page.get_by_role("dialog")
    press(page.get_by_role("button", name="Link", exact=True))
    box = page.locator(".mark-paper").first.bounding_box()
    words = page.request.get(page.locator("[data-words]").first.get_attribute("data-words")).json()
    line = words["lines"][0]
    first, last = line[0], line[-1]
    def place(x, y):
        return box["x"] + x / words["width"] * box["width"], box["y"] + y / words["height"] * box["height"]
    page.mouse.move(*place(first["x"] - 4, first["y"] - 4))
    page.mouse.down()
    page.mouse.move(*place(last["x"] + last["width"] + 4, last["y"] + last["height"] + 4), steps=6)
    page.mouse.up()
    dialog.wait_for()
    accessible(page, f"where a link leads, {name}")
    picture(page, f"marks-link-{name}", whole=False)
    dialog.get_by_label("Web or mail address, or a page").fill("7")
    press(dialog.get_by_role("button", name="Link it"))
    expect(dialog).to_have_count(1)
    dialog.get_by_label("Web or mail address, or a page").fill("example.org/forms")
    press(dialog.get_by_role("button", name="Link it"))
    expect(page.get_by_role("img", name="Link: example.org/forms")).to_have_count(1)
    # By keys: in the middle of the page. What is given up leaves nothing behind.
    press(page.get_by_role("button", name="Link", exact=True))
    press(page.locator("[data-put]").first)
    press(dialog.get_by_role("button", name="Cancel"))
    expect(page.get_by_role("img", name=re.compile("^Link"))).to_have_count(1)
    press(page.locator("[data-put]").first)
    dialog.get_by_label("Web or mail address, or a page").fill("2")
    press(dialog.get_by_role("button", name="Link it"))
    expect(page.get_by_role("img", name="Link: #2")).to_have_count(1)
    save(page, press)
    links = page.request.get(page.url, headers={"Accept": "application/json"}).json()["links"]
    assert [link["text"] for link in links] == ["https://example.org/forms", "#2"], links
    wide = last["x"] + last["width"] - first["x"]
    assert abs(links[0]["area"]["width"] - wide) < 3, (links[0], wide)
    shown = page.locator("#links")
    # What is pressed on the page is told in the list.
    press(page.locator("[data-lead]").last)
    expect(shown.locator("details").last).to_have_attribute("open", "")
    expect(shown.locator("summary").last).to_be_focused()
    expect(shown).to_contain_text("To page 2")
    press(shown.get_by_text("Change or remove").first)
    accessible(page, f"links of a paper, {name}")
    picture(page, f"marks-links-{name}")
    shown.get_by_label("Where it leads").first.fill("office@example.org")
    press(shown.get_by_role("button", name="Save").first)
    expect(page.locator("#links")).to_contain_text("mailto:office@example.org")
    press(page.locator("#links").get_by_text("Change or remove").last)
    press(page.locator("#links").get_by_role("button", name="Remove the link").last)
    expect(page.locator("#links")).to_contain_text("1 link on this paper")
    fits(page)


@everywhere("Initials put on one page go on the others at one press, half seen through, and the notes of one kind are looked at alone")
def spread(browser, page, press, name):
    open_paper(page, press, "Contract.pdf", ("First", "Second", "Third", "Fourth"))
    press(page.get_by_role("button", name="Words", exact=True))
    press_at(page, 0.7, 0.3, name)
    page.locator(".mark-words").fill("A. G.")
    page.keyboard.press("Escape")
    press(page.get_by_role("button", name="Choose and move"))
    press(page.get_by_role("img", name=re.compile("A. G.")).first)
    page.get_by_label("Opacity").fill("60")
    press(page.get_by_role("button", name="Also on other pages"))
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("On these pages")).to_have_value("1-4")
    accessible(page, f"on which pages, {name}")
    picture(page, f"marks-pages-{name}", whole=False)
    dialog.get_by_label("On these pages").fill("7")
    press(dialog.get_by_role("button", name="Put it there"))
    expect(dialog).to_have_count(1)
    dialog.get_by_label("On these pages").fill("2, 4")
    press(dialog.get_by_role("button", name="Put it there"))
    expect(page.get_by_role("img", name=re.compile("A. G."))).to_have_count(3)
    expect(page.locator("[data-said]")).to_contain_text("2 other pages")
    press(page.get_by_role("button", name="Undo", exact=True))
    expect(page.get_by_role("img", name=re.compile("A. G."))).to_have_count(1)
    press(page.get_by_role("button", name="Redo", exact=True))
    page.locator(".mark-paper").nth(1).scroll_into_view_if_needed()
    picture(page, f"marks-spread-{name}")
    press(page.get_by_role("button", name="Wavy underline"))
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    page.mouse.move(*at(page, 0.12, 0.165))
    page.mouse.down()
    page.mouse.move(*at(page, 0.3, 0.165), steps=4)
    page.mouse.up()
    save(page, press)
    marks = kept(page)
    assert sorted((mark["kind"], mark["page"]) for mark in marks) == [("squiggle", 1), ("text", 1), ("text", 2), ("text", 4)], marks
    places = {(mark["area"]["x"], mark["area"]["y"]) for mark in marks if mark["kind"] == "text"}
    assert len(places) == 1, marks
    notes = page.locator("#notes .mark-item")
    page.get_by_label("Every kind").select_option(label="Wavy line")
    expect(notes.filter(has_text="Wavy line")).to_be_visible()
    expect(notes.filter(has_text="A. G.").first).to_be_hidden()
    picture(page, f"marks-sieve-{name}")
    fits(page)
