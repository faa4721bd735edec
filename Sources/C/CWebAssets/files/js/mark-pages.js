// On which pages something is put: asked in words such as 1-3, 5.
import { make } from "quire/make";
import { text } from "quire/texts";

/**
 * @param {number[]} pages all there are, in order @param {number} own the one it lies on
 * @returns {Promise<number[] | undefined>} without its own
 */
export function choosePages(pages, own) {
  return new Promise((answer) => {
    let chosen;
    const field = make("input", { type: "text", id: "mark-pages", autocomplete: "off", inputmode: "text", required: true, "aria-describedby": "mark-pages-hint" });
    const first = pages[0], last = pages[pages.length - 1];
    field.value = first === last ? String(first) : `${first}-${last}`;
    const dialog = make("dialog", { class: "dialog", "aria-labelledby": "mark-pages-title", closedby: "any" },
      make("form", {
        method: "dialog", class: "dialog-body stack",
        onsubmit: (event) => {
          const found = read(field.value, pages)?.filter((page) => page !== own);
          field.setCustomValidity(found?.length ? "" : text("mark.spread.none"));
          if (!field.reportValidity()) return event.preventDefault();
          chosen = found;
        },
      }, make("h2", { id: "mark-pages-title" }, text("mark.spread.title")),
      make("label", { class: "field" }, make("span", { class: "field-label" }, text("mark.spread.pages")), field, make("span", { class: "field-hint", id: "mark-pages-hint" }, text("mark.spread.hint"))),
      make("div", { class: "row row-end" }, make("button", { class: "button", type: "button", onclick: () => dialog.close() }, text("cancel")),
        make("button", { class: "button button-main" }, text("mark.spread.yes")))));
    field.addEventListener("input", () => field.setCustomValidity(""));
    dialog.addEventListener("close", () => { dialog.remove(); answer(chosen); });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}

/** Those of the pages that are named; nothing when a part of the words is none. */
function read(words, pages) {
  const named = new Set();
  for (const part of words.split(/[,;]/).map((each) => each.trim()).filter(Boolean)) {
    const [, from, to] = /^(\d+)(?:\s*[-–]\s*(\d+))?$/.exec(part) ?? [];
    if (!from) return undefined;
    const ends = [Number(from), Number(to ?? from)].sort((a, b) => a - b);
    for (const page of pages) if (page >= ends[0] && page <= ends[1]) named.add(page);
  }
  return pages.filter((page) => named.has(page));
}
