"""Papers that are signed with a certificate, and looked at by those who want to know whether that holds."""

from playwright.sync_api import expect

from desk import PHONE, accessible, add, more, picture, set_up
from filing import paper
from sentences import holds


@holds("Somebody makes an identity, signs a paper with it, and sees who signed and that it holds")
def signed(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/settings")
    page.get_by_role("link", name="Signing").first.click()
    accessible(page, "no identities")
    page.get_by_label("Name", exact=True).fill("Ana Tremblay")
    page.get_by_role("button", name="Make the identity").click()
    expect(page.get_by_text("You can sign as Ana Tremblay now.").first).to_be_visible()
    accessible(page, "an identity")
    picture(page, "signing-identities")
    add(page, "lease.pdf", paper("The rent is 900."))
    page.goto("/documents")
    page.get_by_role("link", name="lease.pdf").first.click()
    more(page)
    page.get_by_role("link", name="Signatures").click()
    expect(page.get_by_text("This paper is not signed.")).to_be_visible()
    accessible(page, "a paper that is not signed")
    page.get_by_label("Shown on page").fill("1")
    page.get_by_label("Reason").fill("I agree")
    page.get_by_role("button", name="Sign with certificate").click()
    expect(page.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
    expect(page.get_by_text("good", exact=True)).to_be_visible()
    expect(page.get_by_text("I agree").first).to_be_visible()
    accessible(page, "a signed paper")
    picture(page, "signing-signed")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "signatures are wider than a phone"
    accessible(page, "a signed paper on a phone")
    picture(page, "signing-signed-phone")
