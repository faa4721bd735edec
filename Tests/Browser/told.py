"""What a desk tells its people: the bell, its page, and what each wants to hear."""

import os
import subprocess

from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, picture, set_up
from packets import TOUCH
from sentences import holds


def backup_fails(desk):
    subprocess.run(
        [os.environ["QUIRE"], "backup", "/proc/nowhere"], env={**os.environ, "QUIRE_HOME": str(desk.home)},
        capture_output=True, check=False)


@holds("The bell counts what one was told, its page leads to the thing, and read it is quiet again")
def bell(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, **TOUCH)
    set_up(page)
    before = page.get_by_role("link", name="Notices", exact=True).bounding_box()
    page.get_by_role("link", name="Notices", exact=True).tap()
    expect(page.get_by_role("heading", name="Nothing to tell you")).to_be_visible()
    accessible(page, "no notices")
    picture(page, "notices-none-phone")
    backup_fails(desk)
    page.goto("/")
    counted = page.get_by_role("link", name="Notices: one unread")
    expect(counted).to_have_text("1")
    assert counted.bounding_box() == before, "the bell has moved"
    picture(page, "notices-bell-phone")
    page.set_viewport_size({"width": 320, "height": 640})
    counted.tap()
    expect(page.get_by_role("heading", level=1, name="Notices")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than its window"
    page.set_viewport_size(PHONE)
    accessible(page, "notices on a phone")
    picture(page, "notices-phone")
    page.emulate_media(color_scheme="dark")
    picture(page, "notices-phone-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(DESKTOP)
    picture(page, "notices-desktop")
    line = page.get_by_role("link", name="The backup, or the check of all files, found something wrong")
    line.tap()
    page.wait_for_url("**/settings/storage")
    page.go_back()
    page.get_by_role("button", name="Mark all as read").tap()
    expect(page.get_by_role("link", name="Notices", exact=True)).to_be_visible()
    expect(page.locator("main").get_by_text("found something wrong")).to_be_visible()
    expect(page.get_by_role("button", name="Mark all as read")).to_have_count(0)
    page.get_by_role("link", name="Choose notices").tap()
    expect(page.get_by_text("This desk has no mail account yet")).to_be_visible()
    page.get_by_label("Backups and checks that found something wrong").uncheck()
    page.get_by_label("Once a day, in the morning").check()
    page.get_by_role("button", name="Save").tap()
    # One signs in here with a name that is no address.
    expect(page.get_by_text("Say to which address the notices go.")).to_be_visible()
    page.get_by_label("Email address").fill("ana@example.org")
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Once a day, in the morning")).to_be_checked()
    accessible(page, "what one wants to be told")
    picture(page, "notices-choice-desktop")
    page.goto("/settings/language")
    page.get_by_label("Language", exact=True).first.select_option("fr-CA")
    page.locator("form", has=page.locator("theme-switch")).locator(".button-main").tap()
    expect(page.locator("html[lang=fr-CA]")).to_be_attached()
    page.goto("/settings/notices")
    picture(page, "notices-choice-french")
    page.set_viewport_size(PHONE)
    picture(page, "notices-choice-french-phone")
    page.goto("/notices")
    picture(page, "notices-french-phone")
    backup_fails(desk)
    page.goto("/")
    expect(page.get_by_role("link", name="Avis", exact=True)).to_be_visible()
