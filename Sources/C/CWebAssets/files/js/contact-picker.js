// Takes a person from the device's own contacts into the form beside it, where the browser offers them.
import { icon, make } from "./make.js";
import { text } from "./texts.js";

const asks = ["name", "email", "tel"];

customElements.define("contact-picker", class extends HTMLElement {
  connectedCallback() {
    if (!("contacts" in navigator) || this.firstChild) return;
    this.append(make("button", { class: "button button-s", type: "button", onclick: () => this.#pick() },
      icon("person"), text("contacts.pick")));
  }

  async #pick() {
    const [contact] = await navigator.contacts.select(asks, { multiple: false });
    if (!contact) return;
    const full = contact.name?.[0] ?? "";
    const [first, ...rest] = full.split(" ");
    const fields = [...this.closest("section").querySelectorAll("form input[name^='cell:']")];
    for (const field of fields) {
      const name = field.name.slice(5).toLowerCase();
      const value = /mail|courriel|correo/.test(name) ? contact.email?.[0]
        : /phone|tel|mobile/.test(name) ? contact.tel?.[0]
        : /first|given|prénom|prenom|^nombre$/.test(name) ? first
        : /last|family|surname|apellido/.test(name) ? rest.join(" ")
        : /name|nom/.test(name) ? full : undefined;
      if (value && !field.value) field.value = value;
    }
    fields[0]?.focus();
  }
});
