// How the page speaks with its server.
import { ask, csrf } from "quire/presence";
import { parsed } from "quire/trust";

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
 * @param {{method?: string, body?: object, signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export async function json(address, { method = "GET", body, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-Quire-CSRF"] = csrf();
  if (body) headers["Content-Type"] = "application/json";
  const response = await ask(address, { method, headers, signal, body: body && JSON.stringify(body) });
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
