// Asks before what cannot be undone: any form with data-confirm.
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
    (document.querySelector("confirm-dialog") ?? document.body).append(dialog);
    dialog.showModal();
  });
}

customElements.define("confirm-dialog", class extends HTMLElement {
  connectedCallback() { document.addEventListener("submit", this.#ask, { capture: true }); }
  disconnectedCallback() { document.removeEventListener("submit", this.#ask, { capture: true }); }

  /** @param {SubmitEvent} event */
  #ask = (event) => {
    const form = event.target;
    if (!form.dataset.confirm || form.dataset.confirmed) return;
    event.preventDefault();
    event.stopPropagation();
    const label = event.submitter?.textContent.trim() || text("yes");
    // Red is for what takes something away; a button that leads on keeps its colour here.
    const isCalm = event.submitter?.matches(".button-main, .way-main");
    confirmed(form.dataset.confirm, label, { isCalm }).then((isYes) => {
      if (!isYes) return event.submitter?.focus();
      form.dataset.confirmed = "yes";
      form.requestSubmit(event.submitter);
    });
  };
});
