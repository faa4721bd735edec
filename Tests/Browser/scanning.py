"""The sheet in a photo: what the browser makes of it is what the desk makes of it, to the last dot."""

import functools
import gzip
import http.server
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import threading
import time
import zlib

import pngs
from playwright.sync_api import expect

from desk import PHONE, WINDOWLESS, accessible, eventually, set_up
from packets import picture
from sentences import holds

MODULE = pathlib.Path(__file__).parents[2] / "Sources/C/CWebAssets/files/scan.wasm"

# The module's functions are told in Sources/Paper/Scanning/BrowserDoor.swift. Its memory may have grown after each call, so
# what is seen of it is looked at anew.
MADE_HERE = """async (look) => {
    const { instance } = await WebAssembly.instantiateStreaming(fetch('scan.wasm'))
    const scan = instance.exports
    const photo = await createImageBitmap(await (await fetch('letter.png')).blob())
    const canvas = new OffscreenCanvas(photo.width, photo.height)
    const context = canvas.getContext('2d')
    context.drawImage(photo, 0, 0)
    const { data } = context.getImageData(0, 0, photo.width, photo.height)
    const [pixels, said] = [scan.scan_take(data.length), scan.scan_take(23 * 4)]
    new Uint8Array(scan.memory.buffer, pixels, data.length).set(data)
    const page = scan.scan_page(pixels, photo.width, photo.height, 0, look, 0, -1, 12000000, said)
    const numbers = [...new Float32Array(scan.memory.buffer, said, 15)]
    const [width, height] = numbers.slice(10, 12)
    const made = new Uint8Array(scan.memory.buffer, page, width * height * 4)
    let ink = ''
    for (let i = 0; i < made.length; i += 4) ink += made[i] ? '0' : '1'
    for (const memory of [page, pixels, said]) scan.scan_give_back(memory)
    return { corners: numbers.slice(0, 8), width, height, ink }
}"""

# One paper that is there at once is shown itself; else where one sees how far it is.
ARRIVED = re.compile(r"/(conversions|documents)/[0-9a-f-]+")


@holds("A browser makes the same page of a photo as the desk does, dot for dot")
def same_page(browser):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # The one that the program holds; that it is made of these sources a test of the house says.
        shutil.copy(MODULE, folder / "scan.wasm")
        packed = len(gzip.compress((folder / "scan.wasm").read_bytes(), 9))
        assert packed <= 46_000, f"the module takes {packed} bytes packed"
        (folder / "letter.png").write_bytes(pngs.sheet_on_a_table())
        (folder / "index.html").write_text("<!doctype html><title>Scan</title>")
        told = subprocess.run(
            [os.environ["QUIRE"], "scan", folder / "letter.png", "--out", folder / "letter.pdf", "--look", "bw",
             "--no-text", "--json"], capture_output=True, check=True).stdout
        desk = json.loads(told)["pages"][0]
        subprocess.run(["pdfimages", folder / "letter.pdf", folder / "page"], check=True)

        class Quiet(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=name))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            browser.contexts.append(browser.chromium.new_context())
            page = browser.contexts[-1].new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            here = page.evaluate(MADE_HERE, 3)
        finally:
            server.shutdown()
            server.server_close()
        assert (here["width"], here["height"]) == (desk["width"], desk["height"]), (here["width"], desk)
        for mine, (x, y) in zip(zip(here["corners"][::2], here["corners"][1::2]), desk["corners"]):
            assert abs(mine[0] - x) < 0.06 and abs(mine[1] - y) < 0.06, (here["corners"], desk["corners"])
        rows = (folder / "page-000.pbm").read_bytes()[-(-(-desk["width"] // 8) * desk["height"]):]
        line = -(-desk["width"] // 8)
        for y in range(desk["height"]):
            bits = bin(int.from_bytes(b"\1" + rows[y * line:(y + 1) * line], "big"))[3:][:desk["width"]]
            assert bits == here["ink"][y * desk["width"]:(y + 1) * desk["width"]], f"row {y} differs"


TABLE = """<!doctype html><style>
    body {{ margin: 0; background: #5b4632; overflow: hidden; }}
    div {{ position: absolute; left: {left}px; top: 90px; width: 520px; height: 735px; background: #fbfaf5; transform: rotate(4deg); }}
    p {{ font: 30px/1.5 "DejaVu Sans", sans-serif; margin: 40px; color: #111; }}
</style><div><p>Marmalade receipt for the school office</p><p>Twelve jars at four each, paid in October by the committee</p></div>"""


def filmed(browser, folder: pathlib.Path) -> pathlib.Path:
    """A paper that is pushed onto a table and lies still then: pictures one behind the other, as cameras send them."""
    page = browser.chromium.new_context(viewport={"width": 1280, "height": 960}).new_page()
    frames = []
    for left in [*range(60, 380, 40), 380]:
        page.set_content(TABLE.format(left=left))
        frames.append(page.screenshot(type="jpeg", quality=88))
    page.context.close()
    film = folder / "film.mjpeg"
    film.write_bytes(b"".join(frames + [frames[-1]] * 90))
    return film


class Camera:
    """A browser whose camera shows a film, to whoever may see it."""

    def __init__(self, browser, film: pathlib.Path, is_refused=False):
        self.chromium = browser.playwright.chromium.launch(executable_path=WINDOWLESS, args=[
            "--no-sandbox", "--use-fake-ui-for-media-stream" + ("=deny" if is_refused else ""),
            "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"])

    def __enter__(self):
        return self.chromium

    def __exit__(self, *_):
        self.chromium.close()


def until(page, count: int):
    """So many pictures lie on the device, or more."""
    for _ in range(600):
        if int(page.evaluate("document.querySelector('scan-camera')?.dataset.count ?? '0'")) >= count:
            return
        time.sleep(0.1)
    raise AssertionError(f"there are not {count} pictures: {page.locator('[data-word]').text_content()}")


@holds("A paper before the camera is outlined, taken by itself, and becomes a named PDF that is found by its words; what waits survives a lost connection and a closed tab")
def live(browser):
    with tempfile.TemporaryDirectory() as name, Camera(browser, filmed(browser, pathlib.Path(name))) as chromium:
        desk = browser.new_desk()
        context = chromium.new_context(base_url=desk.origin, viewport=PHONE)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.entry = desk.entry
        complaints = []
        # Of a page that is left at once its transition says so.
        page.on("pageerror", lambda error: complaints.append(str(error)) if "Transition was" not in str(error) else None)
        set_up(page)
        page.goto("/scan")
        until(page, 1)
        expect(page.locator("[data-word]")).not_to_have_text("")
        # The same paper is not taken again while it lies there.
        time.sleep(1)
        taken = page.locator("[data-stack] li").count()
        page.get_by_role("button", name="Take the picture").press("Enter")
        until(page, taken + 1)
        # By the button, too, it is taken once.
        time.sleep(1)
        assert page.locator("[data-stack] li").count() == taken + 1
        accessible(page, "the scanner")
        picture(page, "phone-scan")
        page.set_viewport_size({"width": 320, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.set_viewport_size(PHONE)
        # One too many is taken away, and taken back, and away.
        page.get_by_role("button", name=f"Remove picture {taken + 1}").press("Enter")
        page.locator(".toast").get_by_role("button", name="Undo").click()
        until(page, taken + 1)
        while page.locator("[data-stack] li").count() > 1:
            page.get_by_role("button", name="Remove picture 2").click()
        # Nobody can be reached, and the tab is closed.
        context.set_offline(True)
        page.get_by_label("Name", exact=True).fill("Marmalade")
        page.get_by_role("button", name="Make the PDF").click()
        expect(page.locator("[data-tally]")).to_contain_text("One picture waits here")
        # It is counted in the head of the page with all that waits.
        page.get_by_role("button", name="One thing waits on this device").click()
        expect(page.get_by_role("dialog").get_by_role("link", name="Show them")).to_be_visible()
        page.close()
        context.set_offline(False)
        page = context.new_page()
        page.goto("/scan")
        page.wait_for_url(ARRIVED)
        made = page.request.get("/conversions?all=1", headers={"Accept": "application/json"}).json()["conversions"]
        assert len(made) == 1 and len(made[0]["papers"]) == 1, made
        for _ in range(300):
            found = page.request.get("/documents/matches?q=committee", headers={"Accept": "application/json"}).json()
            if found.get("total") or found.get("matches"):
                break
            time.sleep(0.2)
        page.goto("/search?q=committee")
        expect(page.get_by_role("link", name=re.compile("^Marmalade")).first).to_be_visible()
        # Each answer is lost once on its way back: what was sent again comes in once.
        lost = set()

        def lose(route):
            answer = route.fetch()
            if route.request.url in lost or not answer.ok:
                return route.fulfill(response=answer)
            lost.add(route.request.url)
            route.abort()

        page.goto("/scan")
        until(page, 1)
        page.get_by_label("Take it by itself").uncheck()
        before = page.locator("[data-stack] li").count()
        page.get_by_role("button", name="Take the picture").click()
        until(page, before + 1)
        page.route(re.compile(r"/conversions(/.*)?$"), lambda route: lose(route) if route.request.method == "POST" else route.continue_())
        page.get_by_role("button", name="Make the PDF").click()
        page.wait_for_url(ARRIVED)
        assert len(lost) == before + 3, lost
        made = page.request.get("/conversions?all=1", headers={"Accept": "application/json"}).json()["conversions"]
        assert sorted(len(each["papers"]) for each in made) == [1, before + 1], made
        page.unroute_all()
        # Once more, and of two pictures one is gone from the device: nothing is made without it in silence.
        page.goto("/scan")
        page.get_by_label("Take it by itself").uncheck()
        while page.locator("[data-stack] li").count() < 2:
            page.get_by_role("button", name="Take the picture").click()
            time.sleep(0.5)
        context.set_offline(True)
        page.get_by_role("button", name="Make the PDF").click()
        expect(page.locator("[data-tally]")).to_contain_text("wait here")
        page.evaluate("""() => new Promise((done) => {
            const open = indexedDB.open(`quire-scan-${document.querySelector("meta[name=reader]").content}`)
            open.onsuccess = () => {
                const store = open.result.transaction("pictures", "readwrite").objectStore("pictures")
                store.getAllKeys().onsuccess = ({ target }) => { store.delete(target.result[0]).onsuccess = done }
            }
        })""")
        page.close()
        context.set_offline(False)
        page = context.new_page()
        page.goto("/scan")
        expect(page.locator(".toast")).to_contain_text("One picture is on this device no more")
        assert page.url.endswith("/scan")
        page.get_by_role("button", name="Make the PDF").click()
        page.wait_for_url(ARRIVED)
        page.goto("/scan")
        expect(page.locator("[data-tally]")).to_have_text(re.compile("No pictures|waits? on this device"))
        assert not complaints, complaints


def photographed(browser, width: int = 1280, height: int = 960) -> bytes:
    """A paper on a table, as a JPEG."""
    page = browser.chromium.new_context(viewport={"width": width, "height": height}).new_page()
    page.set_content(TABLE.format(left=380))
    taken = page.screenshot(type="jpeg", quality=90)
    page.context.close()
    return taken


def choose(page, *files):
    """Brings photos by the way that is there without a camera."""
    page.locator("#scan-files").set_input_files(
        [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files])


def told(page):
    """The page a picture becomes has been shown, and what is said of it."""
    expect(page.locator(".scan-review:not([data-is-asking])")).to_be_visible()
    return page.locator("[data-said]")


def made(page):
    """What was made of the pictures, and its first PDF."""
    page.get_by_role("button", name="Make the PDF").click()
    page.wait_for_url(ARRIVED)
    all = page.request.get("/conversions?all=1", headers={"Accept": "application/json"}).json()["conversions"]
    address = f"/conversions/{max(all, key=lambda each: each['addedAt'])['id']}"
    for _ in range(600):
        now = page.request.get(address, headers={"Accept": "application/json"}).json()
        if now["state"] not in ("waiting", "running"):
            break
        time.sleep(0.1)
    assert now["state"] == "done", now
    return now, page.request.get(f"{address}/results/1/file").body()


def words(pdf: bytes) -> list:
    """Of each page."""
    return subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode().split("\f")[:-1]


def sizes(pdf: bytes) -> list:
    with tempfile.NamedTemporaryFile() as file:
        file.write(pdf)
        file.flush()
        said = subprocess.run(["pdfinfo", "-l", "99", file.name], capture_output=True, check=True).stdout.decode()
    return [tuple(map(float, found)) for found in re.findall(r"size: +([0-9.]+) x ([0-9.]+)", said)]


@holds("A phone is let in by a code on the screen: it photographs a paper for the desk, is shown nothing else, and is sent away again")
def by_code(browser):
    with tempfile.TemporaryDirectory() as name, Camera(browser, filmed(browser, pathlib.Path(name))) as chromium:
        desk = browser.new_desk()
        page = browser.page(desk)
        set_up(page)
        page.goto("/scan")
        page.get_by_role("link", name="With another phone").click()
        page.wait_for_url("**/phones")
        page.get_by_role("button", name="Show a code").click()
        expect(page.get_by_role("img", name="Code that lets a phone in")).to_be_visible()
        accessible(page, "the code for a phone")
        picture(page, "phone-code")
        address = page.locator("[data-copy]").get_attribute("data-copy")
        context = chromium.new_context(base_url=desk.origin, viewport=PHONE)
        context.set_default_timeout(60_000)
        phone = context.new_page()
        complaints = []
        phone.on("pageerror", lambda error: complaints.append(str(error)) if "Transition was" not in str(error) else None)
        phone.goto(address)
        expect(phone.get_by_text("for the desk of Ana Tremblay")).to_be_visible()
        accessible(phone, "a phone that is let in")
        picture(phone, "phone-let-in")
        phone.get_by_role("button", name="Begin").click()
        phone.wait_for_url("**/scan")
        expect(phone.locator("nav")).to_have_count(0)
        until(phone, 1)
        # All of it at once: on a low screen the bar below lies over what happens to be behind it.
        phone.set_viewport_size({"width": PHONE["width"], "height": 1300})
        accessible(phone, "the scanner of a phone that was let in")
        phone.set_viewport_size(PHONE)
        picture(phone, "phone-scan-for")
        phone.get_by_label("Name", exact=True).fill("Marmalade")
        phone.get_by_role("button", name="Make the PDF").click()
        phone.wait_for_url(re.compile(r"/conversions/[0-9a-f-]+"))
        expect(phone.get_by_role("heading", level=1)).to_have_text("It is on the desk")
        accessible(phone, "what a phone has brought")
        phone.get_by_role("link", name="Photograph another").click()
        phone.wait_for_url("**/scan")
        phone.goto("/documents")
        phone.wait_for_url("**/scan")
        page.goto("/documents")
        expect(page.get_by_role("link", name=re.compile("^Marmalade")).first).to_be_visible()
        page.goto("/phones")
        page.get_by_role("button", name=re.compile("^(End|Sign out)")).click()
        page.wait_for_url("**/phones")
        expect(page.get_by_text("Phones that photograph now")).to_have_count(0)
        phone.goto("/scan")
        phone.wait_for_url("**/sign-in**")
        assert not complaints and not page.complaints, (complaints, page.complaints)


@holds("A picture is put right before it is sent: corners by keyboard and by mouse, a turn, a look of its own, one taken again; and the PDF is as it was shown")
def reviewed(browser):
    with tempfile.TemporaryDirectory() as name, Camera(browser, filmed(browser, pathlib.Path(name))) as chromium:
        desk = browser.new_desk()
        context = chromium.new_context(base_url=desk.origin, viewport=PHONE)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.entry = desk.entry
        set_up(page)
        page.goto("/scan")
        page.get_by_label("Take it by itself").uncheck()
        until(page, 0)
        while page.locator("[data-stack] li").count():
            page.get_by_role("button", name="Remove picture 1").click()
        taken = photographed(browser)
        choose(page, *[(f"{name}.jpg", "image/jpeg", taken) for name in ("keyboard", "mouse", "turned", "again")])
        until(page, 4)

        # By the keyboard alone: the lower corners go up to above the second paragraph.
        page.get_by_role("button", name=re.compile("^Look at picture 1")).focus()
        page.keyboard.press("Enter")
        expect(told(page)).to_contain_text("The paper was found by itself.")
        accessible(page, "a picture looked at closely")
        picture(page, "phone-scan-review")
        for corner in ("Bottom right", "Bottom left"):
            handle = page.get_by_role("button", name=f"{corner} corner of the page")
            for _ in range(20):
                page.keyboard.press("Tab")
                if handle.evaluate("handle => handle === document.activeElement"):
                    break
            before = handle.bounding_box()["y"]
            for _ in range(7):
                page.keyboard.press("Shift+ArrowUp")
            page.keyboard.press("ArrowUp")
            assert 130 < before - handle.bounding_box()["y"] < 150
        expect(told(page)).to_contain_text("The corners are as you put them.")
        # Each press of a key is not a step of its own; what was one movement is undone at once.
        page.keyboard.press("Control+z")
        expect(told(page)).to_contain_text("The corners are as you put them.")
        page.keyboard.press("Control+z")
        expect(told(page)).to_contain_text("The paper was found by itself.")
        for corner in ("Bottom right", "Bottom left"):
            page.get_by_role("button", name=f"{corner} corner of the page").focus()
            for _ in range(7):
                page.keyboard.press("Shift+ArrowUp")
        expect(told(page)).to_contain_text("The corners are as you put them.")

        # By the mouse, and the loupe shows what lies under it.
        page.keyboard.press("PageDown")
        expect(page.get_by_role("heading", name="Picture 2 of 4")).to_be_visible()
        expect(told(page)).to_contain_text("The paper was found by itself. It looks like picture")
        for corner in ("Bottom right", "Bottom left"):
            box = page.get_by_role("button", name=f"{corner} corner of the page").bounding_box()
            at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.move(*at)
            page.mouse.down()
            page.mouse.move(at[0], at[1] - 60, steps=4)
            expect(page.locator("[data-loupe]")).to_be_visible()
            page.mouse.move(at[0], at[1] - 140, steps=4)
            page.mouse.up()
            expect(page.locator("[data-loupe]")).to_be_hidden()
        expect(told(page)).to_contain_text("The corners are as you put them.")

        # A quarter turn, and black and white for this one alone.
        page.get_by_role("button", name="Next", exact=True).click()
        expect(told(page)).to_contain_text("The paper was found by itself.")
        page.get_by_role("button", name="Turn right").click()
        page.get_by_label("How this page looks").select_option("bw")
        expect(told(page)).to_contain_text("The corners are as you put them.")
        # What is removed comes back by the same undo.
        page.get_by_role("button", name="Remove", exact=True).click()
        expect(page.get_by_role("heading", name="Picture 3 of 3")).to_be_visible()
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(page.get_by_role("heading", name="Picture 3 of 4")).to_be_visible()
        expect(told(page)).to_contain_text("The corners are as you put them.")

        # Taken again by the camera, in the same place of the stack.
        page.get_by_role("button", name="Next", exact=True).click()
        page.get_by_role("button", name="Take again").click()
        expect(page.locator("[data-retaking]")).to_contain_text("takes the place of picture 4")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Picture 4 of 4")).to_be_visible()
        expect(told(page)).to_be_visible()
        page.get_by_role("button", name="Done").click()
        expect(page.locator("[data-retaking]")).to_be_hidden()
        assert page.locator("[data-stack] li").count() == 4

        # All of it outlasts the page, and is what the PDF is made by.
        page.reload()
        until(page, 4)
        now, pdf = made(page)
        assert [each["name"] for each in now["papers"]][:3] == ["keyboard.jpg", "mouse.jpg", "turned.jpg"], now["papers"]
        assert now["papers"][3]["name"] != "again.jpg" and not now["papers"][3]["corners"], now["papers"]
        assert [each["scan"] for each in now["papers"]] == [None, None, "bw", None]
        text = words(pdf)
        for cut in text[:2]:
            assert "Marmalade" in cut and "committee" not in cut, text
        assert "committee" in text[3], text
        across = [width > height for width, height in sizes(pdf)]
        assert across[2] and not across[3], sizes(pdf)


@holds("The scanner opens, takes and shows pictures where no desk can be reached, and lets the camera go while nobody looks")
def unreachable(browser):
    with tempfile.TemporaryDirectory() as name, Camera(browser, filmed(browser, pathlib.Path(name))) as chromium:
        desk = browser.new_desk()
        context = chromium.new_context(base_url=desk.origin, viewport=PHONE)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.entry = desk.entry
        set_up(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.goto("/scan")
        until(page, 1)
        page.get_by_role("button", name=re.compile("^Look at picture 1")).click()
        told(page)
        # Pages that were seen since do not push the scanner out.
        page.evaluate("""async () => {
            const pages = await caches.open("quire-pages")
            const [first] = await pages.keys()
            for (let i = 0; i < 60; i += 1) await pages.put(`/documents?page=${i}`, (await pages.match(first)).clone())
        }""")
        page.goto("/documents")
        page.wait_for_timeout(500)
        page.close()
        desk.server.terminate()
        desk.server.wait(30)

        page = context.new_page()
        page.goto("/scan")
        until(page, 1)
        page.get_by_label("Take it by itself").uncheck()
        before = page.locator("[data-stack] li").count()
        page.get_by_role("button", name="Take the picture").click()
        until(page, before + 1)
        page.get_by_role("button", name=re.compile("^Look at picture 1")).click()
        expect(told(page)).to_contain_text("The paper was found by itself.")
        assert page.locator("[data-result]").evaluate("page => page.width") > 300
        page.get_by_role("button", name="Done").click()
        page.get_by_role("button", name="Make the PDF").click()
        expect(page.locator("[data-tally]")).to_contain_text("pictures wait here and are sent")
        page.evaluate("window.film = document.querySelector('video').srcObject.getTracks()[0]")
        for is_hidden in (True, False):
            page.evaluate("""hidden => {
                Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true })
                document.dispatchEvent(new Event("visibilitychange"))
            }""", is_hidden)
            if is_hidden:
                assert page.evaluate("film.readyState") == "ended"
        expect(page.locator("scan-camera[data-camera=on]")).to_be_visible()
        assert page.evaluate("document.querySelector('video').srcObject.getTracks()[0].readyState") == "live"


@holds("The next version of Quire has the scanner with it where there is no network, once it was opened")
def next_version(browser):
    # Another address of the worker is another worker, as a new version is; pages allow one address only.
    page = browser.page(browser.new_desk(), PHONE, bypass_csp=True)
    set_up(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto("/scan")
    kept = """async () => {
        const page = await (await caches.open("quire-pages")).match("/scan", { ignoreVary: true })
        const whole = Boolean(await caches.match(document.querySelector("[module]")?.getAttribute("module") ?? window.module))
        return [(await page?.text())?.includes("<scan-camera"), whole]
    }"""
    assert eventually(lambda: page.evaluate(kept) == [True, True]), page.evaluate(kept)
    page.evaluate("""async () => {
        window.module = document.querySelector("[module]").getAttribute("module")
        const pages = await caches.open("quire-pages")
        const { headers } = await pages.match("/scan", { ignoreVary: true })
        await pages.delete("/scan", { ignoreVary: true })
        await pages.put("/scan", new Response("of the version before", { headers }))
        for (const name of await caches.keys()) await (await caches.open(name)).delete(module)
    }""")
    assert page.evaluate(kept) == [False, False]
    page.evaluate("navigator.serviceWorker.register('/sw.js?next').then(() => true)")
    assert eventually(lambda: page.evaluate(kept) == [True, True]), page.evaluate(kept)


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def dots(width: int, height: int, rows: bytes, depth: int = 8) -> bytes:
    """A PNG that says it is so large."""
    head = struct.pack(">IIBBBBB", width, height, depth, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


# Two moments of two by two dots.
MOVES = (b"GIF89a\x02\0\x02\0\x80\0\0\xff\xff\xff\0\0\0!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
         + b"!\xf9\x04\0\x0a\0\0\0,\0\0\0\0\x02\0\x02\0\0\x02\x03D\x02\x05\0" * 2 + b";")


@holds("A refused camera, a full device and files that are no photos are told in words, nothing of what is good is lost, and what was wished is wished again")
def hostile(browser):
    with tempfile.TemporaryDirectory() as name, Camera(
            browser, filmed(browser, pathlib.Path(name)), is_refused=True) as chromium:
        desk = browser.new_desk()
        context = chromium.new_context(base_url=desk.origin, viewport=PHONE)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.entry = desk.entry
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)) if "Transition was" not in str(error) else None)
        set_up(page)
        devtools = context.new_cdp_session(page)
        devtools.send("Storage.overrideQuotaForOrigin", {"origin": desk.origin, "quotaSize": 4_000_000})
        page.goto("/scan")
        expect(page.locator("[data-why]")).to_contain_text("This page may not use the camera.")
        accessible(page, "the scanner without a camera")
        good = photographed(browser)
        for file, content, said in (
                ("words.jpg", b"These are words and no picture.", "is no photo"), ("nothing.png", b"", "is no photo"),
                ("half.jpg", good[:len(good) // 2], "is damaged"), ("head.jpg", good[:300], "is damaged"),
                ("lies.png", dots(9000, 9000, b"\0"), "is damaged"), ("huge.png", dots(60000, 60000, b"\0"), "more dots"),
                ("moves.gif", MOVES, "its first moment")):
            choose(page, (file, "image/jpeg", content))
            expect(page.locator(".toast").last).to_contain_text(f"“{file}”")
            expect(page.locator(".toast").last).to_contain_text(said)
        choose(page, ("dot.png", "image/png", dots(1, 1, b"\0\xff\0\0")),
               ("deep.png", "image/png", dots(64, 64, (b"\0" + b"\xff\x80" * 3 * 64) * 64, depth=16)))
        until(page, 3)
        assert page.locator("[data-stack] li").count() == 3
        # None of them ends the worker: what comes after is found.
        choose(page, ("good.jpg", "image/jpeg", good))
        until(page, 4)
        for number in (1, 2, 3, 4):
            page.get_by_role("button", name=re.compile(f"^Look at picture {number}")).click()
            expect(told(page)).to_contain_text("The paper was found" if number == 4 else "No paper was found")
            page.get_by_role("button", name="Turn left").click()
            expect(told(page)).to_contain_text("The corners are as you put them.")
            page.get_by_role("button", name="Done").click()

        page.get_by_text("Look, size, folder, tags and words").click()
        page.get_by_label("Tags").fill("school, 2026")
        page.get_by_label("Size of the paper").select_option("card")
        page.get_by_label("What it becomes").select_option("0")
        # The device is full: what comes now stays on the page, and goes from there.
        choose(page, ("late.jpg", "image/jpeg", good + bytes(6_000_000)))
        expect(page.locator(".toast").last).to_contain_text("This device has no room left.")
        expect(page.locator("[data-tally]")).to_contain_text("One picture is on this page alone")
        page.locator(".toast").last.get_by_role("button", name="Make the PDF now").click()
        page.wait_for_url(re.compile(r"/conversions/[0-9a-f-]+"))
        address = page.url

        def ended():
            now = page.request.get(address, headers={"Accept": "application/json"}).json()
            return now["state"] == "done" and now
        # Words are read by programs that let all others go first.
        assert eventually(ended, 300), page.request.get(address, headers={"Accept": "application/json"}).json()
        now = ended()
        assert len(now["papers"]) == len(now["results"]) == 5, now
        assert now["tags"] == ["school", "2026"] and now["scanSize"] == "card", now
        papers = page.request.get("/documents", headers={"Accept": "application/json"}).json()["documents"]
        assert len(papers) == 5 and all(sorted(paper["tags"]) == ["2026", "school"] for paper in papers), papers
        devtools.send("Storage.overrideQuotaForOrigin", {"origin": desk.origin})
        page.goto("/scan")
        expect(page.get_by_label("Tags")).to_have_value("school, 2026")
        expect(page.get_by_label("Size of the paper")).to_have_value("card")

        # Both sides of a card are one page.
        page.get_by_label("Size of the paper").select_option("sides")
        page.get_by_label("What it becomes").select_option("1")
        while page.locator("[data-stack] li").count():
            page.get_by_role("button", name="Remove picture 1").click()
        choose(page, ("front.jpg", "image/jpeg", good), ("back.jpg", "image/jpeg", good))
        until(page, 2)
        _, pdf = made(page)
        assert len(sizes(pdf)) == 1 and sizes(pdf)[0][1] > 700, sizes(pdf)
        assert words(pdf)[0].count("Marmalade") == 2, words(pdf)
        assert not complaints, complaints
