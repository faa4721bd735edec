// Whether whoever opened this page is still there, and whether the desk can be reached. Everything the page asks its
// server goes through here, so that a session that ends, a lock or a lost connection is noticed at once and in one way:
// what was typed stays, a bar says so, and the page goes on by itself when all is well again.

const meta = (name) => document.querySelector(`meta[name=${name}]`);
const channel = new BroadcastChannel("quire-presence");
const pause = 4000;

export const csrf = () => meta("csrf")?.content ?? "";
/** Whose page this is; of pages for everybody nobody's. */
export const reader = meta("reader")?.content;

/** What was asked for did not happen, and no one is to blame: the bar says what to do. */
export class Away extends Error {
  name = "Away";
}

/** "", or why the page waits: "out", "locked", "offline". */
let why = "";
let watch;
export const away = () => why;

/** @param {string} next @param {boolean} [wasPressed] somebody pressed something that could not be done */
export function turn(next, wasPressed = false) {
  const before = why;
  why = next;
  if (next) {
    document.documentElement.dataset.away = next;
    watch ??= setInterval(() => { if (!document.hidden) look(); }, pause);
    import("./away-bar.js").then((bar) => { if (why === next) bar.show(next, wasPressed); }, () => {});
  }
  if (before === next) return;
  if (!next) {
    delete document.documentElement.dataset.away;
    watch = clearInterval(watch);
    import("./away-bar.js").then((bar) => bar.hide(), () => {});
  }
  document.dispatchEvent(new CustomEvent(next ? "quire:away" : "quire:back"));
}

/** Another person has signed in here: of this page they see nothing. What was typed waits for whoever typed it. */
function another() {
  document.dispatchEvent(new CustomEvent("quire:leaving"));
  document.querySelector("main")?.replaceChildren();
  location.replace(location.pathname + location.search);
}

let looking;
/** Asks the desk who is here. @returns {Promise<boolean>} whether it is still the one whose page this is */
export function look() {
  return looking ??= ask().finally(() => { looking = undefined; });

  async function ask() {
    try {
      const response = await fetch("/presence", {
        headers: { Accept: "application/json", "X-Quire-Unasked": "1" }, cache: "no-store", credentials: "same-origin",
      });
      const sign = response.headers.get("X-Quire-Away");
      // On a page for everybody only the connection counts.
      if (!reader) return turn(""), true;
      if (sign || !response.ok) turn(sign ?? "offline");
      if (!response.ok) return false;
      const now = await response.json();
      if (now.reader !== reader) return another(), false;
      meta("csrf").content = now.csrf;
      for (const field of document.querySelectorAll("input[name=_csrf]")) field.value = now.csrf;
      turn("");
      return true;
    } catch {
      turn("offline");
      return false;
    }
  }
}

/**
 * Whether it can wait on this device when the desk does not answer: what somebody writes about a paper, where it lies, and that
 * it goes to the trash. Of open private folders nothing waits.
 * @param {HTMLFormElement} form @param {HTMLElement} [button]
 */
export function mayWait(form, button) {
  if (!reader || meta("reader").hasAttribute("data-private") || form.method !== "post") return false;
  const { pathname, search } = new URL(form.getAttribute("action") || location.href, location.href);
  if (pathname === "/documents/selection") return ["trash", "move", "tag", "untag"].includes(button?.value);
  return /^\/documents\/[0-9a-f-]{36}$/.test(pathname) && !search && ["PATCH", "DELETE"].includes(form.elements._method?.value);
}

/** What an answer says about who is here. @returns {Promise<boolean>} whether it is worth asking once more */
export async function heed(sign) {
  if (!sign) return false;
  if (sign === "stale") return look();
  turn(sign, true);
  return false;
}

function withToken({ body, headers, ...options }) {
  if (body?.has?.("_csrf")) body.set("_csrf", csrf());
  return { ...options, body, headers: headers?.["X-Quire-CSRF"] ? { ...headers, "X-Quire-CSRF": csrf() } : headers };
}

/**
 * `fetch`, that knows when nobody is there any more.
 * @param {string} address
 * @param {RequestInit & {waits?: boolean}} [options] `waits`: where nobody answers, whoever asks keeps it here
 */
export async function ask(address, { waits = false, ...options } = {}) {
  const get = async (with_) => {
    try {
      return await fetch(address, { credentials: "same-origin", ...with_ });
    } catch (failure) {
      if (failure.name === "AbortError") throw failure;
      turn("offline", !waits);
      throw new Away();
    }
  };
  let response = await get(options);
  let sign = response.headers.get("X-Quire-Away");
  if (reader && sign && await heed(sign)) {
    response = await get(withToken(options));
    sign = response.headers.get("X-Quire-Away");
  }
  if (reader && sign) throw new Away();
  if (why === "offline") look();
  return response;
}

// Other tabs say who they are for, and the worker what became of a form.
channel.addEventListener("message", ({ data }) => {
  if (typeof data === "string") { if (reader && (data !== reader || why)) look(); return; }
  const form = document.querySelector("form[data-sent]");
  const button = [...form?.elements ?? []].find((each) => each.ariaBusy);
  document.dispatchEvent(new CustomEvent("quire:unsent"));
  if (!form) look();
  else if (!reader && data.away !== "offline") location.reload();
  else if (data.away === "offline" && mayWait(form, button)) {
    turn("offline");
    import("./waiting-acts.js").then((acts) => acts.offer(form, new URLSearchParams(new FormData(form, button)), button))
      .catch(() => turn("offline", true));
  }
  else if (data.away !== "stale") turn(data.away, true);
  else look().then((isHere) => { if (isHere) document.dispatchEvent(new CustomEvent("quire:resend", { detail: { form, button } })); });
});
channel.postMessage(reader ?? "");
addEventListener("offline", () => turn("offline"));
addEventListener("online", () => look());
document.addEventListener("visibilitychange", () => { if (why && !document.hidden) look(); });
addEventListener("pageshow", (event) => { if (event.persisted && reader) look(); });
// The page for those that are not here says so itself.
if (!navigator.onLine && !document.querySelector("[data-offline]")) turn("offline");
