"""Three errands as somebody with a phone goes about them: how many taps, pages and seconds each takes.

    Tests/Browser/run stories         all of them
    Tests/Browser/run stories photo   only what has the word in its name

Choosing files, filling in a field and pressing something are a tap each. An errand fails where a page answers that it cannot,
where what went wrong is told without a way on, and where the next thing to press is not there. It is no part of `bin/check`:
seconds tell of the machine, and taps are for people to judge.
"""

import csv
import io
import re
import sys
import time

import openpyxl
from playwright.sync_api import expect

from desk import PHONE, Browser, set_up
from filing import paper
from mailbox import Mailbox
from packets import CONSENT, TOUCH
from scanning import photographed
from sending import office


class Errand:
    """Goes from page to page, and counts."""

    def __init__(self, page):
        self.page, self.taps, self.pages = page, 0, 1
        self.place = page.url.split("?")[0].split("#")[0]
        page.on("framenavigated", self._arrived)
        page.on("response", self._answered)
        self.refused = []
        self.start = time.monotonic()

    def _arrived(self, frame):
        place = frame.url.split("?")[0].split("#")[0]
        if frame == self.page.main_frame and place != self.place:
            self.place, self.pages = place, self.pages + 1

    def _answered(self, response):
        if response.request.is_navigation_request() and response.status >= 400:
            self.refused.append(f"{response.url} answers {response.status}")

    def look(self):
        """What stands in the way."""
        assert not self.refused, self.refused
        for told in self.page.locator(".toast-bad, .notice-bad").filter(visible=True).all():
            assert told.locator("a, button:not([data-dismiss])").count(), f"no way on from “{told.inner_text()}”"

    def tap(self, what):
        self.look()
        self.taps += 1
        what.tap()

    def choose(self, field, files):
        """The button, and the picker of the phone."""
        self.page.locator("upload-zone:defined, scan-camera:defined").first.wait_for(state="attached")
        self.taps += 2
        self.page.locator(field).set_input_files(files)

    def write(self, label, words):
        self.taps += 1
        self.page.get_by_label(label, exact=True).fill(words)

    def new(self, what):
        """Everything begins at the +."""
        self.tap(self.page.locator(".nav-make > button"))
        self.tap(self.page.locator("#make").get_by_role("link", name=re.compile(what)))

    def button(self, name, last=False):
        found = self.page.get_by_role("button", name=re.compile(name))
        self.tap(found.last if last else found.first)

    def link(self, name):
        self.tap(self.page.get_by_role("link", name=re.compile(name)).first)

    def told(self, name):
        self.look()
        print(f"{name}: {self.taps} taps, {self.pages} pages, {time.monotonic() - self.start:.0f} s", flush=True)


def workbook(count):
    """A table as it comes from an office: a title over all columns, an empty line, and the people."""
    with open(CONSENT / "people.csv", newline="") as file:
        heads, *rows = list(csv.reader(file))[:count + 1]
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Trip to the lake – spring 2026"])
    sheet.merge_cells(start_row=1, start_column=1, end_row=1, end_column=len(heads) + 1)
    sheet.append([])
    sheet.append([*heads, "e-mail"])
    for number, row in enumerate(rows):
        sheet.append([*row, f"family{number}@example.org"])
    kept = io.BytesIO()
    book.save(kept)
    return {"name": "Trip.xlsx", "mimeType": "application/octet-stream", "buffer": kept.getvalue()}


def mails(browser):
    """A messy workbook and a form become 120 mails that were sent"""
    with Mailbox() as mailbox:
        _, page = office(browser, mailbox, PHONE, **TOUCH)
        page.goto("/")
        errand = Errand(page)
        errand.new("many people|send")
        errand.choose("#files", CONSENT / "consent.pdf")
        page.wait_for_url("**/people")
        errand.choose("#table-file", workbook(120))
        page.wait_for_url("**/imports/**")
        expect(page.locator(".lede")).to_contain_text("120 people")
        errand.button("Bring in")
        page.wait_for_url("**/mapping**")
        errand.link("^Next: Check")
        errand.button(r"^Make papers for 120 people")
        page.wait_for_url("**/filling")
        errand.link("^Next: Give out")
        page.wait_for_url("**/packets")
        errand.link("^Next: Write the message")
        page.locator("letter-editor:defined").wait_for()
        errand.write("Subject", "Trip to the lake")
        errand.button("^Next: Check and send")
        page.wait_for_url("**/sending")
        errand.button("^Send 120 messages")
        errand.tap(page.get_by_role("dialog").get_by_role("button", name="Send 120 messages"))
        expect(page.locator(".making-count")).to_have_text(re.compile(r"^120\s*/\s*120$"), timeout=180_000)
        assert len(mailbox.mails) == 120, len(mailbox.mails)
        errand.told("A messy workbook to 120 sent mails")


def found(browser):
    """Of 59 files the right three are found by words"""
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    files = [{"name": f"Scan {number:02}.pdf", "mimeType": "application/pdf",
              "buffer": paper(f"Letter {number} about the {'harbour wall' if number % 20 == 7 else 'school'}")} for number in range(59)]
    errand = Errand(page)
    errand.new("Add papers")
    errand.choose("#upload-files", files)
    expect(page.locator(".upload-state", has_text="In your papers")).to_have_count(59, timeout=180_000)
    errand.tap(page.locator(".search-button"))
    errand.taps += 1
    words = page.get_by_role("combobox")
    # Who looks too early is told that papers are still being read; then the words are there.
    for _ in range(60):
        words.fill("")
        words.fill("harbour wall")
        page.wait_for_timeout(1000)
        if page.locator(".palette-item", has_text="Scan").count() >= 3:
            break
    expect(page.locator(".palette-item", has_text="Scan")).to_have_count(3)
    for name in ("07", "27", "47"):
        expect(page.locator(".palette-item", has_text=f"Scan {name}")).to_be_visible()
    errand.told("59 files to the right three")


def photo(browser):
    """A photo of a receipt becomes a link for somebody else"""
    page = browser.page(browser.new_desk(), PHONE, **TOUCH)
    set_up(page)
    receipt = {"name": "IMG_0042.jpg", "mimeType": "image/jpeg", "buffer": photographed(browser)}
    errand = Errand(page)
    errand.new("photo|Photo|Scan")
    errand.choose("#scan-files", receipt)
    expect(page.get_by_role("button", name=re.compile("^Look at picture 1"))).to_be_visible()
    errand.button("^Make the PDF")
    page.wait_for_url(re.compile(r"/conversions/[0-9a-f-]+"))
    # What comes from the scanner is kept by itself.
    errand.tap(page.locator("main a[href^='/documents/']").first)
    page.wait_for_url("**/documents/**")
    errand.tap(page.get_by_role("link", name="Share", exact=True))
    errand.button("^Make link")
    address = page.locator(".secret").inner_text()
    guest = browser.page(browser.desks[-1], PHONE, **TOUCH)
    guest.goto(address[address.index("/s/"):])
    expect(guest.get_by_role("link", name="Download")).to_be_visible()
    errand.told("A photo to a shared link")


def main() -> int:
    wanted = sys.argv[1:]
    failed = 0
    with Browser() as browser:
        for errand in (mails, found, photo):
            if wanted and not any(word.lower() in (errand.__name__ + errand.__doc__).lower() for word in wanted):
                continue
            try:
                errand(browser)
            except Exception as failure:  # one dead end must not hide the others
                failed += 1
                print(f"FAILED   {errand.__doc__}\n         {failure}", flush=True)
            finally:
                browser.tidy()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
