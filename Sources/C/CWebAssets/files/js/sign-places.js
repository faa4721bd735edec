// Places of a form that somebody outside signs by hand: drawn, typed or photographed, and shown where it will stand.
import { make, icon } from "./make.js";
import { chooseSignature, pictured } from "./mark-signature.js";
import { text } from "./texts.js";
import { Waiting } from "./unkept.js";

/** As a form wants a day written; in the language of the page where it does not say. */
function written(pattern, day) {
  if (!pattern) return new Intl.DateTimeFormat(document.documentElement.lang).format(day);
  const part = { d: day.getDate(), m: day.getMonth() + 1, y: day.getFullYear() };
  return pattern.replace(/(d+|m+|y+)/gi, (signs) => {
    const number = part[signs[0].toLowerCase()];
    return signs.length === 2 && signs[0].toLowerCase() === "y" ? String(number % 100).padStart(2, "0") : String(number).padStart(signs.length, "0");
  });
}

customElements.define("sign-places", class extends HTMLElement {
  connectedCallback() {
    const desk = this.closest("fill-desk");
    this.form = this.closest("form");
    this.waiting = new Waiting(desk, "sign", this.form.getAttribute("action"));
    this.places = [...this.querySelectorAll("[data-place]")].map((place) => this.#dressed(place));
    const isShownAgain = desk.querySelector("[role=alert]") !== null;
    const kept = isShownAgain ? [] : this.waiting.take() ?? [];
    for (const place of this.places) {
      const before = kept.find(([name]) => name === place.name)?.[1];
      if (before) place.drawn.value = before;
      else if (!place.drawn.value && place.typed.value) place.drawn.value = JSON.stringify({ text: place.typed.value, width: 300, height: 60 });
      place.typed.value = "";
      this.#show(place);
    }
    desk.addEventListener("click", (event) => {
      const button = event.target.closest("[data-sign]");
      const place = button && this.places.find(({ name }) => name === button.dataset.sign);
      if (place) this.#sign(place);
    });
    this.#count();
  }

  #dressed(item) {
    const place = {
      item, name: item.dataset.place, typed: item.querySelector("input[type=text]"), drawn: item.querySelector("input[type=hidden]"),
      label: item.querySelector(".field-label").textContent, seen: make("div", { class: "sign-seen" }), told: make("span", { role: "status", class: "soft small" }),
    };
    item.querySelector(".sign-typed").hidden = true;
    place.sign = make("button", { class: "button", type: "button", "aria-label": `${text("sign.here")}: ${place.label}`, onclick: () => this.#sign(place) }, icon("pen"), make("span", {}, text("sign.here")));
    place.clear = make("button", { class: "button button-s", type: "button", onclick: () => this.#put(place, "") }, icon("trash"), text("mark.signature.clear"));
    place.day = make("button", { class: "button button-s", type: "button", onclick: () => this.#writeDay(place) }, icon("calendar"), make("span", {}));
    item.append(place.seen, make("div", { class: "row" }, place.sign, place.clear, place.day), place.told);
    return place;
  }

  async #sign(place) {
    const signature = await chooseSignature({ isOutside: true });
    if (signature) this.#put(place, JSON.stringify(signature));
    place.sign.focus();
  }

  #put(place, content) {
    place.drawn.value = content;
    this.#show(place);
    this.#count();
    this.waiting.keep(this.places.filter(({ drawn }) => drawn.value).map(({ name, drawn }) => [name, drawn.value]));
    if (!content) place.sign.focus();
  }

  #show(place) {
    let signature;
    try { signature = JSON.parse(place.drawn.value); } catch { /* not signed yet */ }
    place.seen.replaceChildren(...signature ? [pictured(signature)] : []);
    place.seen.hidden = place.clear.hidden = !signature;
    place.sign.lastChild.textContent = text(signature ? "sign.again" : "sign.here");
    const field = this.#dayField(place);
    place.day.hidden = !signature || !field || field.value !== "";
    if (field) place.day.lastChild.textContent = text("sign.day", { day: written(place.item.dataset.pattern, new Date()), field: place.item.dataset.dateLabel });
    // On the page it stands where it will.
    for (const button of this.form.querySelectorAll("[data-sign]")) {
      if (button.dataset.sign !== place.name) continue;
      place.words ??= button.textContent;
      button.classList.toggle("is-signed", Boolean(signature));
      button.replaceChildren(signature ? pictured(signature) : make("span", {}, place.words));
    }
  }

  #dayField(place) {
    return place.item.dataset.date ? [...this.form.elements].find(({ name }) => name === `v:${place.item.dataset.date}`) : undefined;
  }

  #writeDay(place) {
    const field = this.#dayField(place);
    field.value = written(place.item.dataset.pattern, new Date());
    field.dispatchEvent(new Event("input", { bubbles: true }));
    place.told.textContent = text("sign.day.done", { day: field.value, field: place.item.dataset.dateLabel });
    place.day.hidden = true;
    place.sign.focus();
  }

  #count() {
    const signed = this.places.filter(({ drawn }) => drawn.value).length;
    this.querySelector("[data-signed]").textContent = text("sign.count", { signed, all: this.places.length });
  }
});
