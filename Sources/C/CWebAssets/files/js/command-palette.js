// Ctrl-K: go anywhere, open any document. The same answers are at /search for those without scripts.
import { icon, make } from "./make.js";
import { json } from "./requests.js";
import { text } from "./texts.js";

class Palette {
  #hits = [];
  #place = 0;
  #search;

  open() {
    if (this.dialog?.open) return;
    this.list = make("div", { role: "listbox", id: "palette-list", class: "palette-list", "aria-label": text("palette") });
    this.input = make("input", {
      type: "search", class: "palette-input", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list",
      "aria-autocomplete": "list", "aria-label": text("palette"), placeholder: text("palette"), autocomplete: "off",
      autofocus: true, oninput: () => this.#find(), onkeydown: (event) => this.#move(event),
    });
    this.dialog = make("dialog", { class: "dialog palette", "aria-label": text("palette"), closedby: "any" }, this.input, this.list);
    this.dialog.addEventListener("close", () => this.dialog.remove());
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.#find();
  }

  async #find() {
    this.#search?.abort();
    this.#search = new AbortController();
    try {
      const query = new URLSearchParams({ q: this.input.value });
      const answer = await json(`/search?${query}`, { signal: this.#search.signal });
      this.#hits = answer.hits ?? [];
      this.#place = 0;
      this.#show();
    } catch (failure) {
      if (failure.name !== "AbortError") this.list.replaceChildren(make("p", { class: "soft" }, failure.message));
    }
  }

  #show() {
    this.list.replaceChildren(...this.#hits.map((hit, place) => make("div", {
      role: "option", id: `hit-${place}`, class: "palette-item", "aria-selected": String(place === this.#place),
      onclick: () => location.assign(hit.address),
    }, icon(hit.icon ?? "document"), hit.title, make("small", {}, hit.note ?? ""))));
    if (!this.#hits.length) this.list.append(make("p", { class: "soft palette-none" }, text("palette.none")));
    if (this.#hits.length) this.input.setAttribute("aria-activedescendant", `hit-${this.#place}`);
    else this.input.removeAttribute("aria-activedescendant");
    this.list.children[this.#place]?.scrollIntoView({ block: "nearest" });
  }

  #move(event) {
    const last = this.#hits.length - 1;
    if (event.key === "ArrowDown") this.#place = Math.min(this.#place + 1, last);
    else if (event.key === "ArrowUp") this.#place = Math.max(this.#place - 1, 0);
    // A search field would take the first Escape for itself.
    else if (event.key === "Escape") { event.preventDefault(); return this.dialog.close(); }
    else if (event.key === "Enter") { if (this.#hits[this.#place]) location.assign(this.#hits[this.#place].address); }
    else return;
    event.preventDefault();
    this.#show();
  }
}

const palette = new Palette();
export const open = () => palette.open();
