// Everything a page shows changes with what is done, here, in another tab or by somebody else. When anything was done the page
// asks for itself once more, and what its server would write otherwise now is written otherwise: nothing else is touched, so that
// what scripts made of the page, what somebody types and what is chosen or unfolded stays. What has means of its own keeps them.
import { wake } from "./elements.js";
import { ask, away, csrf } from "./presence.js";
import { parsed } from "./trust.js";

const own = "crop-image, field-boxes, fill-desk, folder-tree, letter-editor, live-part, mark-desk, match-board, page-board, page-fields, page-reader, passkey-button, redact-areas, upload-zone, [data-once]";
// Those of them somebody may be in the middle of.
const busy = "crop-image, field-boxes, fill-desk, letter-editor, mark-desk, match-board, page-board, page-fields, page-reader, redact-areas, upload-zone:has(.upload), [data-once]";
const pause = 300, longest = 1500;

/** The page as its server wrote it, without tokens, which look different each time. */
const plain = (root) => {
  const main = root.querySelector("main[data-fresh]")?.cloneNode(true);
  for (const field of main?.querySelectorAll("input[name=_csrf]") ?? []) field.value = "";
  return main;
};

let base;
let timer, since, isDown = false, isAsking = false, isHeldUp = false;

/** @param {Document} written the page before any script changed it */
export function begin(written) { base = plain(written); }

addEventListener("pointerdown", () => { isDown = true; }, { capture: true });
// The click comes right behind, and still belongs to what was there.
for (const kind of ["pointerup", "pointercancel", "dragend"]) addEventListener(kind, () => setTimeout(() => { isDown = false; }), { capture: true });
document.addEventListener("visibilitychange", () => { if (!document.hidden && since) renew(); });
// What waited for somebody to be done with it.
document.addEventListener("focusout", () => { if (isHeldUp) soon(); });

export function soon() {
  since ??= Date.now();
  clearTimeout(timer);
  timer = setTimeout(renew, Date.now() - since > longest ? 0 : pause);
}

/** How many run, and how many are unread: above every page. */
function count(shown, fresh) {
  if (!shown || !fresh || shown.textContent === fresh.textContent) return;
  shown.replaceChildren(...fresh.childNodes);
  shown.setAttribute("aria-label", fresh.getAttribute("aria-label"));
}

async function renew() {
  if (!since || away() || document.hidden) return;
  // What is asked about stays there until it is answered: a form that is gone by then could not be sent.
  if (document.querySelector("dialog[open]")) { timer = setTimeout(renew, pause); return; }
  // Nothing is taken from under a finger, and no page that is about to be left is renewed.
  if (isDown || isAsking || document.querySelector("form[data-sent], soft-page[aria-busy]")) return soon();
  since = undefined;
  isAsking = true;
  const address = location.href;
  try {
    const response = await ask(address, { headers: { Accept: "text/html", "X-Quire-Unasked": "1" } });
    if (!response.ok || response.redirected || location.href !== address) return;
    const answer = parsed(await response.text());
    const fresh = plain(answer);
    const main = document.querySelector("main");
    if (!fresh || isDown || document.querySelector("form[data-sent]")) return soon();
    isHeldUp = !align(main, base, fresh);
    if (!isHeldUp) base = fresh;
    document.dispatchEvent(new CustomEvent("quire:fresh"));
    for (const place of ["/activity", "/notices"]) count(...[document, answer].map((root) => root.querySelector(`.topbar-tools a[href='${place}']`)));
    wake(main);
  } catch { /* the next act tries again */ } finally { isAsking = false; }
}

const isTyped = (field) => field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked
  : field.matches("select") ? [...field.options].some((option) => option.selected !== option.defaultSelected)
  : "value" in field && field.value !== field.defaultValue;

/** Whether somebody is at it: it is not taken away from them. */
function isHeld(live) {
  const focus = document.activeElement;
  return live.matches(busy) || live.querySelector(busy) !== null
    || (live.contains(focus) && focus.matches("input, textarea, select"))
    || live.querySelector("dialog[open], :popover-open") !== null
    || [...live.querySelectorAll("input:not([type=hidden]), textarea, select")].some(isTyped);
}

/** What one thing of a list is told by. */
const key = (element) => element.id || element.dataset.paper || element.dataset.swap
  || (element.querySelector("input[name=id]")?.value ?? element.querySelector("a[href]")?.getAttribute("href") ?? "");
const isAlike = (one, other) => one.tagName === other.tagName && one.getAttribute("class") === other.getAttribute("class")
  && (!["LI", "TR", "LABEL", "A"].includes(one.tagName) || key(one) === key(other));
const words = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()).join("|");

/** A copy of what the server wrote, with the page's token; what was unfolded in its place stays so. */
const brought = (element, gone = []) => {
  const copy = document.importNode(element, true);
  for (const field of copy.querySelectorAll("input[name=_csrf]")) field.value = csrf();
  const titles = gone.flatMap((each) => [...each.querySelectorAll("details[open] > summary")].map((title) => title.textContent));
  for (const title of copy.querySelectorAll("details > summary")) if (titles.includes(title.textContent)) title.parentElement.open = true;
  return copy;
};

/** Puts something in the place of other things, and the focus back onto what is called as what had it. */
function change(gone, put) {
  const focus = document.activeElement;
  const had = gone.some((each) => each.contains(focus)) ? focus : undefined;
  const copies = put();
  if (!had) return;
  const called = (each) => each.id || each.textContent.trim();
  copies.flatMap((each) => [each, ...each.querySelectorAll(had.localName)])
    .find((each) => each.matches(had.localName) && called(each) === called(had))?.focus({ preventScroll: true });
}

/** @returns {boolean} whether all of it is as the server would write it now; what is held waits for the next time */
function align(live, before, after) {
  if (before.isEqualNode(after)) return true;
  if (live.matches(own)) return true;
  const [lives, olds, news] = [[...live.children], [...before.children], [...after.children]];
  const isMapped = lives.length === olds.length && lives.every((each, place) => each.tagName === olds[place].tagName)
    && words(before) === words(after);
  if (!isMapped || !olds.length) {
    if (isHeld(live)) return false;
    change([live], () => {
      const copy = brought(after, [live]);
      live.replaceWith(copy);
      return [copy];
    });
    return true;
  }
  for (const name of new Set([...before.getAttributeNames(), ...after.getAttributeNames()])) {
    const value = after.getAttribute(name);
    if (value === before.getAttribute(name)) continue;
    if (value === null) live.removeAttribute(name);
    else live.setAttribute(name, value);
  }
  let from = 0, end = 0;
  const most = Math.min(olds.length, news.length);
  while (from < most && isAlike(olds[from], news[from])) from += 1;
  while (end < most - from && isAlike(olds.at(-1 - end), news.at(-1 - end))) end += 1;
  let isDone = true;
  for (let place = 0; place < from; place += 1) isDone = align(lives[place], olds[place], news[place]) && isDone;
  for (let place = 1; place <= end; place += 1) isDone = align(lives.at(-place), olds.at(-place), news.at(-place)) && isDone;
  const gone = lives.slice(from, lives.length - end);
  const come = news.slice(from, news.length - end);
  if (gone.some((each) => isHeld(each))) return false;
  const next = lives[lives.length - end];
  change(gone, () => {
    const copies = come.map((each) => brought(each, gone));
    if (next) next.before(...copies);
    else live.append(...copies);
    for (const each of gone) each.remove();
    return copies;
  });
  return isDone;
}
