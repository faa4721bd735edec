"""A desk of its own for each sentence that needs one, and a browser to use it with."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import axe_playwright_python
import pngs
from playwright.sync_api import expect, sync_playwright

PASSWORD = "a quiet green lamp"
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
# The same browser without all that draws windows: a third less work, and every page looks the same in it.
WINDOWLESS = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
AXE = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

# Patient: a busy machine is no broken promise, and what holds is answered at once.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


class Desk:
    """A running `quire serve` on a temporary home, set up by its environment."""

    def __init__(self, **environment):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="quire-browser-"))
        self.log = open(self.home.with_suffix(".log"), "w+")
        self.environment = environment
        self._serve(0)
        self.port = self._port()
        # Passkeys are bound to a name; an address of numbers has none.
        self.origin = f"http://localhost:{self.port}"

    def _serve(self, port: int):
        self.server = subprocess.Popen(
            [os.environ["QUIRE"], "serve", "--port", str(port), "--no-open"],
            env={**os.environ, "QUIRE_HOME": str(self.home), "SWIFT_BACKTRACE": "enable=no",
                 # Where places lie that somebody names in the app.
                 "QUIRE_REACHABLE_FOLDERS": tempfile.gettempdir(), **self.environment},
            stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True,
        )

    def goes(self):
        """Does not answer any more, until it comes again at the same address."""
        self.server.terminate()
        self.server.wait(30)

    def comes(self):
        self.log.seek(0)
        self.log.truncate()
        self._serve(self.port)
        assert self._port() == self.port

    def _port(self) -> int:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = re.search(r"https?://(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)(/\S*)?", self.output())
            if found:
                # A new desk's address carries the code that shows who started it.
                self.entry = found.group(2) or "/"
                return int(found.group(1))
            if self.server.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"the desk did not start:\n{self.output()}")

    def output(self) -> str:
        return pathlib.Path(self.log.name).read_text()

    def stop(self):
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGTERM)
            try:
                self.server.wait(10)
            except subprocess.TimeoutExpired:
                self.server.kill()
        self.log.close()
        os.unlink(self.log.name)
        shutil.rmtree(self.home, ignore_errors=True)


class Browser:
    """Chromium, the desks it visits, and the shared desk that most sentences read."""

    def __enter__(self):
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(executable_path=WINDOWLESS, args=["--no-sandbox"])
        self.contexts, self.desks, self._shared = [], [], None
        return self

    def __exit__(self, *_):
        self.tidy()
        if self._shared:
            self._shared.stop()
        self.chromium.close()
        self.playwright.stop()

    def tidy(self):
        for context in self.contexts:
            context.close()
        for desk in self.desks:
            desk.stop()
        self.contexts, self.desks = [], []

    def new_desk(self, **environment) -> Desk:
        desk = Desk(**environment)
        self.desks.append(desk)
        return desk

    def shared_desk(self) -> Desk:
        """One desk with an owner and a few papers, for sentences that only look."""
        if not self._shared:
            self._shared = Desk()
            page = self.page(self._shared)
            set_up(page)
            add(page, "Lease of the flat.pdf", b"%PDF-1.7\n%%EOF\n")
            add(page, "Invoice <12> & co.txt", b"Twelve")
            page.locator(".upload").last.get_by_role("link").click()
            wrote(page, "Tags", "home, to read")
            page.goto("/documents")
            page.get_by_text("New folder", exact=True).click()
            page.get_by_label("Name of the folder").fill("Flat")
            page.get_by_role("button", name="Make folder").click()
            page.wait_for_url("**folder=**")
            page.goto("/cards")
            page.get_by_label("Given name").fill("Ana")
            page.get_by_role("button", name="Make the card").click()
            page.wait_for_url("**/cards/0**")
            page.goto(f"{page.url.split('?')[0]}/photo/crop")
            page.locator("picture-field:defined input[type=file]").set_input_files(
                {"name": "me.png", "mimeType": "image/png", "buffer": pngs.png(60, 40, b"\x30\x70\x90" * 2400)})
            page.locator(".crop-stage").wait_for()
            page.context.close()
        return self._shared

    def page(self, desk: Desk, size=None, **options):
        # Half of the sentences see pages as those do who asked their system for less motion: on a desk, not on a phone.
        if size != PHONE:
            options.setdefault("reduced_motion", "reduce")
        context = self.chromium.new_context(base_url=desk.origin, viewport=size or DESKTOP, **options)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        page = context.new_page()
        page.entry = desk.entry
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)) if "Transition was" not in str(error) else None)
        page.on("console", lambda message: page.complaints.append(message.text) if is_complaint(message) else None)
        return page

    def signed_in(self, desk: Desk, size=None, **options):
        page = self.page(desk, size, **options)
        sign_in(page)
        return page


def is_complaint(message) -> bool:
    # Answers with an error status are part of some sentences; broken rules and broken scripts of none.
    return message.type == "error" and "Failed to load resource" not in message.text


def drag(what, onto):
    """Takes `what` and lets it go over `onto` as a hand does: a browser that is told of one leap alone may not see where it went."""
    page = what.page
    what.hover()
    page.mouse.down()
    onto.hover()
    onto.hover()
    page.mouse.up()


def acts(page):
    """What can be done with what was chosen: on a phone behind a button."""
    more = page.get_by_role("button", name="Actions", exact=True)
    if more.is_visible() and more.get_attribute("aria-expanded") == "false":
        more.click()


def more(page):
    """What can be done with a paper beyond what its page shows at once."""
    page.get_by_role("button", name="More", exact=True).click()


def unfold(page, title):
    """Opens a part of a paper's page that only some ask for."""
    fold = page.locator("details.fold").filter(has=page.get_by_role("heading", name=title, exact=True))
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()


def wrote(page, label, text):
    """Fills in a field that is kept when one goes on from it, and waits until the desk has said so."""
    page.locator("soft-page:defined").wait_for()
    page.get_by_label(label, exact=True).fill(text)
    page.get_by_label(label, exact=True).blur()
    expect(page.locator(".toast", has_text=re.compile("Saved|Renamed")).last).to_be_visible()
    expect(page.get_by_label(label, exact=True)).to_have_js_property("defaultValue", text)


def set_up(page, name="Ana Tremblay", login="ana"):
    """Owns a new desk, and is on its home page. The forms are sent as a browser sends them, but nothing of them is drawn:
    sentences of their own look at the first minutes, and a hundred others only begin after them."""
    ask = page.context.request
    shown = ask.get(page.entry, headers={"Accept": "text/html"})
    csrf = re.search(r'name="_csrf" value="([^"]+)"', shown.text())[1]
    answer = ask.post("/welcome", headers={"Accept": "text/html", "Origin": shown.url[:shown.url.index("/", 8)]}, form={
        "_csrf": csrf, "name": name, "login": login, "password": PASSWORD,
        "timeZone": page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")})
    assert answer.ok, (answer.status, answer.text()[:400])
    page.goto("/")


def sign_in(page, login="ana", password=PASSWORD):
    page.goto("/sign-in")
    page.locator("#f-login").fill(login)
    page.locator("#f-password").fill(password)
    page.locator("form[action='/sign-in'] button").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def add(page, name: str, content: bytes):
    page.goto("/documents/new")
    page.locator("upload-zone:defined").wait_for()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})
    expect(page.locator(".upload").last.get_by_role("link")).to_be_visible()


def still(page):
    """Brings all that moves to its end, so that half-faded colours are not judged. Not waited for: where nobody looks, a
    browser may draw no more and nothing would ever end."""
    page.evaluate("() => document.getAnimations().filter(a => a.effect?.getTiming().iterations !== Infinity)"
                  ".forEach(a => a.finish())")


def picture(page, name: str, whole=True):
    """`PICTURES=folder Tests/Browser/run "words"` lets somebody look."""
    folder = os.environ.get("PICTURES")
    if not folder:
        return
    still(page)
    # Pictures of pages come in by themselves, those far below only when somebody looks.
    page.evaluate("for (const image of document.querySelectorAll('main img[loading=lazy]')) image.loading = 'eager'")
    for image in page.locator("main img").all():
        if image.is_visible():
            expect(image).to_have_js_property("complete", True)
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    page.screenshot(path=f"{folder}/{name}.png", full_page=whole)


def accessible(page, where: str, colours_only=False):
    """No axe rule is broken."""
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    still(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    rules = {"type": "rule", "values": ["color-contrast"]} if colours_only else {"type": "tag", "values": RULES}
    result = page.evaluate(
        "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", rules)
    broken = [
        f"{violation['id']} ({violation['impact']}): {violation['nodes'][0]['html'][:160]}"
        for violation in result["violations"]
    ]
    assert not broken, f"{where}: " + "; ".join(broken)


FIRST_SCRIPT = "performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/js/app.js'))"


def awake(page):
    """The page's scripts are there."""
    comes_true(page, f"!!{FIRST_SCRIPT}")


def script_address(page, name):
    """Where the page has one of its scripts from: importing it from there gives the one that the page itself uses."""
    awake(page)
    return page.evaluate(f"(name) => new URL(name, {FIRST_SCRIPT}.name).href", f"{name}.js")


def comes_true(place, script, arg=None):
    """What the page itself can tell. Asked from here: our pages let nothing else evaluate text twice."""
    assert eventually(lambda: place.evaluate(script, arg)), script


def eventually(holds, seconds=60):
    """For what happens outside of the page."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False
