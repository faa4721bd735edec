// Where a link on a page leads: asked in words, a web or mail address or the number of a page.
import { make } from "quire/make";
import { text } from "quire/texts";

/**
 * @param {string} now where it leads so far, or nothing @param {number} pages how many there are
 * @returns {Promise<string | undefined>} as the desk reads it: an address, or `#3`
 */
export function askTarget(now, pages) {
  return new Promise((answer) => {
    let chosen;
    const field = make("input", { type: "text", id: "mark-target", autocomplete: "off", autocapitalize: "none", spellcheck: false, inputmode: "url", required: true, maxlength: 2000, "aria-describedby": "mark-target-hint" });
    field.value = (now ?? "").replace(/^#/, "");
    const dialog = make("dialog", { class: "dialog", "aria-labelledby": "mark-target-title", closedby: "any" },
      make("form", {
        method: "dialog", class: "dialog-body stack",
        onsubmit: (event) => {
          const words = field.value.trim(), page = /^#?(\d{1,5})$/.exec(words)?.[1];
          const isThere = page ? page >= 1 && page <= pages : /[.:]/.test(words) && !/\s/.test(words);
          field.setCustomValidity(isThere ? "" : text(page ? "mark.link.noPage" : "mark.link.none", { count: pages }));
          if (!field.reportValidity()) return event.preventDefault();
          chosen = page ? `#${Number(page)}` : words;
        },
      }, make("h2", { id: "mark-target-title" }, text("mark.link.title")),
      make("label", { class: "field" }, make("span", { class: "field-label" }, text("mark.link.target")), field, make("span", { class: "field-hint", id: "mark-target-hint" }, text("mark.link.hint"))),
      make("div", { class: "row row-end" }, make("button", { class: "button", type: "button", onclick: () => dialog.close() }, text("cancel")),
        make("button", { class: "button button-main" }, text("mark.link.yes")))));
    field.addEventListener("input", () => field.setCustomValidity(""));
    dialog.addEventListener("close", () => { dialog.remove(); answer(chosen); });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}
