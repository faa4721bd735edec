// What waits on this device until the desk answers: papers to add, and what was changed about papers. Each member's lies apart.
// A thing is written down before anybody is told that it is kept, and goes only when the desk has it or somebody gave it up.
// Pages and the worker of the browser share this file: it is a plain script, as that is what every browser's worker loads.
globalThis.quireWaiting = (() => {
  const stores = new Map();
  const channel = new BroadcastChannel("quire-waiting");
  /** What somebody may leave here, in bytes and in things. */
  const mostBytes = 500_000_000, mostThings = 300;
  // The desk, or what stands before it, is busy: the same is worth asking again.
  const busy = [408, 425, 429, 502, 503, 504];

  /**
   * @typedef {{ id: string, place: number, at: number, state: "waiting" | "sending" | "refused" | "conflict", title: string,
   *   kind: "paper" | "change" | "bin" | "many", isUnsure?: boolean, why?: string, theirs?: string } & Record<string, any>} Thing
   */

  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  function open(reader) {
    if (!stores.has(reader)) {
      const request = indexedDB.open(`quire-waiting-${reader}`, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("things", { keyPath: "id" });
      const opened = done(request);
      opened.catch(() => stores.delete(reader));
      stores.set(reader, opened);
    }
    return stores.get(reader);
  }

  const read = async (reader, ask) => done(ask((await open(reader)).transaction("things").objectStore("things")));

  async function write(reader, change) {
    const writing = (await open(reader)).transaction("things", "readwrite", { durability: "strict" });
    const ended = new Promise((resolve, reject) => {
      writing.oncomplete = resolve;
      writing.onabort = () => reject(writing.error);
    });
    change(writing.objectStore("things"));
    await ended;
  }

  /** In the order they were done. @returns {Promise<Thing[]>} */
  const things = async (reader) => (await read(reader, (store) => store.getAll())).sort((a, b) => a.place - b.place);

  /** Throws where there is no room for it. @param {Thing} thing */
  async function keep(reader, thing) {
    const others = (await things(reader)).filter((each) => each.id !== thing.id);
    const bytes = others.reduce((sum, each) => sum + (each.file?.size ?? 0), thing.file?.size ?? 0);
    if (others.length >= mostThings || bytes > mostBytes) throw new Error("there is no more room for what waits");
    await write(reader, (store) => store.put(thing));
    channel.postMessage({ reader });
  }

  /** @param {string} id @param {boolean} [isSent] the desk has it @param {any} [answer] what it said */
  async function drop(reader, id, isSent = false, answer = undefined) {
    await write(reader, (store) => store.delete(id));
    channel.postMessage({ reader, gone: id, isSent, answer });
  }

  /** Changes what is still there: somebody may have taken it back meanwhile. */
  async function note(reader, id, change) {
    await write(reader, (store) => {
      store.get(id).onsuccess = ({ target: { result } }) => { if (result) store.put({ ...result, ...change }); };
    });
    channel.postMessage({ reader });
  }

  async function clear(reader) {
    await write(reader, (store) => store.clear());
    channel.postMessage({ reader });
  }

  // MARK: Sending

  async function ask(address, { csrf, method = "GET", body, key } = {}) {
    const headers = { Accept: "application/json", "X-Quire-Unasked": "1" };
    if (csrf) headers["X-Quire-CSRF"] = csrf;
    if (key) headers["Idempotency-Key"] = key;
    const response = await fetch(address, { method, headers, body, credentials: "same-origin", cache: "no-store" });
    const away = response.headers.get("X-Quire-Away");
    if (away) return { away };
    if (busy.includes(response.status) || (response.status === 409 && response.headers.has("Retry-After"))) return { isBusy: true };
    const answer = await response.json().catch(() => undefined);
    // Something else answers in the place of the desk, such as the page of a train's network.
    if (!answer) return { isBusy: true };
    return response.ok ? { answer } : { why: answer.detail ?? answer.title ?? response.statusText };
  }

  const many = (text) => text.split(",").map((each) => each.trim().toLowerCase()).filter(Boolean).sort().join(",");
  const isSame = (field, one, other) => ["tags", "people"].includes(field) ? many(one) === many(other)
    : one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();

  /** What the desk says there, as its form would say it. */
  function said(paper, field) {
    const value = field.startsWith("field:") ? paper.fields[field.slice(6)] : paper[field];
    return Array.isArray(value) ? value.map((each) => each.name ?? each).join(", ") : value ?? "";
  }

  const ways = {
    paper({ address, id, fields, file, name }, csrf) {
      const body = new FormData();
      for (const [field, value] of fields) body.append(field, value);
      body.append("file", file, name);
      return ask(address, { csrf, method: "POST", body, key: id });
    },
    /** Nobody's change is written over unseen. An answer that was lost is found again by what the desk says now. */
    async change({ paper, field, before, value }, csrf) {
      const now = await ask(paper);
      if (!now.answer) return now;
      const theirs = said(now.answer, field);
      if (isSame(field, theirs, value)) return now;
      if (!isSame(field, theirs, before)) {
        const folder = field === "folder" && theirs ? await ask(`/folders/${theirs}`) : {};
        return { theirs, theirsShown: folder.answer?.name };
      }
      return ask(paper, { csrf, method: "PATCH", body: new URLSearchParams({ [field]: value }) });
    },
    async bin({ paper }, csrf) {
      const now = await ask(paper);
      return !now.answer || now.answer.trashedAt ? now : ask(paper, { csrf, method: "DELETE" });
    },
    many({ fields, id }, csrf) {
      return ask("/documents/selection", { csrf, method: "POST", body: new URLSearchParams(fields), key: id });
    },
  };

  /** @returns {Promise<string>} "" when all was tried, "later", or why nobody is there: "out", "locked", "stale" */
  async function sendAll(reader, csrf) {
    for (const { id } of await things(reader)) {
      const thing = await read(reader, (store) => store.get(id));
      if (!["waiting", "sending"].includes(thing?.state)) continue;
      await note(reader, id, { state: "sending" });
      let outcome;
      try {
        outcome = await ways[thing.kind](thing, csrf);
      } catch {
        await note(reader, id, { state: "waiting", isUnsure: true });
        return "later";
      }
      if (outcome.away || outcome.isBusy) {
        await note(reader, id, { state: "waiting" });
        return outcome.away ?? "later";
      }
      if (outcome.answer) await drop(reader, id, true, outcome.answer);
      else if ("theirs" in outcome) await note(reader, id, { state: "conflict", ...outcome });
      else await note(reader, id, { state: "refused", why: outcome.why });
    }
    return "";
  }

  /** One after another, and by one page or worker at a time. */
  async function send(reader, csrf) {
    if (!navigator.locks) return sendAll(reader, csrf);
    return navigator.locks.request("quire-waiting", { ifAvailable: true }, (lock) => lock ? sendAll(reader, csrf) : "later");
  }

  return { things, keep, drop, note, clear, send, channel: "quire-waiting" };
})();
