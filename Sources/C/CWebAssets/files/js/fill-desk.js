// A form that is filled in by hand: what one field says is said in all its places, sums are worked out, one goes from field to
// field, and what is not kept yet waits in this tab.
import { fits } from "./mark-shapes.js";
import { json } from "./requests.js";
import { text } from "./texts.js";
import { toast } from "./toast-region.js";
import { Waiting } from "./unkept.js";

/** Sums are worked out when nobody has typed for so many milliseconds. */
const pause = 400;
const isMark = (field) => field.type === "checkbox" || field.type === "radio";
const valueOf = (field) => field.multiple ? [...field.selectedOptions].map(({ value }) => value) : field.value;
const isFilled = (field) => isMark(field) ? field.checked : valueOf(field).length > 0;
const wasOf = (field) => isMark(field) ? field.defaultChecked
  : field.options ? JSON.stringify([...field.options].filter(({ defaultSelected }) => defaultSelected).map(({ value }) => value)) : field.defaultValue;
const isOf = (field) => isMark(field) ? field.checked
  : field.options ? JSON.stringify([...field.selectedOptions].map(({ value }) => value)) : field.value;

customElements.define("fill-desk", class extends HTMLElement {
  #timer;
  #tries = 0;
  #at;
  #isSent = false;
  #before = new Map();

  connectedCallback() {
    this.form = this.querySelector("form");
    this.fields = [...this.form.elements].filter((field) => field.name?.startsWith("v:"));
    // What came from the server, before a browser puts back what stood there on the last visit.
    for (const field of this.fields) this.#before.set(field, wasOf(field));
    this.names = Map.groupBy(this.fields, ({ name }) => name);
    this.waiting = new Waiting(this, "form", this.form.getAttribute("action"));
    this.#dress();
    for (const file of this.querySelectorAll("input[type=file]")) file.addEventListener("change", () => this.#picture(file));
    this.addEventListener("input", this.#typed);
    this.addEventListener("change", this.#typed);
    this.addEventListener("click", this.#clicked);
    this.addEventListener("focusin", (event) => { const own = event.target.closest("[data-picture]")?.parentElement.querySelector("input[type=hidden]") ?? event.target; if (this.fields.includes(own)) this.#at = own; });
    this.addEventListener("keydown", this.#keys);
    this.form.addEventListener("submit", this.#sent);
    addEventListener("beforeunload", this.#warn);
    this.#restore();
    this.#count();
  }

  disconnectedCallback() { removeEventListener("beforeunload", this.#warn); }

  #changed() { return this.fields.filter((field) => !field.readOnly && isOf(field) !== this.#before.get(field)); }

  /** Letters of a comb stand in its cells. */
  #dress() {
    for (const field of this.querySelectorAll(".fill-comb")) {
      const place = field.closest("foreignObject");
      const cell = Number(place.getAttribute("width")) / field.maxLength;
      const letter = Number(place.getAttribute("font-size")) * 0.6;
      if (cell > letter) {
        field.style.letterSpacing = `${cell - letter}px`;
        field.style.textIndent = `${(cell - letter) / 2}px`;
      }
    }
  }

  // MARK: Typing

  #typed = (event) => {
    const field = event.target;
    if (!this.fields.includes(field)) return;
    field.removeAttribute("aria-invalid");
    this.#spread(field);
    this.#keep();
    this.#count();
    clearTimeout(this.#timer);
    if (this.querySelector("[data-computed]")) this.#timer = setTimeout(() => this.#work(), pause);
  };

  /** A field that stands in several places says the same in all of them. */
  #spread(field) {
    if (field.type === "radio") return;
    for (const other of this.names.get(field.name)) {
      if (other === field || other.type !== field.type || (isMark(field) && other.value !== field.value)) continue;
      if (isMark(field)) other.checked = field.checked;
      else if (field.multiple) for (const [place, option] of [...other.options].entries()) option.selected = field.options[place].selected;
      else other.value = field.value;
    }
  }

  /** A mark of several that may be missing goes when it is pressed once more. */
  #clicked = (event) => {
    const step = event.target.closest("[data-step]");
    if (step) return this.#go(step.dataset.step === "next" ? 1 : -1);
    const picture = event.target.closest("[data-picture]");
    if (picture) return picture.parentElement.querySelector("input[type=file]").click();
    const field = event.target;
    if (!field.matches?.("[data-loose]")) return;
    if (field.dataset.was === "on") { field.checked = false; field.dispatchEvent(new Event("change", { bubbles: true })); }
    for (const other of this.names.get(field.name)) other.dataset.was = other.checked ? "on" : "";
  };

  /** No larger than a page can show; it is kept with the rest. */
  async #picture(file) {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    const field = file.parentElement.querySelector("input[type=hidden]");
    try { field.value = (await fits(chosen, 1000)).picture; } catch { return toast({ text: text("mark.picture.bad"), bad: true }); }
    this.#spread(field);
    this.#show(field.name);
    this.#keep();
    this.#count();
  }

  /** The pictures of a field, in all its places. */
  #show(name) {
    for (const field of this.names.get(name) ?? []) {
      if (field.type !== "hidden") continue;
      const [image, words] = field.parentElement.querySelector("[data-picture]").children;
      if (field.value) image.src = field.value;
      image.hidden = !field.value;
      words.hidden = Boolean(field.value);
    }
  }

  #keys = (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      // Somebody outside sends it, which is done on purpose.
      if (!this.dataset.trial) return;
      return this.form.requestSubmit();
    }
    // Enter goes on; it does not keep what is half done.
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input[name^='v:']")) return;
    event.preventDefault();
    this.#go(event.shiftKey ? -1 : 1);
  };

  /** From field to field, round and round; of several to choose from to the first. */
  #go(by) {
    const fields = this.fields.filter((field, place) => !field.readOnly
      && (field.type !== "radio" || this.fields.findIndex(({ name }) => name === field.name) === place));
    if (!fields.length) return;
    const at = fields.indexOf(this.#at);
    const next = fields[(at + by + fields.length) % fields.length] ?? fields[0];
    (next.type === "hidden" ? next.parentElement.querySelector("[data-picture]") : next).focus({ preventScroll: true });
    next.closest("foreignObject").scrollIntoView({ block: "center", inline: "nearest" });
    next.select?.();
  }

  #count() {
    const fields = [...this.names.values()].filter(([field]) => !field.readOnly);
    const filled = fields.filter((places) => places.some(isFilled)).length;
    const missing = fields.filter((places) => places[0].hasAttribute("data-required") && !places.some(isFilled)).length;
    const said = [text("fillin.count", { filled, all: fields.length })];
    if (missing) said.push(text("fillin.missing", { count: missing }));
    this.querySelector("[data-count]").textContent = said.join(" · ");
  }

  // MARK: Sums

  #values() {
    const values = {};
    for (const field of this.fields) {
      // No sum is worked out from a picture.
      if (field.readOnly || field.type === "hidden" || (field.type === "radio" && !field.checked)) continue;
      values[field.name.slice(2)] = field.type === "checkbox" ? field.checked : valueOf(field);
    }
    return values;
  }

  async #work() {
    if (!this.dataset.trial) return;
    const number = this.#tries += 1;
    let answer;
    try { answer = await json(this.dataset.trial, { method: "POST", body: { values: this.#values() } }); } catch { return; }
    // Somebody has typed on meanwhile.
    if (number !== this.#tries) return;
    for (const [name, value] of Object.entries(answer.computed)) {
      for (const field of this.names.get(`v:${name}`) ?? []) if (field.readOnly) field.value = value;
    }
  }

  // MARK: Waiting and keeping

  #keep() {
    const changed = this.#changed();
    this.waiting.keep(changed.length ? changed.map((field) => [field.name, isMark(field) ? field.value : undefined, isMark(field) ? field.checked : valueOf(field)]) : undefined);
  }

  #restore() {
    const kept = this.waiting.take();
    // A page that was not kept shows what was typed already.
    if (!kept || this.querySelector("[role=alert]")) return;
    for (const [name, mark, value] of kept) {
      for (const field of this.names.get(name) ?? []) {
        if (isMark(field)) { if (field.value === mark) field.checked = value; }
        else if (field.multiple) for (const option of field.options) option.selected = value.includes(option.value);
        else field.value = value;
      }
      this.#show(name);
    }
    if (this.#changed().length) {
      toast({ text: text("fillin.restored") });
      this.#work();
    }
  }

  #sent = () => {
    this.#isSent = true;
    const sheets = [...this.querySelectorAll("[data-page]")];
    const seen = sheets.findLast((sheet) => sheet.getBoundingClientRect().top < innerHeight / 2);
    this.form.elements.at.value = seen && seen !== sheets[0] ? seen.dataset.page : "";
  };

  #warn = (event) => { if (!this.#isSent && !this.waiting.isKept && this.#changed().length) event.preventDefault(); };
});
