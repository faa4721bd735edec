"""Cards of one's own: made, shown, given away, and one that comes back."""

import functools
import http.server
import io
import os
import pathlib
import subprocess
import tempfile
import threading
import zipfile

import ndef
import pngs
import vobject
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, picture, script_address, set_up
from sentences import holds


def portrait() -> bytes:
    """A PNG of 300 by 400 in two colours."""
    return pngs.png(300, 400, b"\x30\x70\x90" * (300 * 200) + b"\xe0\xb0\x60" * (300 * 200))


def new_card(page, family=""):
    page.goto("/cards")
    page.get_by_label("Given name").fill("Ana")
    page.get_by_label("Family name").fill(family)
    page.get_by_role("button", name="Make the card").click()
    page.wait_for_url("**/cards/0**")


def narrow(page, where):
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where} is wider than {width}"
    page.set_viewport_size(PHONE)
    accessible(page, f"{where} on a phone")
    picture(page, f"card-{where}-phone")


@holds("A card of one's own is made and seen beside its editor while one types, and its fields are put in another order")
def editing(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/lists")
    page.get_by_role("link", name="My cards").click()
    accessible(page, "no cards")
    page.get_by_label("Given name").fill("Ana")
    page.get_by_label("Family name").fill("Tremblay")
    page.get_by_label("What you do").fill("Architect")
    page.get_by_role("button", name="Make the card").click()
    page.wait_for_url("**/cards/0**")
    seen = page.locator(".card-preview .bizcard")
    expect(seen).to_contain_text("Ana Tremblay")
    page.get_by_label("A sentence below the name").fill("Houses that stay cool")
    expect(seen).to_contain_text("Houses that stay cool")
    adding = page.locator("#adding")

    def add(value, kind="", whom="Everybody"):
        adding.get_by_label("Paste or type it").fill(value)
        adding.get_by_label("What it is").select_option(kind)
        adding.get_by_label("Who sees it").select_option(label=whom)
        adding.get_by_role("button", name="Add").click()

    add("github.com/ana")
    expect(seen).to_contain_text("GitHub")
    add("+1 514 555 0100", "mobile")
    expect(seen).to_contain_text("Mobile")
    add("some words")
    expect(page.get_by_role("alert")).to_contain_text("does not say what it is")
    add("+52 55 5555 0100", "whatsapp", "After an exchange")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".card-field")).to_have_count(3)
    expect(seen).not_to_contain_text("5555")
    page.get_by_role("button", name="Move Mobile up").click()
    expect(page.locator(".card-field").first).to_contain_text("Mobile")
    # The same by dragging.
    grip = page.locator(".card-field").nth(1).locator(".card-grip")
    grip.scroll_into_view_if_needed()
    there, here = page.locator(".card-field").first.bounding_box(), grip.bounding_box()
    page.mouse.move(here["x"] + 8, here["y"] + 12)
    page.mouse.down()
    page.mouse.move(there["x"] + 20, there["y"] + 8, steps=4)
    page.mouse.up()
    expect(page.locator(".card-field").first).to_contain_text("GitHub")
    page.get_by_label("Colours").select_option("ink")
    expect(seen).to_have_class("bizcard h-card bizcard-stacked bizcard-ink")
    page.get_by_role("link", name="Photo Add a photo of you").click()
    page.locator("picture-field:defined input[type=file]").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": portrait()})
    page.get_by_role("link", name="Back to the card").click()
    expect(page.locator(".card-preview img")).to_be_visible()
    accessible(page, "the editor of a card")
    picture(page, "card-editor")
    narrow(page, "editor")
    page.goto("/cards")
    accessible(page, "one's cards")
    picture(page, "card-mine")
    narrow(page, "mine")
    assert not page.complaints, page.complaints


def quarters() -> bytes:
    """A PNG of 600 by 400 whose quarters are red, green, blue and yellow."""
    red, green, blue, yellow = b"\xc0\x20\x20", b"\x20\xa0\x30", b"\x20\x40\xc0", b"\xe0\xc0\x20"
    return pngs.png(600, 400, (red * 300 + green * 300) * 200 + (blue * 300 + yellow * 300) * 200)


def crop(page) -> dict:
    """Where the sliders stand."""
    return page.evaluate("Object.fromEntries(new FormData(document.querySelector('crop-image form')))")


@holds("A photo, a cover and a logo are chosen and cut by dragging, by pinching, by keys alone and without scripts; what was taken off comes back")
def cropping(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    new_card(page)
    card = page.url
    page.goto(f"{card}/cover/crop")
    accessible(page, "no picture yet")
    expect(page.locator("picture-field:defined")).to_be_visible()
    # What is pasted goes to the desk at once.
    page.evaluate("""(bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "a.png", { type: "image/png" }));
        document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }""", list(quarters()))
    expect(page.locator("crop-image:defined .crop-stage")).to_be_visible()
    stage = page.locator(".crop-stage")
    stage.scroll_into_view_if_needed()
    accessible(page, "a cover that is cut")
    box = stage.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0], middle[1] - box["height"] * 0.2, steps=5)
    page.mouse.up()
    assert 250 <= int(crop(page)["y"]) <= 320, crop(page)
    # Two fingers, closer together.
    page.evaluate("""([x, y]) => {
        const stage = document.querySelector(".crop-stage");
        stage.setPointerCapture = () => {};
        const say = (kind, id, dx) => stage.dispatchEvent(new PointerEvent(kind, { pointerId: id, clientX: x + dx, clientY: y, bubbles: true, pointerType: "touch" }));
        say("pointerdown", 1, -80); say("pointerdown", 2, 80);
        say("pointermove", 1, -40); say("pointermove", 2, 40);
        say("pointerup", 1, -40); say("pointerup", 2, 40);
    }""", list(middle))
    assert 480 <= int(crop(page)["size"]) <= 520, crop(page)
    page.get_by_role("button", name="Show this part").click()
    expect(page.locator(".toast")).to_contain_text("Saved")
    picture(page, "card-cover")
    # By keys alone: turn it, move the part, make it smaller, send it.
    page.goto(f"{card}/photo/crop")
    page.locator("picture-field:defined input[type=file]").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": quarters()})
    expect(page.locator("crop-image:defined .crop-stage")).to_be_visible()
    page.locator(".crop-stage").focus()
    for key in ["-"] * 8 + ["ArrowLeft"] * 60 + ["Shift+ArrowUp"] * 12:
        page.keyboard.press(key)
    assert int(crop(page)["size"]) < 750, crop(page)
    page.keyboard.press("Tab")
    expect(page.get_by_label("From left to right")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Size", exact=True)).to_be_focused()
    page.keyboard.press("Home")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("Saved")
    assert crop(page)["size"] == "250", crop(page)
    colour = page.evaluate("""async () => {
        const seen = document.querySelector(".card-picture-seen");
        await seen.decode();
        const paper = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
        paper.drawImage(seen, 0, 0, 1, 1);
        return [...paper.getImageData(0, 0, 1, 1).data];
    }""")
    assert colour[0] > 150 and colour[1] < 80 and colour[2] < 80, colour
    narrow(page, "photo")
    page.set_viewport_size(DESKTOP)
    picture(page, "card-photo")
    page.get_by_role("button", name="Take the picture off").click()
    expect(page.locator(".toast")).to_contain_text("Undo")
    expect(page.locator("crop-image")).to_have_count(0)
    page.locator("[data-undo]").click()
    expect(page.locator("crop-image")).to_have_count(1)
    assert crop(page)["size"] == "250", crop(page)
    # Without scripts: the sliders are a form, and the answer shows what became of it.
    plain = browser.page(desk, PHONE, java_script_enabled=False, storage_state=page.context.storage_state())
    plain.goto(f"{card}/logo/crop")
    plain.locator("input[type=file]").set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": quarters()})
    plain.get_by_role("button", name="Use this picture").click()
    expect(plain.locator(".crop-window")).to_have_attribute("d", "M0 0h600v400H0Z")
    plain.get_by_label("Height").fill("500")
    plain.get_by_text("To the right").click()
    plain.get_by_role("button", name="Show this part").click()
    expect(plain.locator(".crop-window")).to_have_attribute("d", "M0 150h400v300H0Z")
    picture(plain, "card-logo-phone")
    page.goto(card)
    expect(page.locator(".card-preview .bizcard-cover")).to_be_visible()
    accessible(page, "a card with three pictures")
    picture(page, "card-pictures")
    for layout in ("split", "photo"):
        page.get_by_label("How its parts stand").select_option(layout)
        expect(page.locator(".card-preview .bizcard")).to_have_class(f"bizcard h-card bizcard-{'wide' if layout == 'photo' else layout} bizcard-paper")
        picture(page, f"card-pictures-{layout}")
    assert not page.complaints, page.complaints


@holds("A card is seen by a visitor without scripts, theirs comes back, and with a yes they are a contact and see more")
def exchange(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    new_card(page)
    for value, whom in (("ana@example.org", "Everybody"), ("https://example.org/secret", "After an exchange")):
        page.locator("#adding").get_by_label("Paste or type it").fill(value)
        page.locator("#adding").get_by_label("Who sees it").select_option(label=whom)
        page.locator("#adding").get_by_role("button", name="Add").click()
        expect(page.locator("#f-newValue")).to_have_value("")
    page.get_by_role("link", name="Give away").click()
    expect(page.locator(".card-code svg")).to_be_visible()
    page.get_by_label("Who is it for?").fill("Zoë")
    page.get_by_role("button", name="Make the link").click()
    expect(page.locator("#links")).to_contain_text("Zoë")
    accessible(page, "a card to give away")
    picture(page, "card-share")
    narrow(page, "share")
    address = page.locator("#links [dir=ltr]").inner_text()
    visitor = browser.page(desk, PHONE, java_script_enabled=False)
    visitor.goto(address)
    expect(visitor.get_by_role("heading", name="Ana")).to_be_visible()
    assert "secret" not in visitor.content()
    picture(visitor, "card-page-phone")
    visitor.get_by_role("link", name="Send mine back").click()
    visitor.get_by_label("Your name").fill("Zoë Lind")
    visitor.get_by_label("Email").fill("zoe@host")
    visitor.get_by_role("button", name="Send").click()
    expect(visitor.locator(".field-error")).to_contain_text("is not a mail address")
    visitor.get_by_label("Email").fill("zoe@example.org")
    visitor.get_by_role("button", name="Send").click()
    expect(visitor.get_by_role("heading", name="Your card is on its way")).to_be_visible()
    own = visitor.locator(".secret").inner_text()
    page.goto("/cards")
    accessible(page, "a card that waits")
    picture(page, "card-waiting")
    page.get_by_role("button", name="Add Zoë Lind to contacts").click()
    expect(page.locator(".toast")).to_contain_text("Zoë Lind is among your contacts now.")
    visitor.goto(own)
    expect(visitor.get_by_text("example.org/secret")).to_be_visible()
    page.goto("/contacts")
    expect(page.get_by_role("region", name="Contacts").get_by_role("link", name="Zoë Lind")).to_be_visible()
    # What axe says of the visitor's pages, by a browser that runs it.
    looking = browser.page(desk, bypass_csp=True)
    for path, name in ((address, "page"), (address + "/glance", "glance"), (address + "/answer", "answer"), ("/c/nothing", "gone")):
        looking.set_viewport_size({"width": 1280, "height": 800})
        looking.goto(path)
        accessible(looking, f"the {name} of a card")
        picture(looking, f"card-{name}")
    looking.goto(address)
    narrow(looking, "page")
    looking.emulate_media(color_scheme="dark")
    accessible(looking, "a card in the dark", colours_only=True)
    picture(looking, "card-page-dark")
    page.goto("/cards")
    page.get_by_role("link", name="Give away").click()
    page.get_by_role("button", name="Revoke the link for Zoë").click()
    looking.goto(address)
    expect(looking.get_by_role("heading", name="This card is not here")).to_be_visible()
    assert not page.complaints, page.complaints


def kept(page, count) -> set:
    """What of cards this browser keeps, once it is so much."""
    return set(page.evaluate("""async (count) => {
        for (let turn = 0; ; turn += 1) {
            const names = (await (await caches.open('quire-cards')).keys()).map(each => new URL(each.url).pathname);
            if (names.length === count || turn === 200) return names;
            await new Promise(go => setTimeout(go, 50));
        }
    }""", count))


def card_with_photo(page, family):
    new_card(page, family)
    page.get_by_role("link", name="Photo Add a photo of you").click()
    page.locator("picture-field:defined input[type=file]").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": portrait()})
    page.get_by_role("link", name="Back to the card").click()
    expect(page.locator(".card-preview img")).to_be_visible()
    page.locator("#adding").get_by_label("Paste or type it").fill("ana@example.org")
    page.locator("#adding").get_by_role("button", name="Add").click()
    expect(page.locator(".card-field")).to_have_count(1)


@holds("A card that was opened once opens again without a network, with its picture, its code and its file; what ends is not kept, what was taken away goes")
def unplugged(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    card_with_photo(page, "Tremblay")
    card = page.url.split("?")[0]
    page.get_by_role("link", name="Give away").click()
    address = page.locator(".card-address").inner_text()
    page.get_by_label("Who is it for?").fill("Zoë")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("#links [dir=ltr]").inner_text()
    for size, name in ((PHONE, "phone"), (DESKTOP, "desk")):
        visitor = browser.page(desk, size)
        visitor.goto(link)
        expect(visitor.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
        visitor.goto(address)
        slug = address.rsplit("/", 1)[1]
        assert kept(visitor, 4) == {f"/c/{slug}{end}" for end in ("", ".vcf", "/glance", "/photo")}
        visitor.context.set_offline(True)
        for way in (address, address.replace(slug, slug.upper())):
            visitor.goto("about:blank")
            visitor.goto(way)
            expect(visitor.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
            visitor.wait_for_function("() => document.querySelector('img').naturalWidth > 0")
        picture(visitor, f"card-unplugged-{name}")
        with visitor.expect_download() as saved:
            visitor.get_by_role("link", name="Save to contacts").click()
        assert vobject.readOne(pathlib.Path(saved.value.path()).read_text()).email.value == "ana@example.org"
        visitor.get_by_role("link", name="Show the code").click()
        expect(visitor.locator("main > svg")).to_be_visible()
        picture(visitor, f"card-unplugged-code-{name}")
        visitor.get_by_role("link", name="Back to the card").click()
        expect(visitor.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
        # For one person, and so not here.
        try:
            visitor.goto(link)
            raise AssertionError("a link for one person opened without a network")
        except PlaywrightError as failure:
            assert "ERR_" in str(failure), failure
        visitor.context.set_offline(False)
        assert not visitor.complaints, visitor.complaints
    # The newest is shown when there is a network, and kept.
    page.goto(card)
    page.get_by_label("What you do").fill("Town planner")
    expect(page.locator(".card-preview .bizcard")).to_contain_text("Town planner")
    visitor.goto(address)
    expect(visitor.get_by_text("Town planner")).to_be_visible()
    page.request.delete(card, headers={"X-Quire-CSRF": page.locator("meta[name=csrf]").get_attribute("content")})
    visitor.goto(address)
    expect(visitor.get_by_role("heading", name="This card is not here")).to_be_visible()
    assert not kept(visitor, 0)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@holds("A card is printed, put at the end of mails, and copied for a web server without scripts")
def giving(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    card_with_photo(page, "Tremblay")
    page.get_by_role("link", name="Give away").click()
    accessible(page, "a card to print and to copy")
    picture(page, "card-giving")
    narrow(page, "giving")
    sheet = page.request.get(page.url.replace("/share", "/sheet?paper=letter&side=both"))
    assert sheet.body().startswith(b"%PDF-")
    with page.expect_download() as copied:
        page.get_by_role("button", name="Download (ZIP)").click()
    archive = pathlib.Path(copied.value.path()).read_bytes()
    page.get_by_role("link", name="Look at it").click()
    seen = page.frame_locator("iframe")
    expect(seen.get_by_text("Ana Tremblay")).to_be_visible()
    expect(seen.locator("img")).to_have_count(0)
    accessible(page, "a signature")
    picture(page, "card-signature")
    narrow(page, "signature")
    page.get_by_role("link", name="With picture").click()
    expect(seen.locator("img")).to_be_visible()
    assert seen.locator("img").evaluate("each => each.naturalWidth") > 0
    picture(page, "card-signature-photo")
    share = page.url.split("/signature")[0] + "/share"
    french = browser.signed_in(desk, DESKTOP, locale="fr-CA")
    for place, name in ((share, "giving-fr"), (page.url, "signature-fr")):
        french.goto(place)
        expect(french.locator("html[lang=fr-CA]")).to_be_attached()
        picture(french, f"card-{name}")
        narrow(french, name)
        french.set_viewport_size(DESKTOP)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("section.card", has=page.locator("iframe")).get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    kept = dict(page.evaluate("""async () => {
        const [item] = await navigator.clipboard.read({ unsanitized: ['text/html'] });
        return Promise.all(item.types.map(async type => [type, await (await item.getType(type)).text()]));
    }"""))
    assert "mailto:ana@example.org" in kept["text/html"] and "border-left:3px" in kept["text/html"], kept
    assert "ana@example.org" in kept["text/plain"], kept
    assert not page.complaints, page.complaints
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(io.BytesIO(archive)).extractall(f"{folder}/below/here")
        serve = functools.partial(Quiet, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            name = next(pathlib.Path(f"{folder}/below/here").glob("*/index.html")).parent.name
            for start in (f"http://127.0.0.1:{server.server_port}", f"file://{folder}"):
                visitor = browser.page(desk, PHONE, java_script_enabled=False)
                visitor.goto(f"{start}/below/here/{name}/index.html")
                expect(visitor.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
                assert visitor.locator("img").evaluate("each => each.naturalWidth") > 0
                assert visitor.get_by_role("link", name="Send mine back").count() == 0
                picture(visitor, "card-copy-" + start[:4])
                visitor.get_by_role("link", name="Show the code").click()
                expect(visitor.locator("main > svg")).to_be_visible()
                visitor.get_by_role("link", name="Back to the card").click()
                expect(visitor.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
        finally:
            server.shutdown()


@holds("What an NFC tag of a card says is read by another program: the page, and the card behind it")
def tagged(browser):
    desk = browser.new_desk(QUIRE_PUBLIC_ORIGIN="https://desk.example")

    def quire(*words):
        environment = {**os.environ, **desk.environment, "QUIRE_HOME": str(desk.home)}
        return subprocess.run([os.environ["QUIRE"], *words], check=True, capture_output=True, text=True, env=environment).stdout

    quire("card", "new", "--given", "Zoë", "--family", "Ng", "--field", "zoe@example.org")
    assert "fits on NTAG213" in quire("card", "nfc")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "zoe.ndef")
        quire("card", "nfc", "--holds", "vcard", "-o", str(file))
        place, card = ndef.message_decoder(file.read_bytes())
    assert place.uri.startswith("https://desk.example/c/"), place
    assert card.type == "text/vcard" and vobject.readOne(card.data.decode()).email.value == "zoe@example.org", card


# No browser here has NFC: this one refuses at first, as a phone does where it is switched off, and says what it was asked to write.
TAGS = """window.written = [];
    window.NDEFReader = class {
        async write(message) {
            if (window.written.push(message) === 1) throw new DOMException('', 'NotReadableError');
        }
    };"""

WRITER = """async (address) => {
    const writer = document.createElement('nfc-writer');
    writer.dataset.address = 'https://desk.example/c/7k2m9q4x';
    for (const [tag, name] of [['p', 'elsewhere'], ['button', 'write'], ['p', 'word']]) {
        const part = document.createElement(tag);
        part.dataset[name] = '';
        part.textContent = name;
        part.hidden = tag === 'button';
        writer.append(part);
    }
    document.querySelector('main').append(writer);
    await import(address);
}"""


@holds("Where the browser can write NFC tags it does, with a word for each end; elsewhere it is told what does")
def tag_writer(browser):
    for can in [False, True]:
        page = browser.signed_in(browser.shared_desk(), DESKTOP)
        if can:
            page.add_init_script(TAGS)
        page.goto("/cards")
        page.evaluate(WRITER, script_address(page, "nfc-writer"))
        writer = page.locator("nfc-writer")
        expect(writer.get_by_text("elsewhere")).to_be_visible(visible=not can)
        if not can:
            expect(writer.locator("button")).to_be_hidden()
            continue
        writer.locator("button").click()
        expect(writer.get_by_text("NFC is off or missing on this phone.")).to_be_visible()
        writer.locator("button").click()
        expect(writer.get_by_text("Written. Try it with another phone.")).to_be_visible()
        assert page.evaluate("written.at(-1)") == {"records": [{"recordType": "url", "data": "https://desk.example/c/7k2m9q4x"}]}
