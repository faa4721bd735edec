// Proposed fields on a flat paper: moved and resized by dragging, by arrow keys, or by their numbers.
import { text } from "./texts.js";

const space = "http://www.w3.org/2000/svg";
const least = 6;

customElements.define("field-boxes", class extends HTMLElement {
  #chosen;
  #drag;

  connectedCallback() {
    this.well = this.querySelector("[data-well]");
    this.addEventListener("click", this.#click, { capture: true });
    this.addEventListener("focusin", (event) => this.#choose(event.target.closest("[data-entry]"), false));
    this.addEventListener("input", this.#typed);
    this.addEventListener("keydown", this.#keys);
    this.addEventListener("pointerdown", this.#down);
    this.addEventListener("pointermove", this.#move);
    this.addEventListener("pointerup", this.#up);
    this.addEventListener("pointercancel", this.#up);
    for (const entry of this.querySelectorAll("[data-entry]")) this.#accepted(entry);
    this.#count();
  }

  #mark(entry) { return this.querySelector(`[data-mark="${CSS.escape(entry.dataset.entry)}"]`); }
  #entryOf(mark) { return this.querySelector(`[data-entry="${CSS.escape(mark.dataset.mark)}"]`); }
  #measure(entry, name) { return entry.querySelector(`[data-measure=${name}]`); }

  #click = (event) => {
    const mark = event.target.closest("[data-mark]");
    if (!mark) return;
    event.preventDefault();
    const entry = this.#entryOf(mark);
    this.#choose(entry, true);
    entry.focus({ preventScroll: true });
  };

  #choose(entry, scrolls) {
    if (!entry || entry === this.#chosen) return;
    this.#chosen?.classList.remove("is-chosen");
    for (const old of this.querySelectorAll(".mark.is-chosen")) old.classList.remove("is-chosen");
    this.querySelector(".box-handle")?.remove();
    this.#chosen = entry;
    entry.classList.add("is-chosen");
    const mark = this.#mark(entry);
    const box = mark?.querySelector("rect");
    if (!box) return;
    box.classList.add("is-chosen");
    const handle = document.createElementNS(space, "circle");
    handle.setAttribute("class", "box-handle");
    handle.setAttribute("r", "5");
    mark.append(handle);
    this.#draw(entry);
    if (scrolls) entry.scrollIntoView({ block: "nearest" });
    const place = box.getBoundingClientRect(), view = this.well.getBoundingClientRect();
    if (place.top < view.top + 16 || place.bottom > view.bottom - 16) this.well.scrollTop += place.top - view.top - view.height / 3;
  }

  #read(entry) {
    return Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, Number(this.#measure(entry, name).value) || 0]));
  }

  #write(entry, place) {
    for (const [name, value] of Object.entries(place)) {
      const kept = name === "width" || name === "height" ? Math.max(least, value) : Math.max(0, value);
      this.#measure(entry, name).value = (Math.round(kept * 2) / 2).toString();
    }
    this.#draw(entry);
  }

  #draw(entry) {
    const mark = this.#mark(entry);
    const place = this.#read(entry);
    const box = mark?.querySelector("rect");
    if (!box) return;
    for (const [name, value] of Object.entries(place)) box.setAttribute(name, value);
    const handle = mark.querySelector(".box-handle");
    handle?.setAttribute("cx", place.x + place.width);
    handle?.setAttribute("cy", place.y + place.height);
  }

  #typed = (event) => {
    const entry = event.target.closest("[data-entry]");
    if (!entry) return;
    if (event.target.dataset.measure) this.#draw(entry);
    if (event.target.type === "checkbox") { this.#accepted(entry); this.#count(); }
  };

  #accepted(entry) {
    this.#mark(entry)?.querySelector("rect")?.classList.toggle("is-off", !entry.querySelector("input[type=checkbox]").checked);
  }

  #count() {
    const count = this.querySelectorAll("[data-entry] input[type=checkbox]:checked").length;
    const said = this.querySelector("[data-count]");
    if (said) said.textContent = text("boxes.count", { count });
  }

  #keys = (event) => {
    const entry = event.target.closest("[data-entry]");
    if (!entry || event.target !== entry) return;
    const step = event.ctrlKey ? 0.5 : 4;
    const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const way = ways[event.key];
    if (way) {
      event.preventDefault();
      const place = this.#read(entry);
      this.#write(entry, event.shiftKey
        ? { width: place.width + way[0], height: place.height + way[1] } : { x: place.x + way[0], y: place.y + way[1] });
    } else if (event.key === " " || event.key === "Delete") {
      event.preventDefault();
      entry.querySelector("input[type=checkbox]").click();
    } else if (event.key === "Enter") {
      event.preventDefault();
      entry.querySelector("input[type=text]").focus();
    }
  };

  /** A point of the screen in points of the page. */
  #point(svg, event) { return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()); }

  #down = (event) => {
    const mark = event.target.closest?.("[data-mark]");
    if (!mark || event.button) return;
    const entry = this.#entryOf(mark);
    // The first touch chooses, so that a finger can still scroll the page over the boxes.
    if (event.pointerType === "touch" && entry !== this.#chosen) return;
    event.preventDefault();
    this.#choose(entry, false);
    const svg = mark.ownerSVGElement;
    this.#drag = { entry, svg, from: this.#point(svg, event), place: this.#read(entry), resizes: event.target.matches(".box-handle") };
    svg.setPointerCapture(event.pointerId);
  };

  #move = (event) => {
    if (!this.#drag) return;
    const { entry, svg, from, place, resizes } = this.#drag;
    const to = this.#point(svg, event);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    this.#write(entry, resizes ? { width: place.width + dx, height: place.height + dy } : { x: place.x + dx, y: place.y + dy });
  };

  #up = () => { this.#drag = undefined; };
});
