// The part of a picture that is shown: dragged, pinched, moved by arrow keys or by the sliders below it, which are what is
// sent. Without this the desk draws the window after each sending.
const least = 50;
const step = 5;

customElements.define("crop-image", class extends HTMLElement {
  #pointers = new Map();
  #grip;

  connectedCallback() {
    this.stage = this.querySelector(".crop-stage");
    this.form = this.querySelector("form");
    this.form.addEventListener("input", (event) => {
      if (event.target.name === "turn") this.#turned();
      this.#draw();
    });
    this.before = this.#turn;
    this.stage.addEventListener("pointerdown", this.#down);
    this.stage.addEventListener("pointermove", this.#move);
    for (const end of ["pointerup", "pointercancel"]) this.stage.addEventListener(end, this.#up);
    this.stage.addEventListener("keydown", this.#key);
    // A touch pad says of two fingers that a wheel turned.
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.#resize(Math.exp(-event.deltaY / 300));
    }, { passive: false });
    this.#draw();
  }

  get #turn() { return Number(this.form.elements.turn.value); }

  get #size() {
    const { width, height } = this.dataset;
    return this.#turn % 180 ? [Number(height), Number(width)] : [Number(width), Number(height)];
  }

  /** Where the picture is on the screen. */
  get #box() { return this.stage.querySelector(".crop-shade").getBoundingClientRect(); }

  #value(name) { return Number(this.form.elements[name]?.value ?? 1000); }
  #set(name, value) {
    const field = this.form.elements[name];
    if (field) field.value = String(Math.min(Math.max(value, Number(field.min)), Number(field.max)));
  }

  /** In parts of the picture as it is turned; the desk reckons the same. */
  #window() {
    const [across, up] = this.#size;
    let [width, height] = [this.#value("size") / 1000, this.#value("height") / 1000];
    const shape = Number(this.dataset.shape);
    if (shape) {
      [width, height] = across / up > shape ? [width * up * shape / across, width] : [width, width * across / shape / up];
    }
    const start = (name, length) => Math.min(Math.max(this.#value(name) / 1000 - length / 2, 0), 1 - length);
    return { left: start("x", width), top: start("y", height), width, height };
  }

  #draw() {
    const [across, up] = this.#size;
    const { width, height } = this.dataset;
    const { left, top, width: wide, height: high } = this.#window();
    const round = (part, whole) => Math.round(part * whole);
    const box = `M${round(left, across)} ${round(top, up)}h${round(wide, across)}v${round(high, up)}H${round(left, across)}Z`;
    this.stage.setAttribute("viewBox", `0 0 ${across} ${up}`);
    this.stage.querySelector("image").setAttribute("transform", {
      0: "", 90: `translate(${height} 0) rotate(90)`, 180: `translate(${width} ${height}) rotate(180)`, 270: `translate(0 ${width}) rotate(270)`,
    }[this.#turn]);
    this.stage.querySelector(".crop-shade").setAttribute("d", `M0 0H${across}V${up}H0Z ${box}`);
    this.stage.querySelector(".crop-window").setAttribute("d", box);
  }

  /** What was in the window stays in it while the picture turns under it. */
  #turned() {
    for (let quarter = (this.#turn - this.before + 360) % 360; quarter; quarter -= 90) {
      const [x, y] = [this.#value("x"), this.#value("y")];
      this.#set("x", 1000 - y);
      this.#set("y", x);
      if (this.form.elements.height) {
        const [size, height] = [this.#value("size"), this.#value("height")];
        this.#set("size", height);
        this.#set("height", size);
      }
    }
    this.before = this.#turn;
  }

  /** To where its middle really is, and from there. */
  #shift(x, y) {
    const { left, top, width, height } = this.#window();
    this.#set("x", (left + width / 2 + x) * 1000);
    this.#set("y", (top + height / 2 + y) * 1000);
    this.#draw();
  }

  #resize(factor) {
    for (const name of ["size", "height"]) this.#set(name, Math.max(least, this.#value(name) * factor));
    this.#draw();
  }

  #down = (event) => {
    if (event.button) return;
    this.stage.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, event);
    const box = this.#box;
    const { left, top, width, height } = this.#window();
    // The window follows from where it was taken hold of: sliders know only steps.
    const middle = [left + width / 2, top + height / 2];
    const reach = Math.hypot(event.clientX - box.left - middle[0] * box.width, event.clientY - box.top - middle[1] * box.height);
    const corner = Math.hypot(width * box.width, height * box.height) / 2;
    this.#grip = { x: event.clientX, y: event.clientY, middle, isCorner: Math.abs(reach - corner) < 24, size: this.#value("size"), height: this.#value("height"), corner, spread: this.#spread() };
  };

  /** How far two fingers are from each other. */
  #spread() {
    const [a, b] = [...this.#pointers.values()];
    return b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
  }

  #move = (event) => {
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, event);
    const grip = this.#grip;
    const box = this.#box;
    if (this.#pointers.size > 1) {
      this.#scale(grip, this.#spread() / (grip.spread || 1));
    } else if (grip.isCorner) {
      const reach = Math.hypot(event.clientX - box.left - grip.middle[0] * box.width, event.clientY - box.top - grip.middle[1] * box.height);
      this.#scale(grip, reach / grip.corner);
    } else {
      this.#set("x", (grip.middle[0] + (event.clientX - grip.x) / box.width) * 1000);
      this.#set("y", (grip.middle[1] + (event.clientY - grip.y) / box.height) * 1000);
      this.#draw();
    }
  };

  #scale(grip, factor) {
    for (const name of ["size", "height"]) this.#set(name, Math.max(least, grip[name] * factor));
    this.#draw();
  }

  #up = (event) => {
    this.#pointers.delete(event.pointerId);
    const [left] = this.#pointers.values();
    // The finger that stays goes on from where it is.
    if (left) this.#down(left);
  };

  #key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = (event.shiftKey ? 10 : 2) * step / 1000;
    const acts = {
      ArrowLeft: () => this.#shift(-far, 0), ArrowRight: () => this.#shift(far, 0), ArrowUp: () => this.#shift(0, -far), ArrowDown: () => this.#shift(0, far),
      "+": () => this.#resize(1.05), "=": () => this.#resize(1.05), "-": () => this.#resize(1 / 1.05),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  };
});
