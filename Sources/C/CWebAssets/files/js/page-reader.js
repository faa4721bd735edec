// A paper to leaf through: the page one is on, larger and smaller, words that can be chosen and looked for.
import { json } from "./requests.js";
import { text } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const STEPS = [0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.6, 2, 2.6, 3.4];
const folded = (word) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const line = (words) => {
  const paragraph = document.createElement("p");
  paragraph.className = "soft";
  paragraph.textContent = words;
  return paragraph;
};
/** `595x842*499 842x595*1`: width and height, and how many sheets in a row are alike. */
const sizesOf = (text) => text.split(" ").filter(Boolean).flatMap((run) => {
  const [width, height, count] = run.split(/[x*]/).map(Number);
  return Array(count).fill({ width, height });
});
const wrapped = (content) => {
  const item = document.createElement("li");
  item.append(content);
  return item;
};

customElements.define("page-reader", class extends HTMLElement {
  #step = STEPS.indexOf(1);
  #turn = 0;
  #words = [];
  #hitPages = [];
  #hit = -1;

  connectedCallback() {
    this.well = this.querySelector("[data-sheets]");
    this.number = this.querySelector("[data-number]");
    this.sizes = sizesOf(this.dataset.sizes);
    this.sheets = [...this.querySelectorAll("[data-page]")];
    const [first] = this.sheets;
    this.addEventListener("click", this.#click);
    this.addEventListener("keydown", this.#keys);
    this.number.addEventListener("change", () => this.go(Number(this.number.value)));
    const form = this.querySelector("[data-search]");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#look(form.elements.q.value);
    });
    form.elements.q.addEventListener("search", () => this.#look(form.elements.q.value));
    // Words come with the page one sees, and a little before.
    this.near = new IntersectionObserver((seen) => {
      for (const one of seen) if (one.isIntersecting) this.#fill(one.target);
    }, { root: this.well, rootMargin: "40%" });
    // The page that takes the most room is the one one is on.
    this.seen = new Map();
    this.on = new IntersectionObserver((seen) => {
      for (const one of seen) this.seen.set(one.target, one.intersectionRect.height);
      this.#place();
    }, { root: this.well, threshold: [0, 0.25, 0.5, 0.75, 1] });
    for (const sheet of this.sheets) this.on.observe(sheet);
    addEventListener("beforeprint", this.#grow);
    // The first page is waited for; all else comes after it.
    const picture = first.querySelector("img");
    const grow = () => requestAnimationFrame(() => setTimeout(this.#grow));
    if (picture.complete) grow();
    else for (const end of ["load", "error"]) picture.addEventListener(end, grow, { once: true });
    const asked = Number(/^#page-(\d+)$/.exec(location.hash)?.[1] ?? first.dataset.page);
    if (location.hash) {
      if (asked > 1) this.go(asked);
      // The browser goes there with the whole window. Where the page fits beside its tools, those are to be seen.
      const top = () => {
        if (matchMedia("(min-width: 62rem)").matches) scrollTo({ top: 0, behavior: "instant" });
      };
      top();
      addEventListener("load", () => requestAnimationFrame(top), { once: true });
    }
    if (form.elements.q.value) this.#look(form.elements.q.value);
  }

  disconnectedCallback() {
    this.near.disconnect();
    this.on.disconnect();
    removeEventListener("beforeprint", this.#grow);
  }

  /** The sheets that did not come with the page, and the small pictures. */
  #grow = () => {
    if (this.grown || !this.isConnected) return;
    this.grown = true;
    const start = Number(this.sheets[0].dataset.page);
    const side = this.querySelector(".reader-side ol");
    const smalls = [...side.children];
    const isSent = (number) => number >= start && number < start + smalls.length;
    const sheets = this.sheets;
    this.sheets = this.sizes.map((_, place) => isSent(place + 1) ? sheets[place + 1 - start] : this.#sheet(place + 1));
    const items = this.sizes.map((_, place) => {
      const item = isSent(place + 1) ? smalls[place + 1 - start] : this.#small(smalls[0], place + 1);
      item.firstElementChild.prepend(this.#picture(place + 1, 160));
      return item;
    });
    // What is there already stays where it is, with the focus it may have.
    for (const [well, all] of [[this.well, this.sheets], [side, items]]) {
      all[start - 1].before(...all.slice(0, start - 1));
      well.append(...all.slice(start - 1 + smalls.length));
    }
    this.sheets.forEach((sheet, place) => {
      const { width, height } = this.sizes[place];
      // Pages that are not laid out yet take the room they will take, so that one arrives where one wants to go.
      sheet.style.aspectRatio = `${width} / ${height}`;
      this.near.observe(sheet);
      this.on.observe(sheet);
    });
  };

  #sheet(number) {
    const sheet = document.createElement("figure");
    sheet.className = "page-picture reader-sheet";
    sheet.id = `page-${number}`;
    sheet.dataset.page = String(number);
    const picture = this.#picture(number, 900);
    picture.alt = this.dataset.alternative.replace("{number}", () => String(number));
    sheet.append(picture);
    return sheet;
  }

  #small(like, number) {
    const item = like.cloneNode(true);
    const link = item.firstElementChild;
    link.querySelector("img")?.remove();
    link.removeAttribute("aria-current");
    link.href = `#page-${number}`;
    link.dataset.small = String(number);
    link.firstElementChild.lastChild.data = String(number);
    return item;
  }

  #picture(number, width) {
    const image = document.createElement("img");
    image.loading = "lazy";
    image.alt = "";
    image.width = this.sizes[number - 1].width;
    image.height = this.sizes[number - 1].height;
    image.src = `${this.dataset.pages}/${number}?width=${width}`;
    return image;
  }

  /** @param {number} number */
  go(number) {
    this.#grow();
    const sheet = this.sheets[Math.min(Math.max(1, number || 1), this.sheets.length) - 1];
    this.well.scrollTo({ top: sheet.offsetTop - 8 });
  }

  get here() { return Number(this.number.value) || 1; }

  #place() {
    let best, most = 0;
    for (const [sheet, height] of this.seen) if (height > most) [best, most] = [sheet, height];
    if (!best || document.activeElement === this.number) return;
    this.number.value = best.dataset.page;
    for (const small of this.querySelectorAll("[data-small]")) {
      const isHere = small.dataset.small === best.dataset.page;
      if (small.closest("[data-outline]") || isHere === small.hasAttribute("aria-current")) continue;
      small.toggleAttribute("aria-current", isHere);
      if (!isHere) continue;
      const side = small.closest(".reader-side");
      side.scrollBy({ top: small.getBoundingClientRect().top - side.getBoundingClientRect().top - 80 });
    }
  }

  #click = (event) => {
    const small = event.target.closest("[data-small]");
    if (small) {
      event.preventDefault();
      this.go(Number(small.dataset.small));
      return;
    }
    switch (event.target.closest("[data-act]")?.dataset.act) {
    case "smaller": this.#scale(this.#step - 1); break;
    case "larger": this.#scale(this.#step + 1); break;
    case "fit": this.#toggle("fit", "is-fit"); break;
    case "pairs": this.#toggle("pairs", "is-pairs"); break;
    case "turn": this.#turnBy(90); break;
    case "outline": this.#showOutline(event.target.closest("button")); break;
    case "hit-before": this.#toHit(this.#hit - 1); break;
    case "hit-after": this.#toHit(this.#hit + 1); break;
    }
  };

  #keys = (event) => {
    if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      PageDown: () => this.go(this.here + 1), PageUp: () => this.go(this.here - 1),
      Home: () => this.go(1), End: () => this.go(this.sizes.length),
      "+": () => this.#scale(this.#step + 1), "-": () => this.#scale(this.#step - 1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  #scale(step) {
    const here = this.here;
    this.#step = Math.min(Math.max(0, step), STEPS.length - 1);
    if (this.well.classList.contains("is-fit")) this.#toggle("fit", "is-fit");
    this.well.style.setProperty("--scale", String(STEPS[this.#step]));
    this.#sharpen();
    this.go(here);
  }

  #toggle(act, css) {
    const here = this.here;
    const isOn = this.well.classList.toggle(css);
    this.querySelector(`[data-act=${act}]`).setAttribute("aria-pressed", String(isOn));
    this.go(here);
  }

  #turnBy(degrees) {
    const here = this.here;
    this.#turn = (this.#turn + degrees) % 360;
    this.well.dataset.turn = String(this.#turn);
    this.go(here);
  }

  /** Drawn larger when they are looked at larger; the pictures of 900 pixels stay until then. */
  #sharpen() {
    if (STEPS[this.#step] * devicePixelRatio < 1.3) return;
    this.#grow();
    for (const sheet of this.sheets) {
      const image = sheet.querySelector("img");
      image.src = image.getAttribute("src").replace(/width=\d+/, "width=1600");
    }
  }

  async #fill(sheet) {
    if (sheet.dataset.filled) return;
    sheet.dataset.filled = "yes";
    let found;
    try {
      found = await json(`${this.dataset.pages}/${sheet.dataset.page}/words`);
    } catch {
      // The picture can be read without; another look tries again.
      delete sheet.dataset.filled;
      return;
    }
    const layer = document.createElementNS(SVG, "svg");
    layer.setAttribute("viewBox", `0 0 ${found.width} ${found.height}`);
    layer.setAttribute("class", "reader-words");
    for (const line of found.lines) {
      const row = document.createElementNS(SVG, "text");
      line.forEach((word, place) => {
        const piece = document.createElementNS(SVG, "tspan");
        piece.setAttribute("x", word.x);
        piece.setAttribute("y", word.y + word.height * 0.8);
        piece.setAttribute("font-size", word.height * 0.9);
        piece.setAttribute("textLength", Math.max(1, word.width));
        piece.setAttribute("lengthAdjust", "spacingAndGlyphs");
        piece.textContent = word.text;
        row.append(piece);
        if (place < line.length - 1) row.append(" ");
      });
      layer.append(row);
    }
    sheet.found = found;
    sheet.append(layer);
    this.#mark(sheet);
  }

  #showOutline(button) {
    const place = this.querySelector("[data-outline]");
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    if (!place.hidden) this.#outline(place);
  }

  /** The chapters of the paper and what it carries, once somebody wants to see them. */
  async #outline(place) {
    if (place.dataset.filled) return;
    place.dataset.filled = "yes";
    let found;
    try {
      found = await json(`${this.dataset.paper}/outline`);
    } catch (error) {
      delete place.dataset.filled;
      place.replaceChildren(line(error.message));
      return;
    }
    const parts = [];
    if (found.bookmarks.length) parts.push(this.#chapters(found.bookmarks));
    if (found.attachments.length) {
      const list = document.createElement("ul");
      found.attachments.forEach((file, index) => {
        const link = document.createElement("a");
        link.href = `${this.dataset.paper}/attachments/${index + 1}`;
        link.download = file.name;
        link.textContent = file.name;
        list.append(wrapped(link));
      });
      const title = document.createElement("h2");
      title.textContent = text("read.attachments");
      parts.push(title, list);
    }
    place.replaceChildren(...(parts.length ? parts : [line(text("read.outline.none"))]));
  }

  #chapters(bookmarks) {
    const list = document.createElement("ul");
    for (const bookmark of bookmarks) {
      const link = document.createElement(bookmark.page ? "a" : "span");
      link.textContent = bookmark.title;
      if (bookmark.page) {
        link.href = `#page-${bookmark.page}`;
        link.dataset.small = String(bookmark.page);
      }
      const item = wrapped(link);
      if (bookmark.children?.length) item.append(this.#chapters(bookmark.children));
      list.append(item);
    }
    return list;
  }

  async #look(words) {
    const hits = this.querySelector("[data-hits]");
    this.#words = words.split(/\s+/).map(folded).filter(Boolean);
    this.#hitPages = [];
    this.#hit = -1;
    for (const sheet of this.sheets) this.#mark(sheet);
    if (!this.#words.length) return void (hits.textContent = "");
    const found = await json(`${this.dataset.pages}?q=${encodeURIComponent(words)}`);
    this.#hitPages = found.pages.map((page) => page.number);
    if (this.#hitPages.length) this.#toHit(0);
    else hits.textContent = text("read.none");
  }

  #toHit(place) {
    if (!this.#hitPages.length) return;
    this.#hit = (place + this.#hitPages.length) % this.#hitPages.length;
    const number = this.#hitPages[this.#hit];
    this.querySelector("[data-hits]").textContent =
      text("read.hits", { place: this.#hit + 1, count: this.#hitPages.length });
    this.go(number);
    this.#fill(this.sheets[number - 1]);
  }

  #mark(sheet) {
    if (!sheet.found) return;
    const layer = sheet.querySelector("svg");
    for (const old of layer.querySelectorAll("rect")) old.remove();
    if (!this.#words.length) return;
    for (const word of sheet.found.lines.flat()) {
      const plain = folded(word.text);
      if (!this.#words.some((wanted) => plain.includes(wanted))) continue;
      const box = document.createElementNS(SVG, "rect");
      for (const side of ["x", "y", "width", "height"]) box.setAttribute(side, word[side]);
      layer.prepend(box);
    }
  }
});
