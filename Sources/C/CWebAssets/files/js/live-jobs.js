// Keeps a list of jobs as it is on the server: an event names the job, its words come as a fragment.
import { listen } from "./events.js";
import { page } from "./requests.js";

const pause = 250;

customElements.define("live-jobs", class extends HTMLElement {
  #stop;
  #waiting = new Map();

  connectedCallback() { this.#stop = listen("job", (job) => this.#changed(job)); }
  disconnectedCallback() { this.#stop?.(); }

  /** Many events for one job within a moment make one request. @param {{id: string, state: string}} job */
  #changed(job) {
    if (this.#waiting.has(job.id)) return;
    this.#waiting.set(job.id, setTimeout(() => { this.#waiting.delete(job.id); this.#refresh(job.id); }, pause));
  }

  async #refresh(id) {
    const list = this.querySelector("[data-jobs]");
    const old = this.ownerDocument.getElementById(`job-${id}`);
    try {
      const answer = await page(`/jobs/${id}`, { accept: "text/html; fragment=1", isUnasked: true });
      const content = answer.querySelector(".item");
      if (!content) return;
      if (old) {
        // A button with focus keeps its place while the words around it change.
        const hadFocus = old.contains(document.activeElement);
        old.replaceChildren(content);
        if (hadFocus) old.querySelector("button")?.focus();
      } else {
        const item = document.createElement("li");
        item.id = `job-${id}`;
        item.append(content);
        list.prepend(item);
        while (list.children.length > 20) list.lastElementChild.remove();
      }
      const idle = this.querySelector("[data-idle]");
      if (idle) idle.hidden = true;
      for (const name of ["local-time"]) if (list.querySelector(name)) import(`./${name}.js`);
    } catch (failure) {
      if (failure.status === 404) old?.remove();
    }
  }
});
