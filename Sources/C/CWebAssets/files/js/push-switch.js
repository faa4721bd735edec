// Notices on this device, also while no page of the desk is open: asks the browser for an address and tells it to the desk.
import { icon, make } from "./make.js";
import { json } from "./requests.js";
import { text } from "./texts.js";

const bytes = (base64url) => Uint8Array.from(
  atob(base64url.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));

customElements.define("push-switch", class extends HTMLElement {
  async connectedCallback() {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (!worker?.pushManager || !("Notification" in globalThis)) {
      return this.#say(text(/iPhone|iPad/.test(navigator.userAgent) ? "push.ios" : "push.none"));
    }
    if (Notification.permission === "denied") return this.#say(text("push.denied"));
    const here = await worker.pushManager.getSubscription();
    const item = here && [...document.querySelectorAll("[data-endpoint]")].find((each) => each.dataset.endpoint === here.endpoint);
    if (item) {
      item.querySelector(".item-title").append(" ", make("span", { class: "chip chip-good" }, text("push.here")));
      return this.replaceChildren();
    }
    this.button = make("button", { class: "button", type: "button", onclick: () => this.#press(here) }, icon("bell"), text("push.on"));
    this.status = make("p", { class: "soft small", role: "status" });
    this.replaceChildren(make("div", {}, this.button), this.status);
  }

  /** @param {PushSubscription | null} before */
  async #press(before) {
    this.button.setAttribute("aria-busy", "true");
    this.status.textContent = "";
    try {
      if (await Notification.requestPermission() !== "granted") return this.#say(text("push.denied"));
      // One that another person asked for here, or another desk, is none of theirs any more.
      await before?.unsubscribe();
      const made = await (await navigator.serviceWorker.ready).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(this.getAttribute("key")) });
      const { endpoint, keys } = made.toJSON();
      await json("/settings/notices/devices", { method: "POST", body: { endpoint, p256dh: keys.p256dh, auth: keys.auth } });
      location.reload();
    } catch (failure) {
      // The service of the browser's maker cannot be reached, or the desk said no.
      this.status.textContent = failure.status ? failure.message : text("push.failed");
    } finally {
      this.button.removeAttribute("aria-busy");
    }
  }

  /** @param {string} words */
  #say(words) { this.replaceChildren(make("p", { class: "soft small" }, words)); }
});
