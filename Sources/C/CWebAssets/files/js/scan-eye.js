// The desk's own scanner, in a worker beside the page: what it sees in the camera's film, and what page a picture becomes.
import { scriptAddress } from "./trust.js";

/**
 * @typedef {{ picture: ImageBitmap, full: number[], corners: number[][], confidence: number, isWhole: boolean, look: string,
 *   print: number[], ink: number }} Made
 */

/** So many of the 256 bits of two pages differ when they are the same sheet; the kernel says so, too. */
const same = 40;
/** Of a page with one line of print more is dark. */
const blank = 0.0004;

export class Eye {
  #worker;
  #waiting = new Map();
  #number = 0;
  isReady = false;

  /** @param {string} worker @param {string} module @param {(seen?: object) => void} seen nothing, when it cannot look any more */
  constructor(worker, module, seen) {
    if (!globalThis.OffscreenCanvas) return;
    this.#worker = new Worker(scriptAddress(worker));
    this.#worker.onmessage = ({ data }) => {
      if (data.ready) this.isReady = true;
      else if (data.page) {
        const [made, failed] = this.#waiting.get(data.page) ?? [];
        this.#waiting.delete(data.page);
        if (data.made) made?.(data.made);
        else failed?.(new Error(data.failed));
      } else seen(data.seen);
    };
    // Without a network the worker may not be here.
    this.#worker.onerror = () => {
      this.end();
      seen();
    };
    this.#worker.postMessage({ module });
  }

  /** @param {ImageBitmap} picture */
  look(picture) { this.#worker.postMessage({ picture, time: performance.now() }, [picture]); }
  again() { this.#worker?.postMessage({ again: true }); }
  /** The picture of the pages made last is not needed any more. */
  leave() { this.#worker?.postMessage({ leave: true }); }

  /** @param {object} wish as the worker tells @returns {Promise<Made>} */
  page(wish) {
    if (!this.#worker) return Promise.reject(new Error("there is no worker"));
    this.#number += 1;
    this.#worker.postMessage({ page: this.#number, ...wish });
    return new Promise((made, failed) => this.#waiting.set(this.#number, [made, failed]));
  }

  end() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.isReady = false;
    for (const [, failed] of this.#waiting.values()) failed(new Error("the worker has ended"));
    this.#waiting.clear();
  }
}

/** @param {{ ink: number, look: string }} seen */
export const isBlank = ({ ink, look }) => look !== "photo" && ink < blank;

/** @param {{ print: number[] }} one @param {{ print: number[] }} other */
export function isSame(one, other) {
  // Of a page without anything on it, or a tiny one, nothing is known.
  if (![one, other].every(({ print }) => print.some(Boolean))) return false;
  let apart = 0;
  for (const [lane, bits] of one.print.entries()) {
    for (let rest = (bits ^ other.print[lane]) >>> 0; rest; rest &= rest - 1) apart += 1;
  }
  return apart <= same;
}
