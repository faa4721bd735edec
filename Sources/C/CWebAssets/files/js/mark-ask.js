// One thing asked in words about what was put on a page, before it is done.
import { make } from "./make.js";
import { text } from "./texts.js";

/**
 * @template T
 * @param {{ title: string, label: string, hint: string, yes: string, value: string, inputmode?: string, read: (words: string) => { is: T } | string }} asked
 *   `read` gives what the words mean as `{ is }`, or a sentence about what is wrong with them
 * @returns {Promise<T | undefined>}
 */
export function ask({ title, label, hint, yes, value, inputmode = "text", read }) {
  return new Promise((answer) => {
    let chosen;
    const field = make("input", { type: "text", id: "mark-asked", autocomplete: "off", autocapitalize: "none", spellcheck: false, inputmode, required: true, maxlength: 2000, "aria-describedby": "mark-asked-hint" });
    field.value = value;
    const dialog = make("dialog", { class: "dialog", "aria-labelledby": "mark-asked-title", closedby: "any" },
      make("form", {
        method: "dialog", class: "dialog-body stack",
        onsubmit: (event) => {
          const found = read(field.value.trim());
          field.setCustomValidity(typeof found === "string" ? found : "");
          if (!field.reportValidity()) return event.preventDefault();
          chosen = found.is;
        },
      }, make("h2", { id: "mark-asked-title" }, title),
      make("label", { class: "field" }, make("span", { class: "field-label" }, label), field, make("span", { class: "field-hint", id: "mark-asked-hint" }, hint)),
      make("div", { class: "row row-end" }, make("button", { class: "button", type: "button", onclick: () => dialog.close() }, text("cancel")),
        make("button", { class: "button button-main" }, yes))));
    field.addEventListener("input", () => field.setCustomValidity(""));
    dialog.addEventListener("close", () => { dialog.remove(); answer(chosen); });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}
