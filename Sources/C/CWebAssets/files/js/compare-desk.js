// What differs between two papers, one change after the other: by buttons, by n and p, or out of the list.
customElements.define("compare-desk", class extends HTMLElement {
  #at = 0;

  connectedCallback() {
    this.lines = [...this.querySelectorAll("li[data-change]")];
    this.said = this.querySelector("[data-at]");
    this.addEventListener("click", this.#click);
    document.addEventListener("keydown", this.#keys);
    const linked = /^#change-(\d+)$/.exec(location.hash);
    if (linked) this.go(Number(linked[1]));
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#keys);
  }

  /** @param {number} number counted from 1 */
  go(number, scrolls = true) {
    const most = this.lines.length;
    this.#at = Math.min(most, Math.max(1, number));
    for (const one of this.querySelectorAll("[data-change]")) {
      one.classList.toggle("is-current", one.dataset.change === String(this.#at));
    }
    const line = this.lines[this.#at - 1];
    this.said.textContent = this.dataset.said.replace("{number}", this.#at).replace("{count}", most);
    for (const each of this.lines) each.firstElementChild.removeAttribute("aria-current");
    line.firstElementChild.setAttribute("aria-current", "true");
    // The list beside the pages moves by itself; below each other the pages come first.
    const list = line.closest("ol");
    if (list.scrollHeight > list.clientHeight) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 3;
    if (!scrolls) return;
    const boxes = this.querySelectorAll(`rect[data-change="${this.#at}"]`);
    const place = boxes[boxes.length - 1] ?? document.getElementById(`change-${this.#at}`)?.parentElement;
    place?.scrollIntoView({ block: boxes.length ? "center" : "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  #click = (event) => {
    const button = event.target.closest("[data-go]");
    if (button) return this.go(this.#at + Number(button.dataset.go));
    const line = event.target.closest("li[data-change] a");
    if (line && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.go(Number(line.parentElement.dataset.change));
      history.replaceState(history.state, "", line.hash);
      return;
    }
    const box = event.target.closest("rect[data-change]");
    if (box) this.go(Number(box.dataset.change), false);
  };

  #keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, [contenteditable], dialog")) return;
    if (event.key === "n") this.go(this.#at + 1);
    else if (event.key === "p") this.go(this.#at - 1);
    else return;
    event.preventDefault();
  };
});
