import { text } from "quire/texts";

customElements.define("copy-button", class extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    const label = button.querySelector("span");
    const before = label.textContent;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      label.textContent = text("copied");
      label.setAttribute("role", "status");
      setTimeout(() => { label.textContent = before; }, 2500);
    });
  }
});
