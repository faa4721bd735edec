"""Papers that are signed with a certificate, and looked at by those who want to know whether that holds."""

import re

from playwright.sync_api import expect

from desk import PHONE, accessible, add, eventually, more, picture, set_up
from filing import paper
from packets import bring_people, choose_form, said
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
    page.get_by_text("Show the signature on a page").click()
    frame = page.get_by_role("img", name="Where the signature is seen")
    expect(frame).to_be_visible()
    frame.scroll_into_view_if_needed()
    first = page.locator("[name=box]").input_value()
    box = frame.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 80, box["y"] - 60, steps=4)
    page.mouse.up()
    dragged = page.locator("[name=box]").input_value()
    assert dragged != first, "the frame did not follow"
    frame.focus()
    page.keyboard.press("Shift+ArrowRight")
    left, bottom, width, height = (float(one) for one in page.locator("[name=box]").input_value().split(","))
    assert abs(width - 208) < 1, "a key did not make it wider"
    accessible(page, "where a signature is to be seen")
    picture(page, "signing-place")
    page.get_by_label("Reason").fill("I agree")
    page.get_by_role("button", name="Sign with certificate").click()
    expect(page.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
    expect(page.get_by_text("good", exact=True)).to_be_visible()
    expect(page.get_by_text("I agree").first).to_be_visible()
    accessible(page, "a signed paper")
    picture(page, "signing-signed")
    # Its picture is where the frame was.
    place = page.evaluate("""async () => {
        const { pages } = await (await fetch(`${location.pathname.replace('/signatures', '')}/pages`, { headers: { Accept: 'application/json' } })).json();
        return pages[0];
    }""")
    assert 0 < left < place["width"] and 0 < bottom < place["height"]
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "signatures are wider than a phone"
    accessible(page, "a signed paper on a phone")
    picture(page, "signing-signed-phone")


@holds("Several papers are signed in one go from the list; what cannot be signed is named, and it can be undone")
def several(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/identities")
    page.get_by_label("Name", exact=True).fill("Ana Tremblay")
    page.get_by_role("button", name="Make the identity").click()
    expect(page.get_by_text("You can sign as Ana Tremblay now.").first).to_be_visible()
    for name in ("lease.pdf", "annex.pdf"):
        add(page, name, paper(f"This is {name}."))
    add(page, "note.txt", b"No pages here")
    page.goto("/documents")
    for box in page.locator("input[type=checkbox][name=id]").all():
        box.check()
    page.get_by_role("button", name="Sign with certificate").click()
    expect(page.get_by_role("heading", name="Sign with certificate").first).to_be_visible()
    expect(page.get_by_text("3 papers").first).to_be_visible()
    accessible(page, "papers to be signed")
    picture(page, "signing-several")
    page.get_by_label("Where the signature is seen").select_option("last")
    page.get_by_role("button", name="Sign with certificate").click()
    expect(page.get_by_text("2 papers are signed.")).to_be_visible()
    expect(page.get_by_text("1 paper was not signed:")).to_be_visible()
    expect(page.get_by_text("Only PDFs can be signed.")).to_be_visible()
    accessible(page, "signed papers")
    picture(page, "signing-several-done")
    other = page.context.new_page()
    other.goto("/documents")
    other.get_by_role("link", name="lease.pdf").first.click()
    more(other)
    other.get_by_role("link", name="Signatures").click()
    expect(other.get_by_role("heading", name="Ana Tremblay")).to_be_visible()
    expect(other.get_by_text("good", exact=True)).to_be_visible()
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "what was signed is wider than a phone"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="lease.pdf").first).to_be_visible()
    other.reload()
    expect(other.get_by_text("This paper is not signed.")).to_be_visible()


@holds("Each packet of a send-out is signed in one's name, with a time stamp that is asked for only where somebody signs")
def each_packet(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/identities")
    page.get_by_label("Name", exact=True).fill("Ana Tremblay")
    page.get_by_role("button", name="Make the identity").click()
    expect(page.get_by_text("You can sign as Ana Tremblay now.").first).to_be_visible()
    choose_form(page)
    rows = "child name,class,email\nAna,5a,ana@example.org\n"
    bring_people(page, {"name": "4b.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    address = page.url.split("/mapping")[0]
    page.goto(address + "/plan")
    page.get_by_text("Password, signature, page numbers, printing").click()
    clock, proofs = page.get_by_label("Time stamp authority"), page.get_by_label("Put in what later checks need")
    expect(clock).to_be_hidden()
    page.get_by_label("Sign each one").select_option("Ana Tremblay")
    expect(clock).to_be_visible()
    # A door at which nobody answers.
    clock.fill("http://127.0.0.1:9/stamp")
    proofs.check()

    def kept():
        options = said(page, address)["draft"]["options"]
        return options["timestamp"] == "http://127.0.0.1:9/stamp" and options["proofs"]
    assert eventually(kept), "what was chosen is not kept"
    accessible(page, "a time stamp for each packet")
    for language in ("en", "es-MX", "fr-CA"):
        page.context.add_cookies([{"name": "quire_language", "value": language, "url": page.url}])
        for size in (PHONE, {"width": 1280, "height": 900}):
            page.set_viewport_size(size)
            page.reload()
            expect(page.locator("[name=timestamp]")).to_have_value("http://127.0.0.1:9/stamp")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is wider than the window"
            picture(page, f"signing-each-{language}-{size['width']}")
    page.context.add_cookies([{"name": "quire_language", "value": "en", "url": page.url}])
    page.reload()
    page.get_by_role("button", name=re.compile("^Make")).click()
    page.wait_for_url("**/filling")
    expect(page.get_by_text("The time stamp authority does not answer. Nothing was signed.").first).to_be_visible()
    accessible(page, "a packet whose time stamp did not come")
    picture(page, "signing-each-failed")
