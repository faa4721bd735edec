"""Three errands as somebody new goes about them: how many taps, pages and seconds each takes.

    Tests/Browser/run stories                             all of them, on a phone, in English
    Tests/Browser/run stories photo                       only what has the word in its name
    Tests/Browser/run stories --wide --language fr-CA     at a desk, by mouse, in French
    Tests/Browser/run stories --webkit                    in the engine of Safari, where WebKitGTK is installed
    PICTURES=folder Tests/Browser/run stories             keeps a picture of each page before it is left

Choosing files, filling in a field and pressing something are a tap each. An errand fails where a page answers that it cannot,
where what went wrong is told without a way on, where the next thing to press is not there, and where a script complains. What is
pressed is found by what it is, mostly the one main button of a page, never by its words. It is no part of `bin/check`:
seconds tell of the machine, and taps are for people to judge.
"""

import argparse
import contextlib
import csv
import pathlib
import re
import sys
import tempfile
import time

import openpyxl
from playwright.sync_api import Error

from desk import DESKTOP, PHONE, Browser, eventually, picture, set_up
from filing import paper
from mailbox import Mailbox
from packets import CONSENT, TOUCH
from scanning import photographed
from sentences import Skipped

CANNOT = "performance.getEntriesByType('navigation')[0]?.responseStatus >= 400"


class Chromium:
    """What an errand asks of a browser."""

    def __init__(self, browser, desk, wide, language):
        self.wide, self.language = wide, language
        self.page = browser.page(desk, DESKTOP if wide else PHONE, locale=language, **({} if wide else TOUCH))
        set_up(self.page)

    def open(self, place):
        self.page.goto(place)

    def asks(self, script):
        try:
            return self.page.evaluate(script)
        except Error:  # the page went away meanwhile
            self.page.wait_for_load_state()
            return self.page.evaluate(script)

    def seen(self, what):
        """What of it can be seen now."""
        return [each for each in self.page.locator(what).all() if each.is_visible()]

    def press(self, found):
        found.click() if self.wide else found.tap()

    def fill(self, what, words):
        self.page.locator(what).fill(words)

    def choose(self, field, files):
        self.page.locator(field).set_input_files(files)

    def wrong(self):
        return self.page.complaints

    def picture(self, name):
        picture(self.page, name)


class Errand:
    """Goes from page to page, and counts."""

    def __init__(self, screen, name):
        self.screen, self.taps, self.places, self.looks = screen, 0, [], 0
        self.name = f"{name}, {type(screen).__name__} {'wide' if screen.wide else 'phone'} {screen.language}"
        screen.open("/")
        self.start = time.monotonic()
        self.at("/")

    def at(self, place):
        """Waits until the page with such an address is there."""
        def arrived():
            return re.search(f"{place}$", self.here()) and self.screen.asks("document.readyState") == "complete"
        assert eventually(arrived), f"{self.name}: {self.places[-1]} instead of {place}"

    def here(self):
        path = self.screen.asks("location.pathname")
        if [path] != self.places[-1:]:
            self.places.append(path)
        return path

    def sees(self, what, words="", count=1, seconds=180):
        """Waits until there are as many of it."""
        def there():
            return len([each for each in self.screen.seen(what) if re.search(words, each.text_content() or "")]) == count
        assert eventually(there, seconds), f"{self.name}: not {count} times {what} {words}"

    def look(self):
        """What stands in the way."""
        here = self.here()
        assert not self.screen.asks(CANNOT), f"{here} cannot"
        assert not self.screen.wrong(), self.screen.wrong()
        stuck = self.screen.asks("[...document.querySelectorAll('.toast-bad, .notice-bad')].filter(told => told.checkVisibility()"
                                 " && !told.querySelector('a, button:not([data-dismiss])')).map(told => told.textContent)")
        assert not stuck, f"no way on from {stuck}"
        self.looks += 1
        self.screen.picture(f"{self.name} {self.looks:02}".replace(",", "").replace(" ", "-"))

    def tap(self, what):
        assert eventually(lambda: self.screen.seen(what)), f"{self.name}: no {what} to press at {self.places[-1]}"
        self.look()
        self.taps += 1
        self.screen.press(self.screen.seen(what)[-1])

    def on(self):
        """What the page itself would have pressed next; where it asks something, the answer it waits for."""
        self.tap("dialog[open] .button-main" if self.screen.seen("dialog[open] .button-main") else ".button-main")

    def choose(self, field, files):
        """The button, and the picker of the device."""
        assert eventually(lambda: self.screen.asks("!!document.querySelector('upload-zone:defined, scan-camera:defined')"))
        self.look()
        self.taps += 2
        self.screen.choose(field, files)

    def write(self, field, words):
        self.taps += 1
        self.screen.fill(field, words)

    def told(self):
        self.look()
        print(f"{self.name}: {self.taps} taps, {len(self.places)} pages, {time.monotonic() - self.start:.0f} s", flush=True)


class Story:
    """A desk of its own, what somebody brings to it, and what they see it with."""

    def __init__(self, browser, screens, folder):
        self.browser, self.screens, self.folder = browser, screens, pathlib.Path(folder)

    def screen(self):
        return self.screens(self.browser.new_desk())

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path


def workbook(path, count):
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
    book.save(path)
    return path


def with_mail(screen, mailbox):
    """The desk of an office that can send."""
    screen.open("/settings/mail")
    for name, value in {"fromAddress": "office@school.example", "fromName": "School office", "host": "127.0.0.1",
                        "port": str(mailbox.port)}.items():
        screen.fill(f"#f-{name}", value)
    screen.asks("document.querySelector('#f-security').value = 'none'")
    screen.press(screen.seen("form[action='/settings/mail'] .button-main")[0])
    assert eventually(lambda: screen.seen(".toast"))


def mails(story):
    """A messy workbook and a form become 120 mails that were sent"""
    with Mailbox() as mailbox:
        screen = story.screen()
        with_mail(screen, mailbox)
        errand = Errand(screen, "mails")
        errand.tap("main a[href='/batches/new']")
        errand.at("/batches/new")
        # Both lie in one folder.
        errand.choose("#files", [CONSENT / "consent.pdf", workbook(story.folder / "Trip.xlsx", 120)])
        errand.at("/imports/.*")
        errand.sees(".lede", "120")
        errand.on()
        errand.at("/mapping")
        errand.on()
        errand.at("/plan")
        errand.on()
        errand.at("/filling")
        errand.on()
        errand.at("/letter")
        errand.sees("letter-editor:defined")
        errand.write("#f-subject", "Trip to the lake")
        errand.on()
        errand.at("/sending")
        errand.on()
        errand.on()
        errand.sees(".making-count", r"^120\s*/\s*120$")
        assert len(mailbox.mails) == 120, len(mailbox.mails)
        # Nothing runs any more, and nothing above the page says otherwise.
        errand.sees(".topbar-tools a[href='/activity'] .count", count=0)
        errand.told()


def found(story):
    """Of 59 files the right three are found by words"""
    files = [story.file(f"Scan {number:02}.pdf", paper(f"Letter {number} about the {'harbour wall' if number % 20 == 7 else 'school'}"))
             for number in range(59)]
    errand = Errand(story.screen(), "found")
    errand.choose("#upload-files", files)
    errand.sees(".upload-name a", count=59)
    errand.tap(".search-button")
    errand.write(".palette-input", "harbour wall")
    # Who looks too early is told that papers are still being read; then the words are there.
    for _ in range(60):
        with contextlib.suppress(AssertionError):
            errand.sees(".palette-item", "Scan", count=3, seconds=2)
            break
        errand.screen.fill(".palette-input", "")
        errand.screen.fill(".palette-input", "harbour wall")
    for name in ("07", "27", "47"):
        errand.sees(".palette-item", f"Scan {name}")
    errand.told()


def photo(story):
    """A photo of a receipt becomes a link for somebody else"""
    screen = story.screen()
    errand = Errand(screen, "photo")
    errand.tap("main a[href='/scan']")
    errand.at("/scan")
    errand.choose("#scan-files", [story.file("IMG_0042.jpg", story.photo)])
    errand.sees(".scan-sheet img")
    errand.on()
    # What comes from the scanner is kept by itself.
    errand.at("/documents/[0-9a-f-]+")
    errand.tap("a[href='#share']")
    errand.on()
    errand.sees(".secret")
    address = screen.asks("document.querySelector('.secret').textContent")
    errand.told()
    screen.open(address[address.index("/s/"):])
    assert eventually(lambda: screen.seen("a[href$='?download=1']")), "the link opens nothing"
    screen.picture(f"{errand.name} guest".replace(",", "").replace(" ", "-"))


def main() -> int:
    asked = argparse.ArgumentParser(description="counts the taps, pages and seconds of three errands")
    asked.add_argument("words", nargs="*", help="only what has the word in its name")
    asked.add_argument("--wide", action="store_true", help="at a desk, by mouse, instead of on a phone")
    asked.add_argument("--language", default="en", choices=["en", "es-MX", "fr-CA"])
    asked.add_argument("--webkit", action="store_true", help="in WebKitGTK instead of Chromium")
    asked = asked.parse_args()
    failed = 0
    with Browser() as browser, tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        story = Story(browser, lambda desk: Chromium(browser, desk, asked.wide, asked.language), folder)
        story.photo = photographed(browser)
        if asked.webkit:
            import webkit  # only here: it needs what few have installed
            try:
                started = stack.enter_context(webkit.started())
            except Skipped as why:
                print(f"skipped  {why}")
                return 0
            story.screens = lambda desk: webkit.WebKit(started, desk, asked.wide, asked.language)
        for errand in (mails, found, photo):
            if asked.words and not any(word.lower() in (errand.__name__ + errand.__doc__).lower() for word in asked.words):
                continue
            try:
                errand(story)
            except Exception as failure:  # one dead end must not hide the others
                failed += 1
                print(f"FAILED   {errand.__doc__}\n         {failure}", flush=True)
            finally:
                browser.tidy()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
