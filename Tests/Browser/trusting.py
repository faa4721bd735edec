"""A desk that vouches for itself in a house: what a phone is shown before it trusts the desk, and what it can do then."""

import pathlib
import re
import socket
import subprocess
import tempfile

from playwright.sync_api import Error, expect

from desk import PHONE, WINDOWLESS, accessible, picture, set_up, sign_in
from scanning import filmed, until
from sentences import holds


def key_of(port: int) -> str:
    """What Chromium calls the key of the certificate that is shown there."""
    shown = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{port}"], input=b"", capture_output=True).stdout
    key = subprocess.run(["openssl", "x509", "-noout", "-pubkey"], input=shown, capture_output=True, check=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key, capture_output=True, check=True).stdout
    digest = subprocess.run(["openssl", "dgst", "-sha256", "-binary"], input=der, capture_output=True, check=True).stdout
    return subprocess.run(["openssl", "base64"], input=digest, capture_output=True, check=True).stdout.decode().strip()


@holds("A phone that does not trust the desk is led there in its language, without encryption; one that does goes on to it, with the live camera and the time without a network")
def led(browser):
    # Under a name that is not this machine's alone: browsers believe that one anything.
    name = socket.gethostname().split(".")[0] + ".local"
    desk = browser.new_desk(QUIRE_LAN="yes", QUIRE_HOST="127.0.0.1")
    plain, safe = f"http://{name}:{desk.port}", f"https://{name}:{desk.port}"
    here = browser.chromium.new_context(base_url=f"https://127.0.0.1:{desk.port}", ignore_https_errors=True)
    browser.contexts.append(here)
    owner = here.new_page()
    owner.entry = desk.entry
    set_up(owner)

    arguments = ["--no-sandbox", f"--host-resolver-rules=MAP {name} 127.0.0.1"]
    stranger = browser.playwright.chromium.launch(executable_path=WINDOWLESS, args=arguments)
    try:
        for language in ["en", "es-MX", "fr-CA"]:
            for scheme in ["light", "dark"]:
                context = stranger.new_context(viewport=PHONE, locale=language, color_scheme=scheme)
                page = context.new_page()
                complaints = []
                page.on("pageerror", lambda error: complaints.append(str(error)))
                # As somebody types it.
                page.goto(plain + "/")
                page.wait_for_url("**/trust#on")
                for fold in page.locator("details:not([open]) > summary").all():
                    fold.click()
                accessible(page, f"the way to trust ({language}, {scheme})")
                width = page.evaluate("document.documentElement.scrollWidth")
                assert width <= PHONE["width"], f"it is {width} wide in {language}"
                picture(page, f"trust-{language}-{scheme}")
                if language == "en":
                    page.get_by_role("link", name="Check").click()
                    expect(page.get_by_role("status")).to_contain_text("does not trust the desk yet")
                assert not complaints, complaints
                context.close()
        page = stranger.new_page()
        try:
            page.goto(plain + "/documents")
            raise AssertionError("a browser that does not trust the desk opened it")
        except Error as failure:
            assert "ERR_CERT_AUTHORITY_INVALID" in str(failure), failure
    finally:
        stranger.close()

    with tempfile.TemporaryDirectory() as folder:
        film = filmed(browser, pathlib.Path(folder))
        trusting = browser.playwright.chromium.launch(executable_path=WINDOWLESS, args=arguments + [
            f"--ignore-certificate-errors-spki-list={key_of(desk.port)}", "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"])
        try:
            context = trusting.new_context(base_url=safe, viewport=PHONE)
            context.set_default_timeout(60_000)
            phone = context.new_page()
            # Who comes for the desk is not kept on the page that leads there.
            phone.goto(plain + "/")
            phone.wait_for_url(re.compile(re.escape(safe) + "/sign-in"))
            phone.goto(plain + "/trust")
            assert not phone.evaluate("isSecureContext")
            phone.get_by_role("link", name="Check").click()
            phone.wait_for_url(re.compile(re.escape(safe)))
            assert phone.evaluate("isSecureContext")
            sign_in(phone)
            assert phone.evaluate("navigator.serviceWorker.ready.then(there => there.active !== null)")
            phone.goto("/scan")
            until(phone, 1)
            phone.goto("/phones")
            phone.get_by_text("The phone warns?").click()
            expect(phone.locator("#trust a")).to_have_attribute("href", plain + "/trust")
            accessible(phone, "the way to trust beside the code for phones")
            picture(phone, "phones-trust")
        finally:
            trusting.close()
