"""Two papers side by side, from one difference to the next."""

from playwright.sync_api import expect

from desk import accessible, acts, add, picture
from filing import paper
from keeping import everywhere, fits


@everywhere("Two papers are compared: a changed word and an added page are shown, one after the other")
def compared(browser, page, press, name):
    add(page, "Lease 2025.pdf", paper("The rent is 900 dollars a month", "The garden belongs to the flat"))
    add(page, "Lease 2026.pdf", paper("The rent is 950 dollars a month", "A page about pets and noise", "The garden belongs to the flat"))
    page.goto("/documents")
    for year in (2025, 2026):
        page.get_by_label(f"Select Lease {year}.pdf").check()
    acts(page)
    press(page.get_by_role("button", name="Compare"))
    page.wait_for_url("**/comparison**")
    expect(page.get_by_role("heading", name="2 differences.")).to_be_visible()
    expect(page.locator("main")).to_contain_text("“900” became “950”")
    expect(page.locator("main")).to_contain_text("A page about pets")
    accessible(page, f"two papers compared, {name}")
    fits(page)
    press(page.get_by_role("button", name="Next"))
    expect(page.locator("main")).to_contain_text("1 of 2")
    press(page.get_by_role("button", name="Next"))
    expect(page.locator("main")).to_contain_text("2 of 2")
    picture(page, f"compared-{name}")
