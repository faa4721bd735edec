// A name by hand: one of those that are kept, or a new one that is drawn, typed or photographed.
import { make, icon } from "./make.js";
import { boxOf, drawn, shape } from "./mark-shapes.js";
import { json } from "./requests.js";
import { text } from "./texts.js";
import { complain, toast } from "./toast-region.js";

const own = "/signatures/own";
/** Wider than its shape on the screen, so that a turned phone keeps what was drawn. */
const pad = { width: 600, height: 200 };

/**
 * @param {{isOutside?: boolean}} [options] somebody outside signs, for whom none is kept
 * @returns {Promise<object | undefined>} with its width and height, and `strokes`, `text` or `picture`
 */
export async function chooseSignature({ isOutside = false } = {}) {
  let kept = [], asksFirst = false;
  if (!isOutside) {
    try { ({ signatures: kept, asksFirst } = await json(own)); } catch (failure) {
      // Their owner wants to be asked who is there, which another page does.
      if (failure.field === "proof") return undefined;
      complain(failure);
    }
  }
  return new Promise((answer) => {
    let chosen;
    const list = make("ul", { class: "mark-signatures" });
    const dialog = make("dialog", { class: "dialog mark-dialog", "aria-labelledby": "signature-title", closedby: "any" });
    const done = (signature) => { chosen = signature; dialog.close(); };
    const fill = () => list.replaceChildren(...kept.map((signature) => make("li", { class: "row" },
      make("button", { class: "mark-signature", type: "button", "aria-label": text("mark.signature.use"), onclick: () => done(signature) }, pictured(signature)),
      make("button", {
        class: "button button-icon", type: "button", "aria-label": text("mark.signature.remove"), title: text("mark.signature.remove"),
        onclick: async () => {
          try { await json(`${own}/${signature.id}`, { method: "DELETE" }); } catch (failure) { return complain(failure); }
          kept = kept.filter((each) => each !== signature);
          fill();
        },
      }, icon("trash")))));
    fill();
    const made = maker(isOutside, async (signature, keeps) => {
      if (!keeps) return done(signature);
      try { done(await json(own, { method: "POST", body: signature })); } catch (failure) { complain(failure); }
    });
    dialog.append(make("div", { class: "dialog-body" },
      make("h2", { id: "signature-title" }, text("mark.signature.title")), make("p", { class: "soft small" }, text(isOutside ? "mark.signature.hint.outside" : "mark.signature.hint")),
      list, kept.length ? guard(asksFirst) : "", made, make("div", { class: "row row-end" }, make("button", { class: "button", type: "button", onclick: () => dialog.close() }, text("cancel")))));
    dialog.addEventListener("close", () => { dialog.remove(); answer(chosen); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Whether whoever wants to see them shows first who they are. */
function guard(isOn) {
  const box = make("input", {
    type: "checkbox", checked: isOn,
    onchange: async () => {
      try { await json(`${own}/guard`, { method: "POST", body: { on: box.checked } }); } catch (failure) {
        box.checked = !box.checked;
        complain(failure);
      }
    },
  });
  return make("label", { class: "choice" }, box, make("span", {}, text("mark.signature.guard")));
}

/** What it looks like. */
export function pictured(signature) {
  const svg = shape("svg", { viewBox: `0 0 ${signature.width} ${signature.height}`, "aria-hidden": "true" });
  svg.append(drawn({
    kind: "signature", colour: "#1f3d9a", thickness: 3.5, face: "hand", ...signature,
    areas: [{ x: 0, y: 0, width: signature.width, height: signature.height }],
  }));
  return svg;
}

/** @param {boolean} isOutside @param {(signature: object, keeps: boolean) => void} use */
function maker(isOutside, use) {
  const strokes = [];
  const svg = shape("svg", { viewBox: `0 0 ${pad.width} ${pad.height}`, class: "mark-pad", role: "img", "aria-label": text("mark.signature.pad") });
  const show = () => svg.replaceChildren(drawn({ kind: "ink", colour: "#1f3d9a", thickness: 3.5, strokes }));
  const point = (event) => {
    const place = svg.getBoundingClientRect();
    const at = [(event.clientX - place.left) / place.width * pad.width, (event.clientY - place.top) / place.height * pad.height].map((value) => Math.round(value * 10) / 10);
    if (event.pointerType === "pen") at.push(Math.round(event.pressure * 100) / 100);
    return at;
  };
  let isDown = false;
  svg.addEventListener("pointerdown", (event) => {
    isDown = true;
    svg.setPointerCapture(event.pointerId);
    strokes.push([point(event)]);
    show();
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (!isDown) return;
    const stroke = strokes[strokes.length - 1], all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length ? all : [event]) {
      const at = point(each), last = stroke[stroke.length - 1];
      if (Math.hypot(at[0] - last[0], at[1] - last[1]) > 1.2) stroke.push(at);
    }
    show();
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { isDown = false; });

  const name = make("input", { type: "text", maxlength: 60, autocomplete: "name", id: "signature-name" });
  const file = make("input", { type: "file", accept: "image/*", capture: "environment", id: "signature-photo" });
  const keeps = make("input", { type: "checkbox", checked: !isOutside });
  const go = async () => {
    let signature;
    try {
      if (file.files[0]) signature = await inkOf(file.files[0]);
      else if (name.value.trim()) signature = typed(name.value.trim());
      else if (strokes.length) signature = cut(strokes);
    } catch { return toast({ text: text("mark.picture.bad"), bad: true }); }
    if (!signature) return toast({ text: text("mark.signature.empty"), bad: true });
    use(signature, keeps.checked);
  };
  return make("div", { class: "stack" }, svg,
    make("div", { class: "row" }, make("button", { class: "button button-s", type: "button", onclick: () => { strokes.pop(); show(); } }, icon("undo"), text("mark.signature.back")),
      make("button", { class: "button button-s", type: "button", onclick: () => { strokes.length = 0; show(); } }, icon("trash"), text("mark.signature.clear"))),
    make("details", { class: "more" }, make("summary", {}, text("mark.signature.other")), make("div", { class: "stack" },
      make("label", { class: "field" }, make("span", { class: "field-label" }, text("mark.signature.type")), name),
      make("label", { class: "field" }, make("span", { class: "field-label" }, text("mark.signature.photo")), file))),
    ...isOutside ? [] : [make("label", { class: "choice" }, keeps, make("span", {}, text("mark.signature.keep")))],
    make("div", {}, make("button", { class: "button button-main", type: "button", onclick: go }, text("mark.signature.go"))));
}

/** Only as large as what was drawn. */
function cut(strokes) {
  const box = boxOf(strokes.flat()), left = box.x - 4, top = box.y - 4;
  return { width: Math.max(20, box.width + 8), height: Math.max(10, box.height + 8), strokes: strokes.map((stroke) => stroke.map(([x, y, ...more]) => [x - left, y - top, ...more])) };
}

function typed(words) {
  const brush = document.createElement("canvas").getContext("2d");
  brush.font = "italic 48px Times, serif";
  return { text: words, width: Math.ceil(brush.measureText(words).width) + 8, height: 60 };
}

/** The ink of a name on paper, and nothing of the paper. @param {File} file */
async function inkOf(file) {
  const photo = await createImageBitmap(file);
  const by = Math.min(1, 900 / Math.max(photo.width, photo.height));
  const canvas = document.createElement("canvas");
  const width = canvas.width = Math.max(1, Math.round(photo.width * by)), height = canvas.height = Math.max(1, Math.round(photo.height * by));
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  brush.drawImage(photo, 0, 0, width, height);
  const dots = brush.getImageData(0, 0, width, height), data = dots.data;
  // How light the paper is around each place: shadows of a hand are no ink.
  const cell = 24, across = Math.ceil(width / cell), down = Math.ceil(height / cell), light = new Float32Array(across * down);
  const grey = (at) => data[at] * 0.3 + data[at + 1] * 0.59 + data[at + 2] * 0.11;
  for (let row = 0; row < height; row += 2) for (let column = 0; column < width; column += 2) {
    const place = Math.floor(row / cell) * across + Math.floor(column / cell);
    light[place] = Math.max(light[place], grey((row * width + column) * 4));
  }
  let left = width, right = 0, top = height, bottom = 0;
  for (let row = 0; row < height; row += 1) for (let column = 0; column < width; column += 1) {
    const at = (row * width + column) * 4, ground = light[Math.floor(row / cell) * across + Math.floor(column / cell)] || 255;
    const ink = Math.min(1, Math.max(0, (0.82 - grey(at) / ground) * 3.2));
    data[at] = 20; data[at + 1] = 30; data[at + 2] = 80;
    data[at + 3] = Math.round(ink * 255);
    if (ink > 0.4) { left = Math.min(left, column); right = Math.max(right, column); top = Math.min(top, row); bottom = Math.max(bottom, row); }
  }
  if (right <= left || bottom <= top) throw new Error("no ink");
  brush.putImageData(dots, 0, 0);
  const part = document.createElement("canvas"), edge = 6;
  part.width = right - left + 2 * edge;
  part.height = bottom - top + 2 * edge;
  part.getContext("2d").drawImage(canvas, edge - left, edge - top);
  return { picture: part.toDataURL("image/png"), width: part.width, height: part.height };
}
