// One picture large: where the paper lies in it, put right by hand or by the arrow keys, and the page it becomes.
import { text } from "./texts.js";

/** In pixels of the screen, by an arrow key and with Shift. */
const steps = [2, 20];
/** So much larger than on the page is what lies under the finger. */
const magnified = 2.5;
/** Pressed within so many milliseconds of each other, arrow keys are one step to undo. */
const together = 1000;

const turned = (corners, by) => corners.map((_, place) => corners[(place + 4 - by) % 4]);

/** Every corner points outwards, clockwise. */
const isSheet = (corners) => corners.every((corner, place) => {
  const [a, b] = [corners[(place + 1) % 4], corners[(place + 2) % 4]];
  return (a[0] - corner[0]) * (b[1] - a[1]) - (a[1] - corner[1]) * (b[0] - a[0]) > 1;
});

/** The page's own top left is the corner that lies nearest to the picture's. */
const lay = (corners) => {
  const nearness = corners.map(([x, y]) => x + y);
  return nearness.indexOf(Math.min(...nearness));
};

/**
 * @typedef {import("./scan-store.js").Picture} Picture
 * @typedef {object} Stack what lies behind it
 * @property {Picture[]} pictures
 * @property {(picture: Picture, most: number) => Promise<import("./scan-eye.js").Made>} page
 * @property {(picture: Picture) => void} changed
 * @property {(picture: Picture, isQuiet: boolean) => void} remove
 * @property {(picture: Picture) => void} putBack
 * @property {(picture: Picture) => void} retake
 * @property {(look: string) => void} lookOfAll
 * @property {(picture: Picture) => string[]} told what there is to say of a picture
 * @property {() => void} idle nothing is being made for it
 * @property {(picture: Picture) => void} left the review, with this one seen last
 */

export class Review {
  /** @type {Picture} */
  #picture;
  #stack;
  #corners;
  /** [width, height] of the picture, upright. */
  #full;
  #undo = [];
  #asked = 0;
  #isHeld = false;
  /** Nothing was cut out of it: it is no paper. */
  #isPhoto = false;
  #pressed = { time: 0 };

  /** @param {HTMLDialogElement} dialog @param {Stack} stack */
  constructor(dialog, stack) {
    this.dialog = dialog;
    this.#stack = stack;
    const find = (name) => dialog.querySelector(`[data-${name}]`);
    this.title = find("title");
    this.said = find("said");
    this.frame = find("frame");
    this.sheet = find("sheet");
    this.image = find("photo");
    this.loupe = find("loupe");
    this.result = find("result");
    this.look = dialog.querySelector("select");
    this.outline = dialog.querySelector("polygon");
    this.handles = [...dialog.querySelectorAll("[data-corner]")];
    this.acts = {};
    for (const button of dialog.querySelectorAll("[data-act]")) {
      this.acts[button.dataset.act] = button;
      button.addEventListener("click", () => this.#act(button.dataset.act));
    }
    for (const [place, handle] of this.handles.entries()) this.#hold(handle, place);
    this.look.addEventListener("change", () => this.#set({ look: this.look.value || undefined }));
    this.image.addEventListener("load", () => this.#lay());
    this.image.addEventListener("error", () => { this.sheet.hidden = true; });
    new ResizeObserver(() => this.#lay()).observe(this.frame);
    dialog.addEventListener("keydown", (event) => this.#key(event));
    dialog.addEventListener("close", () => this.#leave());
  }

  get isOpen() { return this.dialog.open; }

  /** @param {Picture} picture */
  open(picture) {
    this.#undo = [];
    if (!this.dialog.open) this.dialog.showModal();
    this.#show(picture);
  }

  /** Whether a page is being made for it at this moment. */
  get isAsking() { return "isAsking" in this.dialog.dataset; }

  /** More is known of the pictures. */
  tell() { if (this.#picture && !this.isAsking) this.#say(this.#stack.told(this.#picture)); }

  /** Something about all of them is otherwise. */
  again() { if (this.#picture) this.#show(this.#picture); }

  #leave() {
    const picture = this.#picture;
    delete this.dialog.dataset.isAsking;
    URL.revokeObjectURL(this.image.src);
    this.image.removeAttribute("src");
    this.#picture = undefined;
    this.#asked += 1;
    this.result.width = this.result.height = 1;
    this.#stack.left(picture);
  }

  /** @param {Picture} picture */
  #show(picture) {
    const { pictures } = this.#stack;
    const at = pictures.indexOf(picture);
    if (this.#picture !== picture) {
      URL.revokeObjectURL(this.image.src);
      this.image.src = URL.createObjectURL(picture.blob);
      this.#full = this.#corners = undefined;
    }
    this.#picture = picture;
    this.#isHeld = this.#isPhoto = false;
    if (this.#full) this.#corners = picture.corners ?? this.#corners;
    this.title.textContent = text("scan.review.page", { number: at + 1, count: pictures.length });
    this.image.alt = text("scan.picture", { number: at + 1 });
    this.look.value = picture.look ?? "";
    this.acts.previous.disabled = at === 0;
    this.acts.next.disabled = at + 1 === pictures.length;
    this.#draw();
    this.#become();
  }

  // MARK: The page it becomes

  async #become() {
    const picture = this.#picture;
    const asked = this.#asked += 1;
    this.dialog.dataset.isAsking = "yes";
    try {
      const made = await this.#stack.page(picture, 1_500_000);
      if (asked !== this.#asked) return made.picture.close();
      this.#full = made.full;
      this.#isPhoto = made.isWhole && made.look === "photo";
      if (!this.#isHeld) this.#corners = made.corners;
      [this.result.width, this.result.height] = [made.picture.width, made.picture.height];
      this.result.getContext("2d").drawImage(made.picture, 0, 0);
      made.picture.close();
      this.result.hidden = this.sheet.hidden = false;
      this.#say(this.#stack.told(picture));
    } catch {
      if (asked !== this.#asked) return;
      this.result.hidden = true;
      // Without the worker corners are put right all the same, where the picture shows.
      if (this.image.naturalWidth) {
        this.#full = [this.image.naturalWidth, this.image.naturalHeight];
        this.#corners = picture.corners ?? this.#whole();
      }
      this.#say([text(this.image.naturalWidth ? "scan.review.later" : "scan.review.unseen")]);
    } finally {
      if (asked === this.#asked) delete this.dialog.dataset.isAsking;
    }
    this.#lay();
    this.#stack.idle();
  }

  #say(sentences) { this.said.textContent = sentences.join(" "); }

  #whole() {
    const [width, height] = this.#full;
    const all = [[0, 0], [width, 0], [width, height], [0, height]];
    return this.#corners ? turned(all, lay(this.#corners)) : all;
  }

  // MARK: Corners

  /** The picture as large as there is room. */
  #lay() {
    if (!this.#full || !this.dialog.open) return;
    const style = getComputedStyle(this.frame);
    const room = [
      this.frame.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
      this.frame.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
    ];
    this.scale = Math.max(0.001, Math.min(room[0] / this.#full[0], room[1] / this.#full[1]));
    this.sheet.style.inlineSize = `${this.#full[0] * this.scale}px`;
    this.sheet.style.blockSize = `${this.#full[1] * this.scale}px`;
    this.#draw();
  }

  #draw() {
    const isThere = Boolean(this.#corners && this.#full);
    this.dialog.dataset.corners = isThere ? "yes" : "no";
    this.acts.undo.disabled = !this.#undo.length;
    this.acts.find.disabled = !this.#picture?.corners;
    this.acts.all.disabled = !this.look.value;
    if (!isThere) return;
    const [width, height] = this.#full;
    this.outline.ownerSVGElement.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.outline.setAttribute("points", this.#corners.map((corner) => corner.join(",")).join(" "));
    for (const [place, handle] of this.handles.entries()) {
      const [x, y] = this.#corners[place];
      handle.style.left = `${x / width * 100}%`;
      handle.style.top = `${y / height * 100}%`;
    }
  }

  #hold(handle, place) {
    let from;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button || !this.#corners) return;
      event.preventDefault();
      handle.focus({ preventScroll: true });
      handle.setPointerCapture(event.pointerId);
      this.#isHeld = true;
      from = { at: [event.clientX, event.clientY], corner: [...this.#corners[place]], corners: this.#corners };
      this.#magnify(place);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!from) return;
      this.#move(place, [event.clientX - from.at[0], event.clientY - from.at[1]].map((by, i) => from.corner[i] + by / this.scale));
      this.#magnify(place);
    });
    const end = (event) => {
      if (!from) return;
      const { corners } = from;
      from = undefined;
      this.#isHeld = false;
      this.loupe.hidden = true;
      // A touch alone moves nothing.
      if (event.type === "pointercancel") { this.#corners = corners; this.#draw(); }
      else if (this.#corners !== corners) this.#set({ corners: this.#corners });
    };
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
    handle.addEventListener("blur", () => { this.loupe.hidden = true; });
    handle.addEventListener("keydown", (event) => this.#arrow(event, place));
  }

  /** Stays in the picture, and four corners a sheet. */
  #move(place, to) {
    const corners = this.#corners.map((corner, i) => (
      i === place ? to.map((value, axis) => Math.min(this.#full[axis], Math.max(0, value))) : corner));
    if (!isSheet(corners)) return;
    this.#corners = corners;
    this.#draw();
  }

  #arrow(event, place) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || !this.#corners || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const by = steps[event.shiftKey ? 1 : 0] / this.scale;
    this.#move(place, this.#corners[place].map((value, axis) => value + way[axis] * by));
    const isSame = this.#pressed.place === place && event.timeStamp - this.#pressed.time < together;
    this.#pressed = { place, time: event.timeStamp };
    this.#set({ corners: this.#corners }, isSame);
    this.#magnify(place);
    const [x, y] = this.#corners[place].map((value, axis) => Math.round(value / this.#full[axis] * 100));
    this.#say([text("scan.review.at", { x, y })]);
  }

  /** What the finger covers, above it; below where there is no room. */
  #magnify(place) {
    const { loupe } = this;
    const [x, y] = this.#corners[place];
    const dots = Math.round(loupe.clientWidth * devicePixelRatio) || 128;
    if (loupe.width !== dots) loupe.width = loupe.height = dots;
    loupe.hidden = false;
    const size = loupe.offsetWidth;
    const seen = size / this.scale / magnified;
    const context = loupe.getContext("2d");
    context.fillStyle = "#000";
    context.fillRect(0, 0, dots, dots);
    context.drawImage(this.image, x - seen / 2, y - seen / 2, seen, seen, 0, 0, dots, dots);
    context.strokeStyle = "#4fd08a";
    context.lineWidth = 2 * devicePixelRatio;
    context.beginPath();
    for (const next of [this.#corners[(place + 3) % 4], this.#corners[place], this.#corners[(place + 1) % 4]]) {
      context.lineTo(...[next[0] - x, next[1] - y].map((by) => dots / 2 + by / seen * dots));
    }
    context.stroke();
    const box = this.sheet.getBoundingClientRect();
    const above = y * this.scale - size - 48;
    const left = Math.min(Math.max(x * this.scale - size / 2, -box.left + 4), innerWidth - box.left - size - 4);
    loupe.style.left = `${left}px`;
    loupe.style.top = `${box.top + above > 4 ? above : y * this.scale + 48}px`;
  }

  // MARK: Acts

  /** @param {{ corners?: number[][], look?: string }} change @param {boolean} [isMore] of the change before */
  #set(change, isMore = false) {
    const picture = this.#picture;
    if (!isMore || !this.#undo.length) this.#undo.push({ picture, before: { corners: picture.corners, look: picture.look } });
    Object.assign(picture, change);
    this.#stack.changed(picture);
    this.#draw();
    this.#become();
  }

  #act(name) {
    const { pictures } = this.#stack;
    const at = pictures.indexOf(this.#picture);
    const acts = {
      previous: () => at > 0 && this.#show(pictures[at - 1]),
      next: () => at + 1 < pictures.length && this.#show(pictures[at + 1]),
      find: () => this.#set({ corners: undefined }),
      whole: () => this.#full && this.#set({ corners: this.#whole() }),
      left: () => this.#turn(3),
      right: () => this.#turn(1),
      all: () => this.#stack.lookOfAll(this.look.value),
      undo: () => this.#takeBack(),
      remove: () => {
        const picture = this.#picture;
        this.#undo.push({ picture, isRemoved: true });
        // Where none is left the stack itself offers it back.
        this.#stack.remove(picture, pictures.length > 1);
        if (!pictures.length) return this.dialog.close();
        this.#show(pictures[Math.min(at, pictures.length - 1)]);
        this.#say([text("scan.removed", { number: at + 1 })]);
      },
      retake: () => {
        const picture = this.#picture;
        this.dialog.addEventListener("close", () => this.#stack.retake(picture), { once: true });
        this.dialog.close();
      },
      done: () => this.dialog.close(),
    };
    acts[name]();
  }

  /** Which corner is the page's top left says how it lies. What is no paper stays a photo. */
  #turn(by) {
    if (!this.#corners) return;
    this.#set({ corners: turned(this.#corners, by), ...this.#isPhoto && { look: this.#picture.look ?? "photo" } });
    this.look.value = this.#picture.look ?? "";
  }

  #takeBack() {
    const { picture, before, isRemoved } = this.#undo.pop() ?? {};
    if (!picture) return;
    if (isRemoved) this.#stack.putBack(picture);
    else {
      Object.assign(picture, before);
      this.#stack.changed(picture);
    }
    this.#pressed = { time: 0 };
    this.#show(picture);
  }

  #key(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const act = event.key === "PageUp" ? "previous" : event.key === "PageDown" ? "next" : isCommand && event.key === "z" ? "undo" : undefined;
    if (!act) return;
    event.preventDefault();
    this.#act(act);
  }
}
