// The address of a card onto an NFC tag, where the browser can write one.
import { text } from "./texts.js";

const whys = { NotAllowedError: "tag.refused", NotSupportedError: "tag.off", NotReadableError: "tag.off", AbortError: "tag.late" };

customElements.define("nfc-writer", class extends HTMLElement {
  #ending;

  connectedCallback() {
    if (!("NDEFReader" in globalThis)) return;
    const button = this.querySelector("[data-write]");
    button.hidden = false;
    this.querySelector("[data-elsewhere]").hidden = true;
    button.addEventListener("click", () => this.#write(button));
  }

  disconnectedCallback() {
    this.#ending?.abort();
  }

  async #write(button) {
    const word = this.querySelector("[data-word]");
    button.disabled = true;
    word.textContent = text("tag.hold");
    this.#ending = new AbortController();
    const giveUp = setTimeout(() => this.#ending.abort(), 30_000);
    try {
      const message = { records: [{ recordType: "url", data: this.dataset.address }] };
      await new globalThis.NDEFReader().write(message, { signal: this.#ending.signal });
      word.textContent = text("tag.written");
    } catch (failure) {
      word.textContent = text(whys[failure.name] ?? "tag.failed");
    } finally {
      clearTimeout(giveUp);
      button.disabled = false;
    }
  }
});
