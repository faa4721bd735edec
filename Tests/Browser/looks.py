"""The desk in its office's clothes: chosen, seen before it is saved, and worn for those outside."""

import pngs
from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, add, picture, set_up
from sentences import holds


def logo() -> bytes:
    """A wide PNG: a dark band, a light one, a dark one."""
    return pngs.png(480, 120, b"".join(
        (b"\x8a\x1c\x5c" * 120 + b"\xe8\xb0\xd0" * 240 + b"\x8a\x1c\x5c" * 120) for _ in range(120)))


@holds("An office chooses its name, colour and logo, sees them before they are saved, and those outside meet it in them by day and by night")
def looks(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    add(page, "Lease.txt", b"twelve months")
    page.locator(".upload").last.get_by_role("link").click()
    page.get_by_role("link", name="Share", exact=True).click()
    page.get_by_role("button", name="Make link").click()
    address = page.locator(".secret").inner_text()
    address = address[address.index("/s/"):]

    page.goto("/settings")
    page.get_by_role("link", name="Logo and colors").first.click()
    sheet = page.locator(".looks-day .looks-sheet")
    expect(sheet).to_contain_text("Lease 2026")
    accessible(page, "looks before anything is chosen")
    page.get_by_label("Name", exact=False).first.fill("Atelier Tremblay")
    page.locator("#f-colour").fill("#f2b705")
    expect(sheet).to_contain_text("Atelier Tremblay")
    expect(sheet).to_have_class("looks-sheet wears-f2b705")
    # What is too pale to be read is told at once, with what can be.
    expect(page.get_by_text("is too pale for letters")).to_be_visible()
    accessible(page, "looks with a pale color")
    picture(page, "looks-pale")
    page.get_by_role("button", name="Save").click()
    page.locator(".toast").wait_for()
    page.get_by_role("button", name="Use #").click()
    page.locator(".toast").wait_for()
    expect(page.get_by_text("is too pale for letters")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#f-colour")).to_have_value("#f2b705")
    page.locator("#f-colour").fill("#8a1c5c")
    page.get_by_role("button", name="Save").click()
    page.wait_for_load_state()
    page.get_by_label("A PNG or a JPEG").set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": logo()})
    page.get_by_role("button", name="Use this logo").click()
    expect(page.locator(".looks-logo")).to_be_visible()
    page.locator(".looks-paper").scroll_into_view_if_needed()
    expect(page.locator(".looks-paper")).to_have_js_property("complete", True)
    accessible(page, "looks")
    picture(page, "looks-chosen")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page, "looks on a phone")
    picture(page, "looks-chosen-phone")
    assert not page.complaints, page.complaints

    for size, name in ((DESKTOP, "desktop"), (PHONE, "phone")):
        visitor = browser.page(desk, size, locale="fr-CA")
        for scheme in ("light", "dark"):
            visitor.emulate_media(color_scheme=scheme)
            visitor.goto(address)
            expect(visitor.locator(".plain-own img")).to_be_visible()
            assert visitor.evaluate("document.querySelector('.plain-own img').naturalWidth > 0")
            accessible(visitor, f"a shared paper in an office's clothes, {scheme}")
            picture(visitor, f"looks-shared-{name}-{scheme}")
        visitor.emulate_media(color_scheme="light", forced_colors="active")
        accessible(visitor, "a shared paper in an office's clothes, forced colours")
        assert not visitor.complaints, visitor.complaints
    page.goto("/settings/looks")
    page.get_by_role("button", name="Remove the logo").click()
    expect(page.locator(".looks-logo")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".looks-logo")).to_be_visible()
    assert not page.complaints, page.complaints
