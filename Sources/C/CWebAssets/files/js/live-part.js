// A part of the page that follows a job: an event says that it went on, its words come from the server.
import { listen } from "quire/events";
import { page } from "quire/requests";
import { wake } from "quire/elements";

const pause = 400;
const still = 4000;

customElements.define("live-part", class extends HTMLElement {
  #stop = [];
  #timer;
  #watch;

  connectedCallback() {
    this.#stop = [listen("job", (job) => { if (!this.getAttribute("job") || job.id === this.getAttribute("job")) this.#soon(); })];
    if (this.hasAttribute("event")) this.#stop.push(listen(this.getAttribute("event"), () => this.#soon()));
    // An event can be missed while the line is down; a look now and then is enough.
    this.#watch = setInterval(() => { if (!document.hidden && this.querySelector("progress")) this.#soon(); }, still);
  }

  disconnectedCallback() {
    for (const stop of this.#stop) stop();
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
  }

  #soon() { this.#timer ??= setTimeout(() => { this.#timer = undefined; this.#renew(); }, pause); }

  async #renew() {
    const live = this.querySelector("[data-live]");
    try {
      const fresh = (await page(location.href)).querySelector("live-part [data-live]");
      if (!fresh || fresh.textContent === live.textContent) return;
      const label = live.contains(document.activeElement) ? document.activeElement.textContent : undefined;
      live.replaceChildren(...fresh.childNodes);
      if (label) [...live.querySelectorAll("button, a")].find((each) => each.textContent === label)?.focus();
      wake(live);
    } catch { /* the next event tries again */ }
  }
});
