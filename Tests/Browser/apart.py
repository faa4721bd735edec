"""As an installed app: without a network, on the home screen."""

import re
import tempfile

from playwright.sync_api import expect

from desk import add, set_up, sign_in
from sentences import holds


def ready(page):
    """Until the service worker rules the page."""
    page.evaluate("navigator.serviceWorker.ready.then(it => it.active.state)")
    page.reload()
    page.wait_for_timeout(400)


@holds("Without a network the pages last seen still open, the others say why not")
def offline(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    add(page, "Seen.txt", b"x")
    page.goto("/documents")
    ready(page)
    page.goto("/")
    page.goto("/documents")
    expect(page.get_by_role("link", name="Seen.txt")).to_be_visible()
    page.context.set_offline(True)
    page.goto("/documents")
    expect(page.get_by_role("link", name="Seen.txt")).to_be_visible()
    page.goto("/settings/plans")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    page.context.set_offline(False)
    page.goto("/")
    page.get_by_role("button", name="Account of Ana Tremblay").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in*")
    kept = page.evaluate("caches.open('quire-pages').then(it => it.keys()).then(it => it.map(each => each.url))")
    assert kept == [], f"signing out left pages behind: {kept}"


@holds("What a browser keeps ends with the lock, with the session and with the private folders it came from")
def forgets(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    add(page, "Seen.txt", b"x")
    page.goto("/documents")
    ready(page)

    def kept():
        return page.evaluate("caches.open('quire-pages').then(it => it.keys()).then(it => it.map(each => each.url))")

    page.goto("/documents")
    assert kept(), "nothing is kept to begin with"
    # Pages that were opened with the private folders are not kept at all.
    page.evaluate("caches.delete('quire-pages')")
    page.goto("/private?next=/documents")
    page.goto("/documents")
    assert not kept(), f"kept while private folders are open: {kept()}"
    page.evaluate("fetch('/private/closing', {method: 'POST', headers: {'X-Quire-CSRF': document.querySelector('meta[name=csrf]').content}})")
    page.goto("/documents")
    assert kept(), "nothing is kept after they are closed"
    # The desk locks itself where the browser does not see it.
    csrf = page.locator("meta[name=csrf]").get_attribute("content")
    answer = page.context.request.post("/lock", headers={"X-Quire-CSRF": csrf, "Sec-Fetch-Site": "same-origin"})
    assert answer.ok, answer.status
    page.goto("/documents")
    assert not kept(), f"kept behind the lock: {kept()}"
    page.context.set_offline(True)
    page.goto("/documents")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    page.context.set_offline(False)


@holds("The app can be installed")
def installable(browser):
    desk = browser.new_desk()
    with tempfile.TemporaryDirectory() as profile:
        context = browser.playwright.chromium.launch_persistent_context(
            profile, executable_path="/usr/bin/chromium", args=["--no-sandbox"], base_url=desk.origin)
        try:
            page = context.new_page()
            page.entry = desk.entry
            set_up(page)
            page.goto("/")
            page.evaluate("navigator.serviceWorker.ready.then(it => it.active.state)")
            devtools = context.new_cdp_session(page)
            errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
            assert errors == [], errors
            manifest = devtools.send("Page.getAppManifest")
            assert not manifest.get("errors"), manifest["errors"]
        finally:
            context.close()


@holds("The manifest speaks the reader's language and takes shared files")
def manifest(browser):
    page = browser.page(browser.shared_desk(), locale="fr-CA")
    sign_in(page)
    answer = page.request.get("/manifest.webmanifest", headers={"Accept-Language": "fr-CA"}).json()
    assert answer["lang"] == "fr-CA"
    assert answer["share_target"]["action"] == "/shared"
    assert answer["share_target"]["params"]["files"][0]["name"] == "file"
    assert {icon["purpose"] for icon in answer["icons"]} == {"any", "maskable"}
    for icon in answer["icons"]:
        assert page.request.get(icon["src"]).ok, icon


@holds("The pages keep their own security rules")
def security_policy(browser):
    page = browser.page(browser.shared_desk())
    sign_in(page)
    response = page.goto("/")
    policy = response.headers["content-security-policy"]
    for rule in ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "base-uri 'none'"]:
        assert rule in policy, f"{rule} is missing in {policy}"
    assert "unsafe" not in policy
    assert re.search(r"script-src 'self' 'nonce-[\w+/=-]{16,}'", policy), policy
    refused = page.evaluate("""() => {
        try { document.body.innerHTML = '<b>x</b>'; return false } catch { return true }
    }""")
    assert refused, "HTML as a string was taken"


@holds("A page is small, and smaller still when it is warm")
def budget(browser):
    page = browser.page(browser.shared_desk())
    sign_in(page)
    page.goto("/documents")
    page.wait_for_timeout(600)
    cold = page.evaluate("performance.getEntriesByType('resource').reduce((sum, it) => sum + it.transferSize, 0)")
    assert cold < 120_000, f"{cold} bytes of files on a page"
    page.goto("/documents")
    page.wait_for_timeout(300)
    warm = page.evaluate("""() => performance.getEntriesByType('resource').reduce((sum, it) => sum + it.transferSize, 0)
        + performance.getEntriesByType('navigation')[0].transferSize""")
    assert warm < 60_000, f"{warm} bytes on a warm page"
