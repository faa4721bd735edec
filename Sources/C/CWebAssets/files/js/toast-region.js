// Short messages that go away by themselves, but never while one reads them or reaches for Undo.
import { icon, make } from "./make.js";
import { Away } from "./presence.js";
import { RequestFailed } from "./requests.js";
import { text } from "./texts.js";

const patience = 9000;

customElements.define("toast-region", class extends HTMLElement {
  connectedCallback() {
    for (const toast of this.children) this.#live(toast);
    document.addEventListener("quire:toast", this.#show);
  }

  disconnectedCallback() { document.removeEventListener("quire:toast", this.#show); }

  /** Messages that came with another page's answer. @param {Iterable<Element>} toasts */
  take(toasts) {
    for (const toast of toasts) {
      this.append(toast);
      this.#live(toast);
    }
  }

  /** @param {CustomEvent<{text: string, bad?: boolean, action?: {label: string, run: () => void}}>} event */
  #show = ({ detail }) => {
    const toast = make("div", { class: detail.bad ? "toast toast-bad" : "toast" }, make("p", {}, detail.text));
    if (detail.action) {
      toast.append(make("button", {
        class: "button", type: "button", onclick: () => { toast.remove(); detail.action.run(); },
      }, detail.action.label));
    }
    toast.append(make("button", {
      class: "button button-icon", type: "button", "aria-label": text("dismiss"), "data-dismiss": true,
    }, icon("close")));
    this.append(toast);
    this.#live(toast);
  };

  /** @param {Element} toast */
  #live(toast) {
    let timer;
    const stay = () => clearTimeout(timer);
    const leave = () => { stay(); timer = setTimeout(() => toast.remove(), patience); };
    toast.addEventListener("pointerenter", stay);
    toast.addEventListener("pointerleave", leave);
    toast.addEventListener("focusin", stay);
    toast.addEventListener("focusout", leave);
    toast.querySelector("[data-dismiss]")?.addEventListener("click", () => toast.remove());
    leave();
  }
});

/** @param {CustomEvent["detail"]} detail */
export const toast = (detail) => document.dispatchEvent(new CustomEvent("quire:toast", { detail }));

/** Where it is told what the plan allows. */
export const plans = () => ({ label: text("plans"), run: () => location.assign("/settings/plans") });

/** Why what was asked of the desk was not done; of one who is away the bar tells. @param {Error} failure */
export const complain = (failure) => {
  if (failure instanceof Away) return;
  const isTold = failure instanceof RequestFailed && failure.message;
  toast({ text: isTold ? failure.message : text("failed"), bad: true, action: failure.field === "plan" ? plans() : undefined });
};
