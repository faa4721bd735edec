// Asks before what cannot be undone.
import { make } from "./make.js";
import { text } from "./texts.js";

/**
 * @param {string} question @param {string} yes what the button says that does it
 * @param {{isCalm?: boolean}} [options] nothing is taken away
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes, { isCalm = false } = {}) {
  return new Promise((answer) => {
    const dialog = make("dialog", { class: "dialog", "aria-labelledby": "question", closedby: "any" },
      make("form", { method: "dialog", class: "dialog-body" }, make("p", { id: "question" }, question),
        make("div", { class: "row row-end" },
          make("button", { class: "button", value: "no", autofocus: true }, text("cancel")),
          make("button", { class: `button button-main${isCalm ? "" : " button-danger"}`, value: "yes" }, yes))));
    dialog.addEventListener("close", () => { dialog.remove(); answer(dialog.returnValue === "yes"); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * What its form asks before it is sent.
 * @param {HTMLFormElement} form @param {HTMLElement} [button] the one that was pressed
 */
export const allowed = (form, button) => {
  // Red is for what takes something away; a button that leads on keeps its colour here.
  const isCalm = button?.matches(".button-main, .way-main");
  return confirmed(form.dataset.confirm, button?.textContent.trim() || text("yes"), { isCalm });
};
