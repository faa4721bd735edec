// A paper to be written on: words are marked, words and signs are put where one points, lines are drawn, a name is signed. What
// was done can be undone until it is kept, and it waits in this tab when the page is left. Everything goes by keys, too.
import { confirmed } from "./confirm-dialog.js";
import { make } from "./make.js";
import { boxOf, drawn, fits, shape } from "./mark-shapes.js";
import { askTarget } from "./mark-link.js";
import { choosePages } from "./mark-pages.js";
import { chooseSignature } from "./mark-signature.js";
import { json } from "./requests.js";
import { language, text } from "./texts.js";
import { complain, toast } from "./toast-region.js";
import { Steps, Waiting } from "./unkept.js";

const onWords = ["highlight", "underline", "squiggle", "strike"];
const byDragging = ["line", "arrow", "box", "ellipse"];
const byPointing = ["text", "date", "tick", "cross", "stamp", "note", "picture", "signature"];
/** What each step of the size means, for letters, signs and lines. */
const sizes = [8, 10, 12, 14, 18, 24, 36];
const lines = [0.7, 1, 1.5, 2.5, 4, 6, 10];
const usual = { highlight: "#ffe066", note: "#f2b82e", text: "#111827", date: "#111827", tick: "#111827", cross: "#111827", ink: "#1f3d9a", signature: "#1f3d9a", link: "#1f3d9a" };
/** A link is drawn over what leads somewhere: words, or a place. */
const isDrawnOver = (tool) => onWords.includes(tool) || tool === "link";
/** Strokes that follow within so many milliseconds belong together. */
const together = 1500;
const least = 4;
const isBoxed = (mark) => !mark.strokes || mark.kind === "signature";

customElements.define("mark-desk", class extends HTMLElement {
  #marks = [];
  #steps = new Steps(50);
  #waiting;
  #tool = "move";
  #chosen;
  #number = 0;
  #act;
  #coming;
  #brought;
  #isSent = false;

  connectedCallback() {
    if (!this.querySelector(".mark-bar")) return;
    this.said = this.querySelector("[data-said]");
    this.kinds = JSON.parse(this.dataset.kinds);
    this.#waiting = new Waiting(this, "marks", this.dataset.save);
    this.colours = [...this.querySelectorAll("[name=mark-colour]")];
    this.size = this.querySelector("[data-size]");
    this.opacity = this.querySelector("[data-opacity]");
    this.forGood = this.querySelector("[data-part]");
    this.file = this.querySelector("[data-picture]");
    for (const button of this.querySelectorAll("[data-tool]")) button.addEventListener("click", () => this.#take(button.dataset.tool));
    for (const button of this.querySelectorAll("[data-act]")) button.addEventListener("click", () => this[`_${button.dataset.act}`]());
    for (const button of this.querySelectorAll("[data-put]")) button.addEventListener("click", () => this.#put(button.closest("[data-page]")));
    for (const colour of this.colours) colour.addEventListener("change", () => this.#dress());
    for (const range of [this.size, this.opacity]) range.addEventListener("input", () => this.#dress());
    for (const choice of this.querySelectorAll("[data-sift]")) choice.addEventListener("change", () => this.#sift());
    this.file.addEventListener("change", () => this.#picture());
    for (const lead of this.querySelectorAll("[data-lead]")) lead.addEventListener("click", () => this.#tell(lead.dataset.lead));
    for (const paper of this.querySelectorAll(".mark-paper")) {
      paper.addEventListener("pointerdown", this.#down);
      paper.addEventListener("pointermove", this.#move);
      paper.addEventListener("pointerup", this.#up);
      paper.addEventListener("pointercancel", this.#cancel);
      paper.addEventListener("dblclick", this.#open);
    }
    this.addEventListener("keydown", this.#keys);
    addEventListener("beforeunload", this.#warn);
    this.#restore();
    this.#take("move");
    this.#show();
  }

  disconnectedCallback() { removeEventListener("beforeunload", this.#warn); }

  // MARK: What is chosen

  #take(tool) {
    this.#tool = tool;
    this.dataset.taken = tool;
    for (const button of this.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    for (const button of this.querySelectorAll("[data-put]")) button.hidden = !byPointing.includes(tool) && !byDragging.includes(tool) && tool !== "link";
    this.#hint(tool);
    if (tool !== "move") this.#choose(undefined);
    const colour = usual[tool] ?? "#c62828";
    for (const each of this.colours) each.checked = each.value === colour;
    this.opacity.value = 100;
    if (tool === "picture" && !this.#brought) this.file.click();
    if (tool === "signature") this.#sign();
  }

  #hint(tool) {
    const kind = onWords.includes(tool) ? "words" : byDragging.includes(tool) ? "drag" : byPointing.includes(tool) ? "point" : tool;
    this.said.textContent = text(`mark.hint.${kind}`);
  }

  /** How much of what lies below it covers, from 0 to 1. */
  get #solid() { return Number(this.opacity.value) / 100; }

  get #colour() { return this.colours.find((each) => each.checked)?.value ?? "#111827"; }

  async #sign() {
    const signature = await chooseSignature();
    if (this.#tool !== "signature") return;
    if (!signature) return this.#take("move");
    this.#brought = signature;
    this.said.textContent = text("mark.hint.signature");
  }

  async #picture() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    try {
      this.#brought = await fits(file, 1600);
      this.#hint("picture");
    } catch {
      toast({ text: text("mark.picture.bad"), bad: true });
      this.#take("move");
    }
  }

  // MARK: Doing and undoing

  /** @param {() => void} work */
  #change(work) {
    this.#steps.put(this.#marks);
    work();
    this.#keep();
    this.#show();
  }

  _undo() { this.#back(this.#steps.undo(this.#marks)); }
  _redo() { this.#back(this.#steps.redo(this.#marks)); }

  #back(marks) {
    if (!marks) return;
    this.#marks = marks;
    this.#chosen = undefined;
    this.#keep();
    this.#show();
  }

  _remove() {
    const mark = this.#marks.find(({ key }) => key === this.#chosen);
    if (!mark) return;
    this.#change(() => { this.#marks = this.#marks.filter((each) => each !== mark); });
    this.#choose(undefined);
    this.querySelector(`[data-page="${mark.page}"] [data-put]:not([hidden])`)?.focus() ?? this.querySelector("[data-tool=move]").focus();
  }

  /** The chosen one on other pages as well, at the same place: initials on each page of a contract. */
  async _spread() {
    const mark = this.#marks.find(({ key }) => key === this.#chosen);
    if (!mark) return;
    const pages = await choosePages([...this.querySelectorAll("[data-page]")].map(({ dataset }) => Number(dataset.page)), mark.page);
    if (!pages?.length || !this.#marks.includes(mark)) return;
    this.#change(() => {
      for (const page of pages) this.#marks.push(placed(mark, this.#svg(mark.page).viewBox.baseVal, this.#svg(page).viewBox.baseVal, { page, key: ++this.#number }));
    });
    this.#choose(mark.key);
    this.said.textContent = text("mark.spread.done", { count: pages.length });
  }

  async _save() {
    const button = this.querySelector("[data-act=save]");
    // Words that were marked a moment ago are still being found; meanwhile it is not kept twice.
    button.disabled = true;
    await this.#coming;
    button.disabled = false;
    const isPart = this.forGood.checked;
    const isMore = isPart || this.#marks.some(({ kind }) => kind === "link");
    const signer = isMore ? this.dataset.breaksPage : this.dataset.breaks;
    let breaks = false;
    if (signer) {
      breaks = await confirmed(text("mark.breaks.ask", { name: signer }), text("mark.breaks.yes"));
      if (!breaks) return;
    }
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      await json(this.dataset.save, {
        method: "POST",
        body: { add: this.#marks.filter((mark) => mark.text !== "").map(({ key, ...mark }) => mark), partOfPage: isPart, breakSignatures: breaks, base: Number(this.dataset.version) },
      });
      this.#isSent = true;
      this.#waiting.keep();
      sessionStorage.setItem("quire-marked", "yes");
      location.reload();
    } catch (failure) {
      complain(failure);
      button.disabled = false;
    } finally { button.removeAttribute("aria-busy"); }
  }

  #warn = (event) => { if (this.#marks.length && !this.#isSent && !this.#waiting.isKept) event.preventDefault(); };

  // MARK: Waiting in this tab

  #keep() { this.#waiting.keep(this.#marks.length ? this.#marks : undefined); }

  #restore() {
    if (sessionStorage.getItem("quire-marked")) {
      sessionStorage.removeItem("quire-marked");
      toast({ text: this.dataset.saved });
    }
    // What was written on another version still lies on the same page.
    const kept = this.#waiting.take({ ofAnyVersion: true });
    if (!kept) return;
    this.#marks = kept.filter(({ page }) => this.#svg(page));
    this.#number = Math.max(0, ...this.#marks.map(({ key }) => key));
    toast({ text: text("mark.restored", { count: this.#marks.length }) });
  }

  // MARK: The pages

  #svg(page) { return this.querySelector(`[data-page="${page}"] svg`); }

  #point(svg, event) {
    const place = svg.getBoundingClientRect(), size = svg.viewBox.baseVal;
    const within = (value, most) => Math.min(most, Math.max(0, Math.round(value * 100) / 100));
    const point = [
      within((event.clientX - place.left) / place.width * size.width, size.width),
      within((event.clientY - place.top) / place.height * size.height, size.height),
    ];
    // Mice say half whenever a button is down.
    if (event.pointerType === "pen") point.push(Math.round(event.pressure * 100) / 100);
    return point;
  }

  /// Where a link leads that was pressed on the page.
  #tell(id) {
    if (this.#tool !== "move") return;
    const item = document.getElementById(`link-of-${id}`), more = item?.querySelector("details");
    if (more) more.open = true;
    item?.scrollIntoView({ block: "center" });
    more?.querySelector("summary").focus({ preventScroll: true });
  }

  #down = (event) => {
    if (event.button > 0 || !event.isPrimary || event.target.closest("textarea")) return;
    const paper = event.currentTarget, svg = paper.querySelector("svg");
    const page = Number(paper.closest("[data-page]").dataset.page), at = this.#point(svg, event);
    const key = Number(event.target.closest("[data-mark]")?.dataset.mark);
    if (this.#tool === "move") {
      const mark = this.#marks.find((each) => each.key === key);
      this.#choose(mark?.key);
      if (!mark) return;
      this.#act = { kind: event.target.closest("[data-handle]") ? "resize" : "drag", svg, at, mark, before: JSON.stringify(this.#marks), start: JSON.parse(JSON.stringify(mark)) };
    } else if (byPointing.includes(this.#tool)) {
      event.preventDefault();
      return this.#place_(page, at);
    } else {
      this.#act = { kind: "draw", svg, page, at, from: at, strokes: [[at]] };
    }
    paper.setPointerCapture(event.pointerId);
    event.preventDefault();
  };

  #move = (event) => {
    const act = this.#act;
    if (!act) return;
    const now = this.#point(act.svg, event);
    if (act.kind === "draw") {
      const all = this.#tool === "ink" && event.getCoalescedEvents ? event.getCoalescedEvents() : [event];
      const stroke = act.strokes[0];
      for (const each of all.length ? all : [event]) {
        const point = this.#point(act.svg, each), last = stroke[stroke.length - 1];
        if (Math.hypot(point[0] - last[0], point[1] - last[1]) > 0.6) stroke.push(point);
      }
      act.now = now;
      this.#preview(act);
      return;
    }
    const { start, mark } = act;
    const dx = now[0] - act.at[0], dy = now[1] - act.at[1];
    if (act.kind === "drag") shift(mark, start, dx, dy);
    else scale(mark, start, dx, dy);
    this.#draw(mark);
  };

  #up = async () => {
    const act = this.#act;
    this.#act = undefined;
    if (!act) return;
    if (act.kind !== "draw") {
      if (JSON.stringify(this.#marks) !== act.before) {
        this.#steps.put(JSON.parse(act.before));
        this.#keep();
        this.#show();
      }
      return;
    }
    this.#preview({ svg: act.svg });
    const { page } = act, now = act.now ?? act.from;
    const isMoved = Math.hypot(now[0] - act.from[0], now[1] - act.from[1]) > least;
    if (this.#tool === "ink") return this.#ink(page, act.strokes[0]);
    if (isDrawnOver(this.#tool)) {
      if (isMoved) this.#coming = this.#words(page, act.from, now);
      return;
    }
    if (!isMoved) return;
    if (this.#tool === "line" || this.#tool === "arrow") this.#add({ kind: this.#tool, page, strokes: [[act.from, now]], thickness: lines[this.size.value] });
    else this.#add({ kind: this.#tool, page, areas: [boxOf([act.from, now])], thickness: lines[this.size.value] });
  };

  #cancel = () => {
    if (this.#act?.kind === "draw") this.#preview({ svg: this.#act.svg });
    else if (this.#act) Object.assign(this.#act.mark, this.#act.start);
    this.#act = undefined;
    this.#show();
  };

  #preview({ svg, strokes, from, now }) {
    svg.querySelector(".mark-preview")?.remove();
    if (!strokes || !now) return;
    const kind = isDrawnOver(this.#tool) ? "box" : this.#tool;
    const mark = { kind, colour: this.#colour, opacity: this.#solid, thickness: kind === "ink" || byDragging.includes(kind) ? lines[this.size.value] : 1 };
    if (kind === "ink") mark.strokes = strokes;
    else if (kind === "line" || kind === "arrow") mark.strokes = [[from, now]];
    else mark.areas = [boxOf([from, now])];
    const group = drawn(mark);
    group.setAttribute("class", "mark-preview");
    if (isDrawnOver(this.#tool)) group.setAttribute("stroke-dasharray", "3 3");
    svg.append(group);
  }

  #add(mark) {
    const whole = { colour: this.#colour, opacity: this.#solid, ...mark, key: ++this.#number };
    this.#change(() => this.#marks.push(whole));
    return whole;
  }

  #ink(page, stroke) {
    const last = this.#marks[this.#marks.length - 1];
    const belongs = last?.kind === "ink" && last.page === page && last.colour === this.#colour && Date.now() - (this.#inkAt ?? 0) < together;
    this.#inkAt = Date.now();
    if (belongs) this.#change(() => last.strokes.push(stroke));
    else this.#add({ kind: "ink", page, strokes: [stroke], thickness: lines[this.size.value] });
  }
  #inkAt;

  /** The words between two points, in the order they are read; where a page has none, the place itself. */
  async #words(page, from, to) {
    const kind = this.#tool, sheet = this.querySelector(`[data-page="${page}"]`), size = this.#svg(page).viewBox.baseVal;
    let areas = [];
    try {
      sheet.found ??= await json(sheet.dataset.words);
      areas = kind === "link" ? within(sheet.found, boxOf([from, to]), size) : between(sheet.found, from, to, size);
    } catch { /* the place itself, then */ }
    if (!areas.length) areas = [boxOf([from, to])];
    if (kind !== "link") this.#add({ kind, page, areas });
    else if (areas.every(({ width, height }) => width > least && height > least)) this.#lead(this.#add({ kind, page, areas, text: "" }));
  }

  /** Where a link leads. */
  async #lead(mark) {
    const isNew = !mark.text;
    const target = await askTarget(mark.text, Number(this.dataset.pages));
    const own = this.#marks.find(({ key }) => key === mark.key);
    if (!own) return;
    if (!target) { if (isNew) this._undo(); return; }
    if (isNew) { own.text = target; this.#keep(); this.#show(); } else this.#change(() => { own.text = target; });
    this.#take("move");
    this.#choose(own.key, true);
  }

  /** Puts what is chosen where somebody points. */
  #place_(page, [x, y]) {
    const size = sizes[this.size.value], svg = this.#svg(page).viewBox.baseVal;
    const mark = { kind: this.#tool, page };
    switch (this.#tool) {
    case "tick": case "cross":
      mark.areas = [{ x: x - size / 2, y: y - size / 2, width: size, height: size }];
      break;
    case "date":
      mark.kind = "text";
      mark.text = new Date().toLocaleDateString(language);
      Object.assign(mark, { size, areas: [{ x, y: y - size * 0.6, width: 0, height: 0 }] });
      break;
    case "note":
      mark.areas = [{ x, y: y - 10, width: 20, height: 20 }];
      break;
    case "picture": case "signature": {
      const brought = this.#brought;
      if (!brought) return this.#take(this.#tool);
      const wide = Math.min(svg.width * 0.8, mark.kind === "signature" ? 150 : 200), high = wide * brought.height / brought.width;
      const left = Math.min(Math.max(0, x - wide / 2), svg.width - wide), top = Math.min(Math.max(0, y - high / 2), Math.max(0, svg.height - high));
      mark.areas = [{ x: left, y: top, width: wide, height: high }];
      if (brought.picture) mark.picture = brought.picture;
      if (brought.text) Object.assign(mark, { text: brought.text, face: "hand" });
      if (brought.strokes) {
        const by = wide / brought.width;
        mark.strokes = brought.strokes.map((stroke) => stroke.map(([px, py, ...more]) => [left + px * by, top + py * by, ...more]));
        mark.thickness = Math.max(0.6, 2.2 * by);
      }
      break;
    }
    default:
      mark.text = "";
      Object.assign(mark, { size, areas: [{ x, y: y - size * 0.6, width: 0, height: 0 }] });
    }
    const added = this.#add(mark);
    if (["text", "stamp", "note"].includes(this.#tool)) this.#write(added);
    else {
      // One date or name is put at a time; ticks and crosses go on.
      if (!["tick", "cross"].includes(this.#tool)) this.#take("move");
      if (this.#tool === "move") this.#choose(added.key, true);
    }
  }

  /** By keys: in the middle of the page, and moved from there. */
  #put(sheet) {
    const page = Number(sheet.dataset.page), { width, height } = this.#svg(page).viewBox.baseVal;
    if (this.#tool === "link") {
      const area = { x: width / 3, y: height / 3, width: width / 3, height: 24 };
      this.#lead(this.#add({ kind: "link", page, areas: [area], text: "" }));
    } else if (byDragging.includes(this.#tool)) {
      const from = [width / 3, height / 3], to = [width * 2 / 3, height / 3 + 40];
      const mark = this.#tool === "line" || this.#tool === "arrow" ? { strokes: [[from, to]] } : { areas: [boxOf([from, to])] };
      const added = this.#add({ kind: this.#tool, page, thickness: lines[this.size.value], ...mark });
      this.#take("move");
      this.#choose(added.key, true);
    } else this.#place_(page, [width / 2, height / 3]);
  }

  // MARK: Words

  #open = (event) => {
    const mark = this.#marks.find(({ key }) => key === Number(event.target.closest("[data-mark]")?.dataset.mark));
    if (mark && mark.text !== undefined && !mark.face) this.#write(mark);
  };

  #write(mark) {
    if (mark.kind === "link") { this.#lead(mark); return; }
    this.querySelector(".mark-words")?.blur();
    const svg = this.#svg(mark.page), paper = svg.parentElement, size = svg.viewBox.baseVal, area = mark.areas[0];
    const field = make("textarea", { class: "mark-words", rows: 1, maxlength: 4000, "aria-label": text("mark.words") });
    field.value = mark.text ?? "";
    paper.append(field);
    const by = paper.clientWidth / size.width;
    const room = mark.kind === "note" ? area.x + 24 : area.x;
    field.style.insetInlineStart = `${Math.min(room / size.width * 100, 70)}%`;
    field.style.insetBlockStart = `${area.y / size.height * 100}%`;
    field.style.fontSize = mark.kind === "note" ? "" : `${Math.max(10, (mark.size ?? 12) * by)}px`;
    const grow = () => { field.style.blockSize = "auto"; field.style.blockSize = `${field.scrollHeight + 2}px`; };
    field.addEventListener("input", grow);
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) field.blur();
    });
    field.addEventListener("blur", () => {
      const words = field.value.replace(/\s+$/, "");
      field.remove();
      const isNew = mark.text === "" || mark.text === undefined;
      if (words === mark.text) { if (isNew && !words) this._undo(); return; }
      if (!words) return this.#change(() => { this.#marks = this.#marks.filter((each) => each.key !== mark.key); });
      const own = this.#marks.find(({ key }) => key === mark.key);
      if (!own) return;
      // What was put there without words is one step with them.
      if (isNew) { own.text = words; this.#keep(); this.#show(); } else this.#change(() => { own.text = words; });
      if (this.#tool === "move") this.#choose(mark.key, true);
    });
    field.focus();
    grow();
  }

  // MARK: One of them

  #choose(key, focuses = false) {
    this.#chosen = key;
    for (const group of this.querySelectorAll("[data-mark]")) {
      const isChosen = Number(group.dataset.mark) === key;
      group.classList.toggle("is-chosen", isChosen);
      if (isChosen && focuses) group.focus({ preventScroll: true });
    }
    const mark = this.#marks.find((each) => each.key === key);
    this.#allow(mark);
    if (!mark) return;
    for (const each of this.colours) each.checked = each.value === mark.colour;
    this.opacity.value = Math.round((mark.opacity ?? 1) * 100);
  }

  /** What can be done with the chosen one. */
  #allow(mark) {
    this.querySelector("[data-act=remove]").disabled = !mark;
    const spread = this.querySelector("[data-act=spread]");
    if (spread) spread.disabled = !mark || onWords.includes(mark.kind);
  }

  /** Another colour, size or opacity, for what comes and for what is chosen. */
  #dress() {
    const mark = this.#marks.find(({ key }) => key === this.#chosen);
    if (!mark) return;
    const chosen = this.#chosen;
    this.#change(() => {
      mark.colour = this.#colour;
      mark.opacity = this.#solid;
      if (mark.thickness !== undefined) mark.thickness = lines[this.size.value];
      if (mark.size !== undefined) { mark.size = sizes[this.size.value]; mark.areas[0].width = mark.areas[0].height = 0; }
    });
    this.#choose(chosen);
  }

  #keys = (event) => {
    if (event.target.closest("textarea, input:not([type=radio], [type=range]), select, dialog")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === "z") { event.preventDefault(); return event.shiftKey ? this._redo() : this._undo(); }
    if (isCommand && event.key.toLowerCase() === "y") { event.preventDefault(); return this._redo(); }
    if (event.key === "Escape") return this.#take("move");
    const mark = this.#marks.find(({ key }) => key === Number(event.target.closest?.("[data-mark]")?.dataset.mark));
    if (!mark || isCommand) return;
    const step = event.altKey ? 0.5 : 4;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (event.key === "Delete" || event.key === "Backspace") { this.#choose(mark.key); this._remove(); }
    else if (event.key === "Enter" && mark.text !== undefined && !mark.face) this.#write(mark);
    else if (moves[event.key]) {
      const start = JSON.parse(JSON.stringify(mark));
      this.#change(() => (event.shiftKey ? scale : shift)(mark, start, ...moves[event.key]));
      this.#choose(mark.key, true);
    } else return;
    event.preventDefault();
  };

  // MARK: The list

  /** Only the notes that are asked for. */
  #sift() {
    const wanted = [...this.querySelectorAll("[data-sift]")].filter(({ value }) => value);
    const notes = [...this.querySelectorAll(".mark-item")];
    for (const note of notes) note.hidden = !wanted.every(({ dataset, value }) => note.dataset[dataset.sift] === value);
    this.querySelector("[data-sifted]").hidden = notes.some((note) => !note.hidden);
  }

  // MARK: What is seen

  #show() {
    for (const group of this.querySelectorAll("[data-mark]")) if (!this.#marks.some(({ key }) => key === Number(group.dataset.mark))) group.remove();
    for (const mark of this.#marks) this.#draw(mark);
    this.querySelector("[data-act=undo]").disabled = !this.#steps.canUndo;
    this.querySelector("[data-act=redo]").disabled = !this.#steps.canRedo;
    this.querySelector("[data-act=save]").disabled = !this.#marks.some((mark) => mark.text !== "");
    this.#allow(this.#marks.find(({ key }) => key === this.#chosen));
  }

  #draw(mark) {
    const svg = this.#svg(mark.page);
    if (!svg) return;
    const group = drawn(mark);
    group.dataset.mark = String(mark.key);
    group.setAttribute("class", `written${mark.key === this.#chosen ? " is-chosen" : ""}`);
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "img");
    group.setAttribute("aria-label", `${this.kinds[mark.kind]}${mark.text ? ": " + mark.text : ""}`);
    group.addEventListener("focus", () => { if (this.#tool === "move" && this.#chosen !== mark.key) this.#choose(mark.key); });
    const old = svg.querySelector(`[data-mark="${mark.key}"]`);
    const hadFocus = old === document.activeElement;
    svg.removeAttribute("aria-hidden");
    if (old) old.replaceWith(group); else svg.append(group);
    const box = group.getBBox();
    group.prepend(shape("rect", { class: "mark-frame", x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6 }));
    if (isBoxed(mark) && !onWords.includes(mark.kind) && mark.kind !== "note") {
      group.append(shape("circle", { class: "mark-handle", "data-handle": "", cx: box.x + box.width + 3, cy: box.y + box.height + 3, r: 6 }));
    }
    if (hadFocus) group.focus({ preventScroll: true });
  }
});

function shift(mark, start, dx, dy) {
  if (start.areas) mark.areas = start.areas.map((area) => ({ ...area, x: area.x + dx, y: area.y + dy }));
  if (start.strokes) mark.strokes = start.strokes.map((stroke) => stroke.map(([x, y, ...more]) => [x + dx, y + dy, ...more]));
}

/** The same at the same place of another page, which may be larger or smaller. */
function placed(mark, from, to, other) {
  const box = mark.areas ? boxOf(mark.areas.flatMap(({ x, y, width, height }) => [[x, y], [x + width, y + height]])) : boxOf(mark.strokes.flat());
  const along = (at, long, room, newRoom) => (room > long ? at / (room - long) : 0) * Math.max(0, newRoom - long);
  const copy = { ...JSON.parse(JSON.stringify(mark)), ...other };
  shift(copy, mark, along(box.x, box.width, from.width, to.width) - box.x, along(box.y, box.height, from.height, to.height) - box.y);
  return copy;
}

/** Larger or smaller from the upper left corner; pictures and names keep their shape. */
function scale(mark, start, dx, dy) {
  if (!start.areas) return;
  const [area] = start.areas;
  if (start.kind === "text" || start.kind === "stamp") {
    const by = Math.max(0.3, 1 + (dx + dy) / 120);
    mark.size = Math.min(200, Math.max(4, Math.round((start.size ?? 12) * by * 2) / 2));
    mark.areas = [{ ...area, width: 0, height: 0 }];
    return;
  }
  const keeps = !["box", "ellipse", "link"].includes(start.kind);
  const width = Math.max(least, area.width + dx), height = keeps ? area.height * width / area.width : Math.max(least, area.height + dy);
  mark.areas = [{ ...area, width, height }];
  if (!start.strokes) return;
  const by = width / area.width;
  mark.strokes = start.strokes.map((stroke) => stroke.map(([x, y, ...more]) => [area.x + (x - area.x) * by, area.y + (y - area.y) * by, ...more]));
  mark.thickness = start.thickness * by;
}

/** The words of a page in the order they are read, each with the row it stands in. */
function wordsOf(found, size) {
  const wide = size.width / found.width, high = size.height / found.height;
  return found.lines.flatMap((line, row) => line.map((word) => ({ x: word.x * wide, y: word.y * high, width: word.width * wide, height: word.height * high, row })));
}

/** One area for each row of some words. */
function rowsOf(words) {
  const rows = new Map();
  for (const word of words) rows.set(word.row, [...rows.get(word.row) ?? [], word]);
  return [...rows.values()].map((row) => boxOf(row.flatMap(({ x, y, width, height }) => [[x, y], [x + width, y + height]])));
}

/** The words a frame was drawn around, or drawn through. */
function within(found, box, size) {
  return rowsOf(wordsOf(found, size).filter((word) => {
    const x = word.x + word.width / 2;
    return x >= box.x && x <= box.x + box.width && word.y + word.height * 0.8 >= box.y && word.y + word.height * 0.2 <= box.y + box.height;
  }));
}

/** One area for each line that lies between two points. */
function between(found, from, to, size) {
  const words = wordsOf(found, size);
  if (!words.length) return [];
  const away = (word, [x, y]) => Math.hypot(Math.max(word.x - x, 0, x - word.x - word.width), 3 * Math.max(word.y - y, 0, y - word.y - word.height));
  const nearest = (point) => words.reduce((best, word, place) => (away(word, point) < away(words[best], point) ? place : best), 0);
  const ends = [nearest(from), nearest(to)].sort((a, b) => a - b);
  if (away(words[ends[0]], from) > 60 && away(words[ends[1]], to) > 60) return [];
  return rowsOf(words.slice(ends[0], ends[1] + 1));
}
