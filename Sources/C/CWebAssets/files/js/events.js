// One stream of events per page, however many elements listen.
let source;
const listeners = new Map();

function open() {
  source = new EventSource("/events");
  for (const [name, calls] of listeners) for (const call of calls) source.addEventListener(name, call);
}

/**
 * @param {string} name
 * @param {(data: any) => void} call
 * @returns {() => void} stops listening
 */
export function listen(name, call) {
  const wrapped = (event) => call(JSON.parse(event.data));
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(wrapped);
  if (source) source.addEventListener(name, wrapped);
  else open();
  return () => { listeners.get(name).delete(wrapped); source?.removeEventListener(name, wrapped); };
}

// An open stream would keep the page out of the browser's page cache.
addEventListener("pagehide", () => { source?.close(); source = undefined; });
addEventListener("pageshow", (event) => { if (event.persisted && listeners.size) open(); });
