// Where papers come in: dropped anywhere on the page, chosen, pasted or shared from another app, whole folders too. Where it says
// "reviews", what is pasted, words as well, is looked at before it is kept. What becomes of them is fetched with the first.
import { changedEarly } from "./elements.js";

customElements.define("upload-zone", class extends HTMLElement {
  #uploads;

  connectedCallback() {
    this.input = this.querySelector("input[type=file]");
    this.drop = this.querySelector(".drop");
    this.input.addEventListener("change", this.#chosen);
    this.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#uploads?.then((uploads) => uploads.tryAgain());
    });
    const folder = this.querySelector("[data-choose-folder]");
    if (folder) {
      folder.hidden = !("webkitdirectory" in this.input);
      folder.addEventListener("click", () => this.#chooseFolder());
    }
    addEventListener("dragover", this.#over);
    addEventListener("dragleave", this.#leave);
    addEventListener("drop", this.#dropped);
    addEventListener("paste", this.#pasted);
    if (changedEarly("input[type=file]", this).length) this.#chosen();
    if (new URLSearchParams(location.search).has("shared")) this.#bring((uploads) => uploads.takeShared());
  }

  disconnectedCallback() {
    removeEventListener("dragover", this.#over);
    removeEventListener("dragleave", this.#leave);
    removeEventListener("drop", this.#dropped);
    removeEventListener("paste", this.#pasted);
    this.#uploads?.then((uploads) => uploads.leave());
  }

  /** @param {(uploads: import("./uploads.js").Uploads) => void} how */
  async #bring(how) {
    this.#uploads ??= import("./uploads.js").then(({ Uploads }) => new Uploads(this));
    try {
      how(await this.#uploads);
    } catch {
      this.#uploads = undefined;
      (await import("./toast-region.js").catch(() => undefined))?.complain(new Error());
    }
  }

  #chosen = () => {
    const files = [...this.input.files];
    this.input.value = "";
    this.#bring((uploads) => uploads.take(files));
  };

  #over = (event) => {
    // A picture of a paper that is picked up comes as a file, too.
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes("Files") || types.includes("application/x-quire-papers")) return;
    event.preventDefault();
    this.drop.classList.add("is-over");
  };

  #leave = (event) => { if (!event.relatedTarget) this.drop.classList.remove("is-over"); };

  #dropped = (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    this.drop.classList.remove("is-over");
    // Can be asked for only while the event lasts.
    const files = [...event.dataTransfer.files];
    const entries = [...event.dataTransfer.items ?? []].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    this.#bring((uploads) => uploads.takeDropped(files, entries));
  };

  #chooseFolder() {
    const input = document.createElement("input");
    Object.assign(input, { type: "file", webkitdirectory: true, multiple: true });
    input.addEventListener("change", () => {
      const files = [...input.files];
      this.#bring((uploads) => uploads.takeFolder(files));
    });
    input.click();
  }

  #pasted = (event) => {
    const files = [...event.clipboardData?.files ?? []];
    if (files.length) return this.#bring((uploads) => uploads.takePasted(files));
    if (!this.hasAttribute("reviews") || event.target.closest?.("input, textarea, select, [contenteditable], dialog")) return;
    const words = event.clipboardData?.getData("text/plain").trim();
    if (words) this.#bring((uploads) => uploads.review(words));
  };
});
