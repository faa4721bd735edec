// Changes parts of the page in place: what is marked data-soft is fetched, and every [data-swap] in the page takes over
// its namesake from the answer. Scroll, focus and what one is typing stay. Without scripts the same links and forms
// simply load the page.
//
// Changes are sent one after another and none is given up half-way. What leads on - another form, a link - waits for
// them, so that nobody goes on from something that has not arrived, or was refused.
import { changedEarly, wake } from "./elements.js";
import { Away, ask, away, mayWait, turn } from "./presence.js";
import { parsed } from "./trust.js";
import { text } from "./texts.js";
import { plans, toast } from "./toast-region.js";

const pause = 250;

/** While a finger is down nothing is taken from under it: it would press on what is not there any more. */
let lifted = Promise.resolve();
addEventListener("pointerdown", () => {
  lifted = new Promise((lift) => {
    const press = new AbortController();
    const done = () => {
      press.abort();
      // The click comes right behind, and still belongs to what was there.
      setTimeout(lift);
    };
    for (const kind of ["pointerup", "pointercancel", "pointerdown", "dragend"]) {
      addEventListener(kind, done, { capture: true, signal: press.signal });
    }
  });
}, { capture: true });

customElements.define("soft-page", class extends HTMLElement {
  #asking;
  #timer;
  /** The form that is being typed into and has not been sent yet. */
  #typing;
  /** What is being sent, and what waits behind it. */
  #orders = [];
  /** Kept once everything is sent: whether the last of it was taken. */
  #saved;
  #isSwapping = false;

  connectedCallback() {
    this.addEventListener("click", this.#click);
    this.addEventListener("submit", this.#submit);
    this.addEventListener("input", this.#typed);
    this.addEventListener("change", this.#changed);
    this.addEventListener("focusout", this.#left);
    document.addEventListener("submit", this.#leaving, { capture: true });
    document.addEventListener("click", this.#leaving, { capture: true });
    document.addEventListener("quire:back", this.#again);
    for (const form of new Set(changedEarly("form[data-soft-live] :is(select, input)", this).map((field) => field.form))) this.send(form);
  }

  disconnectedCallback() {
    document.removeEventListener("submit", this.#leaving, { capture: true });
    document.removeEventListener("click", this.#leaving, { capture: true });
    document.removeEventListener("quire:back", this.#again);
  }

  /** What could not be sent while nobody was there goes now. */
  #again = () => { if (this.#typing?.isConnected) this.send(this.#typing); };

  get #isUnsaved() { return this.#typing !== undefined || this.#saved !== undefined; }

  #click = (event) => {
    const link = event.target.closest("a[data-soft]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // SVG links keep their address in an object of their own.
    this.go(link.href.baseVal ?? link.href);
  };

  #submit = (event) => {
    const form = event.target;
    if (!form.matches("[data-soft]") || event.defaultPrevented) return;
    event.preventDefault();
    clearTimeout(this.#timer);
    this.send(form, event.submitter);
  };

  #typed = (event) => {
    const form = event.target.form;
    if (!form?.matches("[data-soft-live]") || !event.target.matches("input[type=search], input[type=text]")) return;
    clearTimeout(this.#timer);
    if (form.method === "post") this.#typing = form;
    this.#timer = setTimeout(() => this.send(form), pause);
  };

  #changed = (event) => {
    const form = event.target.form;
    if (!form?.matches("[data-soft-live]") || event.target.matches("input[type=search]")) return;
    clearTimeout(this.#timer);
    this.send(form);
  };

  /** What was written is set by going on from it, too, not by its button alone. */
  #left = (event) => {
    const form = event.target.form;
    const kind = form?.dataset.softLeft;
    // Who only looks at another window comes back to it.
    if (kind === undefined || this.#isSwapping || form.contains(event.relatedTarget) || !document.hasFocus()) return;
    const written = [...form.querySelectorAll("input[type=text], input[type=date], textarea")].filter((field) => field.value !== field.defaultValue);
    if (written.length && (kind !== "written" || written.every((field) => field.value.trim()))) this.send(form);
  };

  /** What leaves this page, or sends another of its forms, waits for what was changed. */
  #leaving = async (event) => {
    const isForm = event.type === "submit";
    const way = isForm ? event.target : event.target.closest?.("a[href]");
    if (!way || event.defaultPrevented || !this.#isUnsaved || (way.matches("[data-soft]") && this.contains(way))) return;
    if (!isForm && (event.button || event.ctrlKey || event.metaKey || event.shiftKey || way.target || way.hash)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.submitter;
    const said = button?.textContent;
    if (!await this.#settled()) return;
    if (!isForm) return way.isConnected ? way.click() : location.assign(way.href);
    const now = button?.id ? document.getElementById(button.id) : button;
    // What it says now is not what was agreed to.
    if (button && (!now?.isConnected || now.textContent !== said)) return;
    way.requestSubmit(now);
  };

  /** Sends what is still being typed; says whether everything has been taken. */
  async #settled() {
    if (this.#typing) {
      clearTimeout(this.#timer);
      this.send(this.#typing);
    }
    return await (this.#saved ?? true);
  }

  /** @param {HTMLFormElement} form @param {HTMLElement} [submitter] */
  send(form, submitter) {
    const data = new FormData(form, submitter ?? undefined);
    const address = new URL(form.getAttribute("action") || location.href, location.href);
    if (form.method === "post") return this.#change(form, address.href, new URLSearchParams(data), submitter);
    address.search = new URLSearchParams([...data].filter(([, value]) => value !== "")).toString();
    return this.go(address.href);
  }

  #change(form, address, body, submitter) {
    if (this.#typing === form) this.#typing = undefined;
    const last = this.#orders.at(-1);
    const isAgain = last?.form === form && !(last.submitter && submitter);
    // Leaving a text and pressing the button beside it say the same.
    if (isAgain && last.body.toString() === body.toString()) return this.#saved;
    // What is typed while something is on its way goes as a whole behind it.
    if (isAgain && !last.isSent) last.body = body;
    else this.#orders.push({ form, address, body, submitter, isSent: false });
    return this.#saved ??= this.#sendAll();
  }

  async #sendAll() {
    let outcome;
    while (this.#orders.length) {
      const order = this.#orders[0];
      order.isSent = true;
      order.submitter?.setAttribute("aria-busy", "true");
      const waits = mayWait(order.form, order.submitter);
      outcome = await this.#ask(order.address, { method: "POST", body: order.body, waits });
      if (waits && outcome === "lost" && away() === "offline" && await this.#wait(order)) outcome = "taken";
      order.submitter?.removeAttribute("aria-busy");
      this.#orders.shift();
      // What did not arrive is tried again before anything leads on from here.
      if (outcome === "lost" && order.form.isConnected) this.#typing ??= order.form;
    }
    this.#saved = undefined;
    return outcome === "taken";
  }

  /** @returns {Promise<boolean>} whether it waits on this device now */
  #wait({ form, body, submitter }) {
    return import("./waiting-acts.js").then((acts) => acts.offer(form, body, submitter)).catch(() => (turn("offline", true), false));
  }

  /** @param {string} address @param {RequestInit & {only?: string[], keepsAddress?: boolean}} [options] */
  async go(address, options) {
    while (this.#isUnsaved) if (!await this.#settled()) return;
    await this.#ask(address, options);
  }

  /** @returns {Promise<"taken" | "refused" | "lost">} what became of it */
  async #ask(address, { only, keepsAddress = false, ...options } = {}) {
    this.#asking?.abort();
    const asking = this.#asking = new AbortController();
    this.setAttribute("aria-busy", "true");
    try {
      const response = await ask(address, { ...options, signal: asking.signal, headers: { Accept: "text/html" } });
      const answer = parsed(await response.text());
      await lifted;
      if (asking.signal.aborted) return "lost";
      if (!this.#swap(answer, only)) {
        const problem = answer.querySelector("[data-problem]");
        if (problem) toast({ text: problem.textContent, bad: true, action: answer.querySelector('main a[href="/settings/plans"]') ? plans() : undefined });
        else if (!only) location.assign(response.url);
        return "refused";
      }
      if (!keepsAddress && response.ok) history.replaceState(null, "", response.url);
      this.dispatchEvent(new CustomEvent("quire:swapped", { bubbles: true }));
      return response.ok ? "taken" : "refused";
    } catch (failure) {
      // Of one who is away the bar tells.
      if (failure.name !== "AbortError" && !(failure instanceof Away)) toast({ text: text("upload.offline"), bad: true });
      return "lost";
    } finally {
      if (this.#asking === asking) this.removeAttribute("aria-busy");
    }
  }

  #swap(answer, only) {
    const wanted = [...this.querySelectorAll("[data-swap]")].filter((part) =>
      only ? only.includes(part.dataset.swap) : !part.parentElement.closest("[data-swap]"));
    const pairs = wanted.map((part) => [part, answer.querySelector(`[data-swap="${part.dataset.swap}"]`)]);
    if (!pairs.some(([, fresh]) => fresh)) return false;
    const focus = document.activeElement;
    const place = focus?.id;
    // What somebody types into must not be taken from under their fingers.
    const caret = focus?.matches?.("input, textarea") && focus.selectionStart != null
      ? [focus.value, focus.selectionStart, focus.selectionEnd] : null;
    this.#isSwapping = true;
    for (const [part, fresh] of pairs) if (fresh) this.#replace(part, fresh);
    this.#isSwapping = false;
    this.#align(answer);
    const toasts = answer.querySelectorAll("toast-region .toast");
    if (toasts.length) document.querySelector("toast-region")?.take?.(toasts);
    const again = place && document.getElementById(place);
    if (again && again !== document.activeElement) {
      if (caret && "value" in again) [again.value] = caret;
      again.focus({ preventScroll: true });
      if (caret) again.setSelectionRange?.(caret[1], caret[2]);
    }
    wake(this);
    return true;
  }

  /** What one types in stays where it is; what belongs to it follows the answer. */
  #align(answer) {
    for (const form of this.querySelectorAll("form[role=search]")) {
      const fresh = answer.querySelector(`form[role=search][action="${CSS.escape(form.getAttribute("action"))}"]`);
      for (const field of fresh ? form.querySelectorAll("input[type=hidden]") : []) {
        const same = fresh.elements.namedItem(field.name);
        if (same) field.value = same.value;
      }
    }
    for (const field of this.querySelectorAll("form[data-soft-live] :is(input, select)[id]")) {
      const fresh = answer.getElementById(field.id);
      for (const name of fresh ? ["aria-invalid", "aria-describedby"] : []) {
        if (fresh.hasAttribute(name)) field.setAttribute(name, fresh.getAttribute(name));
        else field.removeAttribute(name);
      }
    }
  }

  /** Pictures that did not change are kept, so that the page does not flicker; what was opened stays open. */
  #replace(part, fresh) {
    const known = new Map([...part.querySelectorAll("img")].map((image) => [image.src, image]));
    const [top, left] = [part.scrollTop, part.scrollLeft];
    for (const image of fresh.querySelectorAll("img")) {
      const old = known.get(new URL(image.getAttribute("src"), location.href).href);
      if (old) image.replaceWith(old);
    }
    for (const details of part.querySelectorAll("details[id][open]")) {
      const same = fresh.querySelector(`#${CSS.escape(details.id)}`);
      if (same) same.open = true;
    }
    part.replaceChildren(...fresh.childNodes);
    part.scrollTop = top;
    part.scrollLeft = left;
  }
});
