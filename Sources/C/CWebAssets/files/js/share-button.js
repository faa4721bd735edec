// Hands a paper or a link to the device's own way of sharing. Where there is none, the button stays hidden.
import { json } from "./requests.js";
import { text } from "./texts.js";
import { complain, toast } from "./toast-region.js";

customElements.define("share-button", class extends HTMLElement {
  #file;

  connectedCallback() {
    if (!navigator.share) return;
    const button = this.querySelector("button");
    const probe = new File([], "paper.pdf", { type: "application/pdf" });
    if (this.hasAttribute("file") && !navigator.canShare?.({ files: [probe] })) return;
    this.hidden = false;
    // A browser lets a page share only just after a press, so the paper is fetched as soon as one reaches for it.
    for (const name of ["pointerenter", "pointerdown", "focus"]) button.addEventListener(name, () => this.#fetch().catch(() => {}));
    button.addEventListener("click", () => this.#share());
  }

  /** @returns {Promise<File | undefined>} */
  #fetch() {
    const address = this.getAttribute("file");
    if (!address) return Promise.resolve(undefined);
    return this.#file ??= (async () => {
      const response = await fetch(address, { credentials: "same-origin" });
      if (!response.ok) throw new TypeError(response.statusText);
      return new File([await response.blob()], this.getAttribute("name"), { type: "application/pdf" });
    })().catch((failure) => { this.#file = undefined; throw failure; });
  }

  async #share() {
    try {
      const file = await this.#fetch();
      const title = this.getAttribute("name");
      await navigator.share(file ? { files: [file], title } : { url: this.getAttribute("address"), title });
    } catch (failure) {
      // Closing the device's own window is an answer, not a failure.
      if (failure.name !== "AbortError") toast({ text: text("share.failed"), bad: true });
      return;
    }
    const told = this.getAttribute("told");
    if (!told) return;
    try {
      await json(told, { method: "POST", body: { way: "share" } });
      // The address of a new link is shown this once, so its page stays.
      if (this.hasAttribute("file")) location.reload();
      else toast({ text: text("share.told") });
    } catch (failure) {
      complain(failure);
    }
  }
});
