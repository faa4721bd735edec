// What pictures of papers are to become: as it was wished last on this device, each member's apart.
import { reader } from "./presence.js";

const place = `quire-scan-wishes:${reader}`;
/** All but the name, which is that of the day. */
const kept = ["scan", "scanSize", "together", "folder", "tags", "words", "language", "auto"];

const fields = (camera) => kept.map((name) => camera.querySelector(`[name="${name}"]`)).filter(Boolean);
const usual = (field) => (field.type === "checkbox" ? field.defaultChecked
  : field.options ? field.options[0].value : field.defaultValue);
const value = (field) => (field.type === "checkbox" ? field.checked : field.value);

/** @param {HTMLElement} camera */
export function recall(camera) {
  let before = {};
  try { before = JSON.parse(localStorage.getItem(place) ?? "{}"); } catch { /* it is what is usual then */ }
  for (const field of fields(camera)) {
    const was = before[field.name];
    if (was === undefined) continue;
    if (field.type === "checkbox") field.checked = was;
    // A folder may be gone, a language no longer installed.
    else if (!field.options || [...field.options].some((option) => option.value === was)) field.value = was;
  }
  // What is not as usual is in sight.
  const more = camera.querySelector("[data-wishes] details");
  if (fields(more).some((field) => value(field) !== usual(field))) more.open = true;
  camera.addEventListener("change", () => {
    const now = Object.fromEntries(fields(camera).map((field) => [field.name, value(field)]));
    try { localStorage.setItem(place, JSON.stringify(now)); } catch { /* a full device keeps pictures first */ }
  });
}

/** As the desk is told. @param {HTMLFormElement} form */
export function wishes(form) {
  const said = new FormData(form);
  const size = said.get("scanSize");
  return {
    name: said.get("name"), scan: said.get("scan"), scanSize: size === "sides" ? "card" : size, scanSides: size === "sides", together: said.get("together") === "1", keep: true,
    folder: said.get("folder") || null, tags: said.get("tags").split(",").map((tag) => tag.trim()).filter(Boolean),
    then: said.get("words") ? [`ocr=${said.get("language") ?? "auto"}`] : [],
  };
}
