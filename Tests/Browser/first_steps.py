"""The first minutes, and the ways in."""

from playwright.sync_api import expect

from desk import PASSWORD, PHONE, accessible, add, set_up
from sentences import holds


def with_authenticator(page):
    """A device that holds passkeys and always says yes."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }})


def sign_in_by_button(page):
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


# The device would answer the browser's own offer (conditional UI) before anybody can press the button.
NO_OFFER = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"


@holds("A new desk asks who owns it, and ends with a first paper on it")
def onboarding(browser):
    page = browser.page(browser.new_desk(), PHONE, has_touch=True, is_mobile=True)
    page.goto(page.entry)
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome to your desk")
    accessible(page, "welcome")
    page.get_by_label("Your name").fill("Ana Tremblay")
    page.get_by_label("Sign-in name").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue with the password").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Keep these codes")
    assert page.locator(".codes li").count() >= 8
    accessible(page, "codes")
    page.get_by_role("link", name="I have kept them").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How it goes")
    expect(page.get_by_role("heading", name="Put a first paper on the desk")).to_be_visible()
    accessible(page, "first paper")
    page.locator("input[type=file]").set_input_files({"name": "First.txt", "mimeType": "text/plain", "buffer": b"Hello"})
    page.wait_for_url(lambda url: "welcome" not in url)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ana")
    expect(page.get_by_role("link", name="First.txt")).to_be_visible()
    assert not page.complaints, page.complaints


@holds("The welcome can be skipped and is asked only once")
def welcome_once(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    set_up(page)
    stranger = browser.page(desk)
    stranger.goto("/welcome")
    assert "welcome" not in stranger.url or stranger.locator("#account").count() == 0


@holds("A name or password that is wrong is said in words, and the name stays")
def wrong_password(browser):
    page = browser.page(browser.shared_desk())
    page.goto("/sign-in")
    page.get_by_label("Sign-in name").fill("ana")
    page.get_by_label("Password").fill("not the right words")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.get_by_label("Sign-in name")).to_have_value("ana")
    accessible(page, "sign-in with an error")


@holds("After signing in one is where one wanted to be, and signing out ends it")
def signing_in_and_out(browser):
    page = browser.page(browser.shared_desk())
    page.goto("/documents")
    assert "/sign-in" in page.url
    page.get_by_label("Sign-in name").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/documents")
    page.get_by_role("button", name="Account of Ana Tremblay").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in*")
    page.goto("/documents")
    assert "/sign-in" in page.url


@holds("An owner sets up the desk with a passkey alone, and signs in with it")
def passkey_owner(browser):
    page = browser.page(browser.new_desk())
    with_authenticator(page)
    page.add_init_script(NO_OFFER)
    page.goto(page.entry)
    page.get_by_label("Your name").fill("Chloé Roy")
    page.get_by_label("Sign-in name").fill("chloe")
    page.get_by_role("button", name="Continue with a passkey").click()
    page.wait_for_url(lambda url: "welcome" not in url or "step" in url)
    assert page.locator(".codes li").count() >= 8
    page.goto("/")
    page.get_by_role("button", name="Account of Chloé Roy").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in*")
    sign_in_by_button(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Chloé")
    assert not page.complaints, page.complaints


@holds("A passkey is added in Settings, opens the desk, and can be removed")
def passkey_added(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    with_authenticator(page)
    page.add_init_script(NO_OFFER)
    set_up(page)
    page.goto("/settings/security")
    page.get_by_role("button", name="Add a passkey").click()
    item = page.locator(".card", has=page.get_by_role("heading", name="Passkeys")).locator(".item")
    expect(item).to_have_count(1)
    page.context.clear_cookies()
    page.goto("/sign-in")
    sign_in_by_button(page)
    page.goto("/settings/security")
    item.get_by_role("button", name="Remove").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    accessible(page, "question before removing")
    dialog.get_by_role("button", name="Remove").click()
    expect(item).to_have_count(0)


@holds("The browser offers the passkey by itself where the name is asked")
def passkey_offered(browser):
    page = browser.page(browser.new_desk())
    with_authenticator(page)
    set_up(page)
    page.goto("/settings/security")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator(".card", has=page.get_by_role("heading", name="Passkeys")).locator(".item")).to_have_count(1)
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.wait_for_url(lambda url: "sign-in" not in url)


@holds("A second person is invited, joins, and may do what their role says")
def invitation(browser):
    desk = browser.new_desk()
    owner = browser.page(desk)
    set_up(owner)
    owner.goto("/members")
    owner.get_by_label("For whom").fill("Bruno")
    owner.get_by_label("Can view").check()
    owner.get_by_role("button", name="Make invitation").click()
    address = owner.locator(".secret").inner_text()
    accessible(owner, "members with an invitation")

    guest = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    guest.goto(address[address.index("/join/"):])
    expect(guest.get_by_role("heading", level=1)).to_have_text("You have an invitation")
    accessible(guest, "invitation")
    guest.get_by_label("Your name").fill("Bruno Díaz")
    guest.get_by_label("Sign-in name").fill("bruno")
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Continue with the password").click()
    # What the desk is for, in three steps, which can be passed over.
    expect(guest.get_by_role("heading", name="How it goes")).to_be_visible()
    expect(guest.locator(".three-steps li")).to_have_count(3)
    assert guest.get_by_label("Choose files").count() == 0
    guest.get_by_role("link", name="To the desk").click()
    guest.goto("/documents")
    assert guest.get_by_role("link", name="Add papers").count() == 0
    guest.goto("/settings/mail")
    expect(guest.get_by_role("heading", level=1)).to_have_text("You are not allowed to do this")

    guest.goto(address[address.index("/join/"):])
    expect(guest.get_by_role("heading", name="This invitation no longer works")).to_be_visible()
    owner.goto("/members")
    expect(owner.locator(".item", has_text="Bruno Díaz")).to_be_visible()
    owner.get_by_label("Role of Bruno Díaz").select_option("editor")
    expect(owner.locator(".toast")).to_be_visible()
    guest.goto("/documents")
    expect(guest.get_by_role("link", name="Add papers").first).to_be_visible()


@holds("Whoever does not know on finds an answer under Help, or writes to those who look after the desk")
def help_found(browser):
    desk = browser.new_desk()
    owner = browser.page(desk)
    set_up(owner)
    owner.goto("/settings/identity")
    owner.get_by_label("Rules of use").fill("javascript:alert(1)")
    owner.locator("form:has([name=terms]) .button-main").click()
    expect(owner.locator("#terms-error, .field-error").filter(has_text="address of a page")).to_be_visible()
    owner.get_by_label("Rules of use").fill("https://example.org/rules")
    owner.locator("form:has([name=terms]) .button-main").click()
    expect(owner.locator(".toast")).to_be_visible()
    owner.goto("/members")
    owner.get_by_label("Can view").check()
    owner.get_by_role("button", name="Make invitation").click()
    address = owner.locator(".secret").inner_text()

    guest = browser.page(desk, PHONE, has_touch=True, is_mobile=True)
    guest.goto(address[address.index("/join/"):])
    guest.get_by_label("Your name").fill("Vera Blanc")
    guest.get_by_label("Sign-in name").fill("vera")
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Continue with the password").click()
    guest.get_by_role("link", name="To the desk").click()
    guest.get_by_role("button", name="Account of Vera Blanc").click()
    guest.get_by_role("link", name="Help").click()
    guest.get_by_text("I deleted something").click()
    expect(guest.get_by_text("where it stays for thirty days")).to_be_visible()
    # What only others may do is not pointed at.
    guest.get_by_text("How do I put papers on the desk?").click()
    assert guest.locator("#papers-add a").count() == 0
    expect(guest.get_by_role("link", name="https://example.org/rules")).to_be_visible()
    guest.get_by_label("Write to them").fill("Where do the consent forms go?")
    guest.get_by_role("button", name="Send").click()
    expect(guest.locator(".toast")).to_contain_text("Sent to those who look after the desk")
    guest.goto("/help/privacy")
    expect(guest.get_by_text("2 people use this desk")).to_be_visible()
    assert "/tmp" not in guest.locator("main").inner_text(), "where the folder lies is its owners' to know"

    owner.goto("/notices")
    expect(owner.locator(".item", has_text="Vera Blanc: Where do the consent forms go?")).to_be_visible()
    owner.goto("/help")
    assert owner.get_by_label("Write to them").count() == 0
    assert not owner.complaints + guest.complaints, owner.complaints + guest.complaints


@holds("The app locks when asked, shows nothing meanwhile, and opens with the password")
def app_lock(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    add(page, "Secret plan.txt", b"hush")
    page.goto("/settings/security")
    page.get_by_label("Lock when nobody has touched the app").select_option("1")
    page.locator(".card", has=page.get_by_role("heading", name="App lock")).get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_be_visible()
    page.goto("/")
    page.get_by_role("button", name="Account of Ana Tremblay").click()
    page.get_by_role("button", name="Lock now").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The desk is locked")
    accessible(page, "lock")
    page.goto("/documents")
    assert "Secret plan" not in page.content()
    page.locator("#f-password").fill("wrong wrong wrong")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator(".field-error, [role=alert]").filter(visible=True).first).to_be_visible()
    page.locator("#f-password").fill(PASSWORD)
    page.get_by_role("button", name="Open", exact=True).click()
    page.goto("/documents")
    expect(page.get_by_role("link", name="Secret plan.txt")).to_be_visible()


@holds("The app locks by itself after idle minutes")
def app_lock_by_itself(browser):
    page = browser.page(browser.new_desk())
    set_up(page)
    page.goto("/settings/security")
    page.get_by_label("Lock when nobody has touched the app").select_option("1")
    page.locator(".card", has=page.get_by_role("heading", name="App lock")).get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_be_visible()
    page.clock.install()
    page.goto("/documents")
    page.locator("app-lock:defined").wait_for(state="attached")
    page.clock.fast_forward(61_000)
    page.clock.run_for(20_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("The desk is locked")


@holds("A recovery code opens the desk once")
def recovery_code(browser):
    desk = browser.new_desk()
    page = browser.page(desk)
    page.goto(page.entry)
    page.get_by_label("Your name").fill("Ana Tremblay")
    page.get_by_label("Sign-in name").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue with the password").click()
    code = page.locator(".codes li").first.inner_text()
    for attempt in (1, 2):
        page.context.clear_cookies()
        page.goto("/sign-in?with=recovery")
        page.get_by_label("Sign-in name").fill("ana")
        page.get_by_label("Recovery code").fill(code)
        page.get_by_label("New password").fill("another quiet lamp")
        page.get_by_role("button", name="Sign in", exact=True).click()
        if attempt == 1:
            page.wait_for_url(lambda url: "sign-in" not in url)
        else:
            expect(page.get_by_role("alert").first).to_be_visible()
