import { text } from "./texts.js";

customElements.define("copy-button", class extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    const label = button.querySelector("span");
    const before = label.textContent;
    button.addEventListener("click", async () => {
      const { copy, copyRich } = button.dataset;
      if (!copyRich || !copied({ "text/plain": copy, "text/html": copyRich })) await navigator.clipboard.writeText(copy);
      label.textContent = text("copied");
      label.setAttribute("role", "status");
      setTimeout(() => { label.textContent = before; }, 2500);
    });
  }
});

/** Several forms of one thing. The newer way would take the styles out, by the rules for this page. */
function copied(forms) {
  let isDone = false;
  const give = (event) => {
    for (const [type, words] of Object.entries(forms)) event.clipboardData.setData(type, words);
    event.preventDefault();
    isDone = true;
  };
  document.addEventListener("copy", give);
  document.execCommand("copy");
  document.removeEventListener("copy", give);
  return isDone;
}
