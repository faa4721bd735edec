// Cells that are changed where they are read: arrows move, Enter or a second tap edits, Esc takes it back.
import { make } from "./make.js";
import { Away } from "./presence.js";
import { json } from "./requests.js";
import { text } from "./texts.js";
import { complain, toast } from "./toast-region.js";

customElements.define("grid-table", class extends HTMLElement {
  connectedCallback() {
    this.table = this.querySelector("table");
    if (!this.table || !this.getAttribute("action")) return;
    this.table.setAttribute("role", "grid");
    for (const cell of this.#cells) cell.tabIndex = -1;
    const first = this.#cells[0];
    if (first) first.tabIndex = 0;
    this.table.addEventListener("keydown", this.#keys);
    this.table.addEventListener("click", this.#click);
    this.table.addEventListener("dblclick", (event) => this.#edit(event.target.closest("td[data-column]")));
  }

  get #cells() { return [...this.table.querySelectorAll("td[data-column]")]; }

  #click = (event) => {
    const cell = event.target.closest("td[data-column]");
    if (!cell || event.target.closest("a, input")) return;
    if (cell === document.activeElement && matchMedia("(pointer: coarse)").matches) return this.#edit(cell);
    this.#stand(cell);
  };

  #stand(cell) {
    if (!cell) return;
    this.table.querySelector("td[tabindex='0']")?.setAttribute("tabindex", "-1");
    cell.tabIndex = 0;
    cell.focus();
  }

  #keys = (event) => {
    const cell = event.target.closest("td[data-column]");
    if (!cell || event.target.matches("input")) return;
    const row = cell.parentElement;
    const own = [...row.querySelectorAll("td[data-column]")];
    const place = own.indexOf(cell);
    const rows = [...this.table.tBodies[0].rows];
    const line = rows.indexOf(row);
    const sideways = getComputedStyle(this.table).direction === "rtl" ? -1 : 1;
    const at = (rowNumber, cellNumber) => rows[rowNumber]?.querySelectorAll("td[data-column]")[cellNumber];
    const moves = {
      ArrowRight: () => own[place + sideways], ArrowLeft: () => own[place - sideways], ArrowDown: () => at(line + 1, place),
      ArrowUp: () => at(line - 1, place), Home: () => own[0], End: () => own.at(-1),
      PageDown: () => at(Math.min(rows.length - 1, line + 10), place), PageUp: () => at(Math.max(0, line - 10), place),
    };
    if (moves[event.key]) {
      event.preventDefault();
      this.#stand(moves[event.key]());
    } else if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      this.#edit(cell);
    } else if (event.key === " ") {
      event.preventDefault();
      row.querySelector("input[name=id]")?.click();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.#edit(cell, event.key);
    }
  };

  #edit(cell, begins) {
    if (!cell || cell.classList.contains("is-editing")) return;
    const before = cell.textContent;
    const kept = [...cell.childNodes];
    const input = make("input", { type: "text", "aria-label": cell.dataset.column, autocomplete: "off", dir: "auto" });
    input.value = begins ?? before;
    cell.classList.add("is-editing");
    cell.replaceChildren(input);
    input.focus();
    if (begins === undefined) input.select();
    let done = false;
    const finish = (keeps) => {
      if (done) return;
      done = true;
      cell.classList.remove("is-editing");
      cell.replaceChildren(...kept);
      if (keeps && input.value !== before) this.#save({ person: cell.parentElement.dataset.person, column: cell.dataset.column }, input.value, before);
    };
    input.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const ends = { Enter: true, Tab: true, Escape: false };
      if (!(event.key in ends)) return;
      event.preventDefault();
      event.stopPropagation();
      finish(ends[event.key]);
      const row = cell.parentElement;
      const next = event.key === "Tab"
        ? cell[event.shiftKey ? "previousElementSibling" : "nextElementSibling"]
        : event.key === "Enter" ? row.nextElementSibling?.querySelectorAll("td[data-column]")[[...row.querySelectorAll("td[data-column]")].indexOf(cell)] : cell;
      this.#stand(next?.matches("td[data-column]") ? next : cell);
    });
    input.addEventListener("blur", () => finish(true));
  }

  /** Where it stands now: the page renews itself, and another cell may have come in the place of the one that was changed. */
  #cell({ person, column }) {
    return this.table.querySelector(`tr[data-person="${CSS.escape(person)}"] td[data-column="${CSS.escape(column)}"]`);
  }

  #show(place, value, isSaving, isBad = false) {
    const cell = this.#cell(place);
    if (!cell) return;
    if (value !== undefined) cell.textContent = value;
    cell.classList.toggle("is-saving", isSaving);
    cell.classList.toggle("is-bad", isBad);
  }

  /** @param {{person: string, column: string}} place */
  async #save(place, value, before, isUndo = false) {
    this.#show(place, value, true);
    try {
      await json(`${this.getAttribute("action")}/${place.person}`, { method: "PATCH", body: { cells: { [place.column]: value } } });
      this.#show(place, undefined, false);
      if (!isUndo) {
        toast({
          text: text("cell.changed", { column: place.column }),
          action: { label: text("cell.undo"), run: () => this.#save(place, before, value, true) },
        });
      }
    } catch (failure) {
      // What was typed waits in its cell until it can be saved.
      if (failure instanceof Away) {
        this.#show(place, value, false);
        document.addEventListener("quire:back", () => this.#save(place, value, before, isUndo), { once: true });
        return;
      }
      this.#show(place, before, false, true);
      complain(failure);
    }
  }
});
