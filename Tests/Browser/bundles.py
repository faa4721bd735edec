"""Send-outs given away in one file, and the example to play with."""

import os
import pathlib

from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, set_up, still
from sentences import holds


def walk(page, name, press):
    """The example is tried, given away, taken in again and taken away."""

    def look(step):
        still(page)
        accessible(page, f"{step} {name}")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], f"{step} is {width} wide"
        if folder := os.environ.get("PICTURES"):
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{folder}/bundles-{step}-{name}.png", full_page=True)

    page.goto("/")
    look("home")
    page.goto("/batches")
    look("empty")
    press(page.get_by_role("main").get_by_role("button", name="Try it with an example"))
    page.wait_for_url("**/mapping*")
    expect(page.get_by_text("This is the example.")).to_be_visible()
    look("example")
    page.goto(page.url.replace("/mapping", "/people"))
    look("first-step")
    press(page.get_by_role("link", name="Give away as a bundle"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Give away as a bundle")
    expect(page.get_by_text("These people are invented.")).to_be_visible()
    look("give")
    with page.expect_download() as saved:
        press(page.get_by_role("link", name="Download the bundle"))
    assert saved.value.suggested_filename.endswith(".quire-bundle.zip"), saved.value.suggested_filename
    bundle = saved.value.path().read_bytes()
    page.goto("/bundles")
    page.locator("upload-zone:defined").first.wait_for()
    look("bundles")
    page.locator("#files").set_input_files({"name": "holiday.zip", "mimeType": "application/zip", "buffer": b"no bundle"})
    expect(page.locator(".upload.is-bad")).to_contain_text("holiday.zip")
    # What was refused does not keep the right one from its page.
    page.locator("#files").set_input_files(
        {"name": saved.value.suggested_filename, "mimeType": "application/zip", "buffer": bundle})
    page.wait_for_url("**/bundles/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Example: a day at the lake")
    look("look")
    press(page.get_by_role("button", name="Keep this bundle"))
    expect(page.get_by_role("button", name="Begin a send-out")).to_be_visible()
    look("kept")
    press(page.get_by_role("button", name="Undo"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Bundles")
    expect(page.get_by_text("No bundles yet")).to_be_visible()
    press(page.get_by_role("button", name="Undo"))
    expect(page.get_by_role("button", name="Begin a send-out")).to_be_visible()
    page.goto("/batches")
    look("with-example")
    press(page.get_by_role("button", name="Take the example away"))
    expect(page.get_by_text("This is the example.")).to_have_count(0)
    expect(page.get_by_role("button", name="Try it with an example")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("An example is tried, given away as a bundle, taken in and taken away, on a desktop")
def on_a_desktop(browser):
    page = browser.page(browser.new_desk(), DESKTOP)
    set_up(page)
    walk(page, "desktop", lambda target: target.click())


@holds("An example is tried, given away as a bundle, taken in and taken away, on a phone by touch")
def on_a_phone(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    set_up(page)
    walk(page, "phone", lambda target: target.tap())
