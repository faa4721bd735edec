// Two pages beside each other that are larger than their places: where one is moved, the other follows.
customElements.define("side-by-side", class extends HTMLElement {
  connectedCallback() { this.addEventListener("scroll", this.#follow, { capture: true, passive: true }); }
  disconnectedCallback() { this.removeEventListener("scroll", this.#follow, { capture: true }); }

  #follow = ({ target }) => {
    for (const other of this.querySelectorAll(".is-large")) {
      // Setting what is there already tells nobody, so that they do not chase each other.
      if (other !== target) other.scrollTo({ left: target.scrollLeft, top: target.scrollTop, behavior: "instant" });
    }
  };
});
