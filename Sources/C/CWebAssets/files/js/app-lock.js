// Locks the app after idle minutes, in all its tabs together. The server locks the session; this only asks it to,
// and the server would do so by itself at the next request.
import { keep } from "./drafts.js";
import { json } from "./requests.js";

const channel = new BroadcastChannel("quire-attention");
const signs = ["pointerdown", "keydown", "wheel", "touchstart"];

customElements.define("app-lock", class extends HTMLElement {
  #last = Date.now();
  #timer;

  connectedCallback() {
    this.limit = Number(this.getAttribute("minutes")) * 60_000;
    for (const sign of signs) addEventListener(sign, this.#attend, { passive: true, capture: true });
    channel.addEventListener("message", () => { this.#last = Date.now(); });
    document.addEventListener("visibilitychange", this.#look);
    this.#timer = setInterval(this.#look, Math.min(15_000, this.limit / 4));
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    document.removeEventListener("visibilitychange", this.#look);
    for (const sign of signs) removeEventListener(sign, this.#attend, { capture: true });
  }

  #attend = () => {
    const now = Date.now();
    if (now - this.#last > 1000) channel.postMessage("here");
    this.#last = now;
  };

  // A laptop that slept counts the time it slept: clocks are compared, not ticks.
  #look = async () => {
    if (Date.now() - this.#last < this.limit) return;
    clearInterval(this.#timer);
    keep();
    document.querySelector("main").replaceChildren();
    await json("/lock", { method: "POST" }).catch(() => {});
    location.replace(location.pathname + location.search);
  };
});
