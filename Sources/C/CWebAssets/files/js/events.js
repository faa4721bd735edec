// One stream of events for all pages of this browser, however many elements listen: one of its pages holds it and hands on what
// comes, as a browser opens few connections to one server. Where pages cannot agree on one, each that is seen has its own.
import { away, look } from "./presence.js";

const names = ["act", "document", "job", "sending"];
const channel = new BroadcastChannel("quire-events");
const listeners = new Map();
let source, release;

function deliver(name, data) { for (const call of listeners.get(name) ?? []) call(data); }

function tell(name, data) {
  channel.postMessage({ name, data });
  deliver(name, data);
}

/** @param {boolean} isAnew whether something may have happened that nobody heard */
function connect(isAnew = false) {
  source = new EventSource("/events");
  for (const name of names) source.addEventListener(name, (event) => tell(name, JSON.parse(event.data)));
  // What happened while the line was down nobody heard.
  source.addEventListener("open", () => { if (isAnew) tell("act", {}); });
  source.addEventListener("error", () => {
    isAnew = true;
    look().then((isHere) => {
      if (isHere && source?.readyState === EventSource.CLOSED) setTimeout(() => { if (source?.readyState === EventSource.CLOSED) connect(); }, 30_000);
    });
  });
}

// What an act began may have ended before anybody listened on the page that it led to.
const comesFromAct = performance.getEntriesByType("navigation")[0]?.redirectCount > 0;

let isOpen = false;
function open() {
  if (isOpen || away()) return;
  isOpen = true;
  if (!navigator.locks) return connect(comesFromAct);
  const hold = (isAnew) => isOpen && new Promise((end) => {
    release = end;
    connect(isAnew);
  });
  // Whoever follows a page that was left has not heard what happened between the two.
  navigator.locks.request("quire-events", { ifAvailable: true }, (lock) => {
    if (lock) return hold(comesFromAct);
    if (comesFromAct) deliver("act", {});
    return "taken";
  }).then((answer) => answer === "taken" && isOpen && navigator.locks.request("quire-events", () => hold(true))).catch(() => {});
}

function close() {
  isOpen = false;
  source?.close();
  source = undefined;
  release?.();
  release = undefined;
}

channel.addEventListener("message", ({ data }) => deliver(data.name, data.data));

/**
 * @param {string} name
 * @param {(data: any) => void} call
 * @returns {() => void} stops listening
 */
export function listen(name, call) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(call);
  open();
  return () => { listeners.get(name).delete(call); };
}

// An open stream would keep the page out of the browser's page cache.
addEventListener("pagehide", close);
addEventListener("pageshow", (event) => { if (event.persisted && listeners.size) open(); });
document.addEventListener("quire:away", close);
document.addEventListener("quire:back", () => {
  if (listeners.size) open();
  deliver("act", {});
});
