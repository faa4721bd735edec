// Keeps a paper on this device, to be read without a connection. Where that cannot be, and while private folders are open, the
// button stays hidden.
import { isKept, keep, leave } from "./kept-papers.js";
import { text } from "./texts.js";
import { toast } from "./toast-region.js";

customElements.define("keep-paper", class extends HTMLElement {
  connectedCallback() {
    if (!("serviceWorker" in navigator) || !globalThis.caches) return;
    this.hidden = false;
    this.button = this.querySelector("button");
    this.button.addEventListener("click", () => this.#press());
    this.#show();
  }

  #show() {
    const isHere = isKept(this.getAttribute("paper"));
    this.button.setAttribute("aria-pressed", String(isHere));
    this.button.querySelector("span").textContent = text(isHere ? "keep.here" : "keep.do");
  }

  async #press() {
    const paper = this.getAttribute("paper");
    if (this.button.ariaBusy) return;
    if (isKept(paper)) {
      await leave(paper);
      return this.#show();
    }
    this.button.setAttribute("aria-busy", "true");
    this.button.querySelector("span").textContent = text("keep.busy");
    const isHere = await keep(paper, Number(this.getAttribute("pages")));
    this.button.removeAttribute("aria-busy");
    this.#show();
    toast(isHere ? { text: text("keep.done") } : { text: text("keep.failed"), bad: true });
  }
});
