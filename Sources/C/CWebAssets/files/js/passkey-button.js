// Passkeys: sign in, unlock, make an account, add another one. The server sends and takes the JSON forms of WebAuthn 3.
import { json } from "./requests.js";
import { text } from "./texts.js";

const bytes = (base64url) => Uint8Array.from(
  atob(base64url.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));

const creation = (options) => PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
  ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) },
  excludeCredentials: options.excludeCredentials?.map((each) => ({ ...each, id: bytes(each.id) })),
};

const question = (options) => PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
  ...options, challenge: bytes(options.challenge),
  allowCredentials: options.allowCredentials?.map((each) => ({ ...each, id: bytes(each.id) })),
};

customElements.define("passkey-button", class extends HTMLElement {
  #autofill;

  connectedCallback() {
    if (!globalThis.PublicKeyCredential) { this.hidden = true; return; }
    this.button = this.querySelector("button");
    this.button.addEventListener("click", () => this.#press());
    if (this.getAttribute("action") === "sign-in") this.#offer();
  }

  async #press() {
    this.#autofill?.abort();
    this.#say("");
    this.button.setAttribute("aria-busy", "true");
    try {
      await this.#run();
    } catch (failure) {
      // Whoever signed in a while ago shows first that it is still they.
      if (failure.field === "proof") {
        location.assign(`/unlock?next=${encodeURIComponent(location.pathname)}`);
        return;
      }
      // Closing the device's own dialog is an answer, not a fault.
      const words = failure.name === "NotAllowedError" ? text("passkey.cancelled")
        : failure.name === "InvalidStateError" ? text("passkey.known")
        : failure.message || text("passkey.failed");
      this.#say(words);
    } finally {
      this.button.removeAttribute("aria-busy");
    }
  }

  async #run() {
    switch (this.getAttribute("action")) {
      case "sign-in": return this.#get("/sign-in");
      case "unlock": return this.#get("/unlock");
      case "add": return this.#create("/passkeys/options", "/passkeys", {}, location.pathname);
      case "register": {
        const path = this.getAttribute("path");
        const form = document.getElementById(this.getAttribute("form"));
        const fields = ["name", "login"].map((name) => form.elements.namedItem(name));
        if (!fields.every((field) => field.reportValidity())) return;
        const account = Object.fromEntries(["name", "login", "code", "timeZone"].map((name) => form.elements.namedItem(name))
          .filter((field) => field).map((field) => [field.name, field.value]));
        const next = path === "/welcome" ? "/welcome?step=codes" : "/";
        return this.#create(`${path}/passkey-options`, `${path}/passkey`, account, next);
      }
    }
  }

  async #get(path) {
    const { publicKey, ceremony } = await json(`${path}/passkey-options`, { method: "POST", body: {} });
    const credential = await navigator.credentials.get({ publicKey: question(publicKey) });
    await this.#signedIn(path, ceremony, credential);
  }

  async #signedIn(path, ceremony, credential) {
    const next = this.getAttribute("next") ?? "/";
    const body = { ceremony, credential: credential.toJSON(), next };
    const answer = await json(`${path}/passkey`, { method: "POST", body });
    location.assign(answer.next ?? next);
  }

  async #create(optionsPath, path, extra, next) {
    const { publicKey, ceremony } = await json(optionsPath, { method: "POST", body: extra });
    const credential = await navigator.credentials.create({ publicKey: creation(publicKey) });
    const body = { ...extra, ceremony, credential: credential.toJSON() };
    if (!body.name) body.name = deviceName();
    const answer = await json(path, { method: "POST", body });
    location.assign(answer.next ?? next);
  }

  /** Passkeys offered by the browser in the name field, without a press (conditional UI). */
  async #offer() {
    if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
    this.#autofill = new AbortController();
    try {
      const { publicKey, ceremony } = await json("/sign-in/passkey-options", { method: "POST", body: {} });
      const credential = await navigator.credentials.get({
        publicKey: question(publicKey), mediation: "conditional", signal: this.#autofill.signal,
      });
      if (credential) await this.#signedIn("/sign-in", ceremony, credential);
    } catch (failure) {
      if (!["AbortError", "NotAllowedError"].includes(failure.name)) this.#say(failure.message);
    }
  }

  #say(words) {
    const place = this.querySelector(".field-error");
    place.textContent = words;
    place.hidden = !words;
  }
});

function deviceName() {
  const agent = navigator.userAgent;
  const system = [["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Mac OS", "Mac"], ["Windows", "Windows"],
    ["CrOS", "Chromebook"], ["Linux", "Linux"]].find(([mark]) => agent.includes(mark));
  return system?.[1] ?? text("passkey.device");
}
