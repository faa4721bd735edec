"""Words and places blacked out of a paper, and the paper that is made."""

import subprocess

from playwright.sync_api import expect

from desk import accessible, add, more, picture
from filing import paper
from keeping import everywhere, fits


def words_of(page, address: str) -> str:
    made = page.request.get(address).body()
    return subprocess.run(["pdftotext", "-", "-"], input=made, capture_output=True, check=True).stdout.decode()


@everywhere("Words and a place drawn by keys are blacked out, in a paper of its own, with what was looked at")
def words_and_places(browser, page, press, name):
    add(page, "Statement.pdf", paper("Account of Ann Miller"))
    page.goto("/documents")
    press(page.get_by_role("link", name="Statement.pdf").first)
    more(page)
    press(page.get_by_role("link", name="Redact"))
    page.locator("redact-areas:defined").wait_for()
    page.get_by_label("Words", exact=True).fill("ann miller")
    press(page.get_by_role("button", name="Show what goes"))
    expect(page.locator(".redact-hits mark")).to_have_text("Ann Miller")
    expect(page.locator(".redact-hit")).to_have_count(1)
    expect(page.get_by_label("Words", exact=True)).to_have_value("ann miller")
    accessible(page, f"hits, {name}")
    picture(page, f"redact-hits-{name}")
    fits(page)
    page.locator("redact-areas:defined").wait_for()
    press(page.get_by_role("button", name="Add a place"))
    area = page.locator(".redact-area")
    expect(area).to_be_focused()
    before = float(area.get_attribute("y"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    assert float(area.get_attribute("y")) == before + 6
    accessible(page, f"a place, {name}")
    press(page.get_by_role("button", name="Redact", exact=True))
    done = page.get_by_role("link", name="Open the new paper")
    done.wait_for()
    picture(page, f"redact-done-{name}")
    accessible(page, f"done, {name}")
    fits(page)
    press(page.get_by_text("What was looked at"))
    expect(page.get_by_text("Another program, Poppler")).to_be_visible()
    proof = words_of(page, page.get_by_role("link", name="Get the proof").get_attribute("href"))
    assert proof.startswith("Proof of redaction") and "Statement (redacted).pdf" in proof and "SHA-256" in proof, proof
    left = words_of(page, page.get_by_role("link", name="Download").get_attribute("href"))
    assert "Account" in left and "Miller" not in left, left
    # The paper itself is as it was.
    page.goto("/documents")
    expect(page.get_by_role("link", name="Statement (redacted).pdf").first).to_be_visible()
    original = page.get_by_role("link", name="Statement.pdf", exact=True).first.get_attribute("href")
    assert "Miller" in words_of(page, f"{original}/file")


@everywhere("A place is drawn with a mouse, moved away with Delete, and what is not found is said")
def drawn(browser, page, press, name):
    add(page, "Letter.pdf", paper("Dear Ana"))
    page.goto("/tools")
    press(page.get_by_role("link", name="Redact"))
    page.wait_for_url("**/tools/redact")
    accessible(page, f"choosing a paper, {name}")
    picture(page, f"redact-tool-{name}")
    press(page.get_by_role("link", name="Letter.pdf").first)
    page.locator("redact-areas:defined").wait_for()
    sheet = page.locator(".redact-paper").first
    sheet.scroll_into_view_if_needed()
    box = sheet.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 110, steps=5)
    page.mouse.up()
    expect(page.locator(".redact-area")).to_have_count(1)
    picture(page, f"redact-drawn-{name}")
    page.keyboard.press("Delete")
    expect(page.locator(".redact-area")).to_have_count(0)
    page.get_by_label("Words", exact=True).fill("zebra")
    press(page.get_by_role("button", name="Redact", exact=True))
    expect(page.get_by_text("nothing was blacked out")).to_be_visible()
    expect(page.get_by_text("this paper is as it was")).to_be_visible()


@everywhere("The same words go from several papers; each hit is looked through, and what is unticked stays")
def several(browser, page, press, name):
    add(page, "Statement.pdf", paper("Account of Ann Miller"))
    add(page, "Letter.pdf", paper("Miller Street, Ann Miller"))
    # In the same place, but another hit.
    add(page, "Twin.pdf", paper("Miller Street is another one"))
    add(page, "Other.pdf", paper("Nobody is named here"))
    page.goto("/documents")
    for box in page.locator("input[type=checkbox][name=id]").all():
        box.check()
    if page.get_by_role("button", name="Redact").count() == 0 or not page.get_by_role("button", name="Redact").is_visible():
        press(page.locator(".selection-more"))
    press(page.get_by_role("button", name="Redact"))
    page.wait_for_url("**/redaction?papers=*")
    expect(page.get_by_text("4 papers").first).to_be_visible()
    expect(page.get_by_role("button", name="Redact", exact=True)).to_have_count(0)
    accessible(page, f"several to be redacted, {name}")
    press(page.get_by_role("button", name="Show what goes"))
    expect(page.get_by_role("alert")).to_contain_text("Say what is to be blacked out")
    page.get_by_label("Words", exact=True).fill("miller")
    press(page.get_by_role("button", name="Show what goes"))
    expect(page.get_by_role("heading", name="4 hits")).to_be_visible()
    page.locator(".card", has_text="Letter.pdf").get_by_role("checkbox", name="“Miller” goes").nth(0).uncheck()
    accessible(page, f"hits in several, {name}")
    picture(page, f"redact-several-{name}")
    fits(page)
    # Other words are looked through before anything is done.
    page.get_by_label("Words", exact=True).fill("street")
    press(page.get_by_role("button", name="Redact", exact=True))
    expect(page.get_by_role("alert")).to_contain_text("Look through what goes first")
    expect(page.get_by_role("heading", name="2 hits")).to_be_visible()
    page.get_by_label("Words", exact=True).fill("miller")
    press(page.get_by_role("button", name="Show what goes"))
    expect(page.get_by_role("heading", name="4 hits")).to_be_visible()
    page.locator(".card", has_text="Letter.pdf").get_by_role("checkbox", name="“Miller” goes").nth(0).uncheck()
    # Looked at once more, what was unticked is unticked.
    press(page.get_by_role("button", name="Show what goes"))
    expect(page.locator(".card", has_text="Letter.pdf").get_by_role("checkbox", name="“Miller” goes").nth(0)).not_to_be_checked()
    expect(page.locator(".card", has_text="Twin.pdf").get_by_role("checkbox", name="“Miller” goes")).to_be_checked()
    press(page.get_by_role("button", name="Redact", exact=True))
    expect(page.get_by_text("Done and proven for 3 papers.")).to_be_visible()
    accessible(page, f"several redacted, {name}")
    picture(page, f"redact-several-done-{name}")
    fits(page)
    left = {}
    for link in page.get_by_role("link", name="(redacted).pdf").all():
        left[link.inner_text()] = words_of(page, link.get_attribute("href").replace("/read", "/file"))
    assert "Miller" not in left["Statement (redacted).pdf"] and "Miller" not in left["Twin (redacted).pdf"], left
    assert "Miller Street" in left["Letter (redacted).pdf"] and "Ann Miller" not in left["Letter (redacted).pdf"], left
