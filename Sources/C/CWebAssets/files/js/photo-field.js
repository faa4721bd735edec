// A photo of a telephone is far too large for a card: it is made smaller before it is sent, and says no more where it was taken.
const longest = 640;

customElements.define("photo-field", class extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector("input[type=file]");
    field?.addEventListener("change", () => this.#shrink(field));
  }

  async #shrink(field) {
    const file = field.files?.[0];
    if (!file || file.name === "photo.jpg") return;
    let picture;
    // What the browser cannot read is left to the desk to tell.
    try { picture = await createImageBitmap(file); } catch { return; }
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    const paper = canvas.getContext("2d");
    paper.fillStyle = "#fff";
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const small = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
    if (!small || field.files?.[0] !== file) return;
    const files = new DataTransfer();
    files.items.add(new File([small], "photo.jpg", { type: "image/jpeg" }));
    field.files = files.files;
  }
});
