// What the desk is to wear, seen beside its fields before it is saved.
const pause = 300;

customElements.define("looks-form", class extends HTMLElement {
  #timer;

  connectedCallback() {
    const picker = this.querySelector("[type=color]");
    const field = document.getElementById(picker.dataset.for);
    picker.addEventListener("input", () => {
      field.value = picker.value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    this.addEventListener("input", (event) => {
      if (event.target === field && /^#?[0-9a-f]{6}$/i.test(field.value.trim())) picker.value = `#${field.value.trim().replace("#", "").toLowerCase()}`;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#show(), pause);
    });
  }

  disconnectedCallback() { clearTimeout(this.#timer); }

  #show() {
    const form = this.querySelector("form");
    const said = new URLSearchParams([...new FormData(form)].filter(([name]) => !name.startsWith("_")));
    this.closest("soft-page").go(`${form.action}?${said}`, { only: ["looks-preview"], keepsAddress: true });
  }
});
