// A time zone, chosen among those there are, or as this device has it.
import { make } from "./make.js";

customElements.define("zone-choice", class extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector("input");
    const button = this.querySelector("button");
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const list = make("datalist", { id: "zones" }, ...(Intl.supportedValuesOf?.("timeZone") ?? []).map((zone) => make("option", { value: zone })));
    this.append(list);
    field.setAttribute("list", list.id);
    if (!here) return;
    button.textContent = button.textContent.replace("{zone}", here);
    button.addEventListener("click", () => { field.value = here; field.dispatchEvent(new Event("input", { bubbles: true })); show(); });
    const show = () => { button.hidden = field.value === here; };
    field.addEventListener("input", show);
    show();
  }
});
