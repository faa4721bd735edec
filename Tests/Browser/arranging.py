"""Pages of papers put into another order: by dragging, by keys, by a finger."""

from playwright.sync_api import expect

from desk import accessible, add, more, picture
from filing import paper
from keeping import everywhere, fits


def words(page):
    """The first word of each page of the paper as it is now."""
    place = page.url.split("#")[0]
    count = page.request.get(place, headers={"Accept": "application/json"}).json()["count"]
    found = []
    for number in range(1, count + 1):
        lines = page.request.get(f"{place}/{number}/words").json()["lines"]
        found.append(lines[0][0]["text"] if lines else "")
    return found


def open_board(page, press, name="Lease.pdf", count=4):
    add(page, name, paper(*[f"Sheet{number}" for number in range(1, count + 1)]))
    page.goto("/documents")
    press(page.get_by_role("link", name=name).first)
    more(page)
    press(page.get_by_role("link", name="Arrange pages"))
    page.locator("page-board:defined").wait_for()
    page.get_by_role("option").nth(count - 1).wait_for()


def order(page):
    """Which pages stand there, by the numbers they had."""
    return [card.get_attribute("data-page") or "new" for card in page.get_by_role("option").all()]


@everywhere("Pages are moved, turned, doubled and removed, undone, and kept as a new version")
def arranged(browser, page, press, name):
    open_board(page, press)
    accessible(page, f"pages, {name}")
    fits(page)
    picture(page, f"arrange-{name}")
    cards = page.get_by_role("option")
    press(cards.nth(3))
    expect(cards.nth(3)).to_have_attribute("aria-selected", "true")
    for _ in range(3):
        press(page.get_by_role("button", name="Move forward"))
    assert order(page) == ["4", "1", "2", "3"], order(page)
    press(page.get_by_role("button", name="Turn right"))
    expect(cards.first).to_have_attribute("data-turn", "90")
    press(cards.first)
    press(cards.nth(2))
    press(page.get_by_role("button", name="Remove pages"))
    assert order(page) == ["4", "1", "3"], order(page)
    press(page.get_by_role("button", name="Undo", exact=True))
    assert order(page) == ["4", "1", "2", "3"], order(page)
    press(page.get_by_role("button", name="Do again"))
    picture(page, f"arrange-done-{name}")
    # It waits in this tab.
    page.reload()
    page.locator("page-board:defined").wait_for()
    expect(page.locator(".toast")).to_contain_text("is back")
    assert order(page) == ["4", "1", "3"], order(page)
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".toast")).to_contain_text("The pages are kept so")
    page.locator("page-board:defined").wait_for()
    assert words(page) == ["Sheet4", "Sheet1", "Sheet3"], words(page)
    fits(page)


@everywhere("A page is dragged to another place, and keys do all the same")
def dragged(browser, page, press, name):
    open_board(page, press, count=5)
    cards = page.get_by_role("option")
    if name == "desktop":
        start, end = cards.first.bounding_box(), cards.nth(2).bounding_box()
        page.mouse.move(start["x"] + 40, start["y"] + 40)
        page.mouse.down()
        page.mouse.move(start["x"] + 60, start["y"] + 60, steps=3)
        page.mouse.move(end["x"] + end["width"] - 10, end["y"] + 50, steps=5)
        picture(page, f"arrange-dragged-{name}")
        page.mouse.up()
        assert order(page) == ["2", "3", "1", "4", "5"], order(page)
        page.keyboard.press("Control+z")
        assert order(page) == ["1", "2", "3", "4", "5"], order(page)
    cards.first.focus()
    page.keyboard.press("Alt+ArrowRight")
    assert order(page) == ["2", "1", "3", "4", "5"], order(page)
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.keyboard.press("Delete")
    assert order(page) == ["2", "1", "3", "4"], order(page)
    page.keyboard.press("r")
    expect(cards.last).to_have_attribute("data-turn", "90")
    page.keyboard.press("Control+a")
    expect(page.locator("[data-said]")).to_contain_text("4 pages of 4 chosen")


@everywhere("Edges of pages are cropped by dragging, by keys, by lengths and to what is printed, and undone")
def cropped(browser, page, press, name):
    open_board(page, press)
    cards = page.get_by_role("option")
    press(cards.nth(1))
    press(page.get_by_role("button", name="Turn right"))
    press(page.get_by_role("button", name="Crop", exact=True))
    dialog = page.get_by_role("dialog", name="Crop 1 page")
    expect(dialog).to_contain_text("hidden, not removed")
    accessible(page, f"crop, {name}")
    fits(page)
    stage = dialog.locator(".page-crop").bounding_box()
    # Turned, the page of 595 by 842 points lies: 842 points from side to side.
    scale = min(stage["width"] / 842, stage["height"] / 595)
    left = stage["x"] + (stage["width"] - 842 * scale) / 2
    middle = stage["y"] + stage["height"] / 2
    page.mouse.move(left + 1, middle)
    page.mouse.down()
    page.mouse.move(left + 72 * scale, middle, steps=4)
    page.mouse.up()
    field = {side: dialog.get_by_label(side).and_(dialog.locator("input")) for side in ("Top", "Right", "Bottom", "Left")}
    assert abs(float(field["Left"].input_value()) - 1) < 0.05, field["Left"].input_value()
    field["Right"].fill("0.5")
    edge = dialog.get_by_role("slider", name="Top")
    edge.focus()
    page.keyboard.press("Shift+ArrowDown")
    expect(edge).to_have_attribute("aria-valuetext", "0.5 in")
    picture(page, f"crop-{name}", whole=False)
    press(dialog.get_by_role("button", name="Crop", exact=True))
    expect(cards.nth(1)).to_have_accessible_name("Page 2, turned by 90°, cropped")
    picture(page, f"crop-done-{name}")
    press(page.get_by_role("button", name="Undo", exact=True))
    expect(cards.nth(1)).to_have_accessible_name("Page 2, turned by 90°")
    press(page.get_by_role("button", name="Do again"))
    # None is chosen: all of them, to what is printed.
    page.keyboard.press("Escape")
    press(cards.nth(1))
    press(page.get_by_role("button", name="Undo", exact=True))
    press(page.get_by_role("button", name="Undo", exact=True))
    press(page.get_by_role("button", name="Crop", exact=True))
    dialog = page.get_by_role("dialog", name="Crop 4 pages")
    press(dialog.get_by_role("button", name="To what is printed"))
    expect(dialog.get_by_role("status")).to_contain_text("Cut to what is printed")
    press(dialog.get_by_role("button", name="Crop", exact=True))
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".toast")).to_contain_text("The pages are kept so")
    page.locator("page-board:defined").wait_for()
    sheets = page.request.get(page.url.split("#")[0], headers={"Accept": "application/json"}).json()["pages"]
    assert all(sheet["width"] < 200 and sheet["height"] < 80 for sheet in sheets), sheets
    assert words(page) == ["Sheet1", "Sheet2", "Sheet3", "Sheet4"], words(page)


@everywhere("Pages of another paper come in, and a paper is cut into several")
def joined(browser, page, press, name):
    add(page, "Annex.pdf", paper("Annex words"))
    open_board(page, press)
    press(page.get_by_role("option").nth(1))
    press(page.get_by_role("button", name="Add pages of another paper"))
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("annex")
    expect(dialog.get_by_role("button", name="Lease")).to_have_count(0)
    accessible(page, f"adding pages, {name}")
    picture(page, f"arrange-adding-{name}")
    press(dialog.get_by_role("button", name="Annex.pdf"))
    expect(page.get_by_role("option")).to_have_count(5)
    assert order(page) == ["1", "2", "new", "3", "4"], order(page)
    press(page.get_by_role("button", name="A new paper begins at the chosen page"))
    take = page.get_by_role("button", name="Make 2 papers")
    picture(page, f"arrange-cut-{name}")
    press(take)
    expect(page.locator(".toast")).to_contain_text("2 papers lie beside this one now")
    page.goto("/documents")
    expect(page.get_by_role("link", name="Lease-2.pdf")).to_be_visible()


@everywhere("Blank pages are chosen in one press")
def blank(browser, page, press, name):
    add(page, "Stack.pdf", paper("Sheet1", "", "Sheet3", ""))
    page.goto("/documents")
    press(page.get_by_role("link", name="Stack.pdf").first)
    more(page)
    press(page.get_by_role("link", name="Arrange pages"))
    page.locator("page-board:defined").wait_for()
    page.get_by_role("option").nth(3).wait_for()
    press(page.get_by_text("Choose and cut"))
    press(page.get_by_role("button", name="Blank", exact=True))
    expect(page.get_by_role("option", selected=True)).to_have_count(2)
    press(page.get_by_role("button", name="Remove pages"))
    assert order(page) == ["1", "3"], order(page)
