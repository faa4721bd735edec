// What cannot be sent because the desk does not answer is kept on this device (waiting.js), shown where it was done, and sent
// when the desk answers again. Of pages with open private folders nothing is kept.
import { confirmed } from "./confirm-dialog.js";
import { icon, make } from "./make.js";
import { away, csrf, heed, look, mayWait, reader, turn } from "./presence.js";
import { text } from "./texts.js";
import { toast } from "./toast-region.js";
import "./waiting.js";

const { things, keep, drop, clear, send } = globalThis.quireWaiting;
const mark = `quire-waiting:${reader}`;
const firstPause = 5, longestPause = 300;

// MARK: Keeping

const titleOf = (id) => {
  const row = document.querySelector(`[data-paper]:has(input[name=id][value="${CSS.escape(id)}"])`);
  return row?.querySelector(".paper-name, .table-name > a")?.textContent.trim() ?? "";
};

/** What the form asks for, as it waits. @param {HTMLFormElement} form @param {URLSearchParams} body @param {HTMLElement} [button] */
function wished(form, body, button) {
  const paper = new URL(form.getAttribute("action"), location.href).pathname;
  const heading = document.querySelector("main h1")?.textContent.trim() ?? "";
  if (paper === "/documents/selection") {
    const ids = body.getAll("id");
    return ids.length ? {
      kind: "many", papers: ids, title: ids.map(titleOf).filter(Boolean).join(", "), act: button.textContent.trim(),
      value: { tag: body.get("tag"), untag: body.get("tag"), move: form.elements.folder?.selectedOptions?.[0]?.textContent }[button.value] ?? "",
      fields: [...body].filter(([name]) => ["action", "id", "tag", "folder"].includes(name)),
    } : undefined;
  }
  if (body.get("_method") === "DELETE") return { kind: "bin", paper, title: heading };
  const field = [...form.elements].find((each) => each.name && each.type !== "hidden" && each.localName !== "button");
  const option = field.localName === "select" && [...field.options];
  const chosenBefore = option && (option.find((each) => each.defaultSelected) ?? option[0]);
  return {
    kind: "change", paper, title: heading, field: field.name, label: field.labels[0]?.textContent.trim() ?? field.name,
    value: body.get(field.name) ?? "", before: option ? chosenBefore.value : field.defaultValue,
    shown: option ? option.find((each) => each.value === body.get(field.name))?.textContent : undefined,
    shownBefore: option ? chosenBefore.textContent : undefined,
  };
}

/** @returns {Promise<boolean>} whether it waits here now; not where the device is full */
async function wait(thing) {
  try {
    await keep(reader, { id: crypto.randomUUID(), at: Date.now(), place: Date.now(), state: "waiting", ...thing });
  } catch {
    return false;
  }
  navigator.storage?.persist?.().catch(() => {});
  navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("quire-waiting")).catch(() => {});
  await count();
  // The desk may have answered again while this was written down.
  go();
  return true;
}

/**
 * What a form asks for that could not be sent.
 * @param {HTMLFormElement} form @param {URLSearchParams} body @param {HTMLElement} [button]
 * @returns {Promise<boolean>} whether it waits here now
 */
export async function offer(form, body, button) {
  const thing = wished(form, body, button);
  if (!thing) return false;
  // What is said again about the same takes the place of what was said before.
  const same = (await things(reader)).findLast((each) => each.paper && each.state !== "sending"
    && each.kind === thing.kind && each.paper === thing.paper && each.field === thing.field);
  if (same && thing.kind === "bin") return true;
  if (same) Object.assign(thing, { id: same.id, place: same.place, before: same.before, shownBefore: same.shownBefore });
  if (same && thing.value === thing.before) {
    await drop(reader, same.id);
    return true;
  }
  if (!await wait(thing)) {
    turn("offline", true);
    toast({ text: text("waiting.full"), bad: true });
    return false;
  }
  for (const box of form.querySelectorAll("input[name=id]:checked")) box.click();
  // Said each time, and seen once.
  for (const old of document.querySelectorAll("toast-region .toast")) if (old.firstElementChild.textContent === text("waiting.kept")) old.remove();
  toast({ text: text("waiting.kept"), action: { label: text("waiting.look"), run: showAll } });
  return true;
}

/** A file that could not be sent. @returns {Promise<boolean>} */
export const offerFile = ({ id, place, file, name, address, fields }) =>
  wait({ kind: "paper", id, place, file, name, title: name, address, fields });

/** @param {string} id */
export const takeBack = (id) => drop(reader, id);

// MARK: Sending

let timer, pause = firstPause;

export async function go() {
  clearTimeout(timer);
  if (away() || !(await things(reader)).length) return;
  let outcome = await send(reader, csrf());
  if (outcome === "stale" && await look()) outcome = await send(reader, csrf());
  if (outcome === "later") {
    timer = setTimeout(go, pause * 1000);
    pause = Math.min(pause * 2, longestPause);
    look();
  } else {
    pause = firstPause;
    if (outcome) await heed(outcome);
  }
}

document.addEventListener("quire:back", () => { pause = firstPause; go(); });
addEventListener("online", () => { pause = firstPause; go(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) go(); });

// MARK: What is seen of it

const button = make("button", { class: "button button-icon button-quiet activity-button", type: "button", onclick: () => showAll() });
const showAll = () => import("./waiting-panel.js").then((panel) => panel.show());

/** Pictures that the scanner keeps by its own means wait as one thing. */
export const scanned = async () => (await import("./scan-store.js")).sending().catch(() => undefined);

let sentCount = 0, sentTimer;

/** As many as wait stand in the head of the page for as long as something waits. */
export async function count() {
  const all = await things(reader);
  const number = all.length + (await scanned() ? 1 : 0);
  try {
    if (number) localStorage.setItem(mark, "yes");
    else localStorage.removeItem(mark);
  } catch { /* the next page that cannot be sent looks again */ }
  if (!number) button.remove();
  else {
    const label = text("waiting.count", { count: number });
    const needs = all.some(({ state }) => state === "refused" || state === "conflict");
    button.replaceChildren(icon(needs ? "warning" : "clock"), make("span", { class: "count", "aria-hidden": "true" }, String(number)));
    button.setAttribute("aria-label", label);
    button.title = label;
    if (!button.isConnected) document.querySelector(".topbar-tools .activity-button")?.before(button);
  }
  paint(all);
  return all;
}

/** What was put into a field stands in it again; what was taken back, what was there before. */
const painted = new Map();

function set(field, value) {
  if (field.localName === "select") {
    for (const option of field.options) option.defaultSelected = option.value === value;
    field.value = value;
  } else field.value = field.defaultValue = value;
}

const chip = (thing) => make("span", { class: `chip ${thing.state === "refused" || thing.state === "conflict" ? "chip-bad" : "chip-warn"}`, "data-waits": thing.id, title: text("waiting.title") },
  icon("clock"), text(thing.kind === "bin" ? "waiting.bin" : thing.state === "waiting" || thing.state === "sending" ? "upload.waiting" : "waiting.needs"));

function paint(all) {
  for (const old of document.querySelectorAll("[data-waits]")) old.remove();
  for (const thing of all) {
    if (thing.kind === "many" || thing.kind === "bin" || thing.kind === "change") {
      for (const id of thing.papers ?? [thing.paper.split("/")[2]]) {
        document.querySelector(`[data-paper]:has(a[href="/documents/${CSS.escape(id)}"]) :is(.table-name, .paper-name)`)?.append(chip(thing));
      }
    }
    if (thing.paper !== location.pathname) continue;
    if (thing.kind === "bin") document.querySelector(".paper-head")?.append(chip(thing));
    if (thing.kind !== "change") continue;
    const form = [...document.querySelectorAll(`main form[action="${CSS.escape(thing.paper)}"]`)].find((each) => each.elements.namedItem(thing.field));
    const field = form?.elements.namedItem(thing.field);
    if (!field) continue;
    if (field !== document.activeElement || field.value === field.defaultValue) set(field, thing.value);
    painted.set(thing.id, { field, before: thing.before });
    form.append(chip(thing));
  }
}

new BroadcastChannel(globalThis.quireWaiting.channel).addEventListener("message", ({ data }) => {
  if (data.reader !== reader) return;
  if (data.gone) {
    const place = painted.get(data.gone);
    painted.delete(data.gone);
    if (place?.field.isConnected && !data.isSent) set(place.field, place.before);
    if (data.isSent) {
      sentCount += 1;
      clearTimeout(sentTimer);
      // One word for all that went together.
      sentTimer = setTimeout(() => { toast({ text: text("waiting.sent", { count: sentCount }) }); sentCount = 0; }, 600);
    }
    document.dispatchEvent(new CustomEvent("quire:gone", { detail: data }));
  }
  count().then(() => document.dispatchEvent(new CustomEvent("quire:waiting")));
});
for (const change of ["quire:swapped", "quire:fresh"]) document.addEventListener(change, () => count());

// MARK: Leaving

/** Known to be away, nothing has to be tried in vain. */
addEventListener("submit", (event) => {
  const form = event.target;
  if (away() !== "offline" || event.defaultPrevented || !mayWait(form, event.submitter)) return;
  event.preventDefault();
  offer(form, new URLSearchParams(new FormData(form, event.submitter)), event.submitter);
}, { capture: true });

/** Who signs out leaves nothing here, and is asked first; behind the lock it waits for whoever unlocks. */
addEventListener("submit", (event) => {
  const form = event.target;
  const action = form.getAttribute("action");
  if (!["/sign-out", "/lock"].includes(action) || form.dataset.agreed || event.defaultPrevented || !button.isConnected) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  leave(form, event.submitter);
}, { capture: true });

async function leave(form, submitter) {
  const isOut = form.getAttribute("action") === "/sign-out";
  const { length } = await things(reader);
  if (length) {
    const isYes = await confirmed(text(isOut ? "waiting.leaving" : "waiting.locking", { count: length }),
      submitter?.textContent.trim() ?? text("yes"), { isCalm: !isOut });
    if (!isYes) return;
    // Nobody is signed out where the desk does not answer, and nothing is dropped then.
    if (!await look()) return turn(away() || "offline", true);
    if (isOut) await clear(reader);
  }
  form.dataset.agreed = "yes";
  form.requestSubmit(submitter);
}

count().then(go, () => {});
