// Offers to put Quire on the home screen: the browser's own prompt, or a word on where Safari keeps it.
import { icon, make } from "./make.js";
import { text } from "./texts.js";

customElements.define("install-hint", class extends HTMLElement {
  connectedCallback() {
    if (matchMedia("(display-mode: standalone)").matches || navigator.standalone) return;
    if (/iPhone|iPad/.test(navigator.userAgent)) this.#say(text("install.ios"));
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.#say(text("install"), make("button", {
        class: "button", type: "button", onclick: async () => { await event.prompt(); this.replaceChildren(); },
      }, text("install.button")));
    });
  }

  /** @param {string} words @param {...Node} rest */
  #say(words, ...rest) {
    this.replaceChildren(make("div", { class: "notice" }, icon("device"),
      make("div", { class: "row" }, make("p", { class: "grow" }, words), ...rest)));
  }
});
