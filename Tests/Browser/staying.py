"""Nothing that was typed is lost: sessions that end, locks, other people at the same browser, lost connections."""

import re

from playwright.sync_api import expect

from desk import DESKTOP, PASSWORD, PHONE, accessible, add, comes_true, more, picture, script_address, set_up, sign_in
from filing import paper
from mailbox import Mailbox
from sending import SUBJECT, make_packets, office, pupils
from sentences import holds

OUT = "You were signed out. Sign in; your text is still here."
WORDS = "Dear family,\n\nthe bus leaves at eight."


def ruled(page):
    """The service worker takes over with the page after the one that brought it."""
    page.evaluate("navigator.serviceWorker.ready.then(it => it.active.state)")
    if not page.evaluate("navigator.serviceWorker.controller !== null"):
        page.reload()
    comes_true(page, "navigator.serviceWorker.controller !== null")


def letter(browser, mailbox, size):
    """A message that somebody begins to write."""
    desk, page = office(browser, mailbox, size)
    batch = make_packets(page, desk, pupils()[:3])
    ruled(page)
    page.goto(f"/batches/{batch}/letter")
    page.locator("letter-editor:defined").wait_for()
    page.get_by_label("Subject").fill(SUBJECT)
    expect(page.locator("[data-said]")).to_have_text(re.compile("^Everything is kept"))
    return desk, page, batch


def kept_text(page, batch):
    """What the desk itself has, read on a page of its own."""
    other = page.context.new_page()
    other.goto(f"/batches/{batch}/letter")
    text = other.get_by_label("Message", exact=True).input_value()
    other.close()
    return text


def leave(page):
    """Signs out in another window of the same browser."""
    other = page.context.new_page()
    other.goto("/")
    other.get_by_role("button", name=re.compile("^Account of")).click()
    other.get_by_role("button", name="Sign out").click()
    other.wait_for_url("**/sign-in*")
    return other


def come_back(page):
    """Over the bar's own way, which opens beside the page."""
    with page.expect_popup() as opened:
        page.locator(".away").get_by_role("link", name="Sign in").click()
    door = opened.value
    door.locator("#f-login").fill("ana")
    door.locator("#f-password").fill(PASSWORD)
    door.locator("form[action='/sign-in'] button").click()
    expect(door.get_by_role("heading", level=1)).to_have_text("You are signed in")
    door.close()


def writes_on(browser, size, name):
    with Mailbox() as mailbox:
        desk, page, batch = letter(browser, mailbox, size)
        other = leave(page)
        expect(page.locator(".away")).to_contain_text(OUT)
        body = page.get_by_label("Message", exact=True)
        body.fill(WORDS)
        expect(page.get_by_text("Everything is kept")).to_have_count(0)
        picture(page, f"{name}-signed-out", whole=False)
        accessible(page, "signed out while writing")
        # Leading on throws nothing away.
        page.get_by_role("button", name="Next: Check and send").click()
        expect(page.locator(".away")).to_contain_text("Nothing was sent")
        assert page.url.endswith("/letter"), page.url
        expect(body).to_have_value(WORDS)
        come_back(page)
        expect(page.locator(".away")).to_have_count(0)
        # Saved by itself, without a key being pressed.
        expect(page.locator("[data-said]")).to_have_text(re.compile("^Everything is kept"))
        assert kept_text(page, batch) == WORDS
        page.get_by_role("button", name="Next: Check and send").click()
        page.wait_for_url("**/sending")
        other.close()
        assert not page.complaints, page.complaints


@holds("Signed out in another window while one writes, the text stays and is kept after signing in, on a desktop")
def on_a_desktop(browser):
    writes_on(browser, DESKTOP, "desktop")


@holds("Signed out in another window while one writes, the text stays and is kept after signing in, on a phone")
def on_a_phone(browser):
    writes_on(browser, PHONE, "phone")


@holds("A session that ends by itself while one writes is noticed by what saves itself")
def ends_by_itself(browser):
    with Mailbox() as mailbox:
        desk, page, batch = letter(browser, mailbox, DESKTOP)
        # As if it had run out: the browser has nothing to show any more, and no other tab says so.
        page.context.clear_cookies(name=re.compile("session"))
        page.get_by_label("Message", exact=True).fill(WORDS)
        expect(page.locator(".away")).to_contain_text(OUT)
        expect(page.get_by_text("Everything is kept")).to_have_count(0)
        come_back(page)
        expect(page.locator("[data-said]")).to_have_text(re.compile("^Everything is kept"))
        assert kept_text(page, batch) == WORDS


@holds("The lock takes the page away and gives what was typed back behind it")
def locks(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    ruled(page)
    page.goto("/settings/security")
    page.locator("select[name=minutes]").select_option("5")
    page.locator("form[action='/settings/security/lock'] button").click()
    page.wait_for_load_state()
    page.clock.install()
    page.goto("/settings/identity")
    page.locator("app-lock:defined").wait_for(state="attached")
    page.get_by_label("Your name").fill("Ana Tremblay Roy")
    page.clock.fast_forward(301_000)
    page.locator("form[action='/unlock']").wait_for()
    assert "Roy" not in page.content()
    page.locator("#f-password").fill(PASSWORD)
    page.locator("form[action='/unlock'] button").click()
    expect(page.get_by_label("Your name")).to_have_value("Ana Tremblay Roy")
    expect(page.locator(".toast")).to_contain_text("What you had typed here is back.")


@holds("An ordinary form whose session ended keeps its page and its text, and can be sent after signing in")
def ordinary(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    ruled(page)
    page.goto("/settings/identity")
    page.get_by_label("Organization").fill("Lake School")
    page.context.clear_cookies(name=re.compile("session"))
    page.get_by_role("button", name="Save").last.click()
    expect(page.locator(".away")).to_contain_text(OUT)
    expect(page.get_by_label("Organization")).to_have_value("Lake School")
    come_back(page)
    expect(page.locator(".away")).to_have_count(0)
    page.get_by_role("button", name="Save").last.click()
    page.wait_for_load_state()
    page.goto("/settings/identity")
    expect(page.get_by_label("Organization")).to_have_value("Lake School")


def ben_joins(browser, desk, page):
    page.goto("/members")
    page.get_by_role("button", name=re.compile("invit", re.I)).last.click()
    link = page.locator(".secret").first.inner_text()
    guest = browser.page(desk)
    guest.goto(link)
    guest.get_by_label("Your name").fill("Ben Roy")
    guest.get_by_label("Sign-in name").fill("ben")
    guest.locator("#f-password").fill(PASSWORD)
    guest.locator("#account button.button:not(.button-main)").click()
    guest.wait_for_load_state()


@holds("Another person who signs in at the same browser sees nothing of what the first had typed")
def another_person(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    ruled(page)
    ben_joins(browser, desk, page)
    page.goto("/settings/identity")
    page.get_by_label("Your name").fill("Secret name of Ana")
    other = leave(page)
    expect(page.locator(".away")).to_contain_text(OUT)
    sign_in(other, "ben")
    # The page of the first is taken away by itself.
    expect(page.get_by_label("Your name")).to_have_value("Ben Roy")
    assert "Secret name" not in page.content()
    values = "[...document.querySelectorAll('input, textarea')].map(it => it.value).join()"
    page.reload()
    assert "Secret name" not in page.evaluate(values)
    leave(other)
    sign_in(other)
    # It waited for whoever typed it.
    expect(page.get_by_label("Your name")).to_have_value("Secret name of Ana")


OFFLINE = "No connection."
SHELVES = ["quire-pages", "quire-papers", "quire-chosen"]


def on_the_shelves(page, names=SHELVES):
    return page.evaluate("""async names => (await Promise.all(names.map(async name => (await (await caches.open(name)).keys())
        .map(each => each.url)))).flat()""", names)


def seen(page):
    expect(page.locator("#page-1 img")).to_have_js_property("complete", True)
    assert page.locator("#page-1 img").evaluate("image => image.naturalWidth > 0"), "the page is not shown"


def without_a_network(browser, size, name):
    desk = browser.new_desk()
    page = browser.page(desk, size)
    set_up(page)
    add(page, "Bus times.pdf", paper("The bus leaves at eight"))
    add(page, "Menu.pdf", paper("Soup on Monday"))
    ruled(page)
    page.goto("/documents")
    addresses = {each.inner_text().strip(): each.get_attribute("href") for each in page.locator("main a[href^='/documents/']").all()}
    bus = next(address for title, address in addresses.items() if "Bus times" in title).removesuffix("/read")
    menu = next(address for title, address in addresses.items() if "Menu" in title).removesuffix("/read")
    # One is only read, the other is to stay.
    page.goto(f"{menu}/read")
    page.locator("page-reader:defined").wait_for()
    page.get_by_role("button", name="Keep on this device").click()
    expect(page.get_by_role("button", name="Kept on this device")).to_have_attribute("aria-pressed", "true")
    picture(page, f"{name}-kept", whole=False)
    accessible(page, "a paper that is kept here")
    page.goto(bus)
    page.goto(f"{bus}/read")
    seen(page)
    page.wait_for_timeout(800)
    page.evaluate("caches.open('quire-pages').then(it => it.keys().then(keys => Promise.all(keys.filter(each => each.url.includes('%s')).map(each => it.delete(each)))))" % menu)
    page.context.set_offline(True)
    expect(page.locator(".away")).to_contain_text(OFFLINE)
    page.reload()
    seen(page)
    expect(page.locator(".away")).to_contain_text(OFFLINE)
    picture(page, f"{name}-reading-offline", whole=False)
    accessible(page, "reading without a network")
    page.goto(f"{menu}/read?q=soup")
    seen(page)
    # An act that cannot wait is refused in words, and what was typed stays.
    page.goto(bus)
    page.locator("soft-page:defined").wait_for()
    page.get_by_label("Note").fill("Read on the way")
    page.get_by_label("Note").blur()
    more(page)
    page.get_by_role("button", name="Convert", exact=False).first.click()
    expect(page.locator(".away")).to_contain_text("Nothing was sent.")
    expect(page.get_by_label("Note")).to_have_value("Read on the way")
    picture(page, f"{name}-refused-offline", whole=False)
    page.context.set_offline(False)
    expect(page.locator(".away")).to_have_count(0)
    expect(page.locator(".toast", has_text="One thing that waited here is on the desk now.")).to_be_visible()
    page.goto(bus)
    expect(page.get_by_label("Note")).to_have_value("Read on the way")
    page.context.set_offline(True)
    page.goto("/settings/plans")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.get_by_role("link", name="Menu.pdf")).to_be_visible()
    picture(page, f"{name}-not-here", whole=False)
    accessible(page, "what is here without a network")
    page.context.set_offline(False)
    # Nothing stays behind who signs out; what was chosen comes again with them.
    page.goto("/")
    leave(page).close()
    assert not on_the_shelves(page), on_the_shelves(page)
    sign_in(page)
    page.goto("/documents")
    comes_true(page, "caches.match(location.origin + '%s/read', {cacheName: 'quire-chosen', ignoreVary: true}).then((kept) => kept !== undefined)" % menu)


@holds("Without a network one sees so, papers read lately and those kept here open, and acts are refused in words, on a desktop")
def without_a_network_on_a_desktop(browser):
    without_a_network(browser, DESKTOP, "desktop")


@holds("Without a network one sees so, papers read lately and those kept here open, and acts are refused in words, on a phone")
def without_a_network_on_a_phone(browser):
    without_a_network(browser, PHONE, "phone")


@holds("A desk that does not answer is as if there were no network, and what was written is saved when it is back")
def desk_away(browser):
    with Mailbox() as mailbox:
        desk, page, batch = letter(browser, mailbox, DESKTOP)
        page.context.set_offline(True)
        page.get_by_label("Message", exact=True).fill(WORDS)
        expect(page.locator(".away")).to_contain_text(OFFLINE)
        expect(page.get_by_text("Everything is kept")).to_have_count(0)
        page.context.set_offline(False)
        expect(page.locator("[data-said]")).to_have_text(re.compile("^Everything is kept"))
        assert kept_text(page, batch) == WORDS


@holds("Of papers in private folders that are open a browser keeps nothing, and offers nothing to keep")
def private(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    add(page, "Diary.pdf", paper("Nobody reads this"))
    page.goto("/documents")
    ruled(page)
    address = page.locator("main a[href^='/documents/']").filter(has_text="Diary").first.get_attribute("href").removesuffix("/read")
    page.goto("/private?next=/documents")
    page.evaluate("Promise.all(%s.map(name => caches.delete(name)))" % SHELVES)
    page.goto(f"{address}/read")
    page.locator("page-reader:defined").wait_for()
    seen(page)
    page.wait_for_timeout(800)
    expect(page.locator("keep-paper")).to_have_count(0)
    assert not on_the_shelves(page), on_the_shelves(page)


@holds("What the plan does not allow is refused in words that lead to the plans, and what was typed is there on going back")
def beyond_the_plan(browser):
    page = browser.page(browser.new_desk(), PHONE)
    set_up(page)
    list_address = page.evaluate(
        """async (requests) => {
            const { json } = await import(requests);
            await json("/settings/plans", { method: "POST", body: { simulateFree: true } });
            const { id } = await json("/lists", { method: "POST", body: { name: "Class 4b" } });
            for (let at = 0; at < 10; at += 1) await json(`/lists/${id}/recipients`, { method: "POST", body: { cells: { Name: `Pupil ${at}` } } });
            return `/lists/${id}`;
        }""",
        script_address(page, "requests"),
    )
    page.goto(list_address)
    page.get_by_role("link", name="Add a person").click()
    page.locator("#add").get_by_label("Name").fill("Zoe Olsen")
    page.locator("#add").get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The plan allows no more than this")
    expect(page.locator("[data-problem]")).to_contain_text("allows 10, and this would make 11")
    expect(page.get_by_role("main").get_by_role("link", name="Plans and limits")).to_be_visible()
    accessible(page, "a refusal by the plan")
    picture(page, "beyond-the-plan", whole=False)
    page.get_by_role("button", name="Back to what you typed").click()
    expect(page.locator("#add").get_by_label("Name")).to_have_value("Zoe Olsen")
    expect(page.locator(".toast")).to_contain_text("is back")
    # Where a page asks by itself, it stays as it is.
    page.evaluate(
        """async ([address, ...scripts]) => {
            const [{ json }, { complain }] = await Promise.all(scripts.map((script) => import(script)));
            await json(address, { method: "POST", body: { cells: { Name: "Zoe" } } }).catch(complain);
        }""",
        [list_address + "/recipients", script_address(page, "requests"), script_address(page, "toast-region")],
    )
    expect(page.locator(".toast-bad")).to_contain_text("allows 10")
    page.locator(".toast-bad").get_by_role("button", name="See the plans").click()
    page.wait_for_url("**/settings/plans")
    # What was typed and is of no use any more does not come back for ever.
    page.goto(list_address)
    expect(page.locator("#add").get_by_label("Name")).to_have_value("")
