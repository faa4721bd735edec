// The pages of a paper side by side: they are dragged into another order, turned, cropped, doubled, left out, joined with those of other
// papers, or cut into papers of their own. What was done can be undone until it is kept, and waits in this tab when the page is left.
// Everything goes by keys, too.
import { confirmed } from "./confirm-dialog.js";
import { icon, make } from "./make.js";
import { crop, inset, listed, named, turned } from "./page-crop.js";
import { json } from "./requests.js";
import { text } from "./texts.js";
import { complain, toast } from "./toast-region.js";
import { Steps, Waiting } from "./unkept.js";

const told = "quire-arranged";
const acts = ["left", "right", "double", "remove", "earlier", "later"];
/** A finger scrolls unless it rests so many milliseconds first. */
const rest = 300;
const edge = 90;

customElements.define("page-board", class extends HTMLElement {
  #items = [];
  #first = "";
  #chosen = new Set();
  #at;
  #from;
  #steps = new Steps(100);
  #number = 0;
  #nodes = new Map();
  #drag;
  #isSent = false;
  #waiting;

  connectedCallback() {
    this.list = this.querySelector("[data-pages]");
    this.said = this.querySelector("[data-said]");
    this.#waiting = new Waiting(this, "pages", this.dataset.save);
    this.every = this.querySelector("[data-every]");
    this.take = this.querySelector("[data-act=take]").textContent;
    for (const node of this.list.children) {
      const { page, width, height } = node.dataset, key = ++this.#number;
      this.#items.push({ key, page: Number(page), turn: 0, width: Number(width), height: Number(height) });
      this.#dress(node, key);
    }
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-multiselectable", "true");
    this.#first = this.#order();
    this.#at = this.#items[0]?.key;
    for (const button of this.querySelectorAll("[data-act]")) button.addEventListener("click", () => this[`_${button.dataset.act}`]());
    for (const button of this.querySelectorAll("[data-choose]")) button.addEventListener("click", () => this.#choose(button.dataset.choose));
    this.list.addEventListener("click", this.#click);
    this.list.addEventListener("focusin", (event) => this.#focused(event.target));
    this.list.addEventListener("pointerdown", this.#down);
    this.list.addEventListener("pointermove", this.#move);
    this.list.addEventListener("pointerup", this.#up);
    this.list.addEventListener("pointercancel", this.#cancel);
    this.list.addEventListener("touchmove", (event) => { if (this.#drag?.isHeld) event.preventDefault(); }, { passive: false });
    this.list.addEventListener("contextmenu", (event) => { if (this.#drag) event.preventDefault(); });
    this.addEventListener("keydown", this.#keys);
    addEventListener("beforeunload", this.#warn);
    this.#restore();
    this.#show();
  }

  disconnectedCallback() { removeEventListener("beforeunload", this.#warn); }

  // MARK: What is chosen

  #place(key) { return this.#items.findIndex((item) => item.key === key); }
  #isChosen = ({ key }) => this.#chosen.has(key);
  /** What a key acts on where nothing is chosen: the page it is pressed on. */
  #hold() { if (!this.#chosen.size && this.#at !== undefined) this.#chosen.add(this.#at); }

  /** Pages on which nothing can be read, such as the empty backs in a stack of scans. */
  async #chooseBlank() {
    const empty = new Set();
    toast({ text: text("board.looking") });
    try {
      for (const [document, pages] of this.#byPaper(this.#items)) {
        const all = [...pages];
        // As many as are looked at in one go.
        for (let from = 0; from < all.length; from += 60) {
          const asked = all.slice(from, from + 60);
          const found = await json(`${this.#address(document)}/margins?pages=${asked.join(",")}`);
          const printed = new Set(found.pages.filter(({ blank }) => !blank).map(({ number }) => number));
          for (const page of asked) if (!printed.has(page)) empty.add(`${document} ${page}`);
        }
      }
    } catch (failure) { return complain(failure); }
    this.#chosen = new Set(this.#items.filter(({ page, document, blank }) => blank || empty.has(`${document} ${page}`)).map(({ key }) => key));
    this.#show();
    if (!this.#chosen.size) toast({ text: text("board.noBlank") });
  }

  #choose(which) {
    if (which === "blank") return void this.#chooseBlank();
    const tests = { all: () => true, none: () => false, odd: (place) => place % 2 === 0, even: (place) => place % 2 === 1, others: (place) => !this.#isChosen(this.#items[place]) };
    this.#chosen = new Set(this.#items.filter((_, place) => tests[which](place)).map(({ key }) => key));
    this.#show();
  }

  #extend(to) {
    const ends = [this.#place(this.#from ?? this.#at), this.#place(to)].sort((a, b) => a - b);
    for (const { key } of this.#items.slice(ends[0], ends[1] + 1)) this.#chosen.add(key);
  }

  #click = (event) => {
    const key = this.#key(event.target);
    if (key === undefined || this.#drag) return;
    if (event.shiftKey) this.#extend(key);
    else {
      if (!this.#chosen.delete(key)) this.#chosen.add(key);
      this.#from = key;
    }
    this.#show();
  };

  #key(target) {
    const key = target.closest?.("[data-key]")?.dataset.key;
    return key === undefined ? undefined : Number(key);
  }

  #focused(target) {
    const key = this.#key(target);
    if (key === undefined || key === this.#at) return;
    this.#nodes.get(this.#at)?.setAttribute("tabindex", "-1");
    this.#at = key;
    this.#nodes.get(key).setAttribute("tabindex", "0");
  }

  // MARK: Doing and undoing

  /** @param {() => void} work @param {string} [said] */
  #change(work, said) {
    this.#steps.put(this.#items);
    work();
    this.#settle();
    if (said) this.said.textContent = said;
  }

  #settle() {
    const known = new Set(this.#items.map(({ key }) => key));
    this.#chosen = new Set([...this.#chosen].filter((key) => known.has(key)));
    if (!known.has(this.#at)) this.#at = this.#items[0]?.key;
    if (this.#items[0]) this.#items[0].cut = undefined;
    this.#keep();
    this.#show();
  }

  _undo() { this.#back(this.#steps.undo(this.#items)); }
  _redo() { this.#back(this.#steps.redo(this.#items)); }

  #back(items) {
    if (!items) return;
    this.#items = items;
    this.#settle();
  }

  #turn(by) {
    const count = this.#chosen.size;
    this.#change(() => { for (const item of this.#items.filter(this.#isChosen)) item.turn = (item.turn + by + 360) % 360; }, text("board.turned", { count }));
  }
  _left() { this.#turn(270); }
  _right() { this.#turn(90); }

  /** The chosen pages, or all where none is. */
  async _crop() {
    const items = this.#chosen.size ? this.#items.filter(this.#isChosen) : [...this.#items];
    const [first] = items, keys = new Set(items.map(({ key }) => key));
    const sides = await crop({
      items, face: first.blank ? undefined : this.#face(first, 900), margins: () => this.#margins(items), fail: complain,
    });
    if (!sides) return;
    this.#change(() => {
      for (const item of this.#items) if (keys.has(item.key)) item.crop = named(turned(sides, -item.turn));
    }, text("board.croppedAll", { count: items.length }));
  }

  /** What is white around all of these pages, as they are seen. */
  async #margins(items) {
    let least;
    for (const [document, pages] of this.#byPaper(items)) {
      const found = await json(`${this.#address(document)}/margins?pages=${[...pages].join(",")}`);
      const known = new Map(found.pages.map((page) => [page.number, page]));
      for (const item of items) {
        if (item.document !== document || !known.has(item.page)) continue;
        const sides = turned(listed(known.get(item.page)), item.turn);
        least = least ? least.map((side, place) => Math.min(side, sides[place])) : sides;
      }
    }
    return least;
  }

  /** Which pages of which papers these are. */
  #byPaper(items) {
    const papers = new Map();
    for (const { page, document, blank } of items) if (!blank) papers.set(document, (papers.get(document) ?? new Set()).add(page));
    return papers;
  }

  #address(document) { return document ? `/documents/${document}` : this.dataset.paper; }

  #face({ document, page }, width) { return `${this.#address(document)}/pages/${page}?width=${width}`; }

  _remove() {
    const count = this.#chosen.size;
    if (count === this.#items.length) return toast({ text: text("board.none"), bad: true });
    // Where one goes on from: what follows the last that goes.
    const last = this.#items.findLastIndex(this.#isChosen);
    const next = this.#items.slice(last + 1).find((item) => !this.#isChosen(item)) ?? this.#items.findLast((item) => !this.#isChosen(item));
    this.#change(() => {
      this.#items = this.#items.filter((item) => !this.#isChosen(item));
      this.#at = next.key;
    }, text("board.removed", { count }));
    this.#nodes.get(this.#at)?.focus();
  }

  _double() {
    const made = [];
    const count = this.#chosen.size;
    this.#change(() => {
      this.#items = this.#items.flatMap((item) => {
        if (!this.#isChosen(item)) return [item];
        made.push({ ...item, key: ++this.#number, cut: undefined });
        return [item, made.at(-1)];
      });
      this.#chosen = new Set(made.map(({ key }) => key));
    }, text("board.doubled", { count }));
  }

  _blank() {
    const near = this.#items[this.#behind() - 1] ?? this.#items[0];
    const isLying = near && near.turn % 180;
    this.#insert([{ blank: true, turn: 0, width: (isLying ? near.height : near?.width) ?? 612, height: (isLying ? near.width : near?.height) ?? 792 }]);
  }

  /** Where something new goes: behind the last that is chosen, or at the end. */
  #behind() {
    const last = this.#items.findLastIndex(this.#isChosen);
    return last < 0 ? this.#items.length : last + 1;
  }

  #insert(items) {
    const made = items.map((item) => ({ ...item, key: ++this.#number })), place = this.#behind();
    this.#change(() => {
      this.#items.splice(place, 0, ...made);
      this.#chosen = new Set(made.map(({ key }) => key));
      this.#at = made[0].key;
    }, text("board.added", { count: made.length }));
    this.#nodes.get(this.#at)?.scrollIntoView({ block: "nearest" });
  }

  #put(place) {
    const moved = this.#items.filter(this.#isChosen), others = this.#items.filter((item) => !this.#isChosen(item));
    const order = [...others.slice(0, place), ...moved, ...others.slice(place)];
    if (order.every((item, each) => item === this.#items[each])) return;
    this.#change(() => { this.#items = order; }, text("board.moved", { count: moved.length, place: Math.max(0, place) + 1 }));
  }

  #step(by) {
    const edges = by < 0 ? this.#items.findIndex(this.#isChosen) : this.#items.findLastIndex(this.#isChosen);
    const before = this.#items.slice(0, edges).filter((item) => !this.#isChosen(item)).length;
    this.#put(Math.min(this.#items.length - this.#chosen.size, Math.max(0, before + by)));
    this.#nodes.get(this.#at)?.scrollIntoView({ block: "nearest" });
  }
  _earlier() { this.#step(-1); }
  _later() { this.#step(1); }

  _reverse() {
    const all = this.#chosen.size > 1 ? this.#items.filter(this.#isChosen) : [...this.#items];
    const turned = new Map(all.map((item, place) => [item.key, all[all.length - 1 - place]]));
    this.#change(() => { this.#items = this.#items.map((item) => turned.get(item.key) ?? item); });
  }

  /** The fronts and the backs of one-sided scans, one and one. */
  #weave(isBack) {
    const own = this.#items.filter(({ document, blank }) => !document && !blank), others = this.#items.filter(({ document }) => document);
    if (isBack) others.reverse();
    const blanks = this.#items.filter(({ blank }) => blank);
    this.#change(() => {
      this.#items = Array.from({ length: Math.max(own.length, others.length) }, (_, place) => [own[place], others[place]]).flat().filter(Boolean).concat(blanks);
    });
  }
  _weave() { this.#weave(false); }
  _weaveBack() { this.#weave(true); }

  // MARK: Papers of their own

  _cut() {
    const chosen = this.#items.filter((item, place) => place && this.#isChosen(item));
    const isOn = chosen.some(({ cut }) => !cut);
    this.#change(() => { for (const item of chosen) item.cut = isOn || undefined; });
  }

  _cutEvery() {
    const every = Math.max(1, Number(this.every.value) || 1);
    this.#change(() => this.#items.forEach((item, place) => { item.cut = place % every === 0 || undefined; }));
  }

  async _cutBookmarks() {
    try {
      const { bookmarks } = await json(`${this.dataset.paper}/outline`);
      const pages = new Set(bookmarks.map(({ page }) => page));
      if (!this.#items.some((item, place) => place && !item.document && pages.has(item.page))) return toast({ text: text("board.noBookmarks") });
      this.#change(() => { for (const item of this.#items) item.cut = (!item.document && pages.has(item.page)) || undefined; });
    } catch (failure) { complain(failure); }
  }

  #papers() {
    const papers = [];
    for (const item of this.#items) if (item.cut || !papers.length) papers.push([item]); else papers.at(-1).push(item);
    if (papers.length > 1) return papers;
    const chosen = this.#items.filter(this.#isChosen);
    return chosen.length ? [chosen] : [];
  }

  async _take() {
    const button = this.querySelector("[data-act=take]");
    button.setAttribute("aria-busy", "true");
    try {
      const { documents } = await json(this.dataset.take, { method: "POST", body: { papers: this.#papers().map((paper) => paper.map(wish)) } });
      toast({
        text: text("board.taken", { count: documents.length, name: documents[0].name }),
        action: { label: text("board.show"), run: () => location.assign(documents.length > 1 ? "/documents" : `/documents/${documents[0].id}`) },
      });
    } catch (failure) { complain(failure); } finally { button.removeAttribute("aria-busy"); }
  }

  // MARK: Pages of other papers

  _add() {
    const found = make("ul", { class: "list arrange-found" });
    const field = make("input", { type: "search", class: "input", "aria-label": text("board.search"), placeholder: text("board.search"), autocomplete: "off", autofocus: true });
    const file = make("input", { type: "file", "aria-label": text("board.file") });
    const dialog = make("dialog", { class: "dialog mark-dialog", "aria-labelledby": "add-title", closedby: "any" },
      make("div", { class: "dialog-body" },
        make("h2", { id: "add-title" }, text("board.add")), field, found,
        make("label", { class: "field" }, make("span", { class: "field-label" }, text("board.file")), file),
        make("div", { class: "row row-end" }, make("button", { class: "button", type: "button", onclick: () => dialog.close() }, text("cancel")))));
    const take = async (paper) => {
      dialog.setAttribute("aria-busy", "true");
      try {
        const { pages } = await prepared(`/documents/${paper.id}/pages`);
        dialog.close();
        const isOwn = `/documents/${paper.id}` === this.dataset.paper;
        this.#insert(pages.map(({ number, width, height }) => ({ page: number, turn: 0, width, height, ...!isOwn && { document: paper.id, name: paper.name } })));
      } catch (failure) { complain(failure); } finally { dialog.removeAttribute("aria-busy"); }
    };
    let asked = 0;
    const look = async () => {
      const turn = ++asked;
      try {
        const { documents } = await json(`/documents?limit=8&q=${encodeURIComponent(field.value)}`);
        if (turn !== asked) return;
        found.replaceChildren(...documents.map((paper) => make("li", {},
          make("button", { class: "item", type: "button", onclick: () => take(paper) }, icon("document"), make("span", { class: "item-text", dir: "auto" }, paper.name)))));
        if (!documents.length) found.append(make("li", { class: "soft" }, text("board.noPapers")));
      } catch (failure) { complain(failure); }
    };
    let timer;
    field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 200); });
    file.addEventListener("change", async () => {
      const body = new FormData();
      body.append("file", file.files[0]);
      dialog.setAttribute("aria-busy", "true");
      try {
        const { documents } = await json(`/documents${this.dataset.folder ? `?folder=${this.dataset.folder}` : ""}`, { method: "POST", body });
        await take(documents[0]);
      } catch (failure) { complain(failure); } finally { dialog.removeAttribute("aria-busy"); }
    });
    dialog.addEventListener("close", () => { dialog.remove(); this.querySelector("[data-act=add]").focus(); });
    document.body.append(dialog);
    dialog.showModal();
    look();
  }

  // MARK: Keeping

  async _save() {
    const button = this.querySelector("[data-act=save]"), signer = this.dataset.signer;
    const breaks = Boolean(signer);
    if (signer && !await confirmed(text("board.breaks.ask", { name: signer }), text("board.breaks.yes"))) return;
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      const { remarks } = await json(this.dataset.save, {
        method: "POST", body: { pages: this.#items.map(wish), breakSignatures: breaks, base: Number(this.dataset.version) },
      });
      this.#isSent = true;
      this.#waiting.keep();
      sessionStorage.setItem(told, JSON.stringify(remarks.map(({ kind }) => kind)));
      location.reload();
    } catch (failure) {
      complain(failure);
      button.disabled = false;
    } finally { button.removeAttribute("aria-busy"); }
  }

  #order() { return JSON.stringify(this.#items.map(wish)); }
  get #isChanged() { return this.#order() !== this.#first; }
  #warn = (event) => { if (this.#isChanged && !this.#isSent && !this.#waiting.isKept) event.preventDefault(); };

  #keep() { this.#waiting.keep(this.#isChanged || this.#items.some(({ cut }) => cut) ? this.#items : undefined); }

  #restore() {
    const done = sessionStorage.getItem(told);
    if (done) {
      sessionStorage.removeItem(told);
      const lost = [...new Set(JSON.parse(done))].map((kind) => text(`board.lost.${kind}`));
      toast({ text: [text("board.kept"), ...lost].join(" ") });
    }
    const kept = this.#waiting.take();
    if (!kept) return;
    this.#steps.put(this.#items);
    this.#items = kept;
    this.#number = Math.max(this.#number, ...this.#items.map(({ key }) => key));
    toast({ text: text("board.restored") });
  }

  // MARK: Dragging

  #down = (event) => {
    const key = this.#key(event.target);
    if (key === undefined || event.button > 0 || !event.isPrimary) return;
    clearTimeout(this.#drag?.timer);
    const drag = { key, x: event.clientX, y: event.clientY, id: event.pointerId, isHeld: false, isTouch: event.pointerType === "touch" };
    this.#drag = drag;
    if (drag.isTouch) drag.timer = setTimeout(() => { if (this.#drag === drag) this.#lift(); }, rest);
  };

  #lift() {
    const drag = this.#drag;
    drag.isHeld = true;
    this.list.setPointerCapture(drag.id);
    if (!this.#chosen.has(drag.key)) { this.#chosen = new Set([drag.key]); this.#show(); }
    for (const key of this.#chosen) this.#nodes.get(key).classList.add("is-lifted");
    if (drag.isTouch) navigator.vibrate?.(10);
    const scroll = () => {
      if (this.#drag !== drag) return;
      const by = drag.y < edge ? drag.y - edge : drag.y > innerHeight - edge ? drag.y - innerHeight + edge : 0;
      if (by) { scrollBy(0, by / 4); this.#aim(); }
      requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
  }

  #move = (event) => {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.id) return;
    const way = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    if (!drag.isHeld) {
      if (way < 6) return;
      if (drag.isTouch) return this.#cancel();
      this.#lift();
    }
    drag.x = event.clientX;
    drag.y = event.clientY;
    this.#aim();
    event.preventDefault();
  };

  /** Shows where what is dragged would lie. */
  #aim() {
    const drag = this.#drag, node = document.elementFromPoint(drag.x, drag.y)?.closest?.("[data-key]");
    if (!node || node.parentElement !== this.list) return;
    const box = node.getBoundingClientRect(), isAfter = drag.x > box.left + box.width / 2;
    if (drag.over === node && drag.isAfter === isAfter) return;
    drag.over?.classList.remove("is-before", "is-after");
    Object.assign(drag, { over: node, isAfter });
    node.classList.add(isAfter ? "is-after" : "is-before");
  }

  #up = () => {
    const drag = this.#drag;
    if (!drag?.isHeld) return this.#cancel();
    const { over, isAfter } = drag;
    // The click that follows is part of it.
    setTimeout(() => this.#cancel());
    this.#unmark();
    if (!over) return;
    const place = this.#place(Number(over.dataset.key)) + (isAfter ? 1 : 0);
    this.#put(this.#items.slice(0, place).filter((item) => !this.#isChosen(item)).length);
  };

  #unmark() {
    this.#drag?.over?.classList.remove("is-before", "is-after");
    for (const node of this.list.querySelectorAll(".is-lifted")) node.classList.remove("is-lifted");
  }

  #cancel = () => {
    clearTimeout(this.#drag?.timer);
    this.#unmark();
    this.#drag = undefined;
  };

  // MARK: Keys

  #keys = (event) => {
    if (event.target.closest("input, textarea, select, dialog")) return;
    const isCommand = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
    const does = (work) => { event.preventDefault(); work(); };
    if (isCommand && key === "z") return does(() => (event.shiftKey ? this._redo() : this._undo()));
    if (isCommand && key === "y") return does(() => this._redo());
    if (!this.list.contains(event.target)) return;
    if (isCommand && key === "a") return does(() => this.#choose("all"));
    if (isCommand) return;
    const columns = this.#columns();
    const steps = { arrowleft: -1, arrowright: 1, arrowup: -columns, arrowdown: columns, home: -Infinity, end: Infinity };
    if (key in steps) return does(() => this.#walk(steps[key], event));
    if (key === " " || key === "enter") return does(() => { if (!this.#chosen.delete(this.#at)) this.#chosen.add(this.#at); this.#from = this.#at; this.#show(); });
    if (key === "escape") return does(() => (this.#drag ? this.#cancel() : this.#choose("none")));
    const done = { delete: this._remove, backspace: this._remove, r: event.shiftKey ? this._left : this._right, c: this._crop }[key];
    if (done) does(() => { this.#hold(); done.call(this); });
  };

  #columns() {
    const [first, ...others] = this.list.children;
    const below = others.findIndex((node) => node.offsetTop > first.offsetTop);
    return below < 0 ? this.list.children.length : below + 1;
  }

  #walk(by, event) {
    if (event.altKey) {
      this.#hold();
      return this.#step(Math.max(-this.#items.length, Math.min(this.#items.length, by)));
    }
    const here = this.#place(this.#at), place = Math.min(this.#items.length - 1, Math.max(0, here + by));
    const { key } = this.#items[place];
    if (event.shiftKey) { this.#from ??= this.#at; this.#extend(key); this.#show(); } else this.#from = undefined;
    this.#nodes.get(key).focus();
  }

  // MARK: What is seen

  #dress(node, key) {
    node.dataset.key = key;
    node.setAttribute("role", "option");
    const picture = node.querySelector("img");
    if (picture) picture.alt = "";
    this.#nodes.set(key, node);
  }

  #node(item) {
    let node = this.#nodes.get(item.key);
    if (node) return node;
    const face = item.blank ? make("span", { class: "arrange-blank" })
      : make("img", { src: this.#face(item, 240), alt: "", width: Math.round(item.width), height: Math.round(item.height), loading: "lazy", draggable: "false" });
    if (item.blank) Object.assign(face.style, { aspectRatio: `${item.width} / ${item.height}`, [item.width > item.height ? "inlineSize" : "blockSize"]: "100%" });
    node = make("li", { class: "arrange-page" }, make("span", { class: "arrange-face" }, face), make("span", { class: "arrange-number" }));
    this.#dress(node, item.key);
    return node;
  }

  #show() {
    const hadFocus = this.list.contains(document.activeElement);
    this.#items.forEach((item, place) => {
      const node = this.#node(item), isChosen = this.#chosen.has(item.key), number = place + 1;
      if (this.list.children[place] !== node) this.list.insertBefore(node, this.list.children[place] ?? null);
      const was = item.blank ? text("board.blank") : item.document ? text("board.of", { page: item.page, name: item.name }) : item.page === number ? "" : text("board.was", { page: item.page });
      const angle = item.turn ? text("board.turn", { angle: item.turn }) : "", cut = item.cut ? text("board.begins") : "", cropped = item.crop ? text("board.cropped") : "";
      const label = [text("board.page", { number }), was, angle, cropped, cut].filter(Boolean).join(", ");
      if (node.getAttribute("aria-label") !== label) {
        node.setAttribute("aria-label", label);
        node.lastElementChild.replaceChildren(make("strong", {}, String(number)), was ? ` ${was}` : "");
      }
      node.dataset.turn = item.turn;
      node.querySelector(".arrange-face").firstElementChild.style.clipPath = inset(item);
      node.classList.toggle("is-cut", Boolean(item.cut));
      node.setAttribute("aria-selected", String(isChosen));
      node.setAttribute("tabindex", item.key === this.#at ? "0" : "-1");
    });
    while (this.list.children.length > this.#items.length) this.list.lastElementChild.remove();
    if (hadFocus && !this.list.contains(document.activeElement)) this.#nodes.get(this.#at)?.focus({ preventScroll: true });
    this.#allow();
  }

  #allow() {
    const count = this.#chosen.size, able = (name, isAble) => { this.querySelector(`[data-act=${name}]`).disabled = !isAble; };
    for (const name of acts) able(name, count);
    const others = new Set(this.#items.filter(({ document }) => document).map(({ document }) => document));
    const isWoven = others.size === 1;
    able("undo", this.#steps.canUndo);
    able("redo", this.#steps.canRedo);
    able("blank", true);
    able("crop", this.#items.length);
    able("add", true);
    able("cut", this.#items.some((item, place) => place && this.#isChosen(item)));
    able("cutEvery", this.#items.length > 1);
    able("cutBookmarks", this.#items.length > 1);
    able("reverse", this.#items.length > 1);
    for (const name of ["weave", "weaveBack"]) {
      able(name, isWoven);
      this.querySelector(`[data-act=${name}]`).hidden = !isWoven;
    }
    able("save", this.#isChanged);
    const papers = this.#papers();
    able("take", papers.length);
    this.querySelector("[data-act=take] span").textContent = papers.length > 1 ? text("board.take.cut", { count: papers.length })
      : count ? text("board.take", { count }) : this.take;
    this.said.textContent = count ? text("board.chosen", { count, all: this.#items.length }) : text("board.all", { count: this.#items.length });
  }
});

/** What the server is told of a page. */
function wish({ page, document, blank, turn, crop: hidden }) {
  return { ...blank ? { blank } : { page }, ...document && { document }, ...turn && { turn }, ...hidden && { crop: hidden } };
}

/** The pages of a paper that may have to be prepared first. @param {string} address */
async function prepared(address) {
  for (let tries = 20; ; tries -= 1) {
    try { return await json(address); } catch (failure) {
      if (failure.status !== 503 || !tries) throw failure;
      await new Promise((later) => setTimeout(later, 1500));
    }
  }
}
