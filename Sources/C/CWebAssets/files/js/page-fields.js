// A page and the list of its fields: what is chosen in one is shown in the other.
customElements.define("page-fields", class extends HTMLElement {
  connectedCallback() {
    this.well = this.querySelector("[data-well]");
    this.addEventListener("click", this.#click, { capture: true });
    this.addEventListener("toggle", this.#toggled, { capture: true });
    this.addEventListener("focusin", this.#focused);
    this.addEventListener("keydown", this.#keys);
    const open = this.querySelector("[data-entry] details[open]");
    if (open) this.#show(open.closest("[data-entry]").dataset.entry);
  }

  #entry(key) { return this.querySelector(`[data-entry="${CSS.escape(key)}"]`); }

  #click = (event) => {
    const mark = event.target.closest("[data-mark]");
    if (!mark) return;
    event.preventDefault();
    event.stopPropagation();
    const entry = this.#entry(mark.dataset.mark);
    const details = entry?.querySelector("details");
    if (!details) return;
    details.open = true;
    entry.scrollIntoView({ block: "nearest" });
    details.querySelector("summary").focus({ preventScroll: true });
    this.#show(mark.dataset.mark, false);
  };

  #toggled = (event) => {
    if (event.newState !== "open") return;
    for (const other of this.querySelectorAll("[data-entry] details[open]")) if (other !== event.target) other.open = false;
  };

  #focused = (event) => {
    const entry = event.target.closest("[data-entry]");
    if (entry) this.#show(entry.dataset.entry);
  };

  #keys = (event) => {
    const summary = event.target.closest("[data-entry] summary");
    if (!summary || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    const all = [...this.querySelectorAll("[data-entry] summary")];
    const next = all[all.indexOf(summary) + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  #show(key, scrolls = true) {
    for (const mark of this.querySelectorAll(".mark.is-chosen")) mark.classList.remove("is-chosen");
    const marks = [...this.querySelectorAll(`[data-mark="${CSS.escape(key)}"] .mark`)];
    for (const mark of marks) mark.classList.add("is-chosen");
    if (!scrolls || !marks.length) return;
    // Only the well moves: the page itself stays where the reader is.
    const box = marks[0].getBoundingClientRect(), view = this.well.getBoundingClientRect();
    if (box.top < view.top + 24 || box.bottom > view.bottom - 24) {
      this.well.scrollTop += box.top - view.top - view.height / 3;
    }
  }
});
