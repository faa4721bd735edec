// Starts what the page holds: each element's module is fetched only where the element stands.
import { changedEarly, wake } from "./elements.js";
import { listen } from "./events.js";
import { reader } from "./presence.js";
import { scriptAddress } from "./trust.js";

// As it was written, in a document that loads nothing; whatever is done afterwards shows on the page.
const main = document.querySelector("main[data-fresh]");
if (reader && main) {
  const written = document.implementation.createHTMLDocument("");
  written.body.append(written.importNode(main, true));
  let fresh;
  const soon = () => (fresh ??= import("./fresh.js").then((module) => { module.begin(written); return module; })).then((module) => module.soon());
  listen("act", soon);
  listen("sending", soon);
  // While one runs, what follows it shows how far it is.
  listen("job", ({ state }) => { if (state !== "running") soon(); });
}

wake();

// Browsers fade from page to page by themselves; where one gives that up, as before a page that is no page, nothing is missing.
for (const moment of ["pageswap", "pagereveal"]) {
  addEventListener(moment, ({ viewTransition }) => {
    for (const promise of [viewTransition?.ready, viewTransition?.finished]) promise?.catch(() => {});
  });
}

// A choice that takes effect at once, such as a member's role; without scripts it has its own button.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
});
changedEarly("[data-submits]")[0]?.form.requestSubmit();

// Ctrl-K, single keys, and what asks first: each is fetched with the first press.
const opened = (name) => import(`./${name}.js`).then(({ open }) => open());

document.addEventListener("click", (event) => {
  const { command } = event.target.closest?.("[data-command]")?.dataset ?? {};
  if (command === "print") print();
  if (command === "back") history.back();
  if (command === "keys") opened("key-hints");
  // Without it the link leads to the page that searches.
  if (command === "palette" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    opened("command-palette").catch(() => location.assign("/search"));
  }
});

if (document.body.matches(".app")) document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() !== "k") return;
    event.preventDefault();
    opened("command-palette");
  } else if (/^[a-z?/]$/.test(key) && !event.altKey && !localStorage.getItem("quire-keys-off")) {
    if (event.target.closest?.("input, textarea, select, [contenteditable], dialog")) return;
    if (key === "/") event.preventDefault();
    import("./key-hints.js").then(({ press }) => press(event));
  }
});

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.dataset.confirm || form.dataset.confirmed) return;
  event.preventDefault();
  event.stopPropagation();
  import("./confirm-dialog.js").then(({ allowed }) => allowed(form, submitter), () => confirm(form.dataset.confirm)).then((isYes) => {
    if (!isYes) return submitter?.focus();
    form.dataset.confirmed = "yes";
    form.requestSubmit(submitter);
  });
}, { capture: true });

// The first owner's desk lives by the clock of the place where they sit.
for (const field of document.querySelectorAll("[data-zone]")) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

// The same form twice is never what was meant.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  // What comes as a file leaves the page as it stands, and more may be done with it.
  if (event.submitter?.matches("[data-no-soft]")) return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  event.submitter?.setAttribute("aria-busy", "true");
});

// Of a broken paper there is no picture, and some pictures only some browsers know: a sheet says what kind it is, as that
// of one that has no pages.
const drawn = (image) => {
  const own = image.parentElement.querySelector("template");
  const sheet = own?.content.firstElementChild.cloneNode(true) ?? document.createElement("span");
  if (!own) {
    sheet.textContent = "PDF";
    sheet.setAttribute("aria-hidden", "true");
    image.parentElement.classList.add("thumb-none");
  }
  image.replaceWith(sheet);
  if ("patient" in image.dataset) come(image, sheet, 2);
};
// The pages of some papers are being prepared: the sheet makes room for them when they are there.
const come = (image, sheet, pause) => setTimeout(async () => {
  if (!sheet.isConnected) return;
  const answer = await fetch(image.src).catch(() => undefined);
  if (answer?.ok) {
    image.loading = "eager";
    sheet.replaceWith(image);
  } else if (answer?.status === 503 && pause < 60) {
    come(image, sheet, pause * 1.5);
  }
}, pause * 1000);
document.addEventListener("error", (event) => {
  if (event.target.matches?.(".thumb img, .paper-well img")) drawn(event.target);
}, true);
for (const image of document.querySelectorAll(".thumb img, .paper-well img")) if (image.complete && !image.naturalWidth) drawn(image);

// What an address leads to may lie in a fold, which not every browser opens by itself.
const unfold = () => {
  const place = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  const fold = place && place.closest("details:not([open])");
  if (!fold) return;
  fold.open = true;
  place.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();

// On a phone the tab one is at may lie beside the edge.
for (const here of document.querySelectorAll(".tabs > [aria-current]")) {
  here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 48;
}

// Back from the browser's page cache, or when nothing could be sent, forms may be sent again.
const again = () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    // The button may stand outside of its form.
    for (const field of form.elements) field.removeAttribute("aria-busy");
  }
};
addEventListener("pageshow", again);
document.addEventListener("quire:unsent", again);
// Signed in again beside it, the page has a new token: what was pressed is done.
document.addEventListener("quire:resend", ({ detail: { form, button } }) => {
  if (form.isConnected) form.requestSubmit(button?.isConnected ? button : null);
});

// What is typed outlasts a page that is taken away. Fetched once there is something to keep, or to give back.
document.addEventListener("input", () => import("./drafts.js"), { capture: true, once: true });
if (Object.keys(sessionStorage).some((key) => key.startsWith("quire-draft:"))) import("./drafts.js").then((drafts) => drafts.come());

// What waits on this device goes on, and is seen. Fetched where something waits, or nobody answers.
let waits;
const waiting = () => waits ??= import("./waiting-acts.js").catch(() => { waits = undefined; });
if (reader && localStorage.getItem(`quire-waiting:${reader}`)) waiting();
else if (reader) document.addEventListener("quire:away", waiting);

// The first field with an error, or the message about the whole form, is where one wants to be.
document.querySelector("[aria-invalid=true]")?.focus();

// The + shows itself once on each device: everything begins there.
const plus = document.querySelector(".nav-make > button");
if (plus && location.pathname === "/" && !localStorage.getItem("quire-plus-seen")) {
  localStorage.setItem("quire-plus-seen", "yes");
  plus.classList.add("is-new");
}

if ("serviceWorker" in navigator) {
  if (reader && navigator.onLine && localStorage.getItem(`quire-kept:${reader}`)?.length > 2) {
    import("./kept-papers.js").then((papers) => papers.come()).catch(() => {});
  }
  navigator.serviceWorker.register(scriptAddress("/sw.js"), { type: "classic" }).catch(() => {});
}
