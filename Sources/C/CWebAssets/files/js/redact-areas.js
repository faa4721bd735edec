// Places to be blacked out, drawn on the pages of a paper: by dragging, or by a button and the arrow keys.
const space = "http://www.w3.org/2000/svg";
const least = 4;

customElements.define("redact-areas", class extends HTMLElement {
  #areas = [];
  #drawn;
  #number = 0;

  connectedCallback() {
    this.field = this.querySelector("[data-areas]");
    try { this.#areas = JSON.parse(this.field.value || "[]").map((area) => ({ ...area, key: ++this.#number })); } catch { this.#areas = []; }
    for (const area of this.#areas) this.#show(area);
    this.addEventListener("pointerdown", this.#down);
    this.addEventListener("pointermove", this.#move);
    this.addEventListener("pointerup", this.#up);
    this.addEventListener("pointercancel", this.#cancel);
    this.addEventListener("click", this.#click);
    this.addEventListener("keydown", this.#keys);
    // Whether a finger scrolls is settled while it moves.
    this.addEventListener("touchmove", (event) => { if (this.#drawn?.isHeld) event.preventDefault(); }, { passive: false });
  }

  #svg(page) { return this.querySelector(`[data-page="${page}"] svg`); }
  #areaOf(target) { return this.#areas.find((area) => String(area.key) === target?.dataset?.area); }

  #point(svg, event) {
    const place = svg.getBoundingClientRect(), size = svg.viewBox.baseVal;
    const within = (value, most) => Math.min(most, Math.max(0, value));
    return {
      x: within((event.clientX - place.left) / place.width * size.width, size.width),
      y: within((event.clientY - place.top) / place.height * size.height, size.height),
    };
  }

  #down = (event) => {
    const paper = event.target.closest(".redact-paper");
    if (!paper || event.button > 0 || this.#areaOf(event.target.closest("rect"))) return;
    if (!event.isPrimary) return;
    const svg = paper.querySelector("svg"), start = this.#point(svg, event);
    const page = Number(paper.closest("[data-page]").dataset.page);
    this.#drawn = { svg, start, area: { page, x: start.x, y: start.y, width: 0, height: 0, key: ++this.#number }, isHeld: event.pointerType !== "touch" };
    // A finger scrolls the page, unless it rests first.
    if (event.pointerType === "touch") this.#drawn.timer = setTimeout(() => { if (this.#drawn) { this.#drawn.isHeld = true; paper.classList.add("is-drawn"); } }, 250);
    if (this.#drawn.isHeld) { paper.setPointerCapture(event.pointerId); event.preventDefault(); }
  };

  #move = (event) => {
    if (!this.#drawn?.isHeld) return;
    const { svg, start, area } = this.#drawn, now = this.#point(svg, event);
    area.x = Math.min(start.x, now.x);
    area.y = Math.min(start.y, now.y);
    area.width = Math.abs(start.x - now.x);
    area.height = Math.abs(start.y - now.y);
    this.#show(area);
    event.preventDefault();
  };

  #up = () => {
    const drawn = this.#drawn;
    this.#cancel();
    if (!drawn) return;
    if (drawn.area.width < least || drawn.area.height < least) return this.#rect(drawn.area)?.remove();
    this.#areas.push(drawn.area);
    this.#show(drawn.area);
    this.#write();
    this.#rect(drawn.area).focus({ preventScroll: true });
  };

  #cancel = () => {
    clearTimeout(this.#drawn?.timer);
    this.querySelector(".is-drawn")?.classList.remove("is-drawn");
    this.#drawn = undefined;
  };

  #click = (event) => {
    const button = event.target.closest("[data-add]");
    if (!button) return;
    const page = Number(button.closest("[data-page]").dataset.page), size = this.#svg(page).viewBox.baseVal;
    const area = { page, x: size.width / 4, y: size.height / 4, width: size.width / 2, height: 24, key: ++this.#number };
    this.#areas.push(area);
    this.#show(area);
    this.#write();
    this.#rect(area).focus();
  };

  #keys = (event) => {
    const area = this.#areaOf(event.target);
    if (!area) return;
    const step = event.altKey ? 1 : 6;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (event.key === "Delete" || event.key === "Backspace") {
      this.#areas = this.#areas.filter((other) => other !== area);
      const page = area.page;
      this.#rect(area).remove();
      this.#write();
      this.querySelector(`[data-page="${page}"] [data-add]`).focus();
    } else if (moves[event.key]) {
      const [x, y] = moves[event.key], size = this.#svg(area.page).viewBox.baseVal;
      if (event.shiftKey) {
        area.width = Math.min(size.width - area.x, Math.max(least, area.width + x));
        area.height = Math.min(size.height - area.y, Math.max(least, area.height + y));
      } else {
        area.x = Math.min(size.width - area.width, Math.max(0, area.x + x));
        area.y = Math.min(size.height - area.height, Math.max(0, area.y + y));
      }
      this.#show(area);
      this.#write();
    } else return;
    event.preventDefault();
  };

  #rect(area) { return this.querySelector(`[data-area="${area.key}"]`); }

  #show(area) {
    const svg = this.#svg(area.page);
    if (!svg) return;
    let rect = this.#rect(area);
    if (!rect) {
      rect = document.createElementNS(space, "rect");
      rect.setAttribute("class", "redact-area");
      rect.setAttribute("tabindex", "0");
      rect.setAttribute("role", "img");
      rect.setAttribute("aria-label", this.dataset.name);
      rect.dataset.area = area.key;
      svg.removeAttribute("aria-hidden");
      svg.append(rect);
    }
    for (const name of ["x", "y", "width", "height"]) rect.setAttribute(name, Math.round(area[name] * 10) / 10);
  }

  #write() {
    this.field.value = JSON.stringify(this.#areas.map(({ page, x, y, width, height }) => ({ page, x, y, width, height })));
  }
});
