// The bar that says why a page waits, and the way on. What said that everything is kept does not say so meanwhile.
import { make } from "./make.js";
import { look } from "./presence.js";
import { text } from "./texts.js";
import { toast } from "./toast-region.js";

const doors = { out: "/sign-in?next=/presence", locked: "/unlock?next=/presence" };
let bar;

const words = { out: text("away.out"), locked: text("away.locked"), offline: text("away.offline") };
const ways = { out: text("away.out.way"), locked: text("away.locked.way"), offline: text("away.offline.way") };

function way(why) {
  const label = ways[why];
  // Beside this page, so that what stands in it stays.
  return doors[why]
    ? make("a", { class: "button button-s", href: doors[why], target: "_blank" }, label)
    : make("button", { class: "button button-s", type: "button", onclick: () => look() }, label);
}

/** @param {string} why @param {boolean} wasPressed */
export function show(why, wasPressed) {
  if (bar?.dataset.why !== why) {
    bar?.remove();
    bar = make("div", { class: "away", "data-why": why },
      make("div", { role: "alert" }, make("p", {}, words[why]), make("p", { "data-unsent": true })), way(why));
    (document.querySelector(".topbar") ?? document.body).append(bar);
    for (const kept of document.querySelectorAll("[data-kept]")) {
      kept.dataset.kept ||= kept.textContent;
      kept.textContent = text("away.unkept");
    }
  }
  if (wasPressed) {
    bar.querySelector("[data-unsent]").textContent = text("away.unsent");
    bar.getAnimations().forEach((each) => each.cancel());
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) bar.animate({ opacity: [0.3, 1] }, 300);
  }
}

export function hide() {
  if (!bar) return;
  bar.remove();
  bar = undefined;
  for (const kept of document.querySelectorAll("[data-kept]")) {
    if (kept.dataset.kept) kept.textContent = kept.dataset.kept;
    kept.dataset.kept = "";
  }
  toast({ text: text("away.back") });
}
