"""The pictures of the guide to the library: taken when they are asked for, of a desk as people have one.

    DOCS_PICTURES=docs/pictures Tests/Browser/run "guide"
"""

import os
import pathlib
import subprocess
import tempfile

from playwright.sync_api import expect

from desk import DESKTOP, PHONE, acts, add, eventually, set_up, unfold
from instep import add_place, becomes
from packets import CONSENT, picture
from sentences import Skipped, holds

LETTER = """<!doctype html><meta charset=utf-8><title>{title}</title>
<style>@page {{ size: A4; margin: 25mm }} body {{ font: 12pt/1.5 "DejaVu Serif", serif }} h1 {{ font-size: 18pt }}
table {{ border-collapse: collapse; width: 100% }} td {{ border-bottom: 1px solid #999; padding: 4pt 0 }}
td:last-child {{ text-align: right }} .from {{ color: #555 }} h2 {{ break-before: page }}</style>
<p class=from>{sender}</p><h1>{title}</h1>{body}"""

LEASE = """<p>Between Meier Housing and Ana Tremblay, for the flat on the second floor of Harbour Street 12: four rooms, a
kitchen, a bath, a cellar.</p><p>The lease begins on 1 March 2026. The rent is {rent} francs a month and is paid in
advance.</p><p>Heating and hot water are paid with a fixed sum of 120 francs a month; the bill is settled every summer.</p>
<h2>House rules</h2><p>The garden is open to all who live in the house. The laundry is used by turns, the list hangs in
the cellar.</p><h2>Handing over</h2><p>Four keys to the house, two to the cellar and one to the letter box were handed
over. The deposit of three months' rent lies in a blocked account.</p>"""
ROWS = "<table>{}</table><p>Please pay within thirty days.</p>"


def rows(**values):
    return ROWS.format("".join(f"<tr><td>{name.replace('_', ' ')}<td>{value}" for name, value in values.items()))


LETTERS = {
    "Lease Harbour Street": ("Meier Housing, Harbour Street 1", LEASE.format(rent="1,850")),
    "Electricity October": ("City Power, Dam Road 4", rows(Basic_fee="12.00", Day_rate="48.35", Night_rate="17.20", Sum="77.55")),
    "Electricity September": ("City Power, Dam Road 4", rows(Basic_fee="12.00", Day_rate="44.10", Night_rate="15.80", Sum="71.90")),
    "Dentist": ("Dr. Okafor, dentist", rows(Examination="95.00", Cleaning="140.00", Sum="235.00")),
    "Insurance policy": ("North Mutual", "<p>Household goods are insured against fire, water and theft for 80,000 francs.</p>"),
    "School trip": ("Hillside School", "<p>On 4 May the whole class goes to the museum of natural history. The bus leaves at eight.</p>"),
    "Tax assessment 2025": ("Tax office", rows(Income="68,400", Deductions="9,150", Tax_due="7,812")),
}


def made(folder: pathlib.Path, title: str, sender: str, body: str) -> bytes:
    page = folder / "letter.html"
    page.write_text(LETTER.format(title=title, sender=sender, body=body))
    subprocess.run([os.environ["QUIRE"], "convert", page, "-o", folder / "letter.pdf", "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return (folder / "letter.pdf").read_bytes()


def scanned(folder: pathlib.Path) -> bytes:
    made(folder, "Receipt", "Garden centre Linde", rows(Two_apple_trees="118.00", Soil_40_l="23.80", Sum="141.80"))
    subprocess.run(["pdftoppm", "-r", "200", "-gray", "-jpeg", "-singlefile", folder / "letter.pdf", folder / "scan"], check=True)
    return (folder / "scan.jpg").read_bytes()


def filed(page, names, folder):
    page.goto("/documents")
    for name in names:
        page.get_by_label(f"Select {name}").check()
    acts(page)
    page.get_by_label("Move to").select_option(folder)
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator(".toast").last).to_contain_text("filed")


def asked(page, where, **form):
    csrf = page.evaluate("document.querySelector('meta[name=csrf]').content")
    answer = page.request.post(where, data=form, headers={"X-Quire-CSRF": csrf, "Accept": "application/json"})
    assert answer.ok, answer.text()


def furnish(page, folder: pathlib.Path):
    for title, (sender, body) in LETTERS.items():
        add(page, f"{title}.pdf", made(folder, title, sender, body))
    add(page, "Consent form.pdf", (CONSENT / "consent.pdf").read_bytes())
    add(page, "Receipt from the garden centre.jpg", scanned(folder))
    page.goto("/documents")
    for path in ["Flat", "Health", "School", "Taxes/2025"]:
        asked(page, "/folders", path=path)
    filed(page, ["Dentist.pdf"], "Health")
    filed(page, ["School trip.pdf"], "School")
    filed(page, ["Tax assessment 2025.pdf"], "Taxes/2025")
    for names, tag in [(["Electricity October.pdf", "Electricity September.pdf"], "bill"),
                       (["Lease Harbour Street.pdf", "Insurance policy.pdf"], "contract")]:
        page.goto("/documents")
        for name in names:
            page.get_by_label(f"Select {name}").check()
        acts(page)
        page.get_by_label("Tag", exact=True).fill(tag)
        page.get_by_role("button", name="Add tag").click()
        expect(page.locator("tbody .chip", has_text=tag)).to_have_count(len(names))


def open_paper(page, name):
    page.goto("/documents")
    page.get_by_role("link", name=name).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def worked_on(page, press, prefix):
    """Pages in another order, words written on a paper, a signature with a certificate, and words blacked out."""
    open_paper(page, "Lease Harbour Street.pdf")
    lease = page.url.split("?")[0].split("#")[0]
    page.goto(f"{lease}/pages")
    page.locator("page-board:defined").wait_for()
    press(page.get_by_role("option").nth(1))
    picture(page, f"{prefix}arrange")
    page.goto(f"{lease}/marks")
    page.locator("mark-desk:defined").wait_for()
    page.locator("[data-taken=move]").wait_for()
    sheet = page.locator(".mark-paper").first
    for tool, x, y, words in [("Words", 0.42, 0.5, "The garden as well? A. T."), ("Tick", 0.12, 0.3, None)]:
        press(page.get_by_role("button", name=tool, exact=True))
        sheet.scroll_into_view_if_needed()
        box = sheet.bounding_box()
        place = (box["x"] + box["width"] * x, box["y"] + box["height"] * y)
        page.touchscreen.tap(*place) if prefix else page.mouse.click(*place)
        if words:
            page.keyboard.type(words)
            page.keyboard.press("Control+Enter")
    expect(page.locator(".written")).to_have_count(2)
    picture(page, f"{prefix}marking")
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".toast")).to_contain_text("It is written on the paper")
    page.goto("/identities")
    page.get_by_label("Name", exact=True).fill("Ana Tremblay")
    press(page.get_by_role("button", name="Make the identity"))
    page.goto(f"{lease}/signatures")
    press(page.get_by_text("Show the signature on a page"))
    frame = page.get_by_role("img", name="Where the signature is seen")
    expect(frame).to_be_visible()
    for _ in range(36):
        frame.press("ArrowUp")
    page.locator(".seal-paper").scroll_into_view_if_needed()
    picture(page, f"{prefix}signing")
    page.get_by_label("Reason").fill("I agree")
    press(page.get_by_role("button", name="Sign with certificate"))
    expect(page.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
    picture(page, f"{prefix}signed")
    open_paper(page, "Tax assessment 2025.pdf")
    page.goto(f"{page.url.split('?')[0].split('#')[0]}/redaction")
    page.locator("redact-areas:defined").wait_for()
    page.get_by_label("Words", exact=True).fill("68,400\n7,812")
    press(page.get_by_role("button", name="Show what goes"))
    expect(page.locator(".redact-hits mark").first).to_be_visible()
    page.locator(".redact-hits").scroll_into_view_if_needed()
    picture(page, f"{prefix}redacting")


def guide(browser, size, press, prefix="", **options):
    if not os.environ.get("DOCS_PICTURES"):
        raise Skipped("DOCS_PICTURES does not ask for it")
    with tempfile.TemporaryDirectory() as held:
        folder = pathlib.Path(held)
        page = browser.page(browser.new_desk(), size, **options)
        set_up(page)
        furnish(page, folder)
        page.goto("/documents")
        picture(page, f"{prefix}library")
        page.goto("/documents?view=grid")
        picture(page, f"{prefix}library-grid")
        page.goto("/documents?view=list")

        def finds(words, what):
            page.goto(f"/search?q={words}")
            return page.get_by_role("link", name=what).count() > 0

        # The words of the lease, and those in the picture of the receipt.
        assert eventually(lambda: finds("apple trees", "Receipt"))
        assert eventually(lambda: finds("garden", "Lease Harbour"))
        picture(page, f"{prefix}search")
        page.get_by_role("link", name="Lease Harbour").first.click()
        page.locator("page-reader:defined").wait_for()
        expect(page.locator("rect").first).to_be_visible()
        picture(page, f"{prefix}reader")
        open_paper(page, "Lease Harbour Street.pdf")
        unfold(page, "History and file")
        page.locator("#versions").get_by_text("Put a new version in its place", exact=True).click()
        page.locator("upload-zone:defined").wait_for()
        page.locator("#version-file").set_input_files(
            {"name": "new.pdf", "mimeType": "application/pdf",
             "buffer": made(folder, "Lease Harbour Street", "Meier Housing, Harbour Street 1", LEASE.format(rent="1,920"))})
        expect(page.locator("#versions .item")).to_have_count(2)
        page.reload()
        picture(page, f"{prefix}paper")
        unfold(page, "History and file")
        page.locator("#versions").get_by_role("link", name="Compare").click()
        expect(page.locator(".changes ins").first).to_be_visible()
        picture(page, f"{prefix}changes")
        open_paper(page, "Insurance policy.pdf")
        page.get_by_role("link", name="Share", exact=True).click()
        page.get_by_role("button", name="Make link").click()
        page.locator(".secret").scroll_into_view_if_needed()
        picture(page, f"{prefix}share")
        worked_on(page, press, prefix)
        (folder / "disk").mkdir()
        add_place(page, press, str(folder / "disk"), "Disk in the drawer")
        becomes(page, "/sync", "Synced")
        picture(page, f"{prefix}sync")
        becomes(page, "/documents", "Synced")
        picture(page, f"{prefix}synced")
        assert not page.complaints, page.complaints


@holds("The guide to the library is shown in pictures, on a desktop")
def on_a_desktop(browser):
    guide(browser, {**DESKTOP, "height": 960}, lambda target: target.click())


@holds("The guide to the library is shown in pictures, on a phone")
def on_a_phone(browser):
    guide(browser, PHONE, lambda target: target.tap(), "phone-", has_touch=True, is_mobile=True)
