"""Desks that keep in step: places added, looked at, mended and removed."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, add, eventually, picture, set_up
from sentences import holds


def command(desk, *words):
    return subprocess.run(
        [os.environ["QUIRE"], *words], env={**os.environ, "QUIRE_HOME": str(desk.home)}, check=True, text=True,
        capture_output=True).stdout


def add_place(page, press, address, name=""):
    page.goto("/sync")
    page.get_by_label("Where it is").fill(address)
    page.get_by_label("What to call it").fill(name)
    press(page.get_by_role("button", name="Start syncing"))
    expect(page.locator(".toast")).to_contain_text("synced from now on")


def go_now(page, press):
    page.goto("/sync")
    press(page.get_by_role("button", name="Sync with"))
    expect(page.locator(".toast")).to_contain_text("Syncing")


def becomes(page, address, what, seconds=180):
    """What comes by itself is there after a look or two."""

    def is_there():
        page.goto(address)
        return page.get_by_text(what, exact=True).count() > 0

    assert eventually(is_there, seconds), f"{address} never says “{what}”"


def fits(page):
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], width


def in_step(browser, size, press, name, **options):
    folder = tempfile.mkdtemp(prefix="quire-place-")
    home_desk, office_desk = browser.new_desk(), browser.new_desk()
    home, office = browser.page(home_desk, size, **options), browser.page(office_desk, size, **options)
    set_up(home)
    set_up(office)
    add(home, "Lease.txt", b"two years")
    home.goto("/sync")
    accessible(home, "no place yet")
    # What cannot be a place is said at its field, and what was typed stays.
    home.get_by_label("Where it is").fill("papers")
    press(home.get_by_role("button", name="Start syncing"))
    expect(home.locator(".field-error")).to_contain_text("whole path")
    expect(home.get_by_label("Where it is")).to_have_value("papers")
    accessible(home, "a place that is none")
    add_place(home, press, folder)
    becomes(home, "/documents", "Synced")
    fits(home)
    accessible(home, "papers with their chips")
    picture(home, f"synced-{name}")
    add_place(office, press, folder)
    becomes(office, "/documents", "Lease.txt")
    becomes(office, "/sync", "Synced")
    fits(office)
    accessible(office, "a place that is in step")
    picture(office, f"place-{name}")
    # A file that is spoiled at the place: the other desk says so at the paper, and a tap tries again.
    # Its own turn must not come before the file is spoiled.
    office.goto("/sync")
    press(office.get_by_role("button", name="Pause"))
    resume = office.get_by_role("button", name="Go on")
    expect(resume).to_be_visible()
    before = set(pathlib.Path(folder, "files").rglob("*"))
    new = pathlib.Path(folder + "-new.txt")
    new.write_text("three years")
    command(home_desk, "replace", "Lease.txt", str(new))
    new.unlink()
    go_now(home, press)
    assert eventually(lambda: any(path.is_file() for path in set(pathlib.Path(folder, "files").rglob("*")) - before))
    spoiled = next(path for path in set(pathlib.Path(folder, "files").rglob("*")) - before if path.is_file())
    spoiled.chmod(0o600)
    spoiled.write_text("three yearz")
    press(resume)
    expect(office.get_by_role("button", name="Pause")).to_be_visible()
    go_now(office, press)
    becomes(office, "/documents", "Failed – tap to retry")
    fits(office)
    accessible(office, "a paper that failed")
    picture(office, f"failed-{name}")
    # The first desk, which has the file, lays it again; then the tap helps.
    go_now(home, press)
    assert eventually(lambda: spoiled.exists() and spoiled.read_text() == "three years")
    office.goto("/documents")
    press(office.get_by_role("button", name="Failed – tap to retry"))
    expect(office.locator(".toast")).to_contain_text("Syncing")
    becomes(office, "/documents", "Synced")
    # A disk that is taken away: what is kept there stays so, and what is new waits.
    os.rename(folder, folder + "-away")
    add(home, "Late.txt", b"after the disk was taken")
    go_now(home, press)
    becomes(home, "/sync", "Unavailable")
    expect(home.get_by_text("Is its disk connected?")).to_be_visible()
    becomes(home, "/documents", "Unavailable")
    fits(home)
    home.goto("/sync")
    fits(home)
    picture(home, f"away-{name}")
    os.rename(folder + "-away", folder)
    # Other things are chosen, and in the end it is removed.
    home.get_by_text("What is synced here").click()
    home.locator(".item").get_by_label("Settings").check()
    press(home.locator(".item").get_by_role("button", name="Save"))
    expect(home.locator(".toast")).to_be_visible()
    becomes(home, "/sync", "Synced")
    press(home.get_by_role("button", name="Remove"))
    dialog = home.get_by_role("dialog")
    expect(dialog).to_contain_text("What lies there and what lies here stays")
    press(dialog.get_by_role("button").last)
    expect(home.get_by_text("syncs with no place yet")).to_be_visible()
    # Another Quire: a code, shown once.
    home.get_by_label("What you call the other Quire").fill("Office")
    press(home.get_by_role("button", name="Make a code"))
    expect(home.locator(".secret")).to_contain_text("#quire_api_")
    fits(home)
    accessible(home, "a code for another Quire")
    picture(home, f"code-{name}")
    code = home.locator(".secret").inner_text()
    office.goto("/sync")
    office.get_by_label("What kind of place").select_option("quire")
    office.get_by_label("Where it is").fill(code)
    press(office.get_by_role("button", name="Start syncing"))
    expect(office.locator(".toast")).to_contain_text("synced from now on")
    becomes(office, "/sync", "Another Quire · " + home_desk.origin)
    add(home, "Bill.txt", b"42")
    assert eventually(lambda: "Bill.txt" in command(office_desk, "list") or go_now_first(office, press))
    becomes(office, "/documents", "Bill.txt")
    assert not home.complaints + office.complaints, home.complaints + office.complaints
    shutil.rmtree(folder, ignore_errors=True)


def go_now_first(page, press):
    page.goto("/sync")
    press(page.get_by_role("button", name="Sync with").last)
    expect(page.locator(".toast")).to_contain_text("Syncing")
    return False


@holds("Two desks are kept in step, mended and parted, on a desktop")
def on_a_desktop(browser):
    in_step(browser, DESKTOP, lambda target: target.click(), "desktop")


@holds("Two desks are kept in step, mended and parted, on a phone by touch")
def on_a_phone(browser):
    in_step(browser, PHONE, lambda target: target.tap(), "phone", has_touch=True, is_mobile=True)
