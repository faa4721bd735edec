// A picture that is chosen, taken, dropped anywhere on the page or pasted goes to the desk at once, as it is.
customElements.define("picture-field", class extends HTMLElement {
  #ends = new AbortController();

  connectedCallback() {
    const field = this.querySelector("input[type=file]");
    const { signal } = this.#ends;
    field.addEventListener("change", () => { if (field.files.length) field.form.requestSubmit(); });
    const take = (event, files) => {
      const picture = [...files ?? []].find((file) => file.type.startsWith("image/"));
      if (!picture) return;
      event.preventDefault();
      const one = new DataTransfer();
      one.items.add(picture);
      field.files = one.files;
      field.form.requestSubmit();
    };
    document.addEventListener("paste", (event) => take(event, event.clipboardData?.files), { signal });
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    }, { signal });
    document.addEventListener("drop", (event) => take(event, event.dataTransfer?.files), { signal });
  }

  disconnectedCallback() { this.#ends.abort(); }
});
