// Light, dark, or as the device: takes effect while one looks; the form keeps it for scripts off.
customElements.define("theme-switch", class extends HTMLElement {
  connectedCallback() {
    this.addEventListener("change", ({ target }) => {
      if (target.value === "system") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = target.value;
      document.cookie = `quire_theme=${target.value}; path=/; max-age=31536000; samesite=lax`;
    });
  }
});
