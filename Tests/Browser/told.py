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


# What a browser whose maker's service can be reached says of itself; none can be reached from here.
SUBSCRIBED = """
(() => {
  // Without a window there is nobody to be asked.
  const permission = () => localStorage.getItem("refused") ? "denied" : "granted";
  Object.defineProperty(Notification, "permission", { get: permission });
  Notification.requestPermission = async () => permission();
  let made = localStorage.getItem("made");
  const subscription = () => ({
    endpoint: "https://push.invalid/browser", unsubscribe: async () => { localStorage.removeItem("made"); made = null; return true; },
    toJSON: () => ({ endpoint: "https://push.invalid/browser", keys: { p256dh: "%s", auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
  });
  PushManager.prototype.getSubscription = async () => made ? subscription() : null;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (applicationServerKey.length !== 65) throw new Error("no key");
    localStorage.setItem("made", made = "yes");
    return subscription();
  };
})();
""" % "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


@holds("A device shows notices while no page is open: switched on with one tap, tried, and taken away again")
def on_a_device(browser):
    desk = browser.new_desk()
    page = browser.page(desk, PHONE, **TOUCH)
    page.context.add_init_script(SUBSCRIBED)
    set_up(page)
    page.goto("/settings/notices")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    devices = page.locator("#devices")
    devices.get_by_role("button", name="Show notices on this device").tap()
    expect(devices.locator("[data-endpoint]")).to_have_count(1)
    expect(devices.get_by_text("this one")).to_be_visible()
    expect(devices.get_by_role("button", name="Show notices on this device")).to_have_count(0)
    accessible(page, "a device that shows notices")
    picture(page, "notices-device-phone")
    # Its service cannot be reached from here: that is said, and stays beside the device.
    devices.get_by_role("button", name="Show a notice on").tap()
    expect(page.get_by_text("could not be told")).to_be_visible()
    page.goto("/settings/notices")
    expect(devices.locator(".field-error")).to_be_visible()
    picture(page, "notices-device-trouble-phone")

    # What the service hands over is shown, and a second word of the same thing takes the place of the first.
    worker = page.context.service_workers[0]
    worker.evaluate("void (registration.showNotification = async (title, options) => (globalThis.shown ??= []).push({ title, ...options }))")
    devtools = page.context.new_cdp_session(page)
    found = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    for _ in range(100):
        if found:
            break
        page.wait_for_timeout(100)
    for text in ("Out of paper", "Out of ink"):
        devtools.send("ServiceWorker.deliverPushMessage", {
            "origin": desk.origin, "registrationId": found[0]["registrationId"],
            "data": '{"title": "A repetition waits", "text": "%s", "link": "/repetitions"}' % text,
        })
    for _ in range(100):
        shown = worker.evaluate("globalThis.shown ?? []")
        if len(shown) == 2:
            break
        page.wait_for_timeout(100)
    assert [each["body"] for each in shown] == ["Out of paper", "Out of ink"], shown
    assert {each["title"] for each in shown} == {"A repetition waits"}
    assert {each["tag"] for each in shown} == {"/repetitions"}

    devices.get_by_role("button", name="Remove").tap()
    expect(page.get_by_text("That device is told nothing more.")).to_be_visible()
    expect(devices.get_by_role("button", name="Show notices on this device")).to_be_visible()
    # Whoever switched them off in the browser is told where.
    page.evaluate("localStorage.setItem('refused', 'yes')")
    page.reload()
    expect(devices.get_by_text("does not let the desk show notices")).to_be_visible()
