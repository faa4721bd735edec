// A formula's value, or its error where it is, while one writes it.
const pause = 250;

customElements.define("formula-field", class extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector("textarea");
    let timer;
    field.addEventListener("input", (event) => {
      event.stopPropagation();
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!this.isConnected) return;
        const address = new URL(this.dataset.preview, location.href);
        address.searchParams.set("formula", field.value);
        this.closest("soft-page").go(address.href, { only: ["said"], keepsAddress: true });
      }, pause);
    });
    field.form.addEventListener("submit", () => clearTimeout(timer));
    // Enter sets it, as in a spreadsheet; Shift+Enter begins a new line.
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      field.form.requestSubmit();
    });
  }
});
