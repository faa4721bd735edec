// What waits on this device, one below the other: when it was done, what became of it, and the ways on.
import { icon, make } from "./make.js";
import { away, look, reader } from "./presence.js";
import { language, size, text } from "./texts.js";
import { go, scanned } from "./waiting-acts.js";

const { things, note, drop } = globalThis.quireWaiting;
const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const isStuck = ({ state }) => state === "refused" || state === "conflict";
const icons = { paper: "upload", change: "edit", bin: "trash", many: "library" };

let dialog;

export async function show() {
  if (dialog?.open) return;
  dialog = make("dialog", { class: "dialog waiting-panel", "aria-labelledby": "waiting-title", closedby: "any" },
    make("div", { class: "dialog-body" },
      make("div", { class: "card-head" },
        make("h2", { id: "waiting-title", tabindex: "-1" }, text("waiting.title")),
        make("button", { class: "button button-icon button-quiet", type: "button", "aria-label": text("dismiss"), onclick: () => dialog.close() }, icon("close"))),
      make("p", { class: "soft", role: "status" }),
      make("div", { hidden: true }, make("button", { class: "button", type: "button", "data-act": "now", onclick: () => look().then(go) }, icon("again"), text("away.offline.way"))),
      make("ul", { class: "list" })));
  dialog.addEventListener("close", () => {
    dialog.remove();
    for (const event of changes) document.removeEventListener(event, draw);
  });
  const changes = ["quire:waiting", "quire:away", "quire:back"];
  for (const event of changes) document.addEventListener(event, draw);
  document.body.append(dialog);
  await draw();
  dialog.showModal();
}

async function draw() {
  const all = await things(reader);
  const order = await scanned();
  const held = document.activeElement?.closest?.(".waiting-panel [data-act]")?.dataset.act;
  const lede = !all.length && !order ? "waiting.none" : !order && all.every(isStuck) ? "waiting.stuck"
    : away() === "out" || away() === "locked" ? "waiting.signIn" : "waiting.lede";
  dialog.querySelector("p").textContent = text(lede);
  dialog.querySelector("[data-act=now]").parentElement.hidden = all.every(isStuck);
  dialog.querySelector("ul").replaceChildren(...all.map(row), ...order ? [photos(order)] : []);
  if (held) (dialog.querySelector(`[data-act="${CSS.escape(held)}"]`) ?? dialog.querySelector("h2")).focus();
}

const about = (thing) => {
  if (thing.kind === "paper") return text("waiting.paper", { size: size(thing.file.size) });
  if (thing.kind === "bin") return text("waiting.bin");
  if (thing.kind === "many") return [thing.act, thing.value].filter(Boolean).join(" ");
  return text("waiting.change", { field: thing.label, value: (thing.shown ?? thing.value) || text("waiting.nothing") });
};

function state(thing) {
  if (thing.state === "sending") return text("waiting.sending");
  if (thing.state === "refused") return text("waiting.refused", { reason: thing.why });
  if (thing.state === "conflict") return text("waiting.conflict");
  return text(thing.isUnsure ? "waiting.unsure" : "waiting.until");
}

function row(thing) {
  const act = (key, name, run, kind = "") => make("button", {
    class: `button button-s ${kind}`, type: "button", "data-act": `${name} ${thing.id}`,
    "aria-label": `${text(key)}: ${thing.title}`, onclick: run,
  }, text(key));
  const again = (change) => note(reader, thing.id, { state: "waiting", ...change }).then(go);
  const acts = [];
  if (thing.state === "conflict") acts.push(act("waiting.mine", "again", () => again({ before: thing.theirs })));
  if (thing.state === "refused") acts.push(act("upload.retry", "again", () => again({})));
  if (thing.file) acts.push(act("waiting.save", "save", () => save(thing)));
  if (thing.state !== "sending") {
    acts.push(act(thing.state === "conflict" ? "waiting.theirs" : isStuck(thing) ? "waiting.drop" : "waiting.back", "back", () => drop(reader, thing.id)));
  }
  return make("li", { class: "item" }, icon(isStuck(thing) ? "warning" : icons[thing.kind]),
    make("span", { class: "item-text" },
      make("span", { class: "item-title", dir: "auto" }, thing.title),
      make("span", { class: "item-note" }, about(thing)),
      ...thing.state === "conflict" ? [make("span", { class: "item-note" }, text("waiting.onDesk", { value: thing.theirsShown ?? (thing.theirs || text("waiting.nothing")) }))] : [],
      make("span", { class: isStuck(thing) ? "item-note is-bad" : "item-note" }, `${time.format(thing.at)} · ${state(thing)}`)),
    make("span", { class: "row" }, ...acts));
}

const photos = ({ sheets, arrived }) => make("li", { class: "item" }, icon("camera"),
  make("span", { class: "item-text" },
    make("span", { class: "item-title" }, text("waiting.photos", { count: sheets.length - arrived.length })),
    make("span", { class: "item-note" }, text("waiting.photos.way"))),
  make("a", { class: "button button-s", href: "/scan" }, text("waiting.photos.open")));

/** The file as it is here, into the folder for downloads. */
function save({ file, name }) {
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
