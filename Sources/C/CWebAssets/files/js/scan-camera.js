// The camera as a scanner: the outline follows the paper, a word says what would make the picture better, and it is taken by
// itself when the paper lies still. What was taken stays on this device until the desk has it (scan-store.js).
import { opened } from "./camera.js";
import { icon, make } from "./make.js";
import { Away } from "./presence.js";
import { json } from "./requests.js";
import { Eye, isBlank, isSame } from "./scan-eye.js";
import { forget, keep, pictures, sending, setSending } from "./scan-store.js";
import { recall, wishes } from "./scan-wishes.js";
import { size, text } from "./texts.js";
import { toast } from "./toast-region.js";

/** What the worker looks at is this long; it finds sheets in small pictures. */
const looked = 640;
/** Taken by itself after so many milliseconds of stillness, and with an outline that is as good as certain. */
const stillness = 600;
const certainty = 0.7;
const advices = ["", "back", "closer", "light", "glare", "flat", "still"];

/** `2026-11-26 12.41.07`, by this device's clock. @param {Date} now */
const stamp = (now) => {
  const two = (part) => String(part).padStart(2, "0");
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join("-");
  return `${day} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(".")}`;
};

customElements.define("scan-camera", class extends HTMLElement {
  #stack = [];
  #stream;
  /** @type {Eye} */
  #eye;
  /** Of each picture the page it becomes, small, and what is told of it. */
  #pages = new Map();
  /** Fetched when the first picture is looked at. @type {import("./scan-review.js").Review | undefined} */
  #review;
  /** The picture that is taken once more. */
  #retaken;
  #isLooking = false;
  #isLookingOver = false;
  #count = 0;
  /** Where the paper lay when it was taken last: the next picture is of another, or of it in another place. */
  #taken;
  #outlined;
  #isBeginning = false;
  #isTaking = false;
  #isSending = false;
  /** A picture is on this device no more, and somebody has to say to go on without it. */
  #isLacking = false;

  async connectedCallback() {
    this.video = this.querySelector("video");
    this.outline = this.querySelector("polygon");
    this.word = this.querySelector("[data-word]");
    this.list = this.querySelector("[data-stack]");
    this.tally = this.querySelector("[data-tally]");
    this.querySelector("[data-shutter]").addEventListener("click", () => this.#take());
    this.querySelector("[data-torch]").addEventListener("click", (event) => this.#light(event.currentTarget));
    this.querySelector("[data-again]").addEventListener("click", () => this.#begin());
    this.querySelector("[data-go]").addEventListener("click", () => this.#go());
    this.querySelector("[data-keep]").addEventListener("click", () => this.#retake());
    this.wishes = this.querySelector("[data-wishes]");
    this.#eye = new Eye(this.getAttribute("worker"), this.getAttribute("module"), (seen) => this.#show(seen));
    for (const name of ["scan", "scanSize"]) this.wishes.elements.namedItem(name).addEventListener("change", () => this.#lookOver());
    const input = this.querySelector("input[type=file]");
    input.form.addEventListener("submit", (event) => event.preventDefault());
    input.addEventListener("change", async () => {
      // Cleared first, so that the same one may be chosen again at once.
      const files = [...input.files];
      input.value = "";
      for (const file of files) await this.#bring(file);
    });
    this.#name(this.wishes);
    recall(this);
    document.addEventListener("visibilitychange", this.#seen);
    document.addEventListener("quire:back", this.#goOn);
    addEventListener("online", this.#goOn);
    addEventListener("beforeunload", this.#leave);
    await this.#remember();
    this.#begin();
    this.#goOn();
  }

  /** Named by the day it is here. */
  #name(form) {
    const field = form.elements.namedItem("name");
    field.value = field.value.replace(form.dataset.day, stamp(new Date()).slice(0, 10));
  }

  disconnectedCallback() {
    this.#end();
    this.#eye.end();
    document.removeEventListener("visibilitychange", this.#seen);
    document.removeEventListener("quire:back", this.#goOn);
    removeEventListener("online", this.#goOn);
    removeEventListener("beforeunload", this.#leave);
  }

  /** What is on this page alone would be gone with it. */
  #leave = (event) => { if (this.#stack.some((each) => each.isLoose)) event.preventDefault(); };

  // MARK: The camera

  /** Let go when nobody looks; phones end it then by themselves. */
  #seen = () => { if (document.hidden) this.#end(); else this.#begin(); };

  async #begin() {
    if (this.#stream || this.#isBeginning || document.hidden) return;
    this.#isBeginning = true;
    const { stream, why } = await opened(3840, 2160);
    this.#isBeginning = false;
    if (!stream) return this.#without(why);
    this.#stream = stream;
    // Nobody has looked any more while the phone asked.
    if (document.hidden || !this.isConnected) return this.#end();
    this.dataset.camera = "on";
    this.video.srcObject = this.#stream;
    await this.video.play().catch(() => {});
    const track = this.#stream.getVideoTracks()[0];
    track.addEventListener("ended", () => { this.#end(); if (!document.hidden) this.#begin(); });
    this.querySelector("[data-torch]").hidden = !track.getCapabilities?.().torch;
    this.#watch();
  }

  #end() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = undefined;
    this.outline.setAttribute("points", "");
    if (this.dataset.camera === "on") delete this.dataset.camera;
  }

  /** Without the live camera the phone's own takes the picture, or files are chosen. */
  #without(why) {
    this.dataset.camera = "off";
    this.querySelector("[data-why]").textContent = text(`scan.camera.${why}`);
  }

  async #light(button) {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    await this.#stream?.getVideoTracks()[0]?.applyConstraints({ advanced: [{ torch: isOn }] }).then(
      () => button.setAttribute("aria-pressed", String(isOn)), () => {});
  }

  // MARK: Looking

  #watch() {
    this.#eye.again();
    const stream = this.#stream;
    const next = () => {
      if (this.#stream !== stream) return;
      this.#look();
      if (this.video.requestVideoFrameCallback) this.video.requestVideoFrameCallback(next);
      else requestAnimationFrame(next);
    };
    next();
  }

  async #look() {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!this.#eye.isReady || this.#isLooking || this.#isTaking || this.#review?.isOpen || !width) return;
    this.#isLooking = true;
    const scale = Math.min(1, looked / Math.max(width, height));
    try {
      const picture = await createImageBitmap(this.video, {
        resizeWidth: Math.round(width * scale), resizeHeight: Math.round(height * scale), resizeQuality: "low",
      });
      this.#eye.look(picture);
    } catch { this.#isLooking = false; }
  }

  /** Without the outline the button still takes pictures. */
  #blind() {
    this.outline.setAttribute("points", "");
    this.word.textContent = this.word.dataset.word = "";
  }

  #show(seen) {
    this.#isLooking = false;
    if (!seen) return this.#blind();
    if (!this.#stream || this.#isTaking || this.#review?.isOpen) return;
    const { corners, isKnown, confidence, stillFor, advice } = seen;
    // The film is as wide as the video is, whatever room it stands in.
    const { videoWidth: width, videoHeight: height } = this.video;
    this.outline.ownerSVGElement.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.outline.setAttribute("points", isKnown ? corners.map(([x, y]) => `${x * width},${y * height}`).join(" ") : "");
    const isGood = isKnown && advice === 0 && confidence >= certainty;
    this.outline.classList.toggle("is-good", isGood);
    const word = isKnown || advice ? advices[advice] || (isGood ? "good" : "still") : "look";
    if (this.word.dataset.word !== word) {
      this.word.dataset.word = word;
      this.word.textContent = text(`scan.word.${word}`);
    }
    this.#outlined = isKnown ? corners : undefined;
    const far = (place) => corners.reduce((sum, [x, y], i) => sum + Math.hypot(x - place[i][0], y - place[i][1]), 0) / 4;
    if (this.#taken && (!isKnown || far(this.#taken) > 0.08)) this.#taken = undefined;
    const isAutomatic = this.querySelector("[data-auto]").checked;
    if (isAutomatic && isGood && stillFor >= stillness && !this.#taken) this.#take();
  }

  // MARK: Taking

  async #take() {
    if (!this.#stream || this.#isTaking || this.#isSending || !this.video.videoWidth) return;
    this.#isTaking = true;
    this.#taken = this.#outlined;
    this.classList.add("is-flashing");
    setTimeout(() => this.classList.remove("is-flashing"), 200);
    try {
      await this.#add(await this.#picture());
    } catch {
      toast({ text: text("upload.failed"), bad: true });
    } finally {
      this.#isTaking = false;
    }
  }

  async #picture() {
    const canvas = make("canvas", { width: this.video.videoWidth, height: this.video.videoHeight });
    canvas.getContext("2d").drawImage(this.video, 0, 0);
    const blob = await new Promise((taken) => canvas.toBlob(taken, "image/jpeg", 0.92));
    // Phones give all canvases together little memory.
    canvas.width = canvas.height = 1;
    if (!blob) throw new Error("the browser made no picture");
    return blob;
  }

  /** Of what is no picture, or a damaged one, nothing is kept but a word. @param {File} file */
  async #bring(file) {
    const { photo } = await import("./scan-photo.js");
    const { blob, why, isStill } = await photo(file).catch(() => ({ why: "scan.odd.damaged" }));
    if (why) return toast({ text: text(why, { name: file.name }), bad: true });
    if (isStill) toast({ text: text("scan.odd.moves", { name: file.name }) });
    await this.#add(blob, isStill ? `${file.name.replace(/\.[^.]*$/, "")}.jpg` : file.name);
  }

  /** @param {Blob} blob */
  async #add(blob, called = `${stamp(new Date())}.jpg`) {
    const old = this.#retaken;
    const picture = {
      id: crypto.randomUUID(), place: old?.place ?? (this.#stack.at(-1)?.place ?? 0) + 1, blob,
      name: this.#called(called),
    };
    if (await this.#write(picture)) navigator.storage?.persist?.().catch(() => {});
    else toast({ text: text("scan.full"), bad: true, action: { label: text("scan.full.go"), run: () => this.#go() } });
    if (old) {
      // The new one is here before the old one goes.
      this.#stack.splice(this.#stack.indexOf(old), 1, picture);
      forget(old.id).catch(() => {});
      this.#retake();
    } else this.#stack.push(picture);
    this.#draw();
    if (old) this.#open(picture);
  }

  /** What it is called on the desk, and known again by: no two have the same name. @param {string} name */
  #called(name) {
    const dot = name.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    let called = name;
    for (let number = 2; this.#stack.some((each) => each.name === called); number += 1) called = `${stem} (${number})${ending}`;
    return called;
  }

  async #remember() {
    try { this.#stack = await pictures(); } catch { this.#stack = []; }
    this.#draw();
  }

  // MARK: The stack

  #draw() {
    const held = document.activeElement?.closest("[data-stack] [data-act]");
    const hold = held && { id: held.closest("li").dataset.id, at: [...this.list.children].indexOf(held.closest("li")), act: held.dataset.act };
    for (const image of this.list.querySelectorAll("img")) URL.revokeObjectURL(image.src);
    this.list.replaceChildren(...this.#stack.map((picture, at) => {
      const name = { number: at + 1 };
      const button = (key, act, sign, run, isThere) => make("button", {
        class: "button button-icon button-quiet", type: "button", "data-act": act, "aria-label": text(key, name), onclick: run,
        hidden: !isThere, disabled: this.#isSending,
      }, icon(sign));
      return make("li", { class: "scan-sheet", "data-id": picture.id },
        make("button", {
          class: "scan-thumb", type: "button", "data-act": "open", disabled: this.#isSending, onclick: () => this.#open(picture),
        }),
        make("span", { class: "scan-acts" },
          button("scan.earlier", "earlier", "previous", () => this.#move(at, -1), at > 0),
          button("scan.remove", "remove", "trash", () => this.#remove(picture), true),
          button("scan.later", "later", "next", () => this.#move(at, 1), at + 1 < this.#stack.length)));
    }));
    this.#mark();
    if (hold) this.#holdAgain(hold);
    const bytes = this.#stack.reduce((sum, { blob }) => sum + blob.size, 0);
    this.dataset.count = this.#stack.length;
    const go = this.querySelector("[data-go]");
    go.disabled = !(this.#stack.length || this.#isLacking) || this.#isSending;
    go.setAttribute("aria-busy", String(this.#isSending));
    // What is taken while the others go would belong to none of them.
    for (const way of this.querySelectorAll("[data-shutter], #scan-files")) way.disabled = this.#isSending;
    const loose = this.#stack.filter((each) => each.isLoose).length;
    if (!this.#isSending) {
      this.tally.textContent = loose ? text("scan.loose", { count: loose }) : text("scan.tally", { count: this.#stack.length, size: size(bytes) });
    }
    if (this.#count !== this.#stack.length) {
      this.#count = this.#stack.length;
      // The newest is in sight.
      this.list.scrollLeft = this.list.scrollWidth;
    }
    this.#lookOver();
  }

  /** Each as the page it becomes, and with a mark where somebody had better look. */
  #mark() {
    for (const [at, item] of [...this.list.children].entries()) {
      // What has arrived on the desk meanwhile is shown until it is drawn anew.
      const picture = this.#stack.find((each) => each.id === item.dataset.id);
      if (!picture) continue;
      const page = this.#pages.get(picture.id)?.page;
      const told = this.#told(picture, true);
      const thumb = item.firstElementChild;
      thumb.setAttribute("aria-label", [text("scan.open", { number: at + 1 }), ...told].join(". "));
      const old = thumb.querySelector("img");
      if (page && old) URL.revokeObjectURL(old.src);
      thumb.replaceChildren(page ?? old ?? make("img", { src: URL.createObjectURL(picture.blob), alt: "" }));
      if (told.length) thumb.append(make("span", { class: "scan-mark" }, icon("warning")));
    }
  }

  /** Where somebody was in the stack they are again, or beside it. */
  #holdAgain({ id, at, act }) {
    const items = [...this.list.children];
    const item = items.find((each) => each.dataset.id === id) ?? items[Math.min(at, items.length - 1)];
    const same = item?.querySelector(`[data-act="${act}"]`);
    (same?.hidden ? item.firstElementChild : same ?? this.querySelector("[data-shutter]")).focus({ preventScroll: true });
  }

  async #move(at, by) {
    const [one, other] = [this.#stack[at], this.#stack[at + by]];
    [one.place, other.place] = [other.place, one.place];
    this.#stack.sort((a, b) => a.place - b.place);
    this.#draw();
    await keep(...[one, other].filter((each) => !each.isLoose)).catch(() => {});
  }

  async #remove(picture, isQuiet = false) {
    const at = this.#stack.indexOf(picture);
    this.#stack.splice(at, 1);
    if (this.#retaken === picture) this.#retake();
    this.#draw();
    if (!isQuiet) {
      toast({ text: text("scan.removed", { number: at + 1 }), action: { label: text("scan.undo"), run: () => this.#putBack(picture) } });
    }
    await forget(picture.id).catch(() => {});
  }

  #putBack(picture) {
    this.#stack.push(picture);
    this.#stack.sort((a, b) => a.place - b.place);
    this.#draw();
    return this.#write(picture);
  }

  /** @returns {Promise<boolean>} whether it is kept on this device */
  async #write(picture) {
    const { isLoose, ...kept } = picture;
    try {
      await keep(kept);
      delete picture.isLoose;
    } catch {
      // The device is full: it stays on this page, and is sent from here.
      picture.isLoose = true;
    }
    return !picture.isLoose;
  }

  // MARK: What pages they become

  /** @param {object} picture */
  async #open(picture) {
    const { Review } = await import("./scan-review.js");
    this.#review ??= new Review(this.querySelector("[data-review]"), this.#behind());
    this.#review.open(picture);
  }

  /** What the review may do with the stack. */
  #behind() {
    const here = this;
    return {
      get pictures() { return here.#stack; },
      page: (picture, most) => here.#page(picture, most),
      told: (picture) => here.#told(picture),
      changed: (picture) => here.#write(picture),
      remove: (picture, isQuiet) => here.#remove(picture, isQuiet),
      putBack: (picture) => here.#putBack(picture),
      retake: (picture) => here.#retake(picture),
      lookOfAll: (look) => {
        if (look) here.wishes.elements.namedItem("scan").value = look;
        for (const picture of here.#stack) {
          delete picture.look;
          here.#write(picture);
        }
        here.#review?.again();
      },
      idle: () => here.#lookOver(),
      left: (picture) => {
        here.#eye.leave();
        here.#mark();
        here.#lookOver();
        here.#holdAgain({ id: picture.id, at: 0, act: "open" });
      },
    };
  }

  /** With its small picture for the stack and what is told of it, which are kept until it is looked at otherwise. */
  async #page(picture, most) {
    const wish = { ...this.#wishFor(picture) };
    const made = await this.#eye.page({ ...wish, blob: picture.blob, most });
    const page = make("canvas", { width: 1, height: 1 });
    const scale = 220 / Math.max(made.picture.width, made.picture.height);
    [page.width, page.height] = [made.picture.width, made.picture.height].map((side) => Math.max(1, Math.round(side * scale)));
    const context = page.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(made.picture, 0, 0, page.width, page.height);
    const { confidence, isWhole, look, print, ink } = made;
    this.#pages.set(picture.id, { page, confidence, isWhole, look, print, ink, wish: JSON.stringify(wish) });
    return made;
  }

  #wishFor({ id, corners, look }) {
    const form = new FormData(this.wishes);
    return { id, corners, look: look ?? form.get("scan"), size: form.get("scanSize") };
  }

  #told(picture, isShort = false) {
    const seen = this.#pages.get(picture.id);
    if (!seen?.print) return [];
    const told = [];
    if (isBlank(seen)) told.push(text("scan.review.blank"));
    else {
      const twin = this.#stack.findIndex((other) => {
        const its = this.#pages.get(other.id);
        return other !== picture && its?.print && !isBlank(its) && isSame(seen, its);
      });
      if (twin >= 0) told.push(text("scan.review.twin", { number: twin + 1 }));
    }
    if (picture.corners) return isShort ? told : [text("scan.review.yours"), ...told];
    if (seen.isWhole) return isShort ? told : [text("scan.review.whole"), ...told];
    if (seen.confidence < certainty) return [text("scan.review.unsure"), ...told];
    return isShort ? told : [text("scan.review.found"), ...told];
  }

  /** One after the other; what somebody looks at closely comes first. */
  async #lookOver() {
    if (this.#isLookingOver) return;
    this.#isLookingOver = true;
    try {
      for (;;) {
        const next = this.#stack.find((each) => this.#pages.get(each.id)?.wish !== JSON.stringify(this.#wishFor(each)));
        if (!next || this.#review?.isAsking || !this.isConnected) return;
        await this.#page(next, 300_000).then(({ picture }) => picture.close(), () => {
          this.#pages.set(next.id, { wish: JSON.stringify(this.#wishFor(next)) });
        });
        this.#mark();
        this.#review?.tell();
      }
    } finally {
      if (!this.#review?.isOpen) this.#eye.leave();
      this.#isLookingOver = false;
    }
  }

  /** The next picture takes the place of this one. @param {object} [picture] nothing: the old one stays */
  #retake(picture) {
    this.#retaken = picture;
    const bar = this.querySelector("[data-retaking]");
    bar.hidden = !picture;
    this.#taken = undefined;
    if (!picture) return;
    bar.querySelector("p").textContent = text("scan.review.retaking", { number: this.#stack.indexOf(picture) + 1 });
    this.scrollIntoView({ block: "start" });
    const way = this.dataset.camera === "on" ? this.querySelector("[data-shutter]") : this.querySelector("#scan-files");
    way.focus({ preventScroll: true });
  }

  // MARK: Sending

  async #go() {
    // What did not arrive goes on in the conversion in which the others are, with what is wished now.
    const before = await sending().catch(() => undefined);
    const there = before?.place ? before.sheets.filter(({ id }) => before.arrived.includes(id)) : [];
    const here = this.#stack.map(({ id, name }) => (
      { id, name: there.some((sheet) => sheet.name === name) ? `${id.slice(0, 8)} ${name}` : name }));
    this.#isLacking = false;
    await this.#send(before?.place
      ? { ...before, sheets: [...there, ...here], wishes: wishes(this.wishes), isChanged: true, lacks: 0 }
      : { key: crypto.randomUUID(), sheets: here, arrived: [], wishes: wishes(this.wishes), lacks: 0 });
  }

  /** What was on its way when the page was closed, or the connection was lost. */
  #goOn = async () => {
    if (this.#isSending) return;
    const order = await sending().catch(() => undefined);
    // Somebody has to say to go on without what is lost.
    if (order?.lacks) this.#lack(order.lacks);
    else if (order) this.#send(order);
  };

  #lack(count) {
    this.#isLacking = true;
    this.#draw();
    toast({ text: text("scan.missing", { count }), bad: true });
  }

  async #send(order) {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#draw();
    // Where nothing can be kept it goes from this page alone.
    const note = () => setSending(order).catch(() => {});
    try {
      await note();
      const lacks = await this.#gather(order, note);
      if (lacks) {
        this.#isSending = false;
        return this.#lack(lacks);
      }
      await setSending(undefined).catch(() => {});
      location.assign(this.hasAttribute("whose") ? order.place : await this.#made(order.place));
    } catch (failure) {
      this.#isSending = false;
      this.#draw();
      if (failure instanceof Away) {
        this.tally.textContent = text("scan.waits", { count: this.#stack.length });
        import("./waiting-acts.js").then((acts) => acts.count()).catch(() => {});
        return;
      }
      // Everything that has not arrived is still here. What somebody gave up on the desk begins anew.
      if (failure.status === 404) await setSending(undefined).catch(() => {});
      toast({ text: failure.message || text("upload.failed"), bad: true });
    }
  }

  /** The one paper that came of it, where it comes soon and nothing has to be said of it; else where one sees how far it is. */
  async #made(place) {
    for (let tries = 0; tries < 30; tries += 1) {
      const { state, results, report } = await json(place).catch(() => ({}));
      if (state === "done" && results.length === 1 && results[0].document && !report?.remarks?.length) return `/documents/${results[0].document}`;
      if (!["waiting", "running"].includes(state)) break;
      await new Promise((later) => setTimeout(later, 300));
    }
    return place;
  }

  /** The desk takes the same key once, so that what is sent again comes in once. @returns {Promise<number>} how many are lost */
  async #gather(order, note) {
    if (order.place) {
      // An answer may have been lost so long ago that the desk does not know the key any more: what is there is there.
      const { papers } = await json(order.place);
      for (const { id, name } of order.sheets) {
        if (!order.arrived.includes(id) && papers.some((paper) => paper.name === name)) await this.#arrived(order, id, note);
      }
    } else {
      const { id } = await json("/conversions", { method: "POST", key: order.key, body: { hold: true, ...order.wishes } });
      order.place = `/conversions/${id}`;
      await note();
    }
    let lacks = 0;
    for (const [at, { id, name }] of order.sheets.entries()) {
      if (order.arrived.includes(id)) continue;
      const picture = this.#stack.find((each) => each.id === id);
      if (!picture) {
        lacks += 1;
        continue;
      }
      this.tally.textContent = text("scan.sending", { number: at + 1, count: order.sheets.length });
      const body = new FormData();
      body.append("file", picture.blob, name);
      if (picture.corners) body.append("corners", JSON.stringify(picture.corners));
      if (picture.look) body.append("scan", picture.look);
      await json(`${order.place}/papers?place=${at + 1}`, { method: "POST", key: `${order.key}-${id}`, body });
      await this.#arrived(order, id, note);
    }
    // Never a page less without a word: the others wait until somebody says to go on without it.
    if (lacks) {
      order.lacks = lacks;
      await note();
      return lacks;
    }
    if (order.isChanged) await json(order.place, { method: "PATCH", body: order.wishes });
    await json(`${order.place}/runs`, { method: "POST", key: `${order.key}-run` });
    return 0;
  }

  async #arrived(order, id, note) {
    order.arrived.push(id);
    await note();
    await forget(id).catch(() => {});
    this.#stack = this.#stack.filter((each) => each.id !== id);
  }
});
