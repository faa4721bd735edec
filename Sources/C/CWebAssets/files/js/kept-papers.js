// Papers that somebody wants to have on this device. Which they are is remembered for whoever chose them; the papers themselves
// are forgotten when that person signs out or the desk is locked, and come again with the next page after that.
import { reader } from "./presence.js";

const place = `quire-kept:${reader}`;
const mostPages = 500;

/** @returns {Record<string, number>} papers, and how many pages they have */
const marks = () => JSON.parse(localStorage.getItem(place) ?? "{}");
const write = (all) => localStorage.setItem(place, JSON.stringify(all));
const worker = async () => (await navigator.serviceWorker.ready).active;

/** @param {string} paper */
export const isKept = (paper) => paper in marks();

const addresses = (paper, pages) => [`${paper}/read`, ...Array.from({ length: Math.min(pages, mostPages) }, (_, place) =>
  [`${paper}/pages/${place + 1}?width=900`, `${paper}/pages/${place + 1}/words`]).flat()];

/** @param {string} paper @param {number} pages @returns {Promise<boolean>} whether it is here now */
export async function keep(paper, pages) {
  const active = await worker();
  const { port1, port2 } = new MessageChannel();
  const count = await new Promise((done) => {
    port1.onmessage = ({ data }) => done(data);
    active.postMessage({ choose: addresses(paper, pages) }, [port2]);
  });
  if (count) write({ ...marks(), [paper]: pages });
  return count > 0;
}

/** @param {string} paper */
export async function leave(paper) {
  const { [paper]: _, ...others } = marks();
  write(others);
  (await worker()).postMessage({ leave: paper });
}

/** Those that were forgotten with a session come back with the next. */
export async function come() {
  for (const [paper, pages] of Object.entries(marks())) {
    if (!await caches.match(`${paper}/read`, { cacheName: "quire-chosen", ignoreVary: true })) await keep(paper, pages);
  }
}
