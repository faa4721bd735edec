// What is written on pages, as it will look once it is kept.
const space = "http://www.w3.org/2000/svg";

export const shape = (name, attributes) => {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** Smooth through all points. */
function smooth(points) {
  if (points.length === 1) return `M${points[0][0]} ${points[0][1]}l0.01 0`;
  let path = `M${points[0][0]} ${points[0][1]}`;
  for (let place = 1; place < points.length; place += 1) {
    const before = points[Math.max(0, place - 2)], from = points[place - 1], to = points[place], after = points[Math.min(points.length - 1, place + 1)];
    path += `C${from[0] + (to[0] - before[0]) / 6} ${from[1] + (to[1] - before[1]) / 6} ${to[0] - (after[0] - from[0]) / 6} ${to[1] - (after[1] - from[1]) / 6} ${to[0]} ${to[1]}`;
  }
  return path;
}

/** Up and down below words. */
function wave({ x, y, width, height }) {
  const line = Math.max(0.6, height * 0.06), step = Math.max(1.5, height * 0.12), low = y + height - line, points = [];
  for (let at = 0; at < width + step && points.length < 4_000; at += step) points.push(`${x + Math.min(at, width)},${low - points.length % 2 * step * 0.9}`);
  return points.join(" ");
}

/** What holds all of some points. */
export function boxOf(points) {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const x = Math.min(...xs), y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** @returns {SVGGElement} */
export function drawn(mark) {
  const group = shape("g", mark.opacity < 1 ? { opacity: mark.opacity } : {});
  const { colour = "#111827", thickness = 1.5 } = mark;
  const line = { fill: "none", stroke: colour, "stroke-width": thickness, "stroke-linecap": "round", "stroke-linejoin": "round" };
  const [area] = mark.areas ?? [];
  switch (mark.kind) {
  case "highlight":
    for (const { x, y, width, height } of mark.areas) group.append(shape("rect", { x, y, width, height, fill: colour, class: "mark-multiplied" }));
    break;
  case "link":
    for (const each of mark.areas) group.append(shape("rect", { ...each, fill: "#1f3d9a", "fill-opacity": 0.1, stroke: "#1f3d9a", "stroke-width": 1, "stroke-dasharray": "3 2" }));
    break;
  case "underline": case "strike":
    for (const each of mark.areas) {
      const y = each.y + each.height * (mark.kind === "strike" ? 0.58 : 0.93);
      group.append(shape("rect", { ...each, fill: "transparent" }), shape("line", { x1: each.x, x2: each.x + each.width, y1: y, y2: y, stroke: colour, "stroke-width": Math.max(0.6, each.height * 0.06) }));
    }
    break;
  case "squiggle":
    for (const each of mark.areas) group.append(shape("rect", { ...each, fill: "transparent" }), shape("polyline", { ...line, "stroke-width": Math.max(0.6, each.height * 0.06), points: wave(each) }));
    break;
  case "note":
    group.append(shape("path", { d: "M3 14.500V3h14v11.500h-7L6 18v-3.500zM6 6.400h8M6 8.800h8M6 11.200h5", fill: colour, stroke: "#40331a", "stroke-width": 0.9, transform: `translate(${area.x} ${area.y})` }));
    break;
  case "tick":
    group.append(shape("polyline", { ...line, "stroke-width": Math.max(0.8, area.width * 0.12), points: [[0.08, 0.54], [0.38, 0.88], [0.92, 0.1]].map(([x, y]) => `${area.x + x * area.width},${area.y + y * area.height}`).join(" ") }), shape("rect", { ...area, fill: "transparent" }));
    break;
  case "cross":
    for (const [y1, y2] of [[0.12, 0.88], [0.88, 0.12]]) group.append(shape("line", { ...line, "stroke-width": Math.max(0.8, area.width * 0.12), x1: area.x + area.width * 0.12, x2: area.x + area.width * 0.88, y1: area.y + area.height * y1, y2: area.y + area.height * y2 }));
    group.append(shape("rect", { ...area, fill: "transparent" }));
    break;
  case "box":
    group.append(shape("rect", { ...line, fill: "transparent", ...area }));
    break;
  case "ellipse":
    group.append(shape("ellipse", { ...line, fill: "transparent", cx: area.x + area.width / 2, cy: area.y + area.height / 2, rx: area.width / 2, ry: area.height / 2 }));
    break;
  case "line": case "arrow": {
    const [[from, to]] = mark.strokes.map((stroke) => [stroke[0], stroke[stroke.length - 1]]);
    group.append(shape("line", { ...line, x1: from[0], y1: from[1], x2: to[0], y2: to[1] }));
    if (mark.kind === "arrow") {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, reach = 5 + thickness * 3;
      const [x, y] = [(from[0] - to[0]) / length * reach, (from[1] - to[1]) / length * reach];
      group.append(shape("polyline", { ...line, points: `${to[0] + x * 0.87 - y * 0.5},${to[1] + y * 0.87 + x * 0.5} ${to[0]},${to[1]} ${to[0] + x * 0.87 + y * 0.5},${to[1] + y * 0.87 - x * 0.5}` }));
    }
    break;
  }
  case "ink": case "signature": case "picture":
    if (mark.strokes) {
      for (const stroke of mark.strokes) {
        const isPressed = stroke.some((point) => point[2] !== undefined && point[2] !== stroke[0][2]);
        if (!isPressed) group.append(shape("path", { ...line, d: smooth(stroke) }));
        else stroke.slice(1).forEach((to, place) => {
          const from = stroke[place], weight = ((from[2] ?? 0.5) + (to[2] ?? 0.5)) / 2;
          group.append(shape("line", { ...line, "stroke-width": thickness * (0.35 + 1.3 * weight), x1: from[0], y1: from[1], x2: to[0], y2: to[1] }));
        });
      }
      if (mark.kind === "signature") group.append(shape("rect", { ...area, fill: "transparent" }));
    } else if (mark.picture) group.append(shape("image", { ...area, href: mark.picture }));
    else words(group, mark, { anchor: true });
    break;
  case "stamp": {
    words(group, mark, { inset: (mark.size ?? 18) * 0.4, isBold: true });
    break;
  }
  case "text": words(group, mark, {});
  }
  return group;
}

/** Lines of words; measured roughly, as only the server knows its letters. */
function words(group, mark, { inset = 0, isBold = false, anchor = false }) {
  const [area] = mark.areas, lines = (mark.text || "…").split("\n");
  const size = anchor ? Math.max(6, Math.min(area.height / 1.2, area.width / Math.max(1, mark.text.length) * 2.2)) : mark.size ?? 12;
  const family = mark.face === "hand" ? "Times, \"Liberation Serif\", serif" : "Helvetica, Arial, \"Liberation Sans\", sans-serif";
  const widest = lines.reduce((most, each) => Math.max(most, width(each, size, family, isBold)), 0);
  const wide = anchor ? area.width : widest + 2 * inset, high = anchor ? area.height : lines.length * size * 1.2 + 2 * inset;
  group.append(shape("rect", { x: area.x, y: area.y, width: wide, height: high, fill: "transparent", ...mark.kind === "stamp" ? { stroke: mark.colour, "stroke-width": Math.max(1, size * 0.09) } : {} }));
  lines.forEach((each, place) => {
    const element = shape("text", { x: anchor ? area.x + area.width / 2 : area.x + inset, y: area.y + (anchor ? (area.height - size * 1.2) / 2 : inset) + size * (0.94 + place * 1.2), "font-size": size, fill: mark.colour ?? "#111827", "font-family": family, ...isBold ? { "font-weight": 700 } : {}, ...anchor ? { "text-anchor": "middle", "font-style": "italic" } : {} });
    element.textContent = each;
    group.append(element);
  });
}

let brush;
function width(text, size, family, isBold) {
  brush ??= document.createElement("canvas").getContext("2d");
  brush.font = `${isBold ? "bold " : ""}${size}px ${family}`;
  return brush.measureText(text).width;
}

/** A picture no larger than what a page can show, as a data address. @param {Blob} file @param {number} most */
export async function fits(file, most) {
  const picture = await createImageBitmap(file);
  const by = Math.min(1, most / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * by);
  canvas.height = Math.round(picture.height * by);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const isPhoto = file.type === "image/jpeg";
  return { picture: canvas.toDataURL(isPhoto ? "image/jpeg" : "image/png", 0.85), width: canvas.width, height: canvas.height };
}
