// What was photographed and has not arrived on the desk yet, on this device, each member's apart. A picture is written down
// the moment it is taken and goes only when the desk has it, so that a closed tab, a lost connection and an ended session
// lose nothing.
import { reader } from "./presence.js";

const stores = { pictures: "id", sending: "one" };
// A phone that was let in to photograph is nobody's; what it has taken is for one member's desk.
const whose = document.querySelector("scan-camera")?.getAttribute("whose") ?? reader;
let opened;

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function open() {
  return opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(`quire-scan-${whose}`, 1);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(stores)) request.result.createObjectStore(name, { keyPath });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function written(name, change) {
  const writing = (await open()).transaction(name, "readwrite", { durability: "strict" });
  const ended = new Promise((resolve, reject) => {
    writing.oncomplete = resolve;
    writing.onabort = () => reject(writing.error);
  });
  change(writing.objectStore(name));
  await ended;
}

const read = async (name, ask) => done(ask((await open()).transaction(name).objectStore(name)));

/**
 * Corners, where somebody put them right, are in pixels of the upright picture; a look is its own alone.
 * @typedef {{ id: string, place: number, blob: Blob, name: string, corners?: number[][], look?: string }} Picture
 */

/** In the order they are to be in. @returns {Promise<Picture[]>} */
export const pictures = async () => (await read("pictures", (store) => store.getAll())).sort((a, b) => a.place - b.place)
  .map(({ bytes, kind, ...each }) => bytes ? { ...each, blob: new Blob([bytes], { type: kind }) } : each);
/** Bytes, as Safari keeps no blob in a private window. @param {Picture[]} some */
export const keep = async (...some) => {
  const kept = await Promise.all(some.map(async ({ blob, ...each }) => ({ ...each, bytes: await blob.arrayBuffer(), kind: blob.type })));
  await written("pictures", (store) => { for (const each of kept) store.put(each); });
};
/** @param {string} id */
export const forget = (id) => written("pictures", (store) => store.delete(id));
/** What is on its way: the wishes, and the order of its pictures. @returns {Promise<object | undefined>} */
export const sending = () => read("sending", (store) => store.get(1));
/** @param {object | undefined} order nothing is on its way any more */
export const setSending = (order) => written("sending", (store) => { if (order) store.put({ ...order, one: 1 }); else store.delete(1); });
