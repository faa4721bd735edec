// Columns onto fields: dragged, or tapped and then the field. By keyboard the same is chosen in each field's own list.
import { text } from "./texts.js";
import { toast } from "./toast-region.js";

customElements.define("match-board", class extends HTMLElement {
  #picked;
  #dragged;

  connectedCallback() {
    this.addEventListener("click", this.#click, { capture: true });
    this.addEventListener("dragstart", this.#taken);
    this.addEventListener("dragover", this.#over);
    this.addEventListener("dragleave", () => this.#target(null));
    this.addEventListener("drop", this.#dropped);
    this.addEventListener("dragend", () => { this.#dragged = undefined; this.#target(null); });
    this.addEventListener("keydown", this.#keys);
    this.closest("soft-page").addEventListener("quire:swapped", () => this.#arrived());
    this.#arrived(false);
  }

  #place(element) {
    const mark = element.closest?.("[data-mark]");
    return mark?.dataset.mark ?? element.closest?.("[data-entry]")?.dataset.entry;
  }

  #click = (event) => {
    const chip = event.target.closest(".column-chip");
    if (chip) return this.#pick(chip.dataset.column);
    const onField = event.target.closest("[data-mark], .field-row");
    if (!onField || this.#picked === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#assign(this.#place(onField), this.#picked);
    this.#pick(undefined);
  };

  #pick(column) {
    this.#picked = column === this.#picked ? undefined : column;
    for (const chip of this.querySelectorAll(".column-chip")) {
      chip.setAttribute("aria-pressed", String(chip.dataset.column === this.#picked));
    }
    this.classList.toggle("is-picking", this.#picked !== undefined);
    if (this.#picked !== undefined) toast({ text: text("picked", { column: this.#picked }) });
  }

  #taken = (event) => {
    const chip = event.target.closest?.(".column-chip");
    // The rows of fields are links, which a browser would let one drag as well; onto a field belong columns only.
    if (!chip) return event.preventDefault();
    this.#dragged = chip.dataset.column;
    event.dataTransfer.setData("text/plain", chip.dataset.column);
    event.dataTransfer.effectAllowed = "link";
    this.#picked = undefined;
  };

  #over = (event) => {
    const key = this.#dragged === undefined ? undefined : this.#place(event.target);
    if (!key) return this.#target(null);
    event.preventDefault();
    this.#target(key);
  };

  #target(key) {
    for (const old of this.querySelectorAll(".is-target")) old.classList.remove("is-target");
    if (!key) return;
    this.querySelector(`[data-entry="${CSS.escape(key)}"]`)?.classList.add("is-target");
    this.querySelector(`[data-mark="${CSS.escape(key)}"] .mark`)?.classList.add("is-target");
  }

  #dropped = (event) => {
    const key = this.#place(event.target);
    const column = this.#dragged;
    this.#target(null);
    if (!key || column === undefined) return;
    event.preventDefault();
    this.#assign(key, column);
  };

  #assign(field, column) {
    const form = this.querySelector("#assign");
    form.elements.field.value = field;
    form.elements.column.value = column;
    form.requestSubmit();
  }

  #keys = (event) => {
    if (event.key === "Escape" && this.#picked !== undefined) return this.#pick(this.#picked);
    const row = event.target.closest(".field-row");
    if (!row || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    const all = [...this.querySelectorAll(".field-row")];
    const next = all[all.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  /** Brings what was chosen on the page into the list's view, and the other way round. */
  #arrived(moves = true) {
    const well = this.querySelector("[data-well]");
    const mark = this.querySelector(".mark.is-chosen");
    if (mark && well) {
      const box = mark.getBoundingClientRect(), view = well.getBoundingClientRect();
      if (box.top < view.top + 24 || box.bottom > view.bottom - 24) well.scrollTop += box.top - view.top - view.height / 3;
    }
    const entry = this.querySelector("[data-entry].is-chosen");
    if (entry && moves) entry.scrollIntoView({ block: "nearest" });
    if (this.#picked !== undefined) this.#pick(undefined);
  }
});
