// Changes parts of the page in place: what is marked data-soft is fetched, and every [data-swap] in the page takes over
// its namesake from the answer. Scroll, focus and what one is typing stay. Without scripts the same links and forms
// simply load the page.
import { wake } from "quire/elements";
import { parsed } from "quire/trust";
import { text } from "quire/texts";
import { toast } from "quire/toast-region";

const pause = 250;

customElements.define("soft-page", class extends HTMLElement {
  #asking;
  #timer;

  connectedCallback() {
    this.addEventListener("click", this.#click);
    this.addEventListener("submit", this.#submit);
    this.addEventListener("input", this.#typed);
    this.addEventListener("change", this.#changed);
  }

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
    this.#timer = setTimeout(() => this.send(form), pause);
  };

  #changed = (event) => {
    const form = event.target.form;
    if (!form?.matches("[data-soft-live]") || event.target.matches("input[type=search]")) return;
    clearTimeout(this.#timer);
    this.send(form);
  };

  /** @param {HTMLFormElement} form @param {HTMLElement} [submitter] */
  send(form, submitter) {
    const data = new FormData(form, submitter ?? undefined);
    const address = new URL(form.getAttribute("action") || location.href, location.href);
    if (form.method === "post") return this.go(address.href, { method: "POST", body: new URLSearchParams(data) });
    address.search = new URLSearchParams([...data].filter(([, value]) => value !== "")).toString();
    return this.go(address.href);
  }

  /** @param {string} address @param {RequestInit & {only?: string[], keepsAddress?: boolean}} [options] */
  async go(address, { only, keepsAddress = false, ...options } = {}) {
    this.#asking?.abort();
    const asking = this.#asking = new AbortController();
    this.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, {
        ...options, signal: asking.signal, credentials: "same-origin", headers: { Accept: "text/html" },
      });
      const answer = parsed(await response.text());
      if (!this.#swap(answer, only)) return location.assign(response.url);
      if (!keepsAddress && response.ok) history.replaceState(null, "", response.url);
      this.dispatchEvent(new CustomEvent("quire:swapped", { bubbles: true }));
    } catch (failure) {
      if (failure.name === "AbortError") return;
      toast({ text: text("upload.offline"), bad: true });
    } finally {
      if (this.#asking === asking) this.removeAttribute("aria-busy");
    }
  }

  #swap(answer, only) {
    const wanted = [...this.querySelectorAll("[data-swap]")].filter((part) =>
      (!only || only.includes(part.dataset.swap)) && !part.parentElement.closest("[data-swap]"));
    const pairs = wanted.map((part) => [part, answer.querySelector(`[data-swap="${part.dataset.swap}"]`)]);
    if (!pairs.some(([, fresh]) => fresh)) return false;
    const focus = document.activeElement;
    const place = focus?.id;
    // What somebody types into must not be taken from under their fingers.
    const caret = focus?.matches?.("input, textarea") && focus.selectionStart != null
      ? [focus.value, focus.selectionStart, focus.selectionEnd] : null;
    for (const [part, fresh] of pairs) if (fresh) this.#replace(part, fresh);
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

  /** A search stays where it is while one types; what it searches in follows the filter that was chosen. */
  #align(answer) {
    for (const form of this.querySelectorAll("form[role=search]")) {
      const fresh = answer.querySelector(`form[role=search][action="${CSS.escape(form.getAttribute("action"))}"]`);
      for (const field of fresh ? form.querySelectorAll("input[type=hidden]") : []) {
        const same = fresh.elements.namedItem(field.name);
        if (same) field.value = same.value;
      }
    }
  }

  /** Pictures that did not change are kept, so that the page does not flicker. */
  #replace(part, fresh) {
    const known = new Map([...part.querySelectorAll("img")].map((image) => [image.src, image]));
    const [top, left] = [part.scrollTop, part.scrollLeft];
    for (const image of fresh.querySelectorAll("img")) {
      const old = known.get(new URL(image.getAttribute("src"), location.href).href);
      if (old) image.replaceWith(old);
    }
    part.replaceChildren(...fresh.childNodes);
    part.scrollTop = top;
    part.scrollLeft = left;
  }
});
