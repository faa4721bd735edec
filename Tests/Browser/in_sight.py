"""What is made stands where one looks."""

import re

from playwright.sync_api import expect

from converting import PHOTOS, bring, made
from desk import DESKTOP, PHONE, add, comes_true, picture, set_up
from sentences import holds


def stands_in_sight(page, made):
    """Focused, whole in the window, and under no bar."""
    expect(made).to_be_focused()
    expect(made).to_be_in_viewport(ratio=1)
    # While pages change places, there is nothing at any point.
    comes_true(page, "made => { const box = made.getBoundingClientRect();"
                           "return document.elementFromPoint(box.left + 9, box.top + 9) !== document.documentElement; }", made.element_handle())
    above = made.evaluate("""made => {
        const {left, top, width, height} = made.getBoundingClientRect();
        return [0.02, 0.5, 0.98].map(part => document.elementFromPoint(left + width / 2, top + height * part))
            .filter(it => !made.contains(it)).map(it => it?.outerHTML.slice(0, 200));
    }""")
    assert not above, f"it lies under {above}"


def made_once(browser, size):
    page = browser.page(browser.new_desk(), size)
    set_up(page)
    add(page, "Lease.txt", b"x")
    page.goto("/documents")
    page.goto(page.locator("main a[href^='/documents/']").filter(has_text="Lease").first.get_attribute("href").removesuffix("/read"))
    page.get_by_role("link", name="Share", exact=True).click()
    page.get_by_role("button", name="Make link").click()
    stands_in_sight(page, page.locator(".secret"))
    picture(page, f"link-{size['width']}")
    page.goto("/members")
    page.get_by_role("button", name=re.compile("invit", re.I)).last.click()
    stands_in_sight(page, page.locator(".secret"))


@holds("A link that is shown only once is in sight and has the focus, on a desktop")
def made_once_on_a_desktop(browser):
    made_once(browser, DESKTOP)


@holds("A link that is shown only once is in sight and has the focus, on a phone")
def made_once_on_a_phone(browser):
    made_once(browser, PHONE)


@holds("The account menu opens at its avatar, on a desktop and on a tablet")
def account_menu(browser):
    for size in (DESKTOP, {"width": 800, "height": 1000}):
        page = browser.signed_in(browser.shared_desk(), size)
        page.goto("/")
        avatar = page.get_by_role("button", name=re.compile("^Account of"))
        avatar.click()
        menu, face = page.locator("#me").bounding_box(), avatar.bounding_box()
        assert 0 <= menu["y"] - face["y"] - face["height"] < 24, (menu, face)
        assert abs(menu["x"] + menu["width"] - face["x"] - face["width"]) < 24, (menu, face)


@holds("What is applied answers at once where it is pressed, on a phone")
def make_it_so(browser):
    page = browser.page(browser.new_desk(), PHONE)
    set_up(page)
    bring(page, PHOTOS)
    made(page)
    button = page.get_by_role("button", name="Apply")
    waiting = []
    page.route(re.compile("/conversions/[0-9a-f-]{36}$"), lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_())
    button.scroll_into_view_if_needed()
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    picture(page, "make-it-so")
    while not waiting:
        page.wait_for_timeout(20)
    for route in waiting:
        route.continue_()
    made(page)
