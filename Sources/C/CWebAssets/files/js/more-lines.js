// Another empty line of the same kind, as often as one likes. Without scripts one comes with each saving.
import { icon, make } from "./make.js";
import { text } from "./texts.js";

let number = 0;

customElements.define("more-lines", class extends HTMLElement {
  connectedCallback() {
    const first = this.querySelector("[data-line]");
    if (!first || this.querySelector("[data-more]")) return;
    first.after(make("button", { class: "button button-s", type: "button", "data-more": "", onclick: (event) => this.#add(event.currentTarget, first) },
      icon("plus"), text("lines.more")));
  }

  #add(button, first) {
    const line = first.cloneNode(true);
    number += 1;
    for (const part of line.querySelectorAll("[id]")) {
      part.id = `${part.id}-${number}`;
      if ("value" in part && part.tagName !== "SELECT") part.value = "";
    }
    for (const label of line.querySelectorAll("label[for]")) label.htmlFor = `${label.htmlFor}-${number}`;
    button.before(line);
    line.querySelector("input:not([type=hidden])")?.focus();
  }
});
