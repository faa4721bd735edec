// A message that saves itself while one writes it, with each person's copy of it beside.
import { Away, ask, away } from "./presence.js";
import { page } from "./requests.js";
import { text } from "./texts.js";
import { parsed } from "./trust.js";
import { complain } from "./toast-region.js";
import { wake } from "./elements.js";

const pause = 500;
const again = 3000;

customElements.define("letter-editor", class extends HTMLElement {
  #timer;
  /** One at a time and in order: each save carries the number of the one before. */
  #saving;
  #isDirty = false;
  #field;

  connectedCallback() {
    this.form = this.querySelector("form#letter");
    if (!this.form) return;
    this.said = this.querySelector("[data-said]");
    this.form.addEventListener("input", () => this.#changed());
    this.form.addEventListener("focusin", (event) => { if (event.target.matches("[name=subject], [name=body]")) this.#field = event.target; });
    this.addEventListener("click", this.#click, { capture: true });
    this.addEventListener("submit", this.#submit, { capture: true });
    addEventListener("pagehide", this.#leave);
    if (away()) this.#wait();
    document.addEventListener("quire:away", this.#wait);
    document.addEventListener("quire:unsent", this.#wait);
    document.addEventListener("quire:back", this.#goOn);
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    document.removeEventListener("quire:away", this.#wait);
    document.removeEventListener("quire:unsent", this.#wait);
    document.removeEventListener("quire:back", this.#goOn);
    removeEventListener("pagehide", this.#leave);
  }

  #changed(wait = pause) {
    this.#isDirty = true;
    clearTimeout(this.#timer);
    if (away()) return this.#say("unkept");
    this.#say("unsaved");
    this.#timer = setTimeout(() => this.save(), wait);
  }

  /** Nothing is kept while nobody is there; nobody is told that it was. */
  #wait = () => {
    this.#isDirty = true;
    this.#say("unkept");
  };

  #goOn = () => { if (this.#isDirty) this.#changed(0); };

  #say(what) {
    const words = this.said.dataset[what] ?? text("away.unkept");
    if (this.said.textContent !== words) this.said.textContent = words;
  }

  /** @returns {Promise<boolean>} whether all that was written is kept */
  async save() {
    clearTimeout(this.#timer);
    while (this.#saving) await this.#saving;
    if (!this.#isDirty) return true;
    this.#isDirty = false;
    this.#saving = this.#send();
    try {
      return await this.#saving;
    } finally {
      this.#saving = undefined;
    }
  }

  async #send() {
    try {
      const response = await ask(this.form.action, {
        method: "POST", body: new URLSearchParams(new FormData(this.form)), headers: { Accept: "text/html" },
      });
      const answer = parsed(await response.text());
      const fresh = answer.querySelector("form#letter");
      if (!fresh) throw new TypeError(`no message in the answer (${response.status})`);
      this.form.elements.version.value = fresh.elements.version.value;
      this.#tell(answer);
      this.#show(answer);
      this.#extras(fresh);
      if (!this.#isDirty) this.#say(response.ok ? "saved" : "failed");
      return response.ok;
    } catch (failure) {
      this.#isDirty = true;
      clearTimeout(this.#timer);
      this.#say(failure instanceof Away ? "unkept" : "failed");
      if (failure instanceof Away) return false;
      this.#timer = setTimeout(() => this.save(), again);
      return false;
    }
  }

  /** What the desk has against a field stands beside it. */
  #tell(answer) {
    for (const old of this.form.querySelectorAll(".field-error, .notice")) old.remove();
    for (const field of this.form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const wrong of answer.querySelectorAll("form#letter [aria-invalid]")) {
      const field = document.getElementById(wrong.id);
      field?.setAttribute("aria-invalid", "true");
      const words = answer.getElementById(`${wrong.id}-error`);
      if (words) field?.after(words);
    }
    const notice = answer.querySelector("form#letter > .notice");
    if (notice) this.form.prepend(notice);
  }

  /** Fields that belong to another choice, such as the days of a link. */
  #extras(fresh) {
    const [mine, theirs] = [this.form.elements.linkDays, fresh.elements.linkDays];
    if (!mine || !theirs || mine.type === theirs.type) return;
    const outer = (field) => field.closest(".field") ?? field;
    outer(mine).replaceWith(outer(theirs));
  }

  #show(answer) {
    const [part, fresh] = [this, answer].map((root) => root.querySelector("[data-swap=preview]"));
    if (!part || !fresh) return;
    const focused = part.contains(document.activeElement) ? document.activeElement.id : undefined;
    const top = part.scrollTop;
    part.replaceChildren(...fresh.childNodes);
    part.scrollTop = top;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    wake(part);
  }

  #click = (event) => {
    const token = event.target.closest("[data-token]");
    if (token) return this.#insert(token.dataset.token);
    const step = event.target.closest("a[data-step]");
    if (!step || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#step(step);
  };

  async #step(link) {
    const { id, href, dataset } = link;
    this.form.elements.packet.value = dataset.step;
    try {
      await this.save();
      this.#show(await page(href));
      document.getElementById(id)?.focus({ preventScroll: true });
    } catch (failure) {
      complain(failure);
    }
  }

  #insert(token) {
    const field = this.#field ?? this.form.elements.body;
    field.focus();
    field.setRangeText(token, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

  /** Leading on, the message is saved first, so that the button never races the writing. */
  #submit = (event) => {
    if (event.target !== this.form) return;
    clearTimeout(this.#timer);
    if (!this.#saving) { this.#isDirty = false; return; }
    event.preventDefault();
    event.stopPropagation();
    const submitter = event.submitter;
    this.#saving.then(() => { this.#saving = undefined; this.#isDirty = false; this.form.requestSubmit(submitter); });
  };

  #leave = () => {
    if (!this.#isDirty || this.#saving) return;
    fetch(this.form.action, { method: "POST", body: new URLSearchParams(new FormData(this.form)), credentials: "same-origin", keepalive: true });
  };
});
