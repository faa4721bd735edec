"""From made packets to people: by mail to a real server on this machine, by link, by hand; and the account of it."""

import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import expect

from desk import DESKTOP, PHONE, accessible, eventually, set_up
from mailbox import Mailbox
from packets import TOUCH, bring_people, choose_form, picture, press_enter
from sentences import Skipped, holds

CLASS = ["Zoë Ångström", "Γιώργος Παπαδοπούλου", "Ludo d’Artagnan", "李小龙", "Ada Byron", "*Star* O’Brien", "Nora Lind", "Max Power"]
SUBJECT = "Trip to the lake, {{child_name}}"


def address(number: int) -> str:
    return f"family{number}@example.org"


def table(folder: pathlib.Path, people) -> pathlib.Path:
    path = folder / "class.csv"
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["child name", "class", "e-mail"])
        rows.writerows([name, "5a", mail] for name, mail in people)
    return path


def office(browser, mailbox, size=None, **options):
    """A desk with an owner and a mail account."""
    desk = browser.new_desk()
    page = browser.page(desk, size, **options)
    set_up(page)
    page.goto("/settings/mail")
    page.get_by_label("From address").fill("office@school.example")
    page.get_by_label("From name").fill("School office")
    page.get_by_label("Mail server").fill("127.0.0.1")
    page.get_by_label("Port").first.fill(str(mailbox.port))
    page.get_by_label("Encryption").first.select_option("none")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("[aria-invalid=true], [role=alert]")).to_have_count(0)
    return desk, page


def make_packets(page, desk, people):
    """As far as the packets: what comes before is told in packets.py."""
    choose_form(page)
    bring_people(page, table(desk.home, people))
    page.get_by_role("button", name="Bring in").click()
    page.wait_for_url("**/mapping**")
    page.get_by_role("link", name=re.compile("^Next: Check")).click()
    page.get_by_role("button", name=re.compile(r"^Make papers for \d+ people")).click()
    page.wait_for_url("**/filling")
    page.get_by_role("link", name=re.compile("^Next: Give out|^Look at them")).click()
    page.wait_for_url("**/packets")
    return page.url.split("/")[-2]


def sent(page, count: int, total: int):
    expect(page.locator(".making-count")).to_have_text(re.compile(rf"^{count}\s*/\s*{total}$"))


def flow(page, mailbox, count, look, press):
    """From the packets to the mails; `press` is how something is pressed."""
    press(page.get_by_role("link", name="Next: Write the message"))
    expect(page.get_by_role("heading", level=1)).to_have_text("How do they get it?")
    mail = page.locator(".mail")
    page.locator("letter-editor:defined").wait_for()
    page.get_by_label("Subject").fill(SUBJECT)
    expect(mail.locator(".mail-subject")).to_have_text(f"Trip to the lake, {CLASS[0]}")
    body = page.get_by_label("Message", exact=True)
    body.fill("Dear family,\n\nplease **sign** the paper for ")
    press(page.get_by_role("button", name=re.compile(r"child_name")))
    expect(body).to_have_value("Dear family,\n\nplease **sign** the paper for {{child_name}}")
    expect(mail.locator("strong")).to_have_text("sign")
    expect(mail.locator(".mail-body")).to_contain_text(CLASS[0])
    expect(mail.locator(".enclosures")).to_contain_text(".pdf")
    expect(page.locator("[data-said]")).to_have_text(re.compile("^Everything is kept"))
    look("letter")
    press(page.get_by_role("link", name="Next person"))
    expect(mail.locator(".mail-subject")).to_have_text(f"Trip to the lake, {CLASS[1]}")
    page.get_by_label("Find a person").fill(CLASS[3][:4])
    press(page.get_by_role("button", name="Show", exact=True))
    expect(mail.locator(".mail-subject")).to_have_text(f"Trip to the lake, {CLASS[3]}")
    press(page.get_by_role("button", name="Next: Check and send"))
    page.wait_for_url("**/sending")
    expect(page.locator(".checks")).to_contain_text(f"{count} messages are ready.")
    expect(page.locator(".checks")).to_contain_text("School office <office@school.example>")
    look("send-check")
    page.get_by_label("Send it to").fill("ana@school.example")
    press(page.get_by_role("button", name="Send the test"))
    expect(page.locator(".toast")).to_contain_text("ana@school.example")
    assert eventually(lambda: len(mailbox.to("ana@school.example")) == 1), "the test did not arrive"
    expect(page.locator(".checks")).to_contain_text(f"{count} messages are ready.")
    press(page.get_by_role("button", name=f"Send {count} messages"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"Send {count} messages now?")
    look("send-confirm")
    press(dialog.get_by_role("button", name=f"Send {count} messages"))
    sent(page, count, count)
    look("send-done")
    press(page.get_by_role("link", name="Who has it").last)
    expect(page.locator(".tally")).to_contain_text(f"Sent {count} of {count}")
    expect(page.locator(".item .chip", has_text="sent")).to_have_count(count)
    look("deliveries")
    press(page.get_by_role("link", name=CLASS[4]))
    expect(page.get_by_role("heading", level=1)).to_have_text(CLASS[4])
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    look("delivery")


def arrived(mailbox, count):
    """Every mail is there once, with its own words and its own paper."""
    for number in range(count):
        mails = mailbox.to(address(number))
        assert len(mails) == 1, f"{address(number)} has got {len(mails)} mails"
        mail = mails[0]
        assert mail["Subject"] == f"Trip to the lake, {CLASS[number]}", mail["Subject"]
        assert mail["From"] == "School office <office@school.example>", mail["From"]
        page = mail.get_body(("html",)).get_content()
        assert "<strong>sign</strong>" in page and "<em>" not in page, page
        paper, = mail.iter_attachments()
        assert paper.get_content_type() == "application/pdf" and paper.get_content().startswith(b"%PDF")
        assert CLASS[number].split()[0].strip("*") in paper.get_filename(), paper.get_filename()


def pupils():
    return [(name, address(number)) for number, name in enumerate(CLASS)]


@holds("The guide: from made packets to the mails in everybody's box, on a desktop")
def on_a_desktop(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox, DESKTOP)
        make_packets(page, desk, pupils())

        def look(name):
            accessible(page, name)
            picture(page, name)

        flow(page, mailbox, len(CLASS), look, lambda target: target.click())
        arrived(mailbox, len(CLASS))
        # As the family's mail program shows it: a page that needs nothing from elsewhere.
        mail = browser.page(desk, {"width": 640, "height": 420})
        mail.route("**/*", lambda route: route.abort())
        mail.set_content(mailbox.to(address(5))[0].get_body(("html",)).get_content())
        expect(mail.locator("body")).to_contain_text("*Star* O’Brien")
        expect(mail.locator("strong")).to_have_text("sign")
        picture(mail, "mail")
        assert not page.complaints, page.complaints


@holds("The guide: from made packets to the mails in everybody's box, on a phone by touch")
def on_a_phone(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox, PHONE, **TOUCH)
        make_packets(page, desk, pupils())

        def look(name):
            accessible(page, f"{name} on a phone")
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE["width"], f"{name} is {width} wide"
            picture(page, f"phone-{name}")

        flow(page, mailbox, len(CLASS), look, lambda target: target.tap())
        arrived(mailbox, len(CLASS))
        assert not page.complaints, page.complaints


@holds("From made packets to the mails, by keyboard alone")
def by_keyboard(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        make_packets(page, desk, pupils())
        flow(page, mailbox, len(CLASS), lambda name: None, press_enter)
        arrived(mailbox, len(CLASS))


@holds("Sending is paused and goes on, after the tab was closed too; nobody gets two mails")
def pausing(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        # More than go out side by side, so that some have not left when the pause begins.
        batch = make_packets(page, desk, [(f"Pupil {number}", address(number)) for number in range(20)])
        page.goto(f"/batches/{batch}/letter")
        page.get_by_role("button", name="Next: Check and send").click()
        mailbox.hold()
        page.get_by_role("button", name="Send 20 messages").click()
        page.get_by_role("dialog").get_by_role("button", name="Send 20 messages").click()
        page.get_by_role("button", name="Pause").click()
        expect(page.locator(".notice")).to_contain_text("Paused")
        mailbox.let_go()
        state = page.context.storage_state()
        page.close()
        # What was in the server's hands still ends there; the others wait.
        page = browser.page(desk, storage_state=state)
        page.goto(f"/batches/{batch}/sending")
        expect(page.locator(".notice")).to_contain_text("Paused")
        assert len(mailbox.mails) < 20, "nothing was held"
        page.get_by_role("button", name="Go on").click()
        sent(page, 20, 20)
        for number in range(20):
            assert len(mailbox.to(address(number))) == 1
        assert not page.complaints, page.complaints


@holds("What failed says why, and goes out again when somebody says so; what is uncertain asks first")
def failing(browser):
    people = [("Ada Byron", "ada@example.org"), ("Nobody There", "nobody@example.org"), ("Cut Off", "drop@example.org"),
              ("No Address", ""), ("Twin", "ada@example.org")]
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        batch = make_packets(page, desk, people)
        page.goto(f"/batches/{batch}/letter")
        page.get_by_role("button", name="Next: Check and send").click()
        checks = page.locator(".checks")
        expect(checks).to_contain_text("4 messages are ready.")
        expect(checks).to_contain_text("One person has no mail address and is left out.")
        checks.get_by_text("One person has no mail address").click()
        expect(checks.get_by_role("link", name="No Address")).to_be_visible()
        accessible(page, "a check list with problems")
        page.get_by_role("button", name="Send 4 messages").click()
        page.get_by_role("dialog").get_by_role("button", name="Send 4 messages").click()
        failures = page.locator(".card", has=page.get_by_role("heading", name="2 that did not go"))
        expect(failures).to_be_visible()
        expect(failures.locator(".item", has_text="Nobody There")).to_contain_text("550 5.1.1 There is no such mailbox here")
        expect(failures.locator(".item", has_text="Cut Off")).to_contain_text("uncertain")
        accessible(page, "failures")
        picture(page, "send-failures")
        page.get_by_role("button", name="Send again to Cut Off").click()
        expect(page.get_by_role("dialog")).to_contain_text("may have arrived")
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Send again to Nobody There").click()
        expect(page.locator(".toast")).to_contain_text("goes out again")
        # An address from before they were one page still leads there.
        page.goto("/outbox?show=failed")
        page.wait_for_url("**/ledger?show=failed**")
        expect(page.locator(".item", has_text="Nobody There")).to_contain_text("There is no such mailbox here")
        accessible(page, "what failed, among what was sent")
        page.locator(".item-link", has_text="Nobody There").click()
        page.locator("a.item-link[href^='/outbox/']").first.click()
        expect(page.get_by_role("heading", name="Tries")).to_be_visible()
        expect(page.locator(".item", has_text="There is no such mailbox here")).to_have_count(2)
        accessible(page, "a message")
        assert len(mailbox.to("ada@example.org")) == 2, "both children of one address have their paper"
        page.goto("/ledger?show=failed")
        page.get_by_role("button", name="Send it again").click()
        expect(page.get_by_role("dialog")).to_contain_text("Send the message that failed again?")
        accessible(page, "sending all again that failed")
        page.get_by_role("dialog").get_by_role("button", name="Send it again").click()
        expect(page.locator(".toast")).to_contain_text("One message goes out again.")
        # Where an address is wrong or missing, another is typed.
        expect(page.locator(".item", has_text="Nobody There")).to_contain_text("failed")
        page.locator(".item-link", has_text="Nobody There").click()
        page.get_by_label("Email").fill("somebody@example.org")
        page.get_by_role("button", name="Send there").click()
        expect(page.locator(".toast")).to_contain_text("Sending the message has begun.")
        page.goto(f"/batches/{batch}/deliveries")
        page.get_by_role("link", name="No Address").click()
        expect(page.get_by_role("heading", name="To another address")).to_be_visible()
        accessible(page, "a packet without an address")
        page.get_by_label("Email").fill("found@example.org")
        page.get_by_role("button", name="Send there").click()
        assert eventually(lambda: mailbox.to("somebody@example.org") and mailbox.to("found@example.org"))
        page.goto("/ledger?show=uncertain")
        expect(page.locator("[data-swap=results] .item")).to_have_count(1)
        expect(page.get_by_role("button", name="again")).to_have_count(0)
        assert not page.complaints, page.complaints


@holds("A packet is handed over by hand, by a link with a password, and by the device's own sharing")
def by_hand(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        page.add_init_script("""
            navigator.canShare = () => true;
            navigator.share = async (what) => {
                if (window.breaksOff) throw new DOMException("closed", "AbortError");
                sessionStorage.shared = JSON.stringify((what.files ?? []).map((file) => [file.name, file.size]));
            };
        """)
        batch = make_packets(page, desk, pupils())
        page.goto(f"/batches/{batch}/deliveries")
        page.get_by_role("link", name="Nora Lind").click()
        page.locator("share-button:defined").first.wait_for()
        page.evaluate("window.breaksOff = true")
        page.get_by_role("button", name="Share With any app").click()
        page.wait_for_timeout(500)
        page.reload()
        expect(page.locator(".page-header .chip")).to_have_text("made")
        page.locator("share-button:defined").first.wait_for()
        page.get_by_role("button", name="Share With any app").click()
        # The page says so by loading once more.
        expect(page.locator(".page-header .chip")).to_have_text("shared")
        name, size = page.evaluate("JSON.parse(sessionStorage.shared)[0]")
        assert name.endswith(".pdf") and size > 1000, (name, size)
        page.get_by_label("How").fill("in class")
        page.get_by_role("button", name="Handed over").click()
        expect(page.locator(".page-header .chip")).to_have_text("handed over")
        expect(page.locator(".item", has_text="in class")).to_be_visible()
        page.get_by_role("button", name="Reply received").click()
        expect(page.locator(".page-header .chip")).to_have_text("reply received")
        page.get_by_role("button", name="Take the last mark back").click()
        expect(page.locator(".page-header .chip")).to_have_text("handed over")

        way = page.url
        page.get_by_label("Password").fill("lake 2026")
        page.get_by_role("button", name="Make a link").click()
        link = page.locator(".secret").inner_text()
        expect(page.get_by_role("img", name="A code that leads to the papers of Nora Lind")).to_be_visible()
        accessible(page, "a packet with a new link")
        picture(page, "delivery-link")

        # Somebody without an account, on a phone.
        guest = browser.page(desk, PHONE, **TOUCH)
        guest.goto(link[link.index("/s/"):])
        expect(guest.get_by_role("heading", level=1)).to_have_text("This paper has a password")
        accessible(guest, "a link with a password")
        guest.get_by_label("Password").fill("guess")
        guest.get_by_role("button", name="Show the paper").click()
        expect(guest.locator(".field-error")).to_be_visible()
        guest.get_by_label("Password").fill("lake 2026")
        guest.get_by_role("button", name="Show the paper").click()
        expect(guest.get_by_role("heading", level=1)).to_contain_text("Nora Lind")
        accessible(guest, "a shared packet")
        picture(guest, "phone-shared")
        with guest.expect_download() as download:
            guest.get_by_role("link", name="Download").click()
        assert pathlib.Path(download.value.path()).read_bytes().startswith(b"%PDF")

        page.goto(way)
        expect(page.locator(".page-header .chip")).to_have_text("link opened")
        page.get_by_role("button", name="Take back").click()
        page.get_by_role("dialog").get_by_role("button", name="Take back").click()
        expect(page.locator(".toast")).to_be_visible()
        guest.goto(link[link.index("/s/"):])
        expect(guest.get_by_role("heading", level=1)).to_have_text("This link no longer opens anything")
        accessible(guest, "a link that ended")
        assert not page.complaints + guest.complaints, page.complaints + guest.complaints


@holds("Who has it is filtered and searched; the ledger is filtered, taken out, and its seals are checked")
def accounts(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        batch = make_packets(page, desk, pupils())
        page.goto(f"/batches/{batch}/deliveries")
        expect(page.locator(".tally")).to_contain_text("Sent 0 of 8")
        page.get_by_role("link", name="Max Power").click()
        page.get_by_role("button", name="Send by mail With the message").click()
        assert eventually(lambda: len(mailbox.to(address(7))) == 1), "the one mail did not arrive"
        page.goto(f"/batches/{batch}/deliveries")
        expect(page.locator(".tally")).to_contain_text("Sent 1 of 8")
        page.get_by_role("link", name="To send 7").click()
        expect(page.locator("[data-swap=results] .item")).to_have_count(7)
        page.get_by_role("link", name="Sent 1", exact=True).click()
        expect(page.locator("[data-swap=results] .item")).to_have_count(1)
        page.get_by_label("Search this list").fill("zoë")
        expect(page.get_by_role("heading", name="Nobody here")).to_be_visible()
        accessible(page, "nobody found")

        page.goto("/ledger")
        expect(page.locator(".tally")).to_contain_text("Sent 1 of 8")
        page.get_by_role("button", name="Check the seals").click()
        expect(page.locator("[role=status]", has_text="Every seal holds")).to_be_visible()
        accessible(page, "the ledger")
        picture(page, "ledger")
        # The newest seal is kept somewhere else, and compared with later.
        seal = page.locator(".notice code").inner_text()
        page.get_by_text("Compare with a seal you kept").click()
        page.get_by_label("The seal you kept").fill("18")
        page.locator("details").get_by_role("button", name="Check the seals").click()
        expect(page.get_by_text("A kept line is its number")).to_be_visible()
        accessible(page, "a seal that is none")
        page.get_by_label("The seal you kept").fill(f" {seal}\n")
        page.locator("details").get_by_role("button", name="Check the seals").click()
        expect(page.locator("[role=status]", has_text="The seal you kept is among them.")).to_be_visible()
        page.get_by_role("link", name="Sent 1", exact=True).click()
        expect(page.locator("[data-swap=results] .item")).to_have_count(1)
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV").click()
        lines = list(csv.reader(io.StringIO(pathlib.Path(download.value.path()).read_text(encoding="utf-8-sig"))))
        assert any("Max Power" in line for line in lines) and not any("Zoë Ångström" in line for line in lines), lines

        page.goto("/activity?view=figures")
        expect(page.locator(".stat", has_text="Papers made")).to_contain_text("8")
        expect(page.get_by_role("img", name=re.compile("Papers made per week"))).to_be_visible()
        page.get_by_text("As a table").first.click()
        expect(page.locator(".plain-table tbody tr").first).to_contain_text("8")
        accessible(page, "numbers")
        picture(page, "activity")
        assert not page.complaints, page.complaints


@holds("Without scripts a message is written, looked at, checked and sent")
def no_scripts(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        batch = make_packets(page, desk, pupils()[:2])
        plain = browser.page(desk, storage_state=page.context.storage_state(), java_script_enabled=False)
        plain.goto(f"/batches/{batch}/letter")
        plain.get_by_label("Subject").fill("Hello {{child_name}}")
        plain.get_by_role("button", name="Save", exact=True).click()
        expect(plain.locator(".mail-subject")).to_have_text(f"Hello {CLASS[0]}")
        plain.get_by_role("link", name="Next person").click()
        expect(plain.locator(".mail-subject")).to_have_text(f"Hello {CLASS[1]}")
        plain.get_by_role("button", name="Next: Check and send").click()
        plain.get_by_role("button", name="Send 2 messages").click()
        assert eventually(lambda: len(mailbox.mails) == 2), "they did not arrive"
        # Nothing renews itself here: one looks again, once the page that follows is there.
        expect(plain.locator(".toast")).to_contain_text("Sending 2 messages has begun.")
        assert eventually(lambda: (plain.reload(), [count.split() for count in plain.locator(".making-count").all_inner_texts()] == [["2", "/", "2"]])[1])


@holds("The day in a message is written in the language of whoever writes it")
def days(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        batch = make_packets(page, desk, pupils()[:2])
        page.context.add_cookies([{"name": "quire_language", "value": "es-MX", "url": desk.origin}])
        page.goto(f"/batches/{batch}/letter")
        page.locator("letter-editor:defined").wait_for()
        page.get_by_label("Asunto", exact=True).fill("{{date}}")
        expect(page.locator(".mail-subject")).to_have_text(re.compile(r"^\d+ de [a-z]+ de \d{4}$"))


@holds("Two people who write the same message do not undo each other unseen")
def conflict(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        batch = make_packets(page, desk, pupils()[:2])
        page.goto(f"/batches/{batch}/letter")
        other = browser.page(desk, storage_state=page.context.storage_state())
        other.goto(f"/batches/{batch}/letter")
        for each in (page, other):
            each.locator("letter-editor:defined").wait_for()
        page.get_by_label("Subject").fill("Mine")
        expect(page.locator(".mail-subject")).to_have_text("Mine")
        other.get_by_label("Subject").fill("Theirs")
        expect(other.get_by_role("alert")).to_contain_text("Somebody else has changed this message")
        page.reload()
        expect(page.get_by_label("Subject")).to_have_value("Mine")
        other.get_by_label("Subject").fill("Theirs, really")
        expect(other.locator(".mail-subject")).to_have_text("Theirs, really")
        expect(other.get_by_role("alert")).to_have_count(0)
        page.reload()
        expect(page.get_by_label("Subject")).to_have_value("Theirs, really")


@holds("A mail account that does not work says what is wrong, and a message waits until it does")
def wrong_account(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox)
        batch = make_packets(page, desk, pupils()[:2])
        page.goto("/settings/mail")
        page.get_by_role("button", name="Send a test message").click()
        assert eventually(lambda: len(mailbox.mails) == 1), "the test did not arrive"
        page.wait_for_load_state()
        page.reload()
        expect(page.locator(".notice[role=status]")).to_be_visible()
        page.get_by_label("Port").first.fill("1")
        page.get_by_role("button", name="Save").first.click()
        page.get_by_role("button", name="Send a test message").click()
        page.wait_for_load_state()
        bad = page.locator(".notice-bad")
        deadline = lambda: (page.reload(), bad.count() == 1)[1]
        assert eventually(deadline), "nothing was said about the port"
        accessible(page, "a mail account that does not work")
        page.goto("/suppressions")
        page.get_by_label("Email address").fill("family0@example.org")
        page.get_by_role("button", name="Block").click()
        expect(page.locator(".item", has_text="family0@example.org")).to_be_visible()
        page.goto(f"/batches/{batch}/letter")
        page.get_by_role("button", name="Next: Check and send").click()
        expect(page.locator(".checks")).to_contain_text("To one address nothing is sent any more.")
        page.goto("/suppressions")
        page.get_by_role("button", name="Allow family0@example.org again").click()
        expect(page.get_by_role("heading", name="No address is blocked")).to_be_visible()


@holds("Sending asks for an account first, and says so to whoever may set one up")
def no_account(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, **TOUCH)
    set_up(page)
    batch = make_packets(page, desk, pupils()[:2])
    page.goto(f"/batches/{batch}/letter")
    expect(page.locator(".notice").first).to_contain_text("There is no mail account yet.")
    page.get_by_role("link", name="Set up the mail account").click()
    page.wait_for_url("**/settings/mail")
    page.goto(f"/batches/{batch}/sending")
    expect(page.locator(".action-bar")).to_contain_text("Nothing can be sent yet.")
    accessible(page, "sending without an account")


def came_back(page, desk, batch, count):
    """The papers of the first few, as their owners sent them back; one is not a form at all."""
    folder = desk.home / "came-back"
    folder.mkdir(exist_ok=True)
    page.goto(f"/batches/{batch}/packets")
    packets = page.request.get(f"/batches/{batch}/packets?limit=50", headers={"Accept": "application/json"}).json()["packets"]
    paths = []
    for place, packet in enumerate(packets[:count]):
        path = folder / f"scan {place}.pdf"
        path.write_bytes(page.request.get(f"/packets/{packet['id']}/file").body())
        paths.append(path)
    other = folder / "holiday.jpg"
    other.write_bytes(b"\xff\xd8\xff\xe0 not a form")
    return paths + [other]


def harvesting(browser, size, name, **options):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox, size, **options)

        def look(what):
            accessible(page, f"{what} ({name})")
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], f"{what} ({name}) is {width} wide"
            if (name == "desktop") == (what == "harvest"):
                picture(page, what if name == "desktop" else f"phone-{what}")

        # The guide shows them as well.
        page.goto("/harvests")
        expect(page.get_by_role("heading", name="Nothing has been read yet")).to_be_visible()
        batch = make_packets(page, desk, pupils())
        files = came_back(page, desk, batch, 3)
        page.goto(f"/batches/{batch}/deliveries")
        page.get_by_role("link", name="Replies", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("What did they answer?")
        # They are compared with what was sent here, without asking.
        expect(page.get_by_label("Compare with")).to_have_count(0)
        page.get_by_label("Filled forms").set_input_files(files)
        page.get_by_role("button", name="Read them").click()
        page.wait_for_url(re.compile(r"/harvests/.+"))
        expect(page.locator(".lede")).to_contain_text("3 of 3 found in")
        expect(page.locator(".notice-warn")).to_contain_text("holiday.jpg")
        table = page.get_by_role("table", name="The answers")
        expect(table.get_by_role("link", name=CLASS[0])).to_be_visible()
        expect(page.locator(".notice", has_text="Nothing in them differs")).to_be_visible()
        look("harvest")
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV").click()
        rows = list(csv.DictReader(io.StringIO(pathlib.Path(download.value.path()).read_text())))
        assert [row["recipient"] for row in rows] == CLASS[:3], rows
        with page.expect_download() as download:
            page.get_by_role("link", name="XFDF", exact=True).click()
        assert download.value.suggested_filename == "forms-xfdf.zip"
        page.get_by_role("button", name="Mark 3 as replied").click()
        expect(page.locator(".toast")).to_contain_text("3 replies are noted.")
        expect(page.locator("[data-swap=results] .item")).to_have_count(3)
        page.goto("/harvests")
        look("harvests")
        # Form data of another program, in which somebody has answered otherwise.
        page.get_by_label("Compare with").select_option(batch)
        page.get_by_label("Filled forms").set_input_files({
            "name": "one.json", "mimeType": "application/json",
            "buffer": f'{{"child name": "{CLASS[0]}", "class": "6b"}}'.encode()})
        page.get_by_role("button", name="Read them").click()
        changes = page.locator(".card", has=page.get_by_role("heading", name="New or different"))
        expect(changes).to_contain_text("6b")
        look("harvest-changes")
        page.get_by_role("button", name="Forget").click()
        page.get_by_role("dialog").get_by_role("button", name="Forget").click()
        page.wait_for_url("**/harvests")
        assert not page.complaints, page.complaints


@holds("The guide: filled forms that came back are read together, compared, taken out as tables and marked as returned")
def harvest_on_a_desktop(browser):
    harvesting(browser, DESKTOP, "desktop")


@holds("Filled forms are read on a phone too, and the table keeps to its place")
def harvest_on_a_phone(browser):
    harvesting(browser, PHONE, "phone", **TOUCH)


@holds("The guide: a batch repeats: added, looked ahead, run, held, let go on and removed")
def repeating(browser):
    with Mailbox() as mailbox:
        desk, page = office(browser, mailbox, PHONE, **TOUCH)

        def look(what):
            accessible(page, f"{what} on a phone")
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE["width"], f"{what} is {width} wide"
            if what in ("repetition", "repetitions"):
                picture(page, f"phone-{what}")

        page.goto("/repetitions")
        expect(page.get_by_role("heading", name="Nothing repeats")).to_be_visible()
        look("repetitions-empty")
        batch = make_packets(page, desk, pupils()[:3])
        page.goto(f"/batches/{batch}/letter")
        page.get_by_label("Subject").fill("Paper for {{child_name}}")
        page.get_by_role("button", name="Next: Check and send").click()
        page.get_by_role("button", name="Send 3 messages").click()
        page.get_by_role("dialog").get_by_role("button", name="Send 3 messages").click()
        sent(page, 3, 3)
        page.goto(f"/batches/{batch}/deliveries")
        page.get_by_text("Repeat this send-out").click()
        look("repeating, in the send-out")
        page.get_by_role("button", name="Repeat it").click()
        expect(page.locator(".field-error")).to_contain_text("Name the file, or choose a time.")
        look("repetition-without-a-time")
        (desk.home / "inbox").mkdir(exist_ok=True)
        people = pupils()[:3] + [("Newly Come", "new@example.org")]
        table(desk.home / "inbox", people)
        page.get_by_label(re.compile("^File")).fill("class.csv")
        page.get_by_role("button", name="Repeat it").click()
        page.wait_for_url(re.compile(r"/repetitions/.+"))
        expect(page.locator(".page-header .chip")).to_have_text("on")
        repetition = page.url
        page.goto(f"/batches/{batch}/deliveries")
        expect(page.locator("section", has=page.get_by_role("heading", name="Repeat this send-out"))).to_contain_text("class.csv")
        page.goto(repetition)
        page.get_by_role("button", name="Look").click()
        expect(page.get_by_text("Nothing is new or changed at the moment.")).to_be_visible()
        time_before = len(mailbox.mails)
        page.get_by_role("button", name="Run now").click()
        assert eventually(lambda: len(mailbox.to("new@example.org")) == 1, 120), "the new one got nothing"
        assert len(mailbox.mails) == time_before + 1, "somebody got theirs twice"
        page.reload()
        expect(page.locator(".item", has_text="Papers made: 1, being sent: 1.")).to_be_visible()
        look("repetition")
        page.get_by_role("button", name="Pause").click()
        expect(page.locator(".page-header .chip")).to_have_text("paused")
        page.get_by_role("button", name="Go on").click()
        expect(page.locator(".page-header .chip")).to_have_text("on")
        page.goto("/repetitions")
        expect(page.locator(".item-link")).to_have_count(1)
        look("repetitions")
        page.locator(".item-link").click()
        page.get_by_role("button", name="Remove").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_role("heading", name="Nothing repeats")).to_be_visible()
        assert not page.complaints, page.complaints


REPORT = """Return-Path: <>
From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
To: office@school.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org

Final-Recipient: rfc822; {address}
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {message}
--b--
"""


@holds("Mail that came back is read from a real mailbox, told where the letter stands, and its address gets nothing more")
def bounced(browser):
    if not (shutil.which("dovecot") or os.path.exists("/usr/sbin/dovecot")):
        raise Skipped("Dovecot is not installed (bin/setup --check)")
    with Mailbox() as mailbox, tempfile.TemporaryDirectory() as folder:
        peer = subprocess.Popen(
            [sys.executable, "Tests/Peers/imap.py", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            port = peer.stdout.readline().split()[1]
            desk, page = office(browser, mailbox)
            batch = make_packets(page, desk, pupils()[:2])
            page.goto(f"/packets/{packet_named(page, batch, CLASS[0])}/delivery")
            page.get_by_role("button", name="Send by mail With the message").click()
            assert eventually(lambda: len(mailbox.to(address(0))) == 1), "the mail did not arrive"
            page.goto("/settings/mail")
            page.get_by_text("Mail that comes back").first.click()
            card = page.locator("#bounces")
            card.get_by_label("Server of the mailbox").fill("127.0.0.1")
            card.get_by_label("Port", exact=True).fill(port)
            card.get_by_label("Encryption").select_option("none")
            card.get_by_label("User name").fill("ana")
            card.get_by_label("Password").fill("wrong")
            accessible(page, "the mailbox of mail that comes back")
            card.get_by_role("button", name="Save").click()
            page.get_by_role("button", name="Look for mail that bounced").click()
            expect(page.locator("#bounces [role=alert]")).to_contain_text("did not accept the user name and password")
            accessible(page, "a mailbox that cannot be read")
            page.locator("#bounces").get_by_label("Password").fill("geheim")
            page.locator("#bounces").get_by_role("button", name="Save").click()
            text = REPORT.format(address=address(0), message=mailbox.to(address(0))[0]["Message-ID"])
            draft = pathlib.Path(folder, "mail", "tmp", "1700000001.a")
            draft.write_bytes(text.replace("\n", "\r\n").encode())
            draft.chmod(0o666)
            draft.rename(pathlib.Path(folder, "mail", "new", "1700000001.a"))
            page.get_by_role("button", name="Look for mail that bounced").click()
            expect(page.locator(".toast")).to_contain_text("One message bounced.")
            page.goto(f"/batches/{batch}/deliveries")
            expect(page.locator(".item", has_text=CLASS[0])).to_contain_text("bounced")
            page.goto("/suppressions")
            expect(page.locator(".item", has_text=address(0))).to_be_visible()
            assert not page.complaints, page.complaints
        finally:
            peer.stdin.close()
            peer.wait(10)


def packet_named(page, batch, name):
    packets = page.request.get(f"/batches/{batch}/packets?limit=50", headers={"Accept": "application/json"}).json()["packets"]
    return next(packet["id"] for packet in packets if packet["name"] == name)
