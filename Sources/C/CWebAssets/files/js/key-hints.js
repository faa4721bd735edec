// Keyboard shortcuts, and the page that shows them (?). Single keys can be switched off (WCAG 2.1.4).
import { make } from "./make.js";
import { text } from "./texts.js";

const places = { d: "/", l: "/documents", p: "/batches", e: "/lists", a: "/activity", s: "/settings" };
const off = "quire-keys-off";

let afterG = 0;

/** The page's own filter where there is one, the palette elsewhere. */
function search() {
  const filter = document.querySelector("main input[type=search]");
  if (filter) filter.focus();
  else import("./command-palette.js").then((palette) => palette.open());
}

/** What a single key does that was pressed outside of all fields. @param {KeyboardEvent} event */
export function press({ key, timeStamp }) {
  const followsG = timeStamp - afterG < 1200;
  afterG = key === "g" ? timeStamp : 0;
  if (followsG && places[key]) location.assign(places[key]);
  else if (key === "?") open();
  else if (key === "u") location.assign("/documents/new");
  else if (key === "/") search();
}

export function open() {
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
  document.body.append(dialog);
  dialog.showModal();
}
