// A moment in the reader's zone and words: "3 minutes ago" with the full date as its title.
import { language } from "./texts.js";

const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const wall = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const full = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const steps = [[60, "second"], [60, "minute"], [24, "hour"], [7, "day"]];

/** @param {Date} date */
function distance(date) {
  let value = (date - Date.now()) / 1000;
  if (Math.abs(value) < 45) return relative.format(0, "second");
  for (const [size, unit] of steps) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit);
    value /= size;
  }
  return day.format(date);
}

customElements.define("local-time", class extends HTMLElement {
  #timer;

  connectedCallback() {
    this.#show();
    if (this.getAttribute("show") === "relative") this.#timer = setInterval(() => this.#show(), 60_000);
  }

  disconnectedCallback() { clearInterval(this.#timer); }

  #show() {
    const time = this.querySelector("time");
    const date = new Date(time.dateTime);
    const show = this.getAttribute("show");
    // A day on the calendar is the same in every zone.
    if (show === "day") {
      time.textContent = wall.format(date);
      return;
    }
    time.textContent = show === "relative" ? distance(date) : show === "date" ? day.format(date) : full.format(date);
    time.title = full.format(date);
  }
});
