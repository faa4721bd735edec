"""Pages that notice what is done: in their own tab, in another, and by others."""

import re
import tempfile
import pathlib

from playwright.sync_api import expect

from desk import PHONE, add, awake, set_up, wrote
from mailbox import Mailbox
from sending import office
from sentences import holds

CARDS = """BEGIN:VCARD
VERSION:3.0
FN:{name}
N:{last};{first};;;
EMAIL:{mail}
END:VCARD
"""


def beside(page, address):
    """Another tab of the same browser."""
    other = page.context.new_page()
    other.goto(address)
    awake(other)
    other.wait_for_timeout(300)
    return other


@holds("What comes in on the desk is counted and listed there at once, and in another tab, on a phone")
def home(browser):
    page = browser.page(browser.new_desk(), PHONE)
    set_up(page)
    page.goto("/")
    other = beside(page, "/")
    library = beside(page, "/documents")
    expect(page.locator("main")).to_contain_text("No papers yet")
    page.locator("upload-zone:defined").wait_for()
    page.locator("input[type=file]").set_input_files([
        {"name": f"Note {number}.txt", "mimeType": "text/plain", "buffer": b"%d" % number} for number in range(1, 4)])
    for each in (page, other):
        expect(each.locator("main")).to_contain_text("3 papers")
        expect(each.get_by_role("link", name="Note 3.txt").last).to_be_visible()
    expect(library.get_by_role("link", name="Note 2.txt").first).to_be_visible()
    # The ticks of what came in stay where they are.
    expect(page.locator(".upload")).to_have_count(3)
    assert not page.complaints, page.complaints


@holds("Contacts that come in show on the contacts of another tab, and leave what is chosen or typed there alone")
def contacts(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/contacts")
    other = beside(page, "/contacts")
    expect(other.get_by_text("No contacts yet")).to_be_visible()

    def bring(*names):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cards.vcf"
            path.write_text("".join(CARDS.format(name=name, first=name.split()[0], last=name.split()[1],
                                                 mail=f"{name.split()[0].lower()}@example.org") for name in names))
            page.locator("main input[type=file]").first.set_input_files(str(path))
            expect(page.locator("main")).to_contain_text(names[0])

    bring("Ada Byron", "Zoe Roy")
    expect(other.get_by_text("No contacts yet")).to_have_count(0)
    expect(other.get_by_label("Zoe Roy")).to_be_visible()
    other.get_by_label("Zoe Roy").check()
    page.goto("/contacts")
    bring("Max Power")
    expect(other.get_by_label("Max Power")).to_be_visible()
    expect(other.get_by_label("Zoe Roy")).to_be_checked()
    expect(other.get_by_label("Ada Byron")).not_to_be_checked()


@holds("What is emptied is the trash that one saw, whatever comes into it meanwhile")
def emptied(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    add(page, "Old.txt", b"old")
    page.goto("/documents")
    page.get_by_label("Select Old.txt").check()
    page.get_by_role("button", name="Move to trash").click()
    expect(page.locator(".toast").last).to_contain_text("trash")
    page.goto("/documents?trash=1")
    other = beside(page, "/documents")
    page.get_by_role("button", name="Empty the trash").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    add(other, "New.txt", b"new")
    other.goto("/documents")
    other.get_by_label("Select New.txt").check()
    other.get_by_role("button", name="Move to trash").click()
    expect(other.locator(".toast").last).to_contain_text("trash")
    page.wait_for_timeout(2500)
    dialog.get_by_role("button", name="Empty the trash").click()
    expect(page.get_by_role("link", name="Old.txt")).to_have_count(0)
    expect(page.get_by_role("link", name="New.txt")).to_be_visible()


@holds("The test of a mail account shows how it ended this time, and its word does not say more than is known")
def mail_test(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        right = mailbox.port
        page.goto("/settings/mail")
        page.get_by_label("Port").first.fill("9")
        with page.expect_navigation():
            page.get_by_role("button", name="Save").first.click()
        page.get_by_role("button", name="Send a test").click()
        expect(page.locator(".toast")).to_contain_text("in a moment")
        expect(page.locator(".notice-bad")).to_be_visible()
        failure = page.locator(".notice-bad").inner_text()
        page.get_by_label("Port").first.fill(str(right))
        with page.expect_navigation():
            page.get_by_role("button", name="Save").first.click()
        other = beside(page, "/settings/mail")
        page.get_by_role("button", name="Send a test").click()
        for each in (page, other):
            expect(each.locator("main .notice-bad")).to_have_count(0)
            expect(each.locator("main .notice[role=status]")).to_be_visible()
            assert failure not in each.locator("main").inner_text()


@holds("A field somebody types into is left alone while the page around it changes, and one stream serves all tabs")
def typing(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    add(page, "Lease.txt", b"x")
    page.goto("/documents")
    page.locator("main a[href^='/documents/']").filter(has_text="Lease").first.click()
    page.wait_for_url(re.compile(r"/documents/[0-9a-f-]+"))
    address = page.url.removesuffix("/read")
    page.goto(address)
    other = beside(page, address)
    asked = []
    for each in (page, other):
        each.on("request", lambda request: asked.append(request.url) if request.url.endswith("/events") else None)
    other.get_by_label("Note").fill("Half a sent")
    wrote(page, "Name", "Lease of the flat.txt")
    expect(other.get_by_role("heading", level=1)).to_have_text("Lease of the flat.txt")
    expect(other.get_by_label("Note")).to_have_value("Half a sent")
    expect(other.get_by_label("Note")).to_be_focused()
    assert len(asked) <= 2, asked


@holds("What somebody types or chooses before a page's scripts are there counts")
def early(browser):
    page = browser.page(browser.new_desk(), service_workers="block")
    set_up(page)
    for name in ("Rent.txt", "Choir.txt"):
        add(page, name, name.encode())
    waiting = []
    page.route(re.compile("/(data-table|soft-page)[.]js$"), lambda route: waiting.append(route))

    def come():
        for _ in range(600):
            if waiting:
                return waiting.pop().continue_()
            page.wait_for_timeout(50)
        raise AssertionError("the scripts were not asked for")

    page.goto("/documents", wait_until="commit")
    page.get_by_role("main").get_by_role("searchbox").fill("choir")
    come()
    expect(page.locator("main a[href^='/documents/']").filter(has_text="Rent")).to_have_count(0)
    expect(page.locator("main a[href^='/documents/']").filter(has_text="Choir").first).to_be_visible()
    page.goto("/lists/new")
    page.get_by_text("Paste rows").click()
    page.get_by_label("Rows from a spreadsheet").fill("Name\tE-mail\nAda\tada@example.org\n")
    page.get_by_role("button", name="Look").click(no_wait_after=True)
    page.get_by_label("Headings are in").select_option("0")
    come()
    expect(page.locator(".grid tbody tr")).to_have_count(2)
    assert not page.complaints, page.complaints
