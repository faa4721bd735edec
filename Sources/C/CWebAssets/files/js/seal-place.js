// Where a signature with a certificate is seen: a frame on a picture of the page, dragged, drawn larger, or moved by keys. Without
// scripts the page and the box are typed.
import { make, icon } from "./make.js";
import { json } from "./requests.js";
import { text } from "./texts.js";

const space = "http://www.w3.org/2000/svg";
/** In points; what is smaller is not signed. */
const least = { width: 60, height: 24 };
const usual = { width: 200, height: 56 };
const margin = 36;

customElements.define("seal-place", class extends HTMLElement {
  #pages;
  #number = 1;
  #box;
  #held;

  connectedCallback() {
    [this.page, this.box] = ["page", "box"].map((name) => this.querySelector(`[name=${name}]`));
    this.plain = this.querySelector("[data-plain]");
    this.field = this.closest("form").elements.field;
    this.shown = make("input", { type: "checkbox", onchange: () => this.#turn() });
    this.paper = make("div", { class: "seal-paper", hidden: true });
    this.append(make("label", { class: "choice" }, this.shown, make("span", {}, text("seal.show"))), this.paper);
    this.plain.hidden = true;
    this.field?.addEventListener("change", () => this.#fit());
    this.shown.checked = Boolean(this.page.value || this.box.value);
    if (this.page.value) this.#number = Math.max(1, Number(this.page.value) || 1);
    this.#fit();
    this.#turn();
  }

  /** A field that is there has its place. */
  #fit() {
    this.hidden = Boolean(this.field?.value);
    if (this.hidden) this.page.value = this.box.value = "";
    else this.#write();
  }

  async #turn() {
    if (!this.shown.checked) {
      this.paper.hidden = true;
      this.page.value = this.box.value = "";
      return;
    }
    try {
      this.#pages ??= (await json(`${this.dataset.paper}/pages`)).pages;
    } catch (failure) {
      this.paper.replaceChildren(make("p", { role: "alert" }, failure.message));
      this.paper.hidden = this.plain.hidden = false;
      return;
    }
    this.#number = Math.min(this.#number, this.#pages.length);
    this.#read();
    this.#draw();
    this.paper.hidden = false;
  }

  get #size() { return this.#pages[this.#number - 1]; }

  /** From the lower left corner in the field, from the upper left one here. */
  #read() {
    const [left, bottom, width, height] = this.box.value.split(",").map(Number);
    const { width: wide, height: high } = this.#size;
    this.#box = height > 0
      ? { x: left, y: high - bottom - height, width, height }
      : this.#box ?? { x: wide - margin - Math.min(usual.width, wide - 2 * margin), y: high - margin - usual.height, ...usual };
    this.#keepWithin();
  }

  #keepWithin() {
    const box = this.#box, size = this.#size;
    box.width = Math.min(Math.max(box.width, least.width), size.width);
    box.height = Math.min(Math.max(box.height, least.height), size.height);
    box.x = Math.min(Math.max(box.x, 0), size.width - box.width);
    box.y = Math.min(Math.max(box.y, 0), size.height - box.height);
  }

  #write() {
    if (!this.#box || !this.shown.checked || this.hidden) return;
    const { x, y, width, height } = this.#box;
    this.page.value = this.#number;
    this.box.value = [x, this.#size.height - y - height, width, height].map((value) => Math.round(value * 10) / 10).join(", ");
  }

  #draw() {
    const count = this.#pages.length, { width, height } = this.#size;
    const step = (by, name, label) => make("button", {
      class: "button button-icon", type: "button", "aria-label": text(label), disabled: !this.#pages[this.#number - 1 + by],
      onclick: () => {
        this.#number += by;
        this.#keepWithin();
        this.#draw();
        this.paper.querySelector(`[aria-label="${text(label)}"]:enabled`)?.focus();
      },
    }, icon(name));
    const told = make("span", { role: "status" }, text("seal.page", { number: this.#number, count }));
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.frame = this.#shape("rect", "seal-frame", svg);
    this.frame.setAttribute("tabindex", "0");
    this.frame.setAttribute("role", "img");
    this.frame.setAttribute("aria-label", text("seal.frame"));
    this.frame.setAttribute("aria-describedby", "seal-hint");
    this.corner = this.#shape("rect", "seal-corner", svg);
    const sheet = make("div", { class: "redact-paper" },
      make("img", { src: `${this.dataset.paper}/pages/${this.#number}?width=900`, alt: text("seal.page", { number: this.#number, count }), width: Math.round(width), height: Math.round(height), draggable: "false" }));
    sheet.append(svg);
    svg.addEventListener("pointerdown", this.#down);
    svg.addEventListener("pointermove", this.#move);
    svg.addEventListener("pointerup", () => { this.#held = undefined; });
    svg.addEventListener("pointercancel", () => { this.#held = undefined; });
    this.frame.addEventListener("keydown", this.#keys);
    // A finger on the frame moves it, everywhere else it scrolls.
    svg.addEventListener("touchmove", (event) => { if (this.#held) event.preventDefault(); }, { passive: false });
    this.paper.replaceChildren(
      make("div", { class: "row" }, step(-1, "previous", "seal.previous"), told, step(1, "next", "seal.next")),
      sheet, make("p", { class: "soft small", id: "seal-hint" }, text("seal.hint"), " ", make("span", { class: "keys-only" }, text("seal.keys"))));
    this.#place();
  }

  #shape(name, css, svg) {
    const shape = document.createElementNS(space, name);
    shape.setAttribute("class", css);
    svg.append(shape);
    return shape;
  }

  #place() {
    const { x, y, width, height } = this.#box, grip = Math.max(14, this.#size.width / 36);
    for (const [name, value] of Object.entries({ x, y, width, height })) this.frame.setAttribute(name, value);
    for (const [name, value] of Object.entries({ x: x + width - grip / 2, y: y + height - grip / 2, width: grip, height: grip })) this.corner.setAttribute(name, value);
    this.#write();
  }

  #point(event) {
    const svg = event.currentTarget, place = svg.getBoundingClientRect();
    return { x: (event.clientX - place.left) / place.width * this.#size.width, y: (event.clientY - place.top) / place.height * this.#size.height };
  }

  #down = (event) => {
    if (event.button > 0 || !event.isPrimary) return;
    const at = this.#point(event), isCorner = event.target === this.corner;
    if (event.target === event.currentTarget) {
      // Where one points, the frame comes to lie.
      if (event.pointerType === "touch") return;
      this.#box.x = at.x - this.#box.width / 2;
      this.#box.y = at.y - this.#box.height / 2;
      this.#keepWithin();
      this.#place();
    }
    this.#held = { isCorner, at, box: { ...this.#box } };
    event.currentTarget.setPointerCapture(event.pointerId);
    this.frame.focus({ preventScroll: true });
    event.preventDefault();
  };

  #move = (event) => {
    if (!this.#held) return;
    const now = this.#point(event), { isCorner, at, box } = this.#held;
    const [across, down] = [now.x - at.x, now.y - at.y];
    this.#box = isCorner ? { ...box, width: box.width + across, height: box.height + down } : { ...box, x: box.x + across, y: box.y + down };
    if (isCorner) {
      this.#box.width = Math.min(this.#box.width, this.#size.width - box.x);
      this.#box.height = Math.min(this.#box.height, this.#size.height - box.y);
    }
    this.#keepWithin();
    this.#place();
    event.preventDefault();
  };

  #keys = (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || event.ctrlKey || event.metaKey) return;
    const [across, down] = way.map((one) => one * (event.altKey ? 1 : 8));
    // As where one writes on a paper: with Shift it is sized, with Alt the steps are small.
    if (event.shiftKey) {
      this.#box.width = Math.min(this.#box.width + across, this.#size.width - this.#box.x);
      this.#box.height = Math.min(this.#box.height + down, this.#size.height - this.#box.y);
    } else {
      this.#box.x += across;
      this.#box.y += down;
    }
    this.#keepWithin();
    this.#place();
    event.preventDefault();
  };
});
