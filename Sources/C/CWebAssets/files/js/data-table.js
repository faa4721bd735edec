// A long table: filters while one types, selects ranges, says how many are chosen.
import { changedEarly } from "./elements.js";
import { make } from "./make.js";
import { page } from "./requests.js";
import { text } from "./texts.js";
import { toast } from "./toast-region.js";

customElements.define("data-table", class extends HTMLElement {
  #search;
  #last;
  #lifted;

  connectedCallback() {
    this.addEventListener("click", this.#click);
    this.addEventListener("change", this.#change);
    this.addEventListener("keydown", this.#enter);
    this.#count();
    document.addEventListener("dragstart", this.#drag);
    for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, this.#overFolder);
    this.#loose();
    this.closest("soft-page")?.addEventListener("quire:swapped", () => this.#count());
    document.addEventListener("quire:arrived", this.#arrived);
    document.addEventListener("quire:fresh", this.#fresh);
    const form = this.querySelector("[data-live]");
    if (!form) return;
    let timer;
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#filter(new URLSearchParams(new FormData(form))), 180);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#filter(new URLSearchParams(new FormData(form)));
    });
    if (changedEarly("select, input", form).length) form.dispatchEvent(new Event("input"));
  }

  disconnectedCallback() {
    document.removeEventListener("quire:arrived", this.#arrived);
    document.removeEventListener("quire:fresh", this.#fresh);
    document.removeEventListener("dragstart", this.#drag);
    for (const type of ["dragover", "dragleave", "drop"]) document.removeEventListener(type, this.#overFolder);
  }

  #fresh = () => {
    this.#count();
    this.#loose();
  };

  /** Papers can be picked up with the mouse and laid onto a folder, or onto another paper for a folder of both; what stands
   *  below the list does the same from the keyboard. */
  #loose() {
    if (!document.querySelector("[data-folder], [data-gather]")) return;
    for (const paper of this.querySelectorAll("[data-paper]")) paper.draggable = Boolean(paper.querySelector("input[name=id]"));
  }

  #drag = (event) => {
    const paper = event.target.closest?.("[data-paper]");
    this.#lifted = paper;
    const box = paper?.querySelector("input[name=id]");
    if (!box) return;
    // The one that is picked up comes with those that were chosen, or alone.
    const chosen = box.checked ? this.#boxes.filter((each) => each.checked) : [box];
    event.dataTransfer.setData("application/x-quire-papers", JSON.stringify(chosen.map((each) => each.value)));
    event.dataTransfer.effectAllowed = "move";
  };

  #overFolder = (event) => {
    if (!event.dataTransfer?.types.includes("application/x-quire-papers")) return;
    const folder = event.target.closest?.("[data-folder]");
    const target = folder ?? event.target.closest?.("[data-paper]");
    if (!target || !folder && !this.#mayGather(target)) return;
    event.preventDefault();
    target.classList.toggle("is-over", event.type === "dragover");
    if (event.type !== "drop") return;
    event.stopPropagation();
    if (!folder) return this.#gather(target, JSON.parse(event.dataTransfer.getData("application/x-quire-papers")));
    const form = document.getElementById("selection");
    // `form.action` would be its buttons of that name.
    const sent = make("form", { method: "post", action: form.getAttribute("action"), hidden: true });
    const fields = [["_csrf", form.elements._csrf.value], ["from", form.elements.from.value], ["action", "move"], ["folder", folder.dataset.folder]];
    for (const id of JSON.parse(event.dataTransfer.getData("application/x-quire-papers"))) fields.push(["id", id]);
    for (const [name, value] of fields) sent.append(make("input", { type: "hidden", name, value }));
    document.body.append(sent);
    sent.submit();
  };

  #mayGather(paper) {
    return this.contains(paper) && paper.draggable && this.querySelector("[data-gather]") && paper !== this.#lifted;
  }

  /** Both are chosen, and the folder waits for its name. */
  #gather(paper, ids) {
    const own = paper.querySelector("input[name=id]").value;
    for (const box of this.#boxes) box.checked = box.value === own || ids.includes(box.value);
    this.#count();
    const more = this.querySelector(".selection-more");
    if (more?.getAttribute("aria-expanded") === "false") more.click();
    this.#askName();
  }

  #askName() {
    this.querySelector("[data-gather] input[name=name]").focus();
    toast({ text: text("gather") });
  }

  // Enter would press the first button of the form.
  #enter = (event) => {
    if (event.key !== "Enter" || !event.target.matches("[data-gather] input")) return;
    event.preventDefault();
    event.target.closest("[data-gather]").querySelector("button").click();
  };

  #arrived = () => { if (this.querySelector("[data-results]")) this.#filter(new URLSearchParams(location.search)); };

  async #filter(query) {
    this.#search?.abort();
    this.#search = new AbortController();
    if (!query.get("q")) query.delete("q");
    const address = `${location.pathname}${query.size ? `?${query}` : ""}`;
    try {
      const answer = await page(address, { signal: this.#search.signal });
      const found = answer.querySelector("data-table [data-results]");
      if (!found) return location.assign(address);
      this.querySelector("[data-results]").replaceWith(found);
      this.#refold(answer);
      this.querySelector("[data-count]").textContent = answer.querySelector("[data-count]").textContent;
      history.replaceState(null, "", address);
      const views = answer.querySelector(".view-switch");
      if (views) this.querySelector(".view-switch")?.replaceWith(views);
      this.#count();
      this.#loose();
    } catch (failure) {
      if (failure.name !== "AbortError") throw failure;
    }
  }

  /** Papers that arrive may bring folders along. @param {Document} answer */
  #refold(answer) {
    const now = answer.querySelector(".folders");
    const before = document.querySelector(".folders");
    if (now && before) before.replaceWith(now);
    else if (now) document.querySelector("[data-folders]")?.append(now);
  }

  get #boxes() { return [...this.querySelectorAll("input[name=id]")]; }

  #click = (event) => {
    const more = event.target.closest(".selection-more");
    if (more) more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") === "false"));
    const gather = event.target.closest("[data-gather] button")?.closest("[data-gather]");
    if (gather && !gather.querySelector("input[name=name]").value.trim()) {
      event.preventDefault();
      this.#askName();
    }
    const box = event.target.closest("input[name=id]");
    if (!box) return;
    if (event.shiftKey && this.#last) {
      const boxes = this.#boxes;
      const [from, to] = [boxes.indexOf(this.#last), boxes.indexOf(box)].sort((a, b) => a - b);
      if (from >= 0) for (const between of boxes.slice(from, to + 1)) between.checked = box.checked;
    }
    this.#last = box;
  };

  #change = (event) => {
    if (event.target.matches("[data-all]")) for (const box of this.#boxes) box.checked = event.target.checked;
    this.#count();
  };

  #count() {
    const chosen = this.#boxes.filter((box) => box.checked).length;
    const bar = this.querySelector(".selection-bar");
    if (!bar) return;
    bar.hidden = chosen === 0;
    if (bar.hidden) bar.querySelector(".selection-more")?.setAttribute("aria-expanded", "false");
    bar.querySelector("[data-selected]").textContent = text("selected", { count: chosen });
    const all = this.querySelector("[data-all]");
    if (all) {
      all.checked = chosen > 0 && chosen === this.#boxes.length;
      all.indeterminate = chosen > 0 && !all.checked;
    }
  }
});
