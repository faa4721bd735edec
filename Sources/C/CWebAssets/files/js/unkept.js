// What was done and is not kept yet: it can be taken back step by step, and it waits in this tab when the page is left.
import { reader } from "./presence.js";

/** States of something, as they were before each step. */
export class Steps {
  #back = [];
  #forth = [];
  #most;

  constructor(most) { this.#most = most; }

  get canUndo() { return this.#back.length > 0; }
  get canRedo() { return this.#forth.length > 0; }

  /** Before a step: what is now can be come back to. @param {any} state */
  put(state) {
    this.#back.push(JSON.stringify(state));
    if (this.#back.length > this.#most) this.#back.shift();
    this.#forth = [];
  }

  /** @returns what was before the last step; undefined when there is none */
  undo(now) { return Steps.#move(this.#back, this.#forth, now); }
  redo(now) { return Steps.#move(this.#forth, this.#back, now); }

  static #move(from, to, now) {
    if (!from.length) return undefined;
    to.push(JSON.stringify(now));
    return JSON.parse(from.pop());
  }
}

/** Waits for the one who did it alone; of what lies in private folders nothing is written down. */
export class Waiting {
  /** False while it would be lost with the page. */
  isKept = true;
  #key;
  #version;
  #isPrivate;

  /** @param {HTMLElement} element with `data-version` and perhaps `data-private` @param {string} address what is worked on */
  constructor(element, name, address) {
    this.#key = `quire-${name}:${address}`;
    this.#version = element.dataset.version;
    this.#isPrivate = element.hasAttribute("data-private");
  }

  /** @param {any} [what] nothing, where all is kept */
  keep(what) {
    this.isKept = what === undefined;
    if (this.#isPrivate) return;
    try {
      if (what === undefined) sessionStorage.removeItem(this.#key);
      else sessionStorage.setItem(this.#key, JSON.stringify({ reader, version: this.#version, what }));
      this.isKept = true;
    } catch { /* a full storage keeps nothing, and the page warns before it goes */ }
  }

  /** @param {{ofAnyVersion?: boolean}} [options] also what was meant for another version @returns {any} */
  take({ ofAnyVersion = false } = {}) {
    let kept;
    try { kept = JSON.parse(sessionStorage.getItem(this.#key) ?? "null"); } catch { return undefined; }
    if (!kept) return undefined;
    if (kept.reader === reader && (ofAnyVersion || kept.version === this.#version)) return kept.what;
    sessionStorage.removeItem(this.#key);
    return undefined;
  }
}
