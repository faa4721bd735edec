// A part of the page that follows a job: an event says that it went on, its words come from the server. Where it has
// several, they have names, as in data-live="letters", and come with one answer; data-moving inside says that it will
// soon be otherwise.
import { listen } from "./events.js";
import { page } from "./requests.js";
import { wake } from "./elements.js";

const pause = 400;
const still = 4000;

customElements.define("live-part", class extends HTMLElement {
  #stop = [];
  #timer;
  #watch;
  #isAsking = false;

  connectedCallback() {
    this.#stop = [listen("job", (job) => { if (!this.getAttribute("job") || job.id === this.getAttribute("job")) this.#soon(); })];
    if (this.hasAttribute("event")) this.#stop.push(listen(this.getAttribute("event"), () => this.#soon()));
    // What happened before anybody listened, or while the line is down, was not heard: look once now, then now and then.
    this.#soon();
    this.#watch = setInterval(() => { if (!document.hidden && this.querySelector("progress, [data-moving]")) this.#soon(); }, still);
  }

  disconnectedCallback() {
    for (const stop of this.#stop) stop();
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
  }

  #soon() { this.#timer ??= setTimeout(() => { this.#timer = undefined; this.#renew(); }, pause); }

  async #renew() {
    // One after the other, or an older answer could come last and stay.
    if (this.#isAsking) return this.#soon();
    this.#isAsking = true;
    try {
      const fresh = await page(location.href, { isUnasked: true });
      for (const live of this.querySelectorAll("[data-live]")) {
        this.#replace(live, fresh.querySelector(`live-part [data-live="${live.dataset.live}"]`));
      }
    } catch { /* the next event tries again */ } finally { this.#isAsking = false; }
  }

  #replace(live, fresh) {
    if (!fresh || fresh.textContent === live.textContent) return;
    // What somebody has to put right stays until they did.
    if (live.querySelector("[aria-invalid=true]")) return;
    const label = live.contains(document.activeElement) ? document.activeElement.textContent : undefined;
    live.replaceChildren(...fresh.childNodes);
    if (label) [...live.querySelectorAll("button, a")].find((each) => each.textContent === label)?.focus();
    wake(live);
  }
});
