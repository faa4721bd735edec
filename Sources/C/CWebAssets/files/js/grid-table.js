// Cells that are changed where they are read: arrows move, Enter or a second tap edits, Esc takes it back.
import { make } from "quire/make";
import { Away } from "quire/presence";
import { json } from "quire/requests";
import { text } from "quire/texts";
import { toast } from "quire/toast-region";

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
      if (keeps && input.value !== before) this.#save(cell, input.value, before);
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

  async #save(cell, value, before, isUndo = false) {
    const column = cell.dataset.column;
    cell.textContent = value;
    cell.classList.add("is-saving");
    cell.classList.remove("is-bad");
    try {
      await json(`${this.getAttribute("action")}/${cell.parentElement.dataset.person}`, {
        method: "PATCH", body: { cells: { [column]: value } },
      });
      if (!isUndo) {
        toast({
          text: text("cell.changed", { column }),
          action: { label: text("cell.undo"), run: () => this.#save(cell, before, value, true) },
        });
      }
    } catch (failure) {
      // What was typed waits in its cell until it can be saved.
      if (failure instanceof Away) {
        document.addEventListener("quire:back", () => { if (cell.isConnected) this.#save(cell, value, before, isUndo); }, { once: true });
        return;
      }
      cell.classList.add("is-bad");
      cell.textContent = before;
      toast({ text: failure.message, bad: true });
    } finally {
      cell.classList.remove("is-saving");
    }
  }
});
