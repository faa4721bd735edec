"""The engine of Safari, as WebKitGTK brings it: `Tests/Browser/run stories --webkit` goes the errands in it.

    apt-get install --no-install-recommends webkit2gtk-driver xvfb
    .venv/bin/pip install selenium mss

It shows layout, styles and scripts as Safari would; phones have more (sharing, passkeys), and fingers are a mouse here.
"""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import time

from desk import DESKTOP, PASSWORD, PHONE, eventually
from sentences import Skipped

DRIVER = "/usr/bin/WebKitWebDriver"
PROGRAM = "usr/lib/*/webkit2gtk-4.1/MiniBrowser"
# Nothing is drawn by a graphics card, and a container has no second sandbox to give. Without DMABUF, as some set it, WebKitGTK
# crashes where a page fades into the next.
PLAIN = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
# The buttons above the page would keep the window wider than a phone.
SLIM = "* { font-size: 1px; padding: 0; margin: 0; min-width: 0; border-width: 0 }"
# All of a page is seen at once.
TALL = 1600


@contextlib.contextmanager
def started():
    """A screen that nobody sees, and a browser on it."""
    try:
        import selenium.webdriver
        import mss  # noqa: F401  (a picture of the screen: one asked of the driver never comes)
    except ImportError as missing:
        raise Skipped(f"{missing.name} is not installed") from None
    program = next(pathlib.Path("/").glob(PROGRAM), None)
    if not program or not os.path.exists(DRIVER):
        raise Skipped("WebKitGTK’s driver is not installed (webkit2gtk-driver)")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        style = pathlib.Path(folder, "gtk-3.0/gtk.css")
        style.parent.mkdir()
        style.write_text(SLIM)
        reader, writer = os.pipe()
        screen = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{DESKTOP['width']}x{TALL + 100}x24"],
                                  pass_fds=[writer], stderr=subprocess.DEVNULL)
        stack.callback(screen.terminate)
        os.environ["DISPLAY"] = ":" + os.read(reader, 16).decode().strip()
        options = selenium.webdriver.WebKitGTKOptions()
        options.binary_location = str(program)
        options.add_argument("--automation")
        service = selenium.webdriver.WebKitGTKService(DRIVER, env={**os.environ, **PLAIN, "XDG_CONFIG_HOME": folder})
        driver = selenium.webdriver.WebKitGTK(options=options, service=service)
        stack.callback(driver.quit)
        yield driver


class Found:
    """Something on the page, as errands read it."""

    def __init__(self, element, words):
        self.element, self.words = element, words

    def text_content(self):
        return self.words


class WebKit:
    """What an errand asks of a browser."""

    def __init__(self, driver, desk, wide, language):
        self.driver, self.desk, self.wide, self.language = driver, desk, wide, language
        driver.set_window_size((DESKTOP if wide else PHONE)["width"], TALL)
        driver.delete_all_cookies()
        driver.get(desk.origin + "/robots.txt")
        driver.add_cookie({"name": "quire_language", "value": language})
        self.open(desk.entry)
        for name, value in {"name": "Ana Tremblay", "login": "ana", "password": PASSWORD}.items():
            self.fill(f"#f-{name}", value)
        self.press(self.seen("#account > button")[-1])
        assert eventually(lambda: self.seen(".codes"))

    def open(self, place):
        self.driver.get(self.desk.origin + place)

    def asks(self, script):
        return self.driver.execute_script(f"return {script}")

    def seen(self, what):
        return [Found(*each) for each in self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].filter(each => each.checkVisibility({visibilityProperty: true})"
            " && each.getClientRects().length).map(each => [each, each.textContent])", what)]

    def press(self, found):
        self._tries(found.element.click)

    def fill(self, what, words):
        field = self.driver.find_element("css selector", what)
        self._tries(field.clear)
        if words:
            self._tries(lambda: field.send_keys(words))

    def choose(self, field, files):
        self._tries(lambda: self.driver.find_element("css selector", field).send_keys("\n".join(str(file) for file in files)))

    def _tries(self, act):
        """What still moves cannot be used by this driver."""
        from selenium.common.exceptions import ElementNotInteractableException

        def acted():
            with contextlib.suppress(ElementNotInteractableException):
                act()
                return True
        assert eventually(acted)

    def wrong(self):
        return []

    def picture(self, name):
        folder = os.environ.get("PICTURES")
        if not folder:
            return
        import mss
        import mss.tools
        eventually(lambda: self.asks("[...document.images].every(image => image.complete || image.loading === 'lazy')"), 5)
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        # The screen comes a little after the page.
        time.sleep(0.5)
        with mss.MSS() as screen:
            shown = screen.grab({"left": 0, "top": 0, "width": (DESKTOP if self.wide else PHONE)["width"], "height": TALL})
            mss.tools.to_png(shown.rgb, shown.size, output=f"{folder}/{name}.png")
