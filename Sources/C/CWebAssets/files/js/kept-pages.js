// What can be read without a connection: the pages and papers this device has, those of papers first.
import { make } from "./make.js";
import { parsed } from "./trust.js";

const shelves = ["quire-chosen", "quire-pages"];
const most = 30;

customElements.define("kept-pages", class extends HTMLElement {
  async connectedCallback() {
    if (!globalThis.caches) return;
    const found = new Map();
    for (const name of shelves) {
      const cache = await caches.open(name);
      for (const request of (await cache.keys()).reverse()) {
        const { pathname, search } = new URL(request.url);
        const isReader = pathname.endsWith("/read");
        if (name === "quire-chosen" && !isReader) continue;
        const paper = pathname.replace(/^(\/documents\/[^/]+)\/read$/, "$1");
        if (found.has(paper) && !isReader || found.size === most) continue;
        const page = parsed(await (await cache.match(request)).text());
        found.set(paper, { address: pathname + search, title: page.title.replace(/ – Quire$/, ""), isReader });
      }
    }
    const links = [...found.values()].sort((one, other) => other.isReader - one.isReader).map(({ address, title }) =>
      make("li", {}, make("a", { class: "item", href: address }, make("span", { class: "item-text" }, make("span", { class: "item-title" }, title)))));
    if (!links.length) return;
    this.querySelector("ul").replaceChildren(...links);
    this.hidden = false;
  }
});
