"""What is done while the desk does not answer waits on the device, and comes in once."""

import re

from playwright.sync_api import expect

from desk import DESKTOP, PASSWORD, PHONE, accessible, acts, add, awake, comes_true, eventually, more, picture, set_up, sign_in, wrote
from filing import make_folder
from sentences import holds
from staying import ben_joins, ruled

THINGS = """() => new Promise((done) => {
    const open = indexedDB.open(`quire-waiting-${document.querySelector("meta[name=reader]").content}`)
    open.onsuccess = () => {
        const { result } = open
        if (!result.objectStoreNames.contains("things")) return done([])
        result.transaction("things").objectStore("things").getAll().onsuccess = ({ target }) => { result.close(); done(target.result.map(({ state, kind }) => [kind, state])) }
    }
})"""


def gone(page, *addresses):
    """As somebody else does it elsewhere."""
    csrf = page.locator("meta[name=csrf]").get_attribute("content")
    for address in addresses:
        answer = page.request.delete(address, headers={"X-Quire-CSRF": csrf, "Accept": "application/json", "Sec-Fetch-Site": "same-origin"})
        assert answer.ok, answer.text()


def begun(browser, size=DESKTOP, **options):
    """Somebody with two papers, whose browser has been here for a while."""
    desk = browser.new_desk()
    page = browser.page(desk, size, **options)
    set_up(page)
    add(page, "Bus times.txt", b"eight o'clock")
    add(page, "Menu.txt", b"soup on Monday")
    page.goto("/documents")
    ruled(page)
    page.goto("/documents")
    comes_true(page, "caches.match(location.origin + '/documents/new', { cacheName: 'quire-pages', ignoreVary: true }).then(Boolean)")
    return desk, page


def paper(page, name):
    """Its page, seen lately."""
    page.goto("/documents")
    page.get_by_role("link", name=name).click()
    page.wait_for_url(re.compile(r"/documents/[0-9a-f-]{36}$"))
    page.locator("soft-page:defined").wait_for()
    page.wait_for_timeout(300)
    return re.search(r"/documents/[0-9a-f-]+", page.url).group(0)


def asked(page, address):
    answer = page.request.get(address, headers={"Accept": "application/json"})
    assert answer.ok, (address, answer.status)
    return answer.json()


def names(page):
    return sorted(each["name"] for each in asked(page, "/documents")["documents"])


def badge(page, count):
    expect(page.locator(".topbar-tools .activity-button", has=page.locator("use[href$='#clock'], use[href$='#warning']"))
           .locator(".count")).to_have_text(str(count))


def no_badge(page):
    expect(page.get_by_role("button", name=re.compile("on this device$"))).to_have_count(0)


def panel(page):
    page.get_by_role("button", name=re.compile("waits? on this device$")).click()
    return page.get_by_role("dialog", name="Waiting on this device")


def write(page, label, value):
    page.get_by_label(label, exact=True).fill(value)
    page.get_by_label(label, exact=True).blur()


def chosen(page, *files):
    page.locator("upload-zone:defined").wait_for()
    page.locator("upload-zone input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files])


def without_an_answer(browser, size, name):
    desk, page = begun(browser, size)
    bus = paper(page, "Bus times.txt")
    desk.goes()
    # Papers are added where the page of it was never opened.
    page.goto("/documents/new")
    chosen(page, ("Trip.txt", b"to the lake"), ("Permission.txt", b"signed"))
    expect(page.locator(".upload-state", has_text="Waiting until the desk answers")).to_have_count(2)
    badge(page, 2)
    picture(page, f"{name}-waiting-files", whole=False)
    accessible(page, "papers that wait")
    # On a paper seen before its fields can be changed, and show it.
    page.goto(bus)
    page.locator("soft-page:defined").wait_for()
    badge(page, 2)
    write(page, "Tags", "trips, lake")
    badge(page, 3)
    write(page, "Note", "Ask the driver")
    badge(page, 4)
    expect(page.locator(".away")).to_contain_text("No connection.")
    expect(page.locator(".away")).not_to_contain_text("Nothing was sent")
    expect(page.locator(".kept-field .chip", has_text="Waiting")).to_have_count(2)
    picture(page, f"{name}-waiting-paper", whole=False)
    accessible(page, "a paper whose changes wait")
    # The app is closed and opened again, still without an answer.
    page.close()
    page = page.context.new_page()
    page.complaints = []
    page.goto(bus)
    expect(page.get_by_label("Tags", exact=True)).to_have_value("trips, lake")
    badge(page, 4)
    shown = panel(page)
    expect(shown.get_by_role("listitem")).to_have_count(4)
    expect(shown.get_by_role("listitem").first).to_contain_text("Trip.txt")
    picture(page, f"{name}-waiting-panel", whole=False)
    accessible(page, "what waits")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # One is saved out again, one taken back.
    with page.expect_download() as download:
        shown.get_by_role("button", name="Save the file: Trip.txt").click()
    assert open(download.value.path(), "rb").read() == b"to the lake"
    shown.get_by_role("button", name="Take back: Bus times.txt").last.click()
    expect(shown.get_by_role("listitem")).to_have_count(3)
    shown.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_label("Note", exact=True)).to_have_value("")
    badge(page, 3)
    desk.comes()
    expect(page.locator(".toast", has_text="3 things that waited here are on the desk now.")).to_be_visible()
    no_badge(page)
    assert page.evaluate(THINGS) == []
    assert names(page) == ["Bus times.txt", "Menu.txt", "Permission.txt", "Trip.txt"], names(page)
    now = asked(page, bus)
    assert sorted(now["tags"]) == ["lake", "trips"] and now["note"] == "", now
    expect(page.locator(".kept-field .chip")).to_have_count(0)
    assert not page.complaints, page.complaints


@holds("What is done while the desk does not answer waits on the device, is seen, taken back or sent when it is there again, on a phone")
def on_a_phone(browser):
    without_an_answer(browser, PHONE, "phone")


@holds("What is done while the desk does not answer waits on the device, is seen, taken back or sent when it is there again, on a desktop")
def on_a_desktop(browser):
    without_an_answer(browser, DESKTOP, "desktop")


@holds("In a list papers are put into the trash, tagged and moved while the desk does not answer")
def in_a_list(browser):
    desk, page = begun(browser)
    make_folder(page, "Kitchen")
    bus = paper(page, "Bus times.txt")
    menu = paper(page, "Menu.txt")
    page.goto("/documents")
    page.locator("data-table:defined").wait_for()
    page.wait_for_timeout(300)
    desk.goes()
    page.get_by_label("Select Menu.txt").check()
    acts(page)
    page.get_by_label("Tag", exact=True).fill("soup")
    page.get_by_role("button", name="Add tag").click()
    badge(page, 1)
    expect(page.locator("[data-paper]", has_text="Menu.txt").locator(".chip", has_text="Waiting")).to_be_visible()
    page.get_by_label("Select Menu.txt").check()
    page.locator("#move-to").select_option(label="Kitchen")
    page.get_by_role("button", name="Move", exact=True).click()
    badge(page, 2)
    # One by itself, from its own page.
    page.goto(bus)
    more(page)
    page.get_by_role("button", name="Move to trash").click()
    badge(page, 3)
    expect(page.locator(".paper-head .chip", has_text="Goes to the trash")).to_be_visible()
    desk.comes()
    no_badge(page)
    now = asked(page, menu)
    assert now["tags"] == ["soup"] and now["folder"], now
    assert asked(page, bus)["trashedAt"]


@holds("What somebody else changed meanwhile is not written over: both are shown, and one is chosen")
def conflict(browser):
    desk, page = begun(browser)
    bus = paper(page, "Bus times.txt")
    menu = paper(page, "Menu.txt")
    other = browser.page(desk)
    sign_in(other)
    page.context.set_offline(True)
    write(page, "Note", "Mine")
    badge(page, 1)
    page.goto(bus)
    page.locator("soft-page:defined").wait_for()
    write(page, "Note", "Mine as well")
    badge(page, 2)
    for address, note in ((menu, "Theirs"), (bus, "Theirs as well")):
        other.goto(address)
        wrote(other, "Note", note)
    page.context.set_offline(False)
    shown = panel(page)
    expect(shown.get_by_text("On the desk: Theirs", exact=True)).to_be_visible()
    expect(shown.get_by_text("Note: Mine", exact=True)).to_be_visible()
    assert asked(page, menu)["note"] == "Theirs"
    picture(page, "waiting-conflict", whole=False)
    accessible(page, "a conflict")
    shown.get_by_role("button", name="Keep mine: Menu.txt").click()
    expect(shown.get_by_role("listitem")).to_have_count(1)
    shown.get_by_role("button", name="Keep the desk’s: Bus times.txt").click()
    expect(shown).to_contain_text("Nothing waits here.")
    assert asked(page, menu)["note"] == "Mine"
    assert asked(page, bus)["note"] == "Theirs as well"
    no_badge(page)


@holds("What the desk does not take stays on the device with its reason, and the file can be saved")
def refused(browser):
    desk, page = begun(browser)
    menu = paper(page, "Menu.txt")
    page.goto("/documents")
    make_folder(page, "Kitchen")
    folder = re.search(r"folder=([0-9a-f-]+)", page.url).group(1)
    page.reload()
    page.locator("upload-zone:defined").wait_for(state="attached")
    page.context.set_offline(True)
    chosen(page, ("Recipe.txt", b"two eggs"))
    badge(page, 1)
    page.goto(menu)
    page.locator("soft-page:defined").wait_for()
    write(page, "Tags", "soup")
    badge(page, 2)
    # The paper and the folder are gone for good meanwhile.
    gone(page, menu, f"{menu}?forever=1", f"/folders/{folder}")
    page.context.set_offline(False)
    shown = panel(page)
    expect(shown.get_by_text(re.compile("Not taken by the desk:"))).to_have_count(2)
    picture(page, "waiting-refused", whole=False)
    accessible(page, "what was refused")
    expect(shown.get_by_role("button", name="Save the file: Recipe.txt")).to_be_visible()
    shown.get_by_role("button", name="Try again: Menu.txt").click()
    expect(shown.get_by_text(re.compile("Not taken by the desk:"))).to_have_count(2)
    shown.get_by_role("button", name="Give up: Menu.txt").click()
    shown.get_by_role("button", name="Give up: Recipe.txt").click()
    expect(shown).to_contain_text("Nothing waits here.")


@holds("What waited comes in once, also when the answer to it was lost")
def once(browser):
    desk, page = begun(browser)
    menu = paper(page, "Menu.txt")
    lost = []

    def lose(route):
        if route.request.method == "GET":
            return route.continue_()
        # It is done, and nobody hears of it.
        answer = route.fetch()
        assert answer.ok, answer.text()
        lost.append(route.request.method)
        route.abort()

    page.route(re.compile(r"/documents(/[0-9a-f-]{36})?$"), lose)
    write(page, "Note", "Twice")
    badge(page, 1)
    page.unroute_all()
    no_badge(page)
    page.route(re.compile(r"/documents$"), lose)
    page.goto("/documents/new")
    chosen(page, ("Trip.txt", b"to the lake"))
    badge(page, 1)
    page.unroute_all()
    no_badge(page)
    expect(page.locator(".upload").get_by_role("link", name="Trip.txt")).to_be_visible()
    assert len(lost) >= 2, lost
    assert names(page) == ["Bus times.txt", "Menu.txt", "Trip.txt"], names(page)
    assert asked(page, menu)["note"] == "Twice"


@holds("A session that ended meanwhile loses nothing of what waits: it goes on after signing in")
def session(browser):
    desk, page = begun(browser)
    page.context.set_offline(True)
    page.goto("/documents/new")
    chosen(page, ("Trip.txt", b"to the lake"))
    badge(page, 1)
    page.context.clear_cookies(name=re.compile("session"))
    page.context.set_offline(False)
    expect(page.locator(".away")).to_contain_text("You were signed out.")
    page.close()
    page = page.context.new_page()
    sign_in(page)
    assert eventually(lambda: "Trip.txt" in names(page)), names(page)
    no_badge(page)


@holds("What waits is not seen behind a lock nor by another person at the same browser, and who signs out is asked and leaves nothing")
def leaving(browser):
    desk, page = begun(browser)
    ben_joins(browser, desk, page)
    page.goto("/settings/security")
    page.locator("select[name=minutes]").select_option("5")
    page.locator("form[action='/settings/security/lock'] button").click()
    page.wait_for_load_state()
    menu = paper(page, "Menu.txt")
    page.context.set_offline(True)
    write(page, "Tags", "soup")
    badge(page, 1)
    gone(page, menu, f"{menu}?forever=1")
    page.context.set_offline(False)
    # It was refused, so it stays.
    expect(page.locator(".topbar-tools use[href$='#warning']")).to_be_attached()
    page.get_by_role("button", name=re.compile("^Account of")).click()
    page.get_by_role("button", name="Lock now", exact=True).click()
    page.get_by_role("dialog").filter(has_text="stays here, unseen").get_by_role("button", name="Lock now").click()
    page.locator("form[action='/unlock']").wait_for()
    no_badge(page)
    assert "soup" not in page.content()
    page.locator("#f-password").fill(PASSWORD)
    page.locator("form[action='/unlock'] button").click()
    badge(page, 1)
    page.context.clear_cookies(name=re.compile("session"))
    sign_in(page, "ben")
    awake(page)
    page.wait_for_timeout(300)
    no_badge(page)
    page.context.clear_cookies(name=re.compile("session"))
    sign_in(page)
    badge(page, 1)
    page.get_by_role("button", name=re.compile("^Account of")).click()
    page.get_by_role("button", name="Sign out").click()
    asks = page.get_by_role("dialog").filter(has_text="One thing waits on this device and is not on the desk yet.")
    picture(page, "waiting-signing-out", whole=False)
    asks.get_by_role("button", name="Cancel").click()
    badge(page, 1)
    page.get_by_role("button", name=re.compile("^Account of")).click()
    page.get_by_role("button", name="Sign out").click()
    asks.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in*")
    sign_in(page)
    assert page.evaluate(THINGS) == []
    no_badge(page)


@holds("What has no room on the device is not said to wait there, and goes by itself when the desk answers")
def full(browser):
    desk, page = begun(browser)
    page.goto("/documents/new")
    page.locator("upload-zone:defined").wait_for()
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", {"origin": desk.origin, "quotaSize": 1_000_000})
    page.context.set_offline(True)
    chosen(page, ("Film.txt", b"a" * 3_000_000))
    expect(page.locator(".upload-state", has_text="There is no more room on this device")).to_be_visible()
    no_badge(page)
    page.context.set_offline(False)
    expect(page.locator(".upload").get_by_role("link", name="Film.txt")).to_be_visible()


@holds("What waits is sent by the browser itself when no page is open")
def with_no_page(browser):
    desk, page = begun(browser)
    desk.goes()
    page.goto("/documents/new")
    chosen(page, ("Trip.txt", b"to the lake"))
    badge(page, 1)
    page.close()
    desk.comes()
    # As a browser does it when it has found a connection.
    other = page.context.new_page()
    devtools = page.context.new_cdp_session(other)
    workers = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: workers.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    other.wait_for_timeout(300)
    number = next(each["registrationId"] for each in workers if not each["isDeleted"] and each["scopeURL"].startswith(desk.origin))
    devtools.send("ServiceWorker.dispatchSyncEvent", {
        "origin": desk.origin, "registrationId": number, "tag": "quire-waiting", "lastChance": False})
    assert eventually(lambda: "Trip.txt" in names(page)), names(page)
    other.goto("/documents")
    no_badge(other)


@holds("Of open private folders nothing waits on the device")
def private(browser):
    desk, page = begun(browser)
    page.goto("/private?next=/documents")
    menu = paper(page, "Menu.txt")
    page.context.set_offline(True)
    write(page, "Note", "For nobody")
    expect(page.locator(".away")).to_contain_text("Nothing was sent")
    assert page.evaluate(THINGS) == []
    no_badge(page)
    # As before it stays on the page and goes by itself.
    page.context.set_offline(False)
    assert eventually(lambda: asked(page, menu)["note"] == "For nobody")


@holds("A file that another app shares without a connection waits with the others")
def shared(browser):
    desk, page = begun(browser, PHONE)
    page.context.set_offline(True)
    page.evaluate("""() => {
        const form = document.createElement("form")
        Object.assign(form, { method: "post", action: "/shared", enctype: "multipart/form-data" })
        const input = Object.assign(document.createElement("input"), { type: "file", name: "file" })
        const files = new DataTransfer()
        files.items.add(new File(["to the lake"], "Trip.txt", { type: "text/plain" }))
        input.files = files.files
        form.append(input)
        document.body.append(form)
        form.submit()
    }""")
    page.wait_for_url("**/documents/new*")
    expect(page.locator(".upload-state", has_text="Waiting until the desk answers")).to_be_visible()
    page.context.set_offline(False)
    no_badge(page)
    assert "Trip.txt" in names(page), names(page)
