import { language, size } from "./texts.js";

const number = new Intl.NumberFormat(language);

customElements.define("local-number", class extends HTMLElement {
  connectedCallback() {
    const value = Number(this.getAttribute("value"));
    this.textContent = this.getAttribute("kind") === "bytes" ? size(value) : number.format(value);
  }
});
