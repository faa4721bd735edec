// Cards that were opened in this browser, for where there is no network: the page, the file for address books, the pictures
// and the code for holding up. Only what everybody sees who has the address is kept, the desk is asked first each time, and what
// was taken away there goes here too.

const cards = "quire-cards";
const patience = 3000;
const most = 200;
const parts = /^\/c\/[a-z0-9-]+(\.vcf|\/(glance|photo|cover|logo))?$/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && isOfCard(request.url)) event.respondWith(answer(event));
});

// A page was opened: what belongs to it is fetched, and the page itself where it came before this worker was there.
addEventListener("message", (event) => {
  if (isOfCard(event.source?.url ?? "")) event.waitUntil(keepAll(event.source.url));
});

async function keepAll(page) {
  const old = await held(page) ?? await seen(page);
  const addresses = [...(await old.clone().text()).matchAll(/"(\/c\/[^"]+)"/g)].map(([, path]) => new URL(path, location.origin).href);
  await Promise.all([...new Set(addresses)].filter((each) => each !== page && isOfCard(each)).map(seen));
}

async function answer(event) {
  const { url } = event.request;
  const old = await held(url);
  const fresh = fetch(event.request).then(async (response) => { await note(url, response.clone()); return response; });
  event.waitUntil(fresh.catch(() => {}));
  if (!old) return fresh;
  try {
    const response = await Promise.race([fresh, late()]);
    // What stands before the desk does not find it.
    return [502, 503, 504].includes(response.status) ? old : response;
  } catch {
    return old;
  }
}

const late = () => new Promise((_, refuse) => { setTimeout(() => refuse(new Error("slow")), patience); });

async function seen(address) {
  const response = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  await note(address, response.clone());
  return response;
}

// Capitals and small letters are the same in an address of a card; which version of the file is wanted is not.
const key = (address) => { const url = new URL(address); return url.origin + url.pathname.toLowerCase() + url.search; };

function isOfCard(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.origin === location.origin && parts.test(url.pathname.toLowerCase());
}

const held = async (address) => (await caches.open(cards)).match(key(address), { ignoreVary: true });

async function note(address, response) {
  const cache = await caches.open(cards);
  const isForAll = response.ok && !response.redirected && !response.headers.get("Cache-Control")?.includes("no-store");
  if (isForAll) {
    await cache.delete(key(address));
    await cache.put(key(address), response);
    const keys = await cache.keys();
    for (const old of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(old);
  } else if (response.ok || response.status === 404 || response.status === 410) {
    const place = key(address).split("?")[0];
    for (const each of await cache.keys()) {
      if (each.url === place || [".", "/", "?"].some((end) => each.url.startsWith(place + end))) await cache.delete(each);
    }
  }
}
