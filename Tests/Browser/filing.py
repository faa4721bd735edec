"""Papers filed and read: folders, tags, kept searches, pages to leaf through."""

import io
import pathlib
import re
import tempfile
import zipfile

from playwright.sync_api import expect

from desk import DESKTOP, PASSWORD, PHONE, accessible, acts, add, comes_true, drag, eventually, picture, set_up, unfold, wrote
from sentences import holds


def make_folder(page, name: str):
    page.get_by_text("New folder", exact=True).click()
    page.get_by_label("Name of the folder").fill(name)
    page.get_by_role("button", name="Make folder").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def filing(page, press):
    add(page, "Lease.txt", b"four rooms")
    add(page, "Bill.txt", b"42")
    page.goto("/documents")
    make_folder(page, "Home")
    accessible(page, "an empty folder")
    # Dropped in a folder, a paper lies in it.
    page.locator("upload-zone:defined").wait_for()
    page.locator("input[type=file]").set_input_files(
        {"name": "Keys.txt", "mimeType": "text/plain", "buffer": b"three keys"})
    expect(page.locator(".upload").last.get_by_role("link")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Keys.txt")).to_be_visible()
    expect(page.get_by_role("link", name="Lease.txt")).to_have_count(0)
    # Chosen in the library, papers are moved there together.
    page.goto("/documents")
    page.get_by_label("Select Lease.txt").check()
    page.get_by_label("Select Bill.txt").check()
    acts(page)
    page.get_by_label("Move to").select_option("Home")
    accessible(page, "papers chosen")
    press(page.get_by_role("button", name="Move", exact=True))
    expect(page.locator(".toast")).to_contain_text("2 papers are filed")
    press(page.locator(".folder", has_text="Home"))
    expect(page.locator("tbody tr")).to_have_count(3)
    picture(page, f"folder-{page.viewport_size['width']}")
    # Tags: put on here, shown with everything that wears them, taken off by Undo.
    page.get_by_label("Select Bill.txt").check()
    acts(page)
    page.get_by_label("Tag", exact=True).fill("to pay")
    press(page.get_by_role("button", name="Add tag"))
    press(page.locator("tbody .chip", has_text="to pay"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("to pay")
    expect(page.locator("tbody tr")).to_have_count(1)
    accessible(page, "papers with a tag")
    press(page.get_by_role("link", name="Bill.txt"))
    wrote(page, "Note", "Ask Ben about the second meter")
    wrote(page, "Day of the paper", "2026-11-03")
    accessible(page, "a labelled paper")
    picture(page, f"labelled-{page.viewport_size['width']}")
    # What is written on it finds it; the search is kept.
    page.goto("/search?q=meter")
    expect(page.get_by_role("link", name="Bill.txt")).to_contain_text("Home")
    picture(page, f"found-{page.viewport_size['width']}")
    page.get_by_text("Save this search").click()
    page.get_by_label("Name for it").fill("Meters")
    press(page.get_by_role("button", name="Save"))
    expect(page.locator(".toast")).to_contain_text("Meters")
    page.goto("/tags")
    expect(page.get_by_role("link", name="to pay")).to_contain_text("1 paper")
    # A colour makes its chip known from afar, on the label and in lists.
    page.get_by_text("Change to pay").click()
    page.get_by_label("Colour").select_option("Purple")
    press(page.get_by_role("button", name="Save"))
    expect(page.locator(".toast")).to_be_visible()
    expect(page.locator(".tag-purple")).to_have_count(1)
    accessible(page, "tags and searches")
    picture(page, f"tags-{page.viewport_size['width']}")
    page.goto("/documents?tag=to%20pay")
    expect(page.locator("tbody .tag-purple", has_text="to pay")).to_be_visible()
    accessible(page, "a tag with a colour")
    picture(page, f"coloured-{page.viewport_size['width']}")
    page.goto("/tags")
    press(page.get_by_role("link", name="Meters"))
    expect(page.get_by_role("link", name="Bill.txt")).to_be_visible()
    # The folder goes with all that lies in it, and comes back by one word.
    page.goto("/documents")
    press(page.locator(".folder", has_text="Home"))
    page.get_by_text("Change this folder").click()
    press(page.get_by_role("button", name="Move folder to trash"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 papers")
    press(dialog.get_by_role("button").last)
    expect(page.locator(".toast")).to_contain_text("with 3 papers")
    press(page.locator(".toast").get_by_role("button", name="Undo"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")
    expect(page.locator("tbody tr")).to_have_count(3)
    assert not page.complaints, page.complaints


def paper(*pages: str) -> bytes:
    """A PDF with a line of words on each page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for words in pages:
        stream = f"BT /F 24 Tf 72 700 Td ({words}) Tj ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> "
                       f"/Contents {len(objects)} 0 R >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    text, places = "%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    text += (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
             f"<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n")
    return text.encode()


def leafing(page, press, name):
    add(page, "Book.pdf", paper(*[f"Chapter {number} about {'whales' if number % 4 == 0 else 'ships'}"
                                  for number in range(1, 13)]))
    page.goto("/documents")
    press(page.get_by_role("link", name="Book.pdf"))
    press(page.get_by_role("link", name="Read").first)
    page.locator("page-reader:defined").wait_for()
    number = page.locator("[data-number]")
    first = page.locator("#page-1 img")
    expect(first).to_have_js_property("complete", True)
    assert first.evaluate("image => image.naturalWidth") >= 900
    # The words lie over the picture and can be taken along.
    expect(page.locator("#page-1 text")).to_have_text("Chapter 1 about ships")
    accessible(page, f"a paper to read, {name}")
    number.fill("7")
    number.press("Enter")
    expect(page.locator("#page-7 text")).to_have_text("Chapter 7 about ships")
    page.locator("[data-sheets]").focus()
    page.keyboard.press("PageDown")
    expect(number).to_have_value("8")
    # What is looked for is found once the paper has been read, and marked on its page.
    until_read(page, "whales")
    page.get_by_label("Find in this paper").fill("whales")
    page.get_by_label("Find in this paper").press("Enter")
    expect(page.locator("[data-hits]")).to_have_text("1 of 3")
    expect(page.locator("#page-4 rect")).to_have_count(1)
    press(page.get_by_role("button", name="Next page with the words"))
    expect(page.locator("[data-hits]")).to_have_text("2 of 3")
    expect(page.locator("#page-8 rect")).to_have_count(1)
    picture(page, f"reader-{name}")
    for tool in ["Larger", "Whole page", "Two pages side by side", "Turn"]:
        press(page.get_by_role("button", name=tool))
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], f"{tool}: {width}"
    assert not page.complaints, page.complaints


def until_read(page, words):
    """Waits until the desk has read the paper by itself."""
    def is_read():
        return page.evaluate(
            """async words => {
                const address = document.querySelector("page-reader").dataset.pages;
                const answer = await fetch(`${address}?q=${words}`, {headers: {Accept: "application/json"}});
                return (await answer.json()).pages.length > 0;
            }""", words)
    assert eventually(is_read), f"nobody has read “{words}” in it"


@holds("A paper is leafed through, its words are taken and found, on a desktop")
def leafing_on_a_desktop(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    leafing(page, lambda target: target.click(), "desktop")


@holds("A paper is leafed through, its words are taken and found, on a phone by touch")
def leafing_on_a_phone(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    leafing(page, lambda target: target.tap(), "phone")


@holds("Papers are laid into a folder, tagged, labelled and found again, on a desktop")
def on_a_desktop(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    filing(page, lambda target: target.click())


@holds("Papers are laid into a folder, tagged, labelled and found again, on a phone by touch")
def on_a_phone(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    filing(page, lambda target: target.tap())
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], width


def versions(page, press, name):
    add(page, "Lease.pdf", paper("The rent is 500", "Signed by Ada"))
    page.goto("/documents")
    press(page.get_by_role("link", name="Lease.pdf"))
    card = page.locator("#versions")
    unfold(page, "History and file")
    expect(card).to_contain_text("never changed")
    before = page.locator("img.paper").first.evaluate("async image => (await fetch(image.src)).headers.get('ETag')")
    press(card.get_by_text("Put a new version in its place", exact=True))
    page.locator("upload-zone:defined").wait_for()
    page.locator("#version-file").set_input_files(
        {"name": "other.pdf", "mimeType": "application/pdf", "buffer": paper("The rent is 650", "Signed by Ada", "Keys: 3")})
    expect(card.locator(".item")).to_have_count(2)
    unfold(page, "History and file")
    # What is shown is the new one, not what the browser kept of the old.
    assert page.locator("img.paper").first.evaluate("""async image => {
        const answer = await fetch(image.src, {cache: "default"});
        return answer.headers.get("ETag");
    }""") != before
    # It is still the same paper, under its old name.
    expect(page.get_by_role("heading", level=1)).to_have_text("Lease.pdf")
    accessible(page, f"a paper with versions, {name}")
    picture(page, f"versions-{name}")
    press(card.get_by_role("link", name="Compare"))
    expect(page.locator(".changes del")).to_have_text("The rent is 500")
    expect(page.locator(".changes ins").first).to_have_text("The rent is 650")
    expect(page.locator(".two-sides img")).to_have_count(5)
    page.locator(".two-sides img").first.scroll_into_view_if_needed()
    expect(page.locator(".two-sides img").first).to_have_js_property("complete", True)
    accessible(page, f"what changed, {name}")
    picture(page, f"changes-{name}")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], width
    page.go_back()
    unfold(page, "History and file")
    press(card.get_by_role("button", name="Restore version 1"))
    expect(page.locator(".toast")).to_contain_text("Version 1 is the newest again")
    expect(card.locator(".item")).to_have_count(3)
    press(page.locator(".toast").get_by_role("button", name="Undo"))
    expect(card.locator(".item")).to_have_count(4)
    assert not page.complaints, page.complaints


@holds("A paper is replaced, compared with what it was, and brought back, on a desktop")
def versions_on_a_desktop(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    versions(page, lambda target: target.click(), "desktop")


@holds("A paper is replaced, compared with what it was, and brought back, on a phone by touch")
def versions_on_a_phone(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    versions(page, lambda target: target.tap(), "phone")


def archive(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for name, content in files.items():
            packed.writestr(f"Post/{name}.txt", content)
    return held.getvalue()


@holds("An archive is taken in, filed by a rule that asks, and its folder asks somebody outside for papers, on a phone")
def arriving_on_a_phone(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    page.goto("/rules")
    page.get_by_label("Name of the rule").fill("Bills")
    page.get_by_label("are called like").fill("bill*")
    page.get_by_label("Tags").fill("to pay")
    page.get_by_label("be called", exact=True).fill("Bill of {date}")
    accessible(page, "the rules")
    page.get_by_role("button", name="Make rule").tap()
    expect(page.locator(".toast")).to_contain_text("Bills")
    page.goto("/documents/new")
    page.locator("upload-zone:defined").wait_for()
    page.locator("#upload-files").set_input_files(
        {"name": "Post.zip", "mimeType": "application/zip",
         "buffer": archive(bill=b"Power of 2026-11-03", letter=b"Dear Ana")})
    expect(page.locator(".upload-state")).to_contain_text("2 papers added")
    page.goto("/suggestions")
    assert eventually(lambda: page.reload() and page.locator(".before-after").count() == 1)
    expect(page.locator(".before-after ins").first).to_have_text("Bill of 2026-11-03.txt")
    accessible(page, "what a rule suggests")
    page.get_by_role("button", name="Do it").tap()
    expect(page.locator(".toast")).to_contain_text("filed")
    page.goto("/documents?view=grid")
    page.locator(".folder", has_text="Post").tap()
    # The view that was chosen stays.
    expect(page.locator(".library-grid li")).to_have_count(2)
    expect(page.get_by_role("link", name="Bill of 2026-11-03.txt")).to_be_visible()
    accessible(page, "papers as pictures")
    page.get_by_text("Share this folder").tap()
    page.get_by_label("asks for papers, and shows nothing").check()
    page.get_by_role("button", name="Make link").tap()
    address = page.locator(".secret").inner_text()
    guest = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    guest.goto(address)
    accessible(guest, "a link that asks for papers")
    guest.get_by_label("Files").set_input_files({"name": "proof.txt", "mimeType": "text/plain", "buffer": b"paid"})
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Send").tap()
    expect(guest.locator(".notice")).to_contain_text("One file has arrived")
    page.goto("/search?q=by:ben")
    expect(page.get_by_role("link", name="proof.txt")).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], width
    assert not page.complaints + guest.complaints, page.complaints + guest.complaints


@holds("All folders are walked, unfolded and found by keyboard in one tree, renamed and removed from it")
def folder_tree(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    add(page, "Bill.txt", b"42")
    csrf = page.evaluate("document.querySelector('meta[name=csrf]').content")
    for path in ["Home/Water", "Home/Power/2025", "Home/Power/2026", "Taxes", "Garden", "Églises"]:
        answer = page.request.post("/folders", data={"path": path}, headers={"X-Quire-CSRF": csrf, "Accept": "application/json"})
        assert answer.ok, answer.text()
    page.goto("/documents")
    page.locator("folder-tree:defined").wait_for(state="attached")
    page.get_by_text("All folders", exact=True).click()
    tree = page.get_by_role("tree", name="All folders")
    expect(tree.get_by_role("treeitem")).to_have_count(4)
    accessible(page, "the tree of all folders")

    def here():
        return page.evaluate("document.activeElement.dataset.name")

    def press(*keys):
        for key in keys:
            page.keyboard.press(key)
        return here()

    # One stop for Tab, whatever the number of folders.
    page.locator("details", has=page.locator("folder-tree")).locator("summary").focus()
    first = press("Tab")
    names = tree.get_by_role("treeitem").evaluate_all("items => items.map(item => item.dataset.name)")
    assert first == names[0], (first, names)
    assert press("End") == names[-1] and press("Home") == names[0]
    assert press("ArrowDown") == names[1] and press("ArrowUp", "ArrowUp") == names[0]
    # Letters find a name, also under its accent, and are no shortcuts of the page.
    assert press("g") == "Garden"
    page.wait_for_timeout(800)
    assert press("e") == "Églises"
    page.wait_for_timeout(800)
    assert press("h") == "Home"
    home = tree.get_by_role("treeitem", name="Home")
    expect(home).to_have_attribute("aria-expanded", "false")
    assert press("ArrowRight") == "Home"
    expect(home).to_have_attribute("aria-expanded", "true")
    assert press("ArrowRight") == "Power" and press("ArrowRight", "ArrowRight") == "2025"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert press("ArrowLeft") == "Power" and press("ArrowLeft") == "Power" and press("ArrowLeft") == "Home"
    picture(page, "tree-desktop")
    assert press("ArrowDown", "ArrowDown") == "Water"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Water")
    # It stays unfolded on the next page, and says which folder is open.
    expect(tree.get_by_role("treeitem", name="Water")).to_have_attribute("aria-current", "page")
    tree.get_by_role("treeitem", name="Water").focus()
    page.keyboard.press("F2")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.type("Water and drains")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Water and drains")
    tree.get_by_role("treeitem", name="Taxes").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("heading", level=1)).to_have_text("Taxes")
    expect(page.locator("#folder-remove")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button").last.click()
    expect(page.locator(".toast")).to_contain_text("trash")
    expect(tree.get_by_role("treeitem", name="Taxes")).to_have_count(0)
    assert not page.complaints, page.complaints


@holds("The tree of folders is unfolded by touch on a phone, and a paper is laid into a folder of it with the mouse")
def folder_tree_by_hand(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    add(page, "Bill.txt", b"42")
    csrf = page.evaluate("document.querySelector('meta[name=csrf]').content")
    page.request.post("/folders", data={"path": "Home/Power"}, headers={"X-Quire-CSRF": csrf, "Accept": "application/json"})
    page.goto("/documents")
    page.locator("folder-tree:defined").wait_for(state="attached")
    page.get_by_text("All folders", exact=True).tap()
    tree = page.get_by_role("tree")
    tree.get_by_role("treeitem", name="Home").locator(".tree-fold").tap()
    expect(tree.get_by_role("treeitem", name="Power")).to_be_visible()
    box = tree.get_by_role("treeitem", name="Power").bounding_box()
    assert box["height"] >= 44, box
    picture(page, "tree-phone")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], width
    large = browser.signed_in(desk, DESKTOP)
    large.goto("/documents")
    large.locator("folder-tree:defined").wait_for(state="attached")
    large.get_by_text("All folders", exact=True).click()
    large.get_by_role("treeitem", name="Home").locator(".tree-fold").click()
    drag(large.locator("[data-paper]", has_text="Bill.txt"), large.get_by_role("treeitem", name="Power"))
    expect(large.locator(".toast")).to_contain_text("filed")
    large.get_by_role("treeitem", name="Power").click()
    expect(large.get_by_role("link", name="Bill.txt")).to_be_visible()
    assert not page.complaints + large.complaints, page.complaints + large.complaints


def paste(page, **kinds):
    """What Ctrl+V brings: a file by its name, or words."""
    page.locator("upload-zone:defined").first.wait_for(state="attached")
    page.evaluate("""({name, type, bytes, text}) => {
        const data = new DataTransfer();
        if (name) data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name, {type}));
        if (text) data.setData("text/plain", text);
        document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }""", kinds)


RED = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")


@holds("What is pasted into the library, a picture or words, is looked at and then kept in the folder that was open")
def pasting(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    add(page, "Bill.txt", b"42")
    page.goto("/documents")
    make_folder(page, "Home")
    paste(page, name="image.png", type="image/png", bytes=RED)
    page.wait_for_url("**/conversions/*")
    expect(page.locator("main")).to_contain_text("image.png")
    page.get_by_role("button", name="Add to your papers").click()
    page.wait_for_url("**/documents/*")
    page.goto("/documents")
    page.locator(".folder", has_text="Home").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("upload-zone .drop")).to_be_hidden()
    accessible(page, "a folder one can paste into")
    # Into a field words are pasted as ever.
    page.get_by_label("Search names and words").focus()
    paste(page, text="only a word")
    page.wait_for_timeout(300)
    assert "/documents" in page.url, page.url
    page.locator("body").evaluate("() => document.activeElement.blur()")
    paste(page, text="Two eggs, one onion")
    page.wait_for_url("**/conversions/*")
    page.get_by_role("button", name="Add to your papers").click()
    page.wait_for_url("**/documents/*")
    page.goto("/documents")
    page.locator(".folder", has_text="Home").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    assert not page.complaints, page.complaints


@holds("A paper laid on another makes a folder of both, named by keys, and it is taken back with one press")
def gathered(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    for name in ["Bill.txt", "Keys.txt", "Plan.txt"]:
        add(page, name, name.encode())
    page.goto("/documents")
    page.locator("data-table:defined").wait_for()
    drag(page.locator("[data-paper]", has_text="Bill.txt"), page.locator("[data-paper]", has_text="Keys.txt"))
    name = page.get_by_label("Name of a new folder")
    expect(name).to_be_focused()
    expect(page.locator("[data-selected]")).to_have_text("2 selected")
    picture(page, "gather")
    accessible(page, "papers chosen for a folder")
    # Nothing is made without a name.
    page.keyboard.press("Enter")
    expect(page.locator(".toast", has_text="What shall the new folder be called?").last).to_be_visible()
    name.fill("House")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("House")
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".toast")).to_contain_text("2 papers lie in the new folder “House”.")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.locator(".folder", has_text="House")).to_have_count(0)
    assert not page.complaints, page.complaints


@holds("A file dropped on a list of papers lies in the folder that is open, and is in the list at once")
def dropping(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    add(page, "Bill.txt", b"42")
    page.goto("/documents")
    page.locator("data-table:defined").wait_for()
    page.locator("upload-zone:defined").wait_for(state="attached")
    for kind in ["dragover", "drop"]:
        page.evaluate("""kind => {
            const data = new DataTransfer();
            data.items.add(new File(["three keys"], "Keys.txt", {type: "text/plain"}));
            document.querySelector("main").dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }""", kind)
        if kind == "dragover":
            expect(page.locator("upload-zone .drop")).to_be_visible()
            picture(page, "drop-over")
    expect(page.locator("tbody").get_by_role("link", name="Keys.txt")).to_be_visible()
    expect(page.locator("upload-zone .drop")).to_be_hidden()
    expect(page.locator(".upload").get_by_role("link", name="Keys.txt")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("A whole folder comes with the folders in it, chosen or dropped, and those on the page are there at once")
def whole_folders(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    page.goto("/documents/new")
    page.locator("upload-zone:defined").wait_for()
    with tempfile.TemporaryDirectory() as held:
        place = pathlib.Path(held) / "Post"
        (place / "2026").mkdir(parents=True)
        (place / "letter.txt").write_text("Dear Ana")
        (place / "2026" / "bill.txt").write_text("You owe")
        (place / ".hidden").write_text("nobody's")
        with page.expect_file_chooser() as chosen:
            page.get_by_role("button", name="Choose a folder").click()
        chosen.value.set_files(str(place))
        expect(page.locator(".upload").get_by_role("link", name="Post/2026/bill.txt")).to_be_visible()
        expect(page.locator(".upload")).to_have_count(2)
    accessible(page, "a folder that came")
    page.goto("/documents")
    page.locator(".folder", has_text="Post").click()
    page.wait_for_url("**folder=**")
    page.locator("data-table:defined").wait_for()
    page.locator("upload-zone:defined").wait_for(state="attached")
    page.evaluate("""() => {
        const file = (name, words) => ({name, isFile: true, file: done => done(new File([words], name))});
        const folder = (name, inside) => ({name, isDirectory: true, createReader: () => {
            const portions = [inside.slice(0, 1), inside.slice(1), []];
            return {readEntries: done => done(portions.shift())};
        }});
        const dropped = folder("Trip", [file("a.txt", "a"), folder("Spring", [file("b.txt", "b")]), file(".hidden", "c")]);
        const event = new Event("drop", {bubbles: true, cancelable: true});
        event.dataTransfer = {files: [new File([], "Trip")], items: [{webkitGetAsEntry: () => dropped}], types: ["Files"]};
        document.querySelector("main").dispatchEvent(event);
    }""")
    expect(page.locator(".folder", has_text="Trip")).to_contain_text("2 papers")
    page.locator(".folder", has_text="Trip").click()
    expect(page.locator(".folder", has_text="Spring")).to_contain_text("1 paper")
    expect(page.locator("tbody").get_by_role("link", name="a.txt")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("The tab one is at is in sight, and a tag is as high as what stands beside it, on a phone")
def in_sight(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    add(page, "Bill.txt", b"42")
    page.goto("/documents?trash=1")
    expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)
    for where in ["/tags", "/suggestions", "/rules", "/retention"]:
        page.goto(where)
        expect(page.locator(".nav-link[aria-current=page]:visible")).to_have_text("Papers")
    # Without words there is nothing to be kept.
    page.goto("/search")
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_visible()
    expect(page.get_by_text("Save this search")).to_have_count(0)
    page.goto("/documents")
    page.get_by_label("Select Bill.txt").check()
    acts(page)
    page.get_by_label("Tag", exact=True).fill("to pay")
    page.get_by_role("button", name="Add tag").tap()
    expect(page.locator(".toast")).to_be_visible()
    expect(page.locator("tbody .chip-link")).to_be_visible()
    heights = page.locator("tbody .chip-link").evaluate_all("""chips => {
        const plain = document.createElement("span");
        plain.className = "chip";
        plain.textContent = "Synced";
        document.querySelector("main").append(plain);
        plain.style.display = "inline-flex";
        plain.style.justifySelf = plain.style.alignSelf = "start";
        return [parseFloat(getComputedStyle(chips[0], "::before").height), plain.getBoundingClientRect().height];
    }""")
    assert abs(heights[0] - heights[1]) <= 1, heights


@holds("What another app shares waits behind the door until somebody has signed in, on a phone")
def shared_before_signing_in(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    page.goto("/documents")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    comes_true(page, "navigator.serviceWorker.controller !== null")
    page.context.clear_cookies()

    def share(**fields):
        # The browser's share menu sends a form of this kind to the address in the manifest.
        page.evaluate("""fields => {
            const form = document.createElement("form");
            Object.assign(form, {method: "post", action: "/shared", enctype: "multipart/form-data"});
            for (const [name, value] of Object.entries(fields)) {
                const input = document.createElement("input");
                input.name = name;
                if (name === "file") {
                    const data = new DataTransfer();
                    data.items.add(new File([Uint8Array.from(atob(value), (c) => c.charCodeAt(0))], "photo.png", {type: "image/png"}));
                    input.type = "file";
                    input.files = data.files;
                } else {
                    input.value = value;
                }
                form.append(input);
            }
            document.body.append(form);
            form.submit();
        }""", fields)

    share(file=RED)
    page.wait_for_url("**/sign-in**")
    page.locator("#f-login").fill("ana")
    page.locator("#f-password").fill(PASSWORD)
    page.locator("form[action='/sign-in'] button").tap()
    page.wait_for_url(re.compile(r"/conversions/[0-9a-f-]{36}"))
    expect(page.locator("main")).to_contain_text("photo.png")
    picture(page, "shared-phone")
    share(text="https://example.org/a?b=c")
    page.wait_for_url("**/conversions/new?from=web**")
    expect(page.locator("input[name=address]")).to_have_value("https://example.org/a?b=c")
    assert not page.complaints, page.complaints
