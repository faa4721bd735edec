// How much of the edges of pages is hidden: drawn with a pointer or a finger, moved by keys, typed as lengths, or taken from what
// is printed. All chosen pages are cut alike, as they are seen.
import { make } from "./make.js";
import { text } from "./texts.js";

const names = ["top", "right", "bottom", "left"];
/** What must be left of a page, in points. */
const least = 18;
const reach = 32;
const space = "http://www.w3.org/2000/svg";

/** People who fold Letter sheets think in inches; Canada and Mexico measure them in millimetres. */
const isInches = document.documentElement.lang.startsWith("en") && ["US", undefined].includes(new Intl.Locale(navigator.language).region);
const [unit, points] = isInches ? ["in", 72] : ["mm", 72 / 25.4];

/** What was at the left is above when a page has been turned clockwise. @param {number[]} sides @param {number} angle */
export const turned = (sides, angle) => sides.map((_, place) => sides[(((place - angle / 90) % 4) + 4) % 4]);
export const listed = (crop) => names.map((name) => crop?.[name] ?? 0);
export const named = (sides) => (sides.some((side) => side > 0) ? Object.fromEntries(names.map((name, place) => [name, sides[place]])) : undefined);

/** For the picture of a page that lies in the middle of a square. @param {{width: number, height: number, crop?: object}} item */
export function inset({ width, height, crop }) {
  if (!crop) return "";
  const long = Math.max(width, height), [across, up] = [width / long, height / long];
  const [top, right, bottom, left] = listed(crop);
  const part = (side, length, share) => `${100 * ((1 - share) / 2 + (side / length) * share)}%`;
  return `inset(${part(top, height, up)} ${part(right, width, across)} ${part(bottom, height, up)} ${part(left, width, across)})`;
}

function draw(name, attributes) {
  const node = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/**
 * @param {{items: object[], face?: string, margins: () => Promise<number[] | undefined>, fail: (failure: any) => void}} wish `face` is the
 * picture of the first page, `margins` what may be cut off all of them, as they are seen
 * @returns {Promise<number[] | undefined>} the sides as they are seen, or nothing when it was left
 */
export function crop({ items, face, margins, fail }) {
  const [first] = items, seen = ({ width, height, turn }) => (turn % 180 ? [height, width] : [width, height]);
  const [across, up] = seen(first);
  // What is cut off the smallest of them leaves something of each.
  const most = [0, 1].map((way) => Math.min(...items.map((item) => seen(item)[way])) - least);
  let sides = turned(listed(first.crop), first.turn);

  const picture = draw("image", { width: first.width, height: first.height, preserveAspectRatio: "none", ...face && { href: face }, transform: {
    0: "", 90: `translate(${first.height} 0) rotate(90)`, 180: `translate(${first.width} ${first.height}) rotate(180)`, 270: `translate(0 ${first.width}) rotate(270)`,
  }[first.turn] });
  const shade = draw("path", { class: "crop-shade", "fill-rule": "evenodd" });
  const handles = names.map((name) => draw("line", { class: "page-crop-edge", role: "slider", tabindex: 0, "data-side": name, "aria-label": text(`crop.${name}`), "aria-valuemin": 0, "aria-orientation": name === "top" || name === "bottom" ? "vertical" : "horizontal" }));
  const stage = draw("svg", { class: "page-crop", viewBox: `0 0 ${across} ${up}`, role: "group", "aria-label": text("crop.stage") });
  stage.append(draw("rect", { width: across, height: up, fill: "#fff" }), picture, shade, ...handles);
  const fields = names.map((name, place) => make("input", { type: "number", min: 0, step: isInches ? 0.05 : 1, inputmode: "decimal", "data-field": name, oninput: () => {
    const length = Number(fields[place].value.replace(",", "."));
    if (Number.isFinite(length)) set(place, length * points, true);
  } }));

  /** No edge passes the one across from it. */
  function set(place, length, isTyped = false) {
    const other = sides[(place + 2) % 4];
    sides[place] = Math.max(0, Math.min(length, most[place % 2 ? 0 : 1] - other));
    show(isTyped ? place : undefined);
  }

  function show(typed) {
    const [top, right, bottom, left] = sides;
    shade.setAttribute("d", `M0 0H${across}V${up}H0Z M${left} ${top}H${across - right}V${up - bottom}H${left}Z`);
    const ends = [[left, top, across - right, top], [across - right, top, across - right, up - bottom], [left, up - bottom, across - right, up - bottom], [left, top, left, up - bottom]];
    handles.forEach((handle, place) => {
      ["x1", "y1", "x2", "y2"].forEach((end, each) => handle.setAttribute(end, ends[place][each]));
      const length = round(sides[place]);
      handle.setAttribute("aria-valuenow", length);
      handle.setAttribute("aria-valuemax", round(most[place % 2 ? 0 : 1]));
      handle.setAttribute("aria-valuetext", `${length} ${unit}`);
      if (place !== typed) fields[place].value = length;
    });
  }
  const round = (length) => Number((length / points).toFixed(isInches ? 2 : 1));

  // A finger takes the edges that are nearest to it, two of them at a corner.
  let held = [];
  const place = (event) => {
    const box = stage.getBoundingClientRect(), scale = Math.min(box.width / across, box.height / up);
    return { x: (event.clientX - box.left - (box.width - across * scale) / 2) / scale, y: (event.clientY - box.top - (box.height - up * scale) / 2) / scale, scale };
  };
  stage.addEventListener("pointerdown", (event) => {
    if (event.button || !event.isPrimary) return;
    const { x, y, scale } = place(event);
    const [top, right, bottom, left] = sides;
    const far = [Math.abs(y - top), Math.abs(across - right - x), Math.abs(up - bottom - y), Math.abs(x - left)];
    held = [far[0] <= far[2] ? 0 : 2, far[3] <= far[1] ? 3 : 1].filter((side) => far[side] * scale < reach);
    if (!held.length) return;
    event.preventDefault();
    stage.setPointerCapture(event.pointerId);
    handles[held[0]].focus({ preventScroll: true });
  });
  stage.addEventListener("pointermove", (event) => {
    if (!stage.hasPointerCapture(event.pointerId)) return;
    const { x, y } = place(event);
    for (const side of held) set(side, [y, across - x, up - y, x][side]);
  });
  for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => { held = []; });
  stage.addEventListener("keydown", (event) => {
    const side = handles.indexOf(event.target);
    if (side < 0) return;
    // Towards the middle of the page it is more.
    const more = { 0: "ArrowDown", 1: "ArrowLeft", 2: "ArrowUp", 3: "ArrowRight" }[side], less = { 0: "ArrowUp", 1: "ArrowRight", 2: "ArrowDown", 3: "ArrowLeft" }[side];
    const by = (isInches ? 0.05 : 1) * points * (event.shiftKey ? 10 : 1);
    const to = { [more]: sides[side] + by, [less]: sides[side] - by, Home: 0, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(side, to);
  });

  return new Promise((answer) => {
    let made;
    const suggest = make("button", { class: "button", type: "button", onclick: async () => {
      suggest.setAttribute("aria-busy", "true");
      try {
        const found = await margins();
        // A little white is left around it.
        if (found) found.forEach((margin, side) => { sides[side] = 0; set(side, margin - 9); });
        said.textContent = text(found ? "crop.suggested" : "crop.white");
      } catch (failure) { fail(failure); } finally { suggest.removeAttribute("aria-busy"); }
    } }, text("crop.suggest"));
    const said = make("p", { class: "soft small", role: "status" }, text("crop.hint"));
    // Lengths need not be whole steps, and what is too much is cut down: the form itself refuses nothing.
    const dialog = make("dialog", { class: "dialog mark-dialog", "aria-labelledby": "crop-title" },
      make("form", { class: "dialog-body", method: "dialog", novalidate: true, onsubmit: () => { made = sides; } },
        make("h2", { id: "crop-title" }, text("crop.title", { count: items.length })), stage, said,
        make("div", { class: "page-crop-fields" }, ...names.map((name, each) => make("label", { class: "field" },
          make("span", { class: "field-label" }, `${text(`crop.${name}`)} (${unit})`), fields[each]))),
        make("div", { class: "row" }, suggest, make("button", { class: "button", type: "button", onclick: () => { sides = [0, 0, 0, 0]; show(); } }, text("crop.nothing"))),
        make("p", { class: "small" }, text("crop.hidden")),
        make("div", { class: "row row-end" }, make("button", { class: "button", type: "button", onclick: () => dialog.close() }, text("cancel")),
          make("button", { class: "button button-main" }, text("crop.done")))));
    dialog.addEventListener("close", () => { dialog.remove(); answer(made); });
    document.body.append(dialog);
    show();
    dialog.showModal();
  });
}
