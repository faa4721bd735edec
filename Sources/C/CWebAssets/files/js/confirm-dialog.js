// Asks before what cannot be undone: any form with data-confirm.
import { make } from "quire/make";
import { text } from "quire/texts";

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
    const question = make("p", { id: "question" }, form.dataset.confirm);
    const dialog = make("dialog", { class: "dialog", "aria-labelledby": "question", closedby: "any" },
      make("form", { method: "dialog", class: "dialog-body" }, question,
        make("div", { class: "row row-end" },
          make("button", { class: "button", value: "no", autofocus: true }, text("cancel")),
          make("button", { class: `button button-main${isCalm ? "" : " button-danger"}`, value: "yes" }, label))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (dialog.returnValue === "yes") {
        form.dataset.confirmed = "yes";
        form.requestSubmit(event.submitter);
      } else event.submitter?.focus();
    });
    this.append(dialog);
    dialog.showModal();
  };
});
