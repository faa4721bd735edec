// Keyboard shortcuts, and the page that shows them (?). Single keys can be switched off (WCAG 2.1.4).
import { make } from "./make.js";
import { text } from "./texts.js";

const places = { d: "/", l: "/documents", p: "/batches", e: "/lists", a: "/activity", s: "/settings" };
const off = "quire-keys-off";

customElements.define("key-hints", class extends HTMLElement {
  #afterG = 0;

  connectedCallback() {
    document.addEventListener("keydown", this.#keys);
    document.addEventListener("click", this.#click);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#keys);
    document.removeEventListener("click", this.#click);
  }

  #click = (event) => { if (event.target.closest?.("[data-command=keys]")) this.open(); };

  #keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem(off)) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], dialog")) return;
    const followsG = Date.now() - this.#afterG < 1200;
    this.#afterG = 0;
    if (followsG && places[event.key]) return location.assign(places[event.key]);
    if (event.key === "g") this.#afterG = Date.now();
    else if (event.key === "?") this.open();
    else if (event.key === "u") location.assign("/documents/new");
    else if (event.key === "/") { event.preventDefault(); this.#search(); }
  };

  /** The page's own filter where there is one, the palette elsewhere. */
  #search() {
    const filter = document.querySelector("main input[type=search]");
    if (filter) filter.focus();
    else document.querySelector("command-palette")?.open?.();
  }

  open() {
    const keys = [["g d", "keys.desk"], ["g l", "keys.library"], ["g p", "keys.packets"], ["g e", "keys.people"], ["g a", "keys.activity"], ["g s", "keys.settings"],
      ["u", "keys.upload"], ["/", "keys.search"], ["Ctrl K", "keys.palette"], ["?", "keys.hints"]];
    const rows = keys.map(([combination, key]) => make("div", {},
      make("dt", {}, ...combination.split(" ").flatMap((each) => [make("kbd", {}, each), " "])), make("dd", {}, text(key))));
    const box = make("input", {
      type: "checkbox", checked: !localStorage.getItem(off),
      onchange: () => box.checked ? localStorage.removeItem(off) : localStorage.setItem(off, "yes"),
    });
    const dialog = make("dialog", { class: "dialog", "aria-labelledby": "keys-title", closedby: "any" },
      make("form", { method: "dialog", class: "dialog-body" },
        make("h2", { id: "keys-title" }, text("keys.title")),
        make("dl", { class: "facts" }, ...rows),
        make("label", { class: "choice" }, box, make("span", {}, text("keys.single"))),
        make("div", { class: "row row-end" }, make("button", { class: "button button-main", autofocus: true }, text("close")))));
    dialog.addEventListener("close", () => dialog.remove());
    this.append(dialog);
    dialog.showModal();
  }
});
