// How the page speaks with its server.
import { ask, csrf } from "./presence.js";
import { parsed } from "./trust.js";

export { csrf };

/** What went wrong, in the server's own sentence. */
export class RequestFailed extends Error {
  /** @param {string} message @param {number} status @param {string} [field] */
  constructor(message, status, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/**
 * @param {string} address
 * @param {{method?: string, body?: object, key?: string, signal?: AbortSignal}} [options] what has the same key is done once, however
 * often it is asked
 * @returns {Promise<any>}
 */
export async function json(address, { method = "GET", body, key, signal } = {}) {
  const headers = { Accept: "application/json" };
  const isForm = body instanceof FormData;
  if (method !== "GET") headers["X-Quire-CSRF"] = csrf();
  if (body && !isForm) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const asked = { method, headers, signal, body: isForm ? body : body && JSON.stringify(body) };
  let response = await ask(address, asked);
  // The same is being answered at this moment: a tab was closed while it was on its way.
  for (let tries = 20; key && tries && response.status === 409 && response.headers.has("Retry-After"); tries -= 1) {
    await new Promise((later) => setTimeout(later, Number(response.headers.get("Retry-After")) * 1000));
    response = await ask(address, asked);
  }
  const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (response.ok) return answer;
  // Something grave needs a fresh proof of who is there; the same page afterwards.
  if (answer.field === "private") location.assign(`/private?next=${encodeURIComponent(location.pathname + location.search)}`);
  if (answer.field === "proof") location.assign(`/unlock?next=${encodeURIComponent(location.pathname)}`);
  throw new RequestFailed(answer.detail ?? answer.title ?? response.statusText, response.status, answer.field);
}

/**
 * A page of ours, parsed.
 * @param {string} address
 * @param {{accept?: string, signal?: AbortSignal, isUnasked?: boolean}} [options] unasked by anybody, so that it keeps no desk open
 */
export async function page(address, { accept = "text/html", signal, isUnasked = false } = {}) {
  const response = await ask(address, { headers: { Accept: accept, ...isUnasked && { "X-Quire-Unasked": "1" } }, signal });
  if (!response.ok) throw new RequestFailed(response.statusText, response.status);
  return parsed(await response.text());
}
