// Square codes before the camera. Where the browser reads them itself nothing leaves it; else the desk looks at small pictures.
import { opened } from "./camera.js";
import { make } from "./make.js";
import { json } from "./requests.js";
import { text } from "./texts.js";

/** Pictures are this long, and one after the other is looked at so many milliseconds apart. */
const longest = 960;
const pause = 350;

customElements.define("code-camera", class extends HTMLElement {
  #stream;
  #isBeginning = false;
  #finder;

  connectedCallback() {
    this.video = this.querySelector("video");
    this.stage = this.querySelector("[data-stage]");
    this.word = this.querySelector("[data-word]");
    this.begin = this.querySelector("[data-begin]");
    this.end = this.querySelector("[data-end]");
    this.begin.addEventListener("click", () => this.#begin());
    this.end.addEventListener("click", () => this.#end());
    document.addEventListener("visibilitychange", this.#seen);
  }

  disconnectedCallback() {
    this.#end();
    document.removeEventListener("visibilitychange", this.#seen);
  }

  #seen = () => { if (document.hidden) this.#end(); };

  async #begin() {
    if (this.#stream || this.#isBeginning) return;
    this.#isBeginning = true;
    const { stream, why } = await opened(1280, 1280);
    this.#isBeginning = false;
    if (!stream) return this.#say(`scan.camera.${why}`);
    this.#stream = stream;
    if (document.hidden || !this.isConnected) return this.#end();
    this.stage.hidden = this.end.hidden = false;
    this.begin.hidden = true;
    this.video.srcObject = this.#stream;
    await this.video.play().catch(() => {});
    this.end.focus({ preventScroll: true });
    this.stage.scrollIntoView({ block: "nearest" });
    this.#say("card.read.look");
    this.#watch(this.#stream);
  }

  #end() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    if (this.#stream) this.begin.hidden = false;
    this.#stream = undefined;
    this.stage.hidden = this.end.hidden = true;
    this.#say();
  }

  #say(key) {
    this.word.textContent = key ? text(key) : "";
  }

  async #watch(stream) {
    this.#finder ??= await this.#own();
    let misses = 0;
    while (this.#stream === stream) {
      try {
        const said = this.video.videoWidth ? await this.#look() : "";
        if (said && this.#stream === stream) return this.#go(said);
        misses = 0;
      } catch (failure) {
        // Once may be the connection; again and again somebody has to hear of it.
        misses += 1;
        if (misses > 3) {
          this.#end();
          this.word.textContent = failure.message;
          return;
        }
      }
      await new Promise((later) => setTimeout(later, pause));
    }
  }

  /** The browser's own reader, where it has one for such codes. */
  async #own() {
    try {
      const kinds = await globalThis.BarcodeDetector?.getSupportedFormats();
      if (kinds?.includes("qr_code")) return new globalThis.BarcodeDetector({ formats: ["qr_code"] });
    } catch { /* It says it has one, and has none. */ }
    return null;
  }

  async #look() {
    if (this.#finder) return (await this.#finder.detect(this.video))[0]?.rawValue ?? "";
    const { videoWidth: width, videoHeight: height } = this.video;
    const scale = Math.min(1, longest / Math.max(width, height));
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext("2d").drawImage(this.video, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise((taken) => canvas.toBlob(taken, "image/jpeg", 0.8));
    // Phones give all canvases together little memory.
    canvas.width = canvas.height = 1;
    if (!picture) return "";
    const body = new FormData();
    body.append("only", "code");
    body.append("file", picture, "camera.jpg");
    return (await json("/contacts/scan", { method: "POST", body })).text;
  }

  /** Read as if it had been pasted. */
  #go(said) {
    this.#end();
    this.#say("card.read.found");
    navigator.vibrate?.(60);
    const form = document.querySelector("form:has(textarea[name=text])");
    form.elements.namedItem("text").value = said;
    form.requestSubmit();
  }
});
