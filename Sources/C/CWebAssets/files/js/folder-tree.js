// All folders as a tree, asked for when it is opened. Arrows walk and unfold, Home and End jump, letters find a name,
// Enter goes into the folder, F2 leads to its name and Delete to the button that removes it (ARIA: tree view).
import { icon, make } from "./make.js";
import { json } from "./requests.js";
import { text } from "./texts.js";

const openKey = "quire-folders-open";
const unfoldedKey = "quire-folders-unfolded";
/** Letters typed within this time belong to one name. */
const oneName = 700;

customElements.define("folder-tree", class extends HTMLElement {
  #asked = false;
  #unfolded = new Set(JSON.parse(localStorage.getItem(unfoldedKey) ?? "[]"));
  #typed = "";
  #typedAt = 0;

  connectedCallback() {
    this.box = this.closest("details");
    this.here = this.getAttribute("here");
    this.addEventListener("keydown", this.#keys);
    this.addEventListener("click", this.#click);
    this.box.addEventListener("toggle", this.#toggled);
    addEventListener("hashchange", this.#led);
    if (localStorage.getItem(openKey)) this.box.open = true;
    if (this.box.open) this.#ask();
    this.#led();
  }

  disconnectedCallback() {
    this.box.removeEventListener("toggle", this.#toggled);
    removeEventListener("hashchange", this.#led);
  }

  #toggled = () => {
    if (this.box.open) localStorage.setItem(openKey, "yes");
    else localStorage.removeItem(openKey);
    if (this.box.open) this.#ask();
  };

  async #ask() {
    if (this.#asked) return;
    this.#asked = true;
    this.setAttribute("aria-busy", "true");
    try {
      const { folders } = await json("/folders");
      this.replaceChildren(folders.length ? this.#tree(folders) : make("p", { class: "soft" }, text("folders.none")));
    } catch (failure) {
      this.#asked = false;
      this.replaceChildren(
        make("p", { class: "soft", role: "alert" }, failure.message || text("folders.failed")),
        make("button", { class: "button button-s", type: "button", onclick: () => this.#ask() }, icon("again"), text("upload.retry")));
    } finally {
      this.removeAttribute("aria-busy");
    }
  }

  /** @param {{id: string, name: string, parent: string | null, total: number, private: boolean, locked: boolean}[]} folders each behind the one it lies in */
  #tree(folders) {
    const top = make("ul", { class: "tree", role: "tree", "aria-label": text("folders.tree") });
    const parents = new Map(folders.map((folder) => [folder.id, folder.parent]));
    const way = new Set();
    for (let id = parents.get(this.here); id; id = parents.get(id)) way.add(id);
    const children = new Map([null, ...parents.keys()].map((id) => [id, []]));
    for (const folder of folders) children.get(folder.parent)?.push(folder);
    const fill = (list, parent) => {
      for (const folder of children.get(parent)) {
        const own = children.get(folder.id).length > 0;
        const item = make("a", {
          href: `/documents?folder=${folder.id}`, role: "treeitem", class: "tree-item", tabindex: "-1",
          "data-folder": folder.id, "data-name": folder.name, "aria-current": folder.id === this.here ? "page" : null,
          "aria-expanded": own ? String(way.has(folder.id) || this.#unfolded.has(folder.id)) : null,
          "aria-owns": own ? `folder-${folder.id}` : null,
        },
        make("span", { class: "tree-fold", "aria-hidden": "true" }, ...own ? [icon("next")] : []),
        icon(folder.private ? "lock" : "folder"),
        make("span", { class: "tree-name", dir: "auto" }, folder.name),
        make("span", { class: "tree-count" }, folder.locked ? text("folders.locked") : text("folders.count", { count: folder.total })));
        list.append(make("li", { role: "none" }, item));
        if (!own) continue;
        const group = make("ul", { role: "group", id: `folder-${folder.id}`, hidden: item.getAttribute("aria-expanded") !== "true" });
        fill(group, folder.id);
        item.after(group);
      }
    };
    fill(top, null);
    (top.querySelector("[aria-current]") ?? top.querySelector("[role=treeitem]")).tabIndex = 0;
    return top;
  }

  /** Those that are seen, from top to bottom. */
  get #items() { return [...this.querySelectorAll("[role=treeitem]")].filter((item) => !item.closest("ul[hidden]")); }

  #parent(item) { return item.closest("ul[role=group]")?.parentElement.querySelector("[role=treeitem]"); }

  #stand(item) {
    if (!item) return;
    this.querySelector("[role=treeitem][tabindex='0']")?.setAttribute("tabindex", "-1");
    item.tabIndex = 0;
    item.focus();
  }

  #fold(item, unfolds) {
    if (!item.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", String(unfolds));
    item.nextElementSibling.hidden = !unfolds;
    if (unfolds) this.#unfolded.add(item.dataset.folder);
    else this.#unfolded.delete(item.dataset.folder);
    localStorage.setItem(unfoldedKey, JSON.stringify([...this.#unfolded]));
    // What one stood on may have been folded away.
    if (!unfolds && item.nextElementSibling.querySelector("[tabindex='0']")) this.#stand(item);
  }

  #click = (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item || !event.target.closest(".tree-fold") || !item.hasAttribute("aria-expanded")) return;
    event.preventDefault();
    this.#fold(item, item.getAttribute("aria-expanded") !== "true");
  };

  #keys = (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.#items;
    const place = items.indexOf(item);
    const isUnfolded = item.getAttribute("aria-expanded") === "true";
    const [inwards, outwards] = getComputedStyle(this).direction === "rtl" ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    const moves = {
      ArrowDown: () => this.#stand(items[place + 1]),
      ArrowUp: () => this.#stand(items[place - 1]),
      Home: () => this.#stand(items[0]),
      End: () => this.#stand(items.at(-1)),
      [inwards]: () => isUnfolded ? this.#stand(items[place + 1]) : this.#fold(item, true),
      [outwards]: () => isUnfolded ? this.#fold(item, false) : this.#stand(this.#parent(item)),
      " ": () => item.click(),
      "*": () => { for (const each of item.parentElement.parentElement.children) this.#fold(each.firstElementChild, true); },
      F2: () => this.#change(item, "rename"),
      Delete: () => this.#change(item, "remove"),
    };
    // An arrow into a folder that holds no other goes nowhere.
    const move = moves[event.key] ?? (event.key.length === 1 ? () => this.#find(event.key, items, place) : undefined);
    if (!move) return;
    event.preventDefault();
    // Letters are names here, no shortcuts of the page.
    event.stopPropagation();
    move();
  };

  #find(letter, items, place) {
    const now = Date.now();
    const isNew = now - this.#typedAt > oneName;
    this.#typedAt = now;
    this.#typed = isNew ? letter : this.#typed + letter;
    const fold = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    // The same letter again means the next name that begins with it.
    const isOneLetter = [...this.#typed].every((each) => each === this.#typed[0]);
    const wanted = fold(isOneLetter ? this.#typed[0] : this.#typed);
    const from = isNew || isOneLetter ? place + 1 : place;
    this.#stand([...items.slice(from), ...items.slice(0, from)].find((item) => fold(item.dataset.name).startsWith(wanted)));
  }

  /** A folder is renamed and removed on its own page, where the words about it stand. */
  #change(item, part) {
    if (!document.querySelector(".folder-tools")) return;
    location.assign(`${item.getAttribute("href")}#${part}`);
  }

  /** Somebody was led to a part of the page that is folded away. */
  #led = () => {
    // No ids: what the browser focuses by itself it does not select.
    const part = document.getElementById({ "#rename": "f-folder-name", "#remove": "folder-remove" }[location.hash]);
    if (!part) return;
    part.closest("details").open = true;
    part.focus();
    part.select?.();
  };
});
