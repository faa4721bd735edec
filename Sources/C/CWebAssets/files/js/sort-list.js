// Lines that are dragged into another order by their grips. The buttons beside them do the same, step by step.
customElements.define("sort-list", class extends HTMLElement {
  #item;

  connectedCallback() {
    this.addEventListener("pointerdown", this.#down);
    this.addEventListener("pointermove", this.#move);
    this.addEventListener("pointerup", this.#up);
    this.addEventListener("pointercancel", this.#up);
  }

  #down = (event) => {
    const grip = event.target.closest(".card-grip");
    if (!grip || event.button) return;
    event.preventDefault();
    this.#item = grip.closest("li");
    this.#item.classList.add("is-dragged");
    this.setPointerCapture(event.pointerId);
  };

  #move = (event) => {
    if (!this.#item) return;
    for (const other of this.#item.parentElement.children) {
      if (other === this.#item) continue;
      const box = other.getBoundingClientRect();
      if (event.clientY < box.top || event.clientY > box.bottom) continue;
      const isBelow = event.clientY > box.top + box.height / 2;
      other[isBelow ? "after" : "before"](this.#item);
      break;
    }
  };

  #up = () => {
    const item = this.#item;
    if (!item) return;
    this.#item = undefined;
    item.classList.remove("is-dragged");
    const list = [...item.parentElement.children];
    // What stands as it stood needs no sending.
    if (list.some((each, place) => Number(each.dataset.place) !== place)) this.closest("form").requestSubmit();
  };
});
