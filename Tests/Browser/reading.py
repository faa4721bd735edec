"""Reading and moving about: by keyboard, enlarged, narrow, in the dark, in every language."""

from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, add, more, picture, set_up
from sentences import holds

PLACES = [
    "/", "/documents", "/documents?trash=1", "/documents?q=zebra", "/documents?tag=home", "/tags", "/documents/new", "/shares", "/activity",
    "/scan", "/phones", "/conversions", "/conversions/new", "/conversions/new?from=web", "/conversions/new?from=paste",
    "/activity?view=history", "/activity?view=schedule", "/activity?view=journal", "/settings", "/settings/identity",
    "/settings/security", "/settings/language", "/settings/looks", "/settings/notices", "/notices", "/settings/mail", "/members", "/tokens", "/identities", "/settings/storage",
    "/batches", "/batches/new", "/templates", "/templates?trash=1", "/templates/new", "/lists", "/lists/new", "/contacts", "/contacts/scan", "/contacts?due=planned",
    "/batches?trash=1", "/outbox", "/outbox?show=failed", "/ledger", "/harvests", "/repetitions", "/bundles", "/suppressions", "/activity?view=figures",
    "/settings/plans", "/settings/about", "/search?q=lease", "/help", "/help/privacy", "/welcome?step=start", "/nowhere", "/offline",
]

LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active"},
    "more contrast": {"contrast": "more"},
}
PLAIN = {"color_scheme": "light", "forced_colors": "none", "contrast": "no-preference"}


def look_at(browser, size, name, looks=(), **options):
    page = browser.signed_in(browser.shared_desk(), size, **options)
    for place in PLACES + first_things(page):
        page.goto(place)
        for look in looks:
            # They differ in their colours alone: what is not about colours is tried in the light.
            page.emulate_media(**PLAIN | LOOKS[look])
            accessible(page, f"{place} ({name}, {look})", colours_only=look != "light")
            shown(page, place, f"{name} {look}")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"], f"{place} ({name}) is {width} wide"
        if not looks:
            shown(page, place, name)
    assert not page.complaints, page.complaints


def shown(page, place, name):
    picture(page, f"{name}{place.replace('/', '-').replace('?', '-')[:40]}".replace(" ", "-"))


def first_things(page) -> list[str]:
    """Pages of what the shared desk has one of."""
    page.goto("/cards")
    card = page.locator("a[href^='/cards/0']").first.get_attribute("href").split("?")[0]
    return [first_document(page), f"{card}/photo/crop"]


def first_document(page) -> str:
    page.goto("/documents")
    return page.locator("tbody a").first.get_attribute("href")


@holds("Every page keeps the accessibility rules on a desktop, light, dark, in forced colours and with more contrast")
def every_look_on_a_desktop(browser):
    look_at(browser, DESKTOP, "desktop", LOOKS)


# Forced colours and more contrast colour a phone's page just as a desk's.
@holds("Every page keeps the accessibility rules on a phone, light and dark")
def every_look_on_a_phone(browser):
    look_at(browser, PHONE, "phone", ["light", "dark"], has_touch=True, is_mobile=True)


for tag, word in {"es-MX": "Papeles", "fr-CA": "Papiers"}.items():
    def speaks(browser, tag=tag, word=word):
        # Every text exists in every language, which another test sees to; here they have to fit.
        look_at(browser, PHONE, f"phone {tag}", has_touch=True, is_mobile=True, locale=tag)
        page = browser.signed_in(browser.shared_desk(), locale=tag)
        page.goto("/documents")
        assert page.locator("html").get_attribute("lang") == tag
        expect(page.get_by_role("heading", level=1)).to_have_text(word)

    holds(f"Every page speaks the browser's language, {tag}, and fits")(speaks)


@holds("The pseudo-locale, longer by two fifths, fits everywhere")
def pseudo(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    add(page, "Lease.pdf", b"%PDF-1.7\n%%EOF\n")
    page.goto("/settings/language")
    page.locator("#f-language").evaluate("list => list.add(new Option('pseudo', 'en-XA', true, true))")
    page.locator("form[action='/settings/language'] button.button-main").click()
    expect(page.locator("html")).to_have_attribute("lang", "en-XA")
    document = first_document(page)
    page.set_viewport_size({"width": 320, "height": 700})
    for place in PLACES + [document]:
        page.goto(place)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, f"{place} is {width} wide"


@holds("At 320 pixels nothing scrolls sideways")
def reflow(browser):
    page = browser.signed_in(browser.shared_desk(), {"width": 320, "height": 640})
    for place in PLACES + first_things(page):
        page.goto(place)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, f"{place} is {width} wide"


@holds("With text twice as large nothing is cut off or scrolls sideways")
def large_text(browser):
    page = browser.signed_in(browser.shared_desk(), PHONE)
    for place in PLACES + first_things(page):
        page.goto(place)
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], f"{place} is {width} wide"
    picture(page, "large-text", whole=False)


@holds("Without a mouse: skip, navigate, open the + menu, the palette and the shortcuts, and close them")
def keyboard(browser):
    page = browser.signed_in(browser.shared_desk())
    page.goto("/")
    page.locator("upload-zone:defined").first.wait_for(state="attached")
    press = page.keyboard.press
    press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    press("Enter")
    expect(page.locator("main")).to_be_focused()
    press("Control+k")
    palette = page.get_by_role("combobox")
    expect(palette).to_be_focused()
    expect(page.get_by_role("option").first).to_be_visible()
    accessible(page, "palette")
    page.keyboard.type("lease")
    expect(page.get_by_role("option", name="Lease of the flat.pdf")).to_be_visible()
    press("Escape")
    expect(palette).to_have_count(0)
    press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    accessible(page, "shortcuts")
    press("Escape")
    press("g")
    press("l")
    page.wait_for_url("**/documents")
    page.locator("upload-zone:defined").first.wait_for(state="attached")
    press("/")
    expect(page.get_by_label("Search names and words")).to_be_focused()
    page.get_by_role("button", name="New").focus()
    press("Enter")
    menu = page.locator("#make")
    expect(menu).to_be_visible()
    accessible(page, "+ menu")
    press("Tab")
    expect(menu.get_by_role("link").first).to_be_focused()
    press("Escape")
    expect(menu).to_be_hidden()
    expect(page.get_by_role("button", name="New")).to_be_focused()


@holds("Everything that takes focus shows it, and no bar hides it")
def focus(browser):
    page = browser.signed_in(browser.shared_desk(), PHONE)
    for place in ["/", "/documents", "/settings/security"]:
        page.goto(place)
        hidden = []
        for _ in range(60):
            page.keyboard.press("Tab")
            state = page.evaluate("""() => {
                const it = document.activeElement;
                if (!it || it === document.body) return null;
                const box = it.getBoundingClientRect(), style = getComputedStyle(it);
                const nav = document.querySelector('.nav').getBoundingClientRect();
                const inNav = it.closest('.nav') !== null;
                return {name: it.outerHTML.slice(0, 90), covered: !inNav && box.height < 400 && box.top >= nav.top,
                        plain: style.outlineStyle === 'none' && !it.closest('.drop'), size: [box.width, box.height]};
            }""")
            if state is None:
                break
            if state["covered"] or state["plain"]:
                hidden.append(state)
        assert not hidden, f"{place}: {hidden[:3]}"


@holds("What one touches on a phone is large enough")
def targets(browser):
    page = browser.signed_in(browser.shared_desk(), PHONE, has_touch=True, is_mobile=True)
    for place in ["/", "/documents", "/activity", "/settings", "/settings/security", "/members"]:
        page.goto(place)
        small = page.evaluate("""() => [...document.querySelectorAll('a, button, select, input:not([type=hidden])')]
            .filter(it => it.checkVisibility() && !it.closest('p, dd, .crumbs, .item-text, .card-head, .facts, label'))
            .map(it => [it.outerHTML.slice(0, 80), it.getBoundingClientRect()])
            .filter(([, box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5) && box.bottom > 0)
            .map(([html, box]) => `${html} ${Math.round(box.width)}×${Math.round(box.height)}`)""")
        assert not small, f"{place}: {small[:4]}"


@holds("Without scripts one signs in, adds a paper, throws it away and takes it back")
def no_scripts(browser):
    page = browser.page(browser.new_desk(), java_script_enabled=False)
    set_up(page)
    page.goto("/documents/new")
    page.locator("input[type=file]").set_input_files({"name": "Plain.txt", "mimeType": "text/plain", "buffer": b"x"})
    page.get_by_role("button", name="Add", exact=True).click()
    page.goto("/documents")
    page.get_by_role("link", name="Plain.txt").click()
    more(page)
    page.get_by_role("button", name="Move to trash").click()
    page.get_by_role("button", name="Undo").click()
    page.goto("/documents")
    expect(page.get_by_role("link", name="Plain.txt")).to_be_visible()


@holds("Dark stays dark from the first paint of the next page")
def theme(browser):
    page = browser.signed_in(browser.shared_desk())
    page.goto("/settings/language")
    page.get_by_label("Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/documents")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
