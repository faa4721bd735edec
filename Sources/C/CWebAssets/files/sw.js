// Quire without a network: the shell always, the pages and papers last seen, papers that somebody wants to have here, and an
// honest page for the rest.
// Rules, one per kind of address: assets by name of their content; pages from the network, but not for longer than
// three seconds when an older copy is at hand; everything else goes straight through.

const shell = __SHELL__;
const version = "__VERSION__";
const shellCache = `quire-shell-${version}`;
const pageCache = "quire-pages";
const sharedCache = "quire-shared";
const patience = 3000;
const pagesKept = 40;
const paperCache = "quire-papers";
// Pictures and words of pages of papers; those of papers that are kept on this device are not counted.
const sheetsKept = 400;
const chosenCache = "quire-chosen";
const scanner = "/scan";
// Papers are added and photographed where there is no network: whoever works here has these pages with them.
const adding = "/documents/new";
const doors = [scanner, adding];
const loose = /^\/documents\/[^/]+\/(read|pages\/\d+)$/;
const sheets = /^\/documents\/[^/]+\/pages\/\d+(\/words)?$/;
const sharedKept = 3_600_000;

// Never kept: ways in, and pages that show or ask for secrets.
const unkept = /^\/(sign-in|presence|unlock|welcome|join|s|tokens|settings\/security|settings\/mail|api|events)(\/|$)|\/file$/;

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(shellCache);
    await cache.addAll([...shell, "/offline"]);
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("quire-shell-") && name !== shellCache) await caches.delete(name);
    }
    await clients.claim();
    for (const door of doors) if (await (await caches.open(pageCache)).match(door, { ignoreVary: true })) await renew(door, forgotten).catch(() => {});
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST") return post(event, url);
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/assets/")) return event.respondWith(asset(request));
  if (request.mode === "navigate") event.respondWith(visit(event, url));
  else if (sheets.test(url.pathname)) event.respondWith(sheet(event));
});

// A page of a paper, and its words: kept as it is seen, and with all of a paper that is to be kept here.
async function sheet(event) {
  const before = forgotten;
  try {
    const response = await fetch(event.request);
    event.waitUntil(response.ok ? keep(event.request, response.clone(), before, paperCache, sheetsKept) : drop(event.request));
    return response;
  } catch (failure) {
    const old = await kept(event.request);
    if (old) return old;
    throw failure;
  }
}

// What waits on this device is sent when there is a connection again, also when no page is open.
importScripts(shell.find((address) => address.endsWith("/waiting.js")));

addEventListener("sync", (event) => { if (event.tag === "quire-waiting") event.waitUntil(sendWaiting()); });

async function sendWaiting() {
  const response = await fetch("/presence", {
    headers: { Accept: "application/json", "X-Quire-Unasked": "1" }, cache: "no-store", credentials: "same-origin",
  });
  // Behind a lock, or for nobody, nothing is done; the next page goes on.
  if (!response.ok) return;
  const { reader, csrf } = await response.json();
  // The browser tries again by itself, after longer and longer.
  if (await quireWaiting.send(reader, csrf) === "later") throw new Error("the desk is busy");
}

// What the desk tells whoever wants it on this device; what happens to the same thing again takes the place of what stood there.
addEventListener("push", (event) => {
  const { title = "Quire", text = "", link = "/notices" } = event.data?.json() ?? {};
  event.waitUntil(registration.showNotification(title, {
    body: text, tag: link, data: { link }, icon: shell.find((address) => address.endsWith("/icon-192.png")),
  }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data?.link ?? "/notices", location.origin);
  event.waitUntil((async () => {
    const open = (await clients.matchAll({ type: "window" })).find((page) => page.url === address.href);
    await (open ? open.focus() : clients.openWindow(address.origin === location.origin ? address.href : "/"));
  })());
});

addEventListener("message", (event) => {
  const { choose, leave } = event.data ?? {};
  if (choose) event.waitUntil(chosen(choose).then((count) => event.ports[0]?.postMessage(count)));
  if (leave) event.waitUntil(left(leave));
});

// Everything of a paper that is read in the reader. It goes with the rest when somebody signs out or the desk is locked.
async function chosen(addresses) {
  let count = 0;
  for (const address of addresses) {
    const before = forgotten;
    const request = new Request(address, { credentials: "same-origin" });
    const response = await fetch(address, {
      credentials: "same-origin", headers: { Accept: address.endsWith("/words") ? "application/json" : "text/html,*/*", "X-Quire-Unasked": "1" },
    }).catch(() => undefined);
    if (response?.ok && !response.redirected && await keep(request, response, before, chosenCache, Infinity)) count += 1;
  }
  return count;
}

async function left(paper) {
  const cache = await caches.open(chosenCache);
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname.startsWith(`${paper}/`)) await cache.delete(request);
  }
}

function post(event, url) {
  // Apps that were installed long ago share to the address they learnt then.
  const isShared = url.pathname === "/shared" || (url.pathname === "/documents" && url.searchParams.has("shared"));
  if (isShared) return event.respondWith(takeShared(event.request));
  // Who signs out or locks leaves nothing behind on the device.
  if (["/sign-out", "/lock", "/private/closing"].includes(url.pathname)) event.waitUntil(forget());
  if (event.request.mode === "navigate") event.respondWith(send(event.request));
}

// A form that cannot be done, as nobody is signed in or the desk cannot be reached, leaves its page as it is: an answer
// without a page keeps the browser where it was, with all that was typed. The page itself says why.
async function send(request) {
  let away = "offline";
  try {
    const response = await fetch(request);
    away = response.headers.get("X-Quire-Away");
    if (!away) return response;
  } catch { /* nothing was done */ }
  new BroadcastChannel("quire-presence").postMessage({ away });
  return new Response(null, { status: 204 });
}

// What was asked for before is not kept after.
let forgotten = 0;
let isPrepared = false;

async function forget({ keepsShared = false } = {}) {
  forgotten += 1;
  isPrepared = false;
  for (const name of [pageCache, paperCache, chosenCache]) await caches.delete(name);
  if (!keepsShared) return caches.delete(sharedCache);
  // Whoever just shared something is asked who they are, and finds it behind the door.
  const cache = await caches.open(sharedCache);
  for (const request of await cache.keys()) {
    const sharedAt = Number(new URL(request.url).pathname.match(/^\/shared\/(\d+)-/)?.[1] ?? 0);
    if (Date.now() - sharedAt > sharedKept) await cache.delete(request);
  }
}

async function asset(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && response.headers.get("Cache-Control")?.includes("immutable")) {
    const cache = await caches.open(shellCache);
    await cache.put(request, response.clone());
  }
  return response;
}

async function visit(event, url) {
  // Whoever is asked to sign in is nobody yet, also when a session ended by itself.
  if (url.pathname === "/sign-in") event.waitUntil(forget({ keepsShared: true }));
  const isKept = !unkept.test(url.pathname);
  const old = isKept ? await kept(event.request) : undefined;
  const before = forgotten;
  const fresh = fetch(event.request).then(async (response) => {
    // The desk has locked itself, or nobody is signed in any more.
    if (response.status === 401) await forget({ keepsShared: true });
    const isPage = response.ok && response.headers.get("Content-Type")?.startsWith("text/html");
    if (isKept && isPage && before === forgotten) event.waitUntil(keep(event.request, response.clone(), before, pageCache, pagesKept));
    // What somebody may not see any more, such as what lies in a folder that was made private, is not kept either.
    else if (isKept && response.status >= 400) event.waitUntil(drop(event.request));
    return response;
  });
  // A late answer is still kept for the next visit.
  event.waitUntil(fresh.catch(() => {}));
  try {
    return await (old ? Promise.race([fresh, late()]) : fresh);
  } catch {
    // Files that another app shared wait here with the others.
    if (url.pathname === "/conversions/new" && url.searchParams.has("shared")) return Response.redirect(`${adding}?shared=1`, 303);
    return old ?? await caches.match("/offline") ?? Response.error();
  }
}

const late = () => new Promise((_, refuse) => { setTimeout(() => refuse(new Error("slow")), patience); });

// `8f3c… 900`: whose page it is, and after how many seconds the desk would have locked itself.
const terms = (response) => (response.headers.get("X-Quire-Keep") ?? "").split(" ");

// A page last seen, unless the desk would be locked by now.
async function kept(request) {
  let old;
  for (const cacheName of [pageCache, paperCache, chosenCache]) old ??= await caches.match(request, { cacheName, ignoreVary: true });
  // A picture of another size, and the reader without the word that was looked for, are better than nothing.
  const url = new URL(request.url);
  if (!old && (loose.test(url.pathname) || (url.pathname === adding && !url.searchParams.has("folder")))) {
    for (const cacheName of [pageCache, paperCache, chosenCache]) {
      old ??= await caches.match(request, { cacheName, ignoreVary: true, ignoreSearch: true });
    }
  }
  if (!old) return undefined;
  const seconds = Number(terms(old)[1]);
  const age = Date.now() - Date.parse(old.headers.get("Date"));
  if (Number.isNaN(seconds) || age < seconds * 1000) return old;
  await forget({ keepsShared: true });
  return undefined;
}

async function drop(request) {
  for (const name of [pageCache, paperCache, chosenCache]) await caches.open(name).then((cache) => cache.delete(request, { ignoreVary: true }));
}

/** @returns whether it was kept */
async function keep(request, response, before, name, most) {
  const [whose] = terms(response);
  if (!whose || response.headers.get("Cache-Control")?.includes("no-store")) {
    // Shown with private folders open, it may be another than was kept.
    await drop(request);
    return false;
  }
  if (before !== forgotten) return false;
  const cache = await caches.open(name);
  const first = (await cache.keys())[0];
  const other = first && await cache.match(first);
  if (other && terms(other)[0] !== whose) await forget({ keepsShared: true });
  const now = forgotten;
  await caches.open(name).then((fresh) => fresh.put(request, response));
  if (now !== forgotten) return await caches.delete(name), false;
  const keys = (await cache.keys()).filter((each) => !doors.includes(new URL(each.url).pathname));
  for (const old of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(old);
  if (name === pageCache && !isPrepared) {
    isPrepared = true;
    await renew(adding, before).catch(() => {});
  }
  return true;
}

// Whoever has seen the scanner has it, also of the version after.
async function renew(door, before) {
  const response = await fetch(door, { credentials: "same-origin", headers: { Accept: "text/html", "X-Quire-Unasked": "1" } });
  if (!response.ok || response.redirected) return;
  const page = await response.clone().text();
  if (!await keep(new Request(door), response, before, pageCache, pagesKept)) return;
  for (const [address] of page.matchAll(/\/assets\/[0-9a-f]+\/scan[-.][a-z.]+/g)) await asset(new Request(address));
}

// Another app shared files: they wait here until the page has a token to send them with.
async function takeShared(request) {
  const form = await request.formData();
  const cache = await caches.open(sharedCache);
  const files = form.getAll("file").filter((file) => file.size || file.name);
  const said = (name) => (form.get(name) ?? "").trim();
  if (!files.length) {
    const address = said("address") || (/^https?:\/\/\S+$/.test(said("text")) ? said("text") : "");
    if (address) return Response.redirect(`/conversions/new?from=web&address=${encodeURIComponent(address)}`, 303);
    if (said("text")) files.push(new File([said("text")], `${said("name") || "words"}.txt`, { type: "text/plain" }));
  }
  for (const [place, file] of files.entries()) {
    await cache.put(`/shared/${Date.now()}-${place}`, new Response(file, {
      headers: { "Content-Type": file.type || "application/octet-stream", "X-File-Name": encodeURIComponent(file.name) },
    }));
  }
  return Response.redirect("/conversions/new?shared=1", 303);
}
