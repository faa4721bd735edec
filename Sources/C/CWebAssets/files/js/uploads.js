// Files that were given to an upload zone, on their way: each has its own progress, can be stopped, and can be tried again without
// coming in twice (Idempotency-Key).
import { icon, make } from "./make.js";
import { heed, turn } from "./presence.js";
import { csrf, json } from "./requests.js";
import { size, text } from "./texts.js";

const atOnce = 2;

/**
 * What was dropped; of folders all that lies in them and below, with the folders it lay in. What is hidden is left out.
 * @param {File[]} files @param {FileSystemEntry[]} entries @returns {Promise<{ file: File, path: string }[]>}
 */
async function dropped(files, entries) {
  if (!entries.some((entry) => entry.isDirectory)) return files.map((file) => ({ file, path: "" }));
  const found = [];
  const walk = async (entry, path) => {
    if (entry.name.startsWith(".")) return;
    if (entry.isFile) {
      found.push({ file: await new Promise((done, failed) => entry.file(done, failed)), path });
      return;
    }
    const reader = entry.createReader();
    // It hands over some at a time.
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (!some.length) return;
      for (const each of some) await walk(each, `${path}${entry.name}/`);
    }
  };
  for (const entry of entries) await walk(entry, "");
  return found;
}

export class Uploads {
  #zone;
  #waiting = [];
  #running = 0;
  #all = [];
  #done = [];
  #gathering;

  /** @param {HTMLElement} zone */
  constructor(zone) {
    this.#zone = zone;
    this.list = zone.querySelector(".uploads");
    addEventListener("beforeunload", this.#warn);
    document.addEventListener("quire:gone", this.#gone);
  }

  /** Its zone is gone from the page. */
  leave() {
    removeEventListener("beforeunload", this.#warn);
    document.removeEventListener("quire:gone", this.#gone);
  }

  tryAgain() {
    for (const upload of this.#all) if (upload.state === "failed") this.#again(upload);
  }

  /** @param {File[]} files @param {FileSystemEntry[]} entries */
  async takeDropped(files, entries) {
    await dropped(files, entries).then((found) => this.#bring(found), () => this.#say(text("upload.failed")));
  }

  /** @param {File[]} files of a folder that was chosen */
  takeFolder(files) {
    this.#bring(files.flatMap((file) => {
      const folders = file.webkitRelativePath.split("/").slice(0, -1);
      const isHidden = [...folders, file.name].some((name) => name.startsWith("."));
      return isHidden ? [] : [{ file, path: folders.map((name) => `${name}/`).join("") }];
    }));
  }

  /** @param {File[]} files */
  takePasted(files) {
    // What is on its way already keeps its way.
    if (this.#zone.hasAttribute("reviews") && !this.#running && !this.#waiting.length) {
      this.#zone.setAttribute("gathers", "");
      this.#zone.setAttribute("action", "/conversions");
    }
    this.take(files);
  }

  /** Pasted words, or the address of a page, become a paper that is looked at first. @param {string} words */
  async review(words) {
    const item = make("li", { class: "upload" }, make("span", { class: "upload-state" }, text("upload.words")));
    this.list.append(item);
    try {
      const isAddress = /^https?:\/\/\S+$/.test(words);
      const { id } = await json("/conversions", {
        method: "POST", body: { ...this.#place, ...isAddress ? { addresses: [words] } : { text: words } },
      });
      location.assign(`/conversions/${id}`);
    } catch (failure) {
      item.classList.add("is-bad");
      item.firstChild.textContent = failure.message || text("upload.failed");
    }
  }

  /** The folder that is open, for what is to lie in it once it is kept. */
  get #place() {
    const folder = this.#zone.getAttribute("folder");
    return folder ? { folder } : {};
  }

  /** What a tool does with them. */
  get #wishes() {
    const form = new FormData(this.#zone.querySelector("form"));
    return {
      ...form.has("then") && { then: form.getAll("then") },
      ...form.has("together") && { together: form.get("together") === "1" },
      ...form.get("name") && { name: form.get("name") },
    };
  }

  #warn = (event) => { if (this.#running || this.#waiting.length) event.preventDefault(); };

  /** What the service worker put aside when another app shared files with us. */
  async takeShared() {
    const cache = await caches.open("quire-shared");
    const files = [];
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      const name = decodeURIComponent(response.headers.get("X-File-Name") ?? "shared");
      files.push(new File([await response.blob()], name, { type: response.headers.get("Content-Type") ?? "" }));
      await cache.delete(request);
    }
    history.replaceState(null, "", location.pathname);
    this.take(files, true);
  }

  /** @param {Iterable<File>} files */
  take(files, isShared = false) { this.#bring([...files].map((file) => ({ file, path: "" })), isShared); }

  /** @param {{ file: File, path: string }[]} found `path` are the folders it lay in, each with a slash behind it. */
  #bring(found, isShared = false) {
    if (!found.length) return this.#say(text("upload.nothing"));
    if (this.#zone.hasAttribute("follow")) this.#forgetRefused();
    for (const [at, { file, path }] of found.entries()) {
      const upload = { file, path, isShared, place: Date.now() + at / 1000, key: crypto.randomUUID(), row: this.#row(file, path + file.name) };
      this.#all.push(upload);
      if (this.#isTable(file)) this.#layAside(upload);
      else this.#line(upload);
    }
  }

  // MARK: A table of people that comes along with a form

  /** @param {File} file */
  #isTable({ name }) { return (this.#zone.getAttribute("tables") ?? "").split(",").some((end) => end.startsWith(".") && name.toLowerCase().endsWith(end)); }

  /** It waits for the send-out that the form begins. */
  #layAside(upload) {
    for (const each of this.#all) if (each.state === "aside") this.#forget(each);
    upload.state = "aside";
    this.#show(upload, text("upload.afterForm"));
  }

  #forget(upload) {
    upload.row.item.remove();
    upload.state = "done";
  }

  /** Where one paper is wanted, another one takes the place of what was refused. */
  #forgetRefused() {
    for (const upload of this.#all) {
      if (upload.state !== "failed" && upload.state !== "stopped") continue;
      this.#forget(upload);
    }
  }

  /** @param {string} words */
  #say(words) { this.list.append(make("li", { class: "upload is-bad" }, make("span", { class: "upload-state" }, words))); }

  #line(upload) {
    upload.state = "waiting";
    this.#show(upload, text("upload.waiting"));
    this.#waiting.push(upload);
    this.#next();
  }

  #next() {
    while (this.#running < atOnce && this.#waiting.length) this.#send(this.#waiting.shift());
  }

  /** Where papers that belong together are gathered: a conversion that is there, or a new one. @returns {Promise<string>} */
  #gathered() {
    const there = this.#zone.getAttribute("gathers");
    if (there) return Promise.resolve(`/conversions/${there}`);
    this.#gathering ??= json(this.#zone.getAttribute("action"), {
      method: "POST", body: { hold: true, ...this.#place, ...this.#wishes },
    }).then(({ id }) => `/conversions/${id}`);
    this.#gathering.catch(() => { this.#gathering = undefined; });
    return this.#gathering;
  }

  async #send(upload) {
    this.#running += 1;
    upload.state = "running";
    const request = new XMLHttpRequest();
    upload.request = request;
    let address = upload.batch ? "/lists" : this.#zone.getAttribute("action");
    if (this.#zone.hasAttribute("gathers")) {
      // In the order they were chosen, whichever arrives first.
      const place = Number(this.#zone.getAttribute("behind") ?? 0) + this.#all.indexOf(upload) + 1;
      try {
        address = `${await this.#gathered()}/papers?place=${place}${upload.isShared ? "&shared=1" : ""}`;
      } catch (failure) {
        this.#failed(upload, failure.message || text("upload.failed"));
        this.#running -= 1;
        return this.#settle();
      }
    }
    request.open("POST", address);
    request.responseType = "json";
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-Quire-CSRF", csrf());
    request.setRequestHeader("Idempotency-Key", upload.key);
    request.upload.onprogress = ({ loaded, total }) => {
      upload.row.bar.value = total ? loaded / total : 0;
      this.#show(upload, text("upload.progress", { done: size(loaded), total: size(total) }));
    };
    request.onload = () => {
      const answer = request.response ?? {};
      if (request.status < 300) this.#finished(upload, answer, request.getResponseHeader("Location"));
      else if (request.getResponseHeader("X-Quire-Away")) this.#wait(upload, request.getResponseHeader("X-Quire-Away"));
      else this.#failed(upload, answer.detail ?? answer.title ?? text("upload.failed"));
      if (answer.field === "password") this.#askPassword();
    };
    request.onerror = () => this.#wait(upload, "offline");
    request.onabort = () => this.#failed(upload, text("upload.stopped"), "stopped");
    request.onloadend = () => { this.#running -= 1; this.#next(); this.#settle(); };
    const form = new FormData(this.#zone.querySelector("form"));
    form.delete("file");
    if (upload.batch) form.set("batch", upload.batch);
    if (upload.path) form.append("path", upload.path);
    upload.target = address;
    upload.fields = [...form].filter(([name]) => name !== "_csrf");
    form.append("file", upload.file, upload.file.name);
    request.send(form);
  }

  /** @param {string | null} address where it is now */
  #finished(upload, answer, address) {
    const document = answer.documents?.[0] ?? answer;
    const more = (answer.documents?.length ?? 1) - 1;
    upload.state = "done";
    upload.row.bar.remove();
    upload.row.button.replaceWith(icon("check"));
    this.#show(upload, text(this.#zone.hasAttribute("follow") || this.#zone.hasAttribute("gathers") ? "upload.made" : document.duplicateOf ? "upload.duplicate" : "upload.done"));
    // An archive becomes many papers; what stayed in it is said by name.
    if (more > 0) this.#show(upload, text("upload.unpacked", { count: more + 1 }));
    for (const { name, reason } of answer.left ?? []) {
      upload.row.state.append(make("span", { class: "upload-left" }, text("upload.left", { name, reason })));
    }
    const id = document.duplicateOf ?? document.id;
    upload.address = this.#zone.hasAttribute("gathers") ? undefined : (answer.folder && `/documents?folder=${answer.folder}`) ?? address ?? (id && `/documents/${id}`);
    if (upload.address) upload.row.name.replaceChildren(make("a", { href: upload.address }, upload.path + upload.file.name));
    this.#done.push(upload);
  }

  #failed(upload, why, state = "failed") {
    upload.state = state;
    upload.row.item.classList.add("is-bad");
    upload.row.bar.hidden = true;
    upload.row.button.replaceChildren(icon("again"), text("upload.retry"));
    upload.row.button.setAttribute("aria-label", text("upload.retry.name", { name: upload.file.name }));
    this.#show(upload, why);
  }

  /** Nobody is there, or no connection: it goes by itself when that has changed. @param {string} why */
  async #wait(upload, why) {
    const isKept = why === "offline" ? await this.#keep(upload) : undefined;
    if (isKept) return;
    this.#failed(upload, text(isKept === false ? "waiting.full" : why === "offline" ? "upload.offline" : "upload.failed"));
    document.addEventListener("quire:back", () => { if (upload.state === "failed") this.#again(upload); }, { once: true });
    if (why === "offline") return turn(why, true);
    heed(why).then((isHere) => { if (isHere && upload.state === "failed") this.#again(upload); });
  }

  /**
   * What only has to be put into Papers waits on this device, also when the page is gone.
   * @returns {Promise<boolean | undefined>} false where the device is full, nothing where it may not wait
   */
  async #keep(upload) {
    const isPrivate = document.querySelector("meta[name=reader]")?.hasAttribute("data-private") ?? true;
    if (isPrivate || ["gathers", "follow", "next"].some((name) => this.#zone.hasAttribute(name))) return undefined;
    upload.state = "kept";
    turn("offline");
    const { file, key, place, target, fields } = upload;
    const acts = await import("./waiting-acts.js").catch(() => undefined);
    const isKept = await acts?.offerFile({ id: key, place, file, name: file.name, address: target, fields });
    if (!isKept) return isKept;
    upload.row.bar.hidden = true;
    upload.row.button.replaceChildren(text("waiting.back"));
    upload.row.button.setAttribute("aria-label", `${text("waiting.back")}: ${file.name}`);
    this.#show(upload, text("waiting.until"));
    this.#settle();
    return true;
  }

  /** The desk has what waited, or somebody took it back. */
  #gone = ({ detail: { gone, isSent, answer } }) => {
    const upload = this.#all.find((each) => each.key === gone && each.state === "kept");
    if (!upload) return;
    if (isSent) this.#finished(upload, answer);
    else this.#failed(upload, text("upload.stopped"), "stopped");
    this.#settle();
  };

  /** A file turned out to be locked. */
  #askPassword() {
    const box = this.#zone.querySelector("[data-password]");
    if (!box) return;
    box.open = true;
    box.querySelector("input").select();
  }

  #settle() {
    if (this.#running || this.#waiting.length) return;
    const aside = this.#all.find(({ state }) => state === "aside");
    if (aside && this.#done.length) {
      aside.batch = this.#done[0].address.split("/")[2];
      return this.#line(aside);
    }
    const open = this.#all.filter((upload) => !["done", "kept"].includes(upload.state));
    const kept = this.#all.filter((upload) => upload.state === "kept").length;
    this.#zone.querySelector("[data-status]").textContent = kept ? text("waiting.count", { count: kept }) :
      open.length ? text("upload.someFailed", { count: open.length }) : text("upload.allDone", { count: this.#done.length });
    if (this.#zone.hasAttribute("gathers") && this.#done.length) return this.#goOn(open.length > 0);
    if (this.#done.length) this.#zone.dispatchEvent(new CustomEvent("quire:arrived", { bubbles: true }));
    if (open.length || !this.#done.length) return;
    const last = this.#done.at(-1);
    const next = this.#zone.getAttribute("next")
      ?? (this.#zone.hasAttribute("follow") && (this.#done.length === 1 || last.batch) ? last.address : undefined);
    if (next) location.assign(next);
  }

  /** What was gathered is made into what is wished; what did not arrive may be left out. @param {boolean} isPart */
  async #goOn(isPart) {
    const place = await this.#gathered();
    this.#zone.querySelector("[data-go-on]")?.remove();
    if (isPart) {
      return this.#zone.append(make("button", { class: "button", type: "button", "data-go-on": true, onclick: () => this.#goOn(false) }, text("upload.goOn")));
    }
    const asks = this.#zone.getAttribute("asks");
    if (asks) return location.assign(`${place}?tool=${asks}`);
    await json(`${place}/runs`, { method: "POST" }).catch(() => {});
    location.assign(place);
  }

  #show(upload, words) { upload.row.state.textContent = words; }

  /** @param {File} file @param {string} shown */
  #row(file, shown) {
    const name = make("span", { class: "upload-name" }, shown);
    const state = make("span", { class: "upload-state" });
    const bar = make("progress", { max: 1, value: 0, "aria-label": file.name });
    const button = make("button", {
      class: "button button-s", type: "button", "aria-label": text("upload.stop.name", { name: file.name }),
      onclick: () => this.#press(file),
    }, text("upload.stop"));
    const item = make("li", { class: "upload" }, make("span", { class: "stack stack-s" }, name, state), button, bar);
    this.list.append(item);
    return { item, name, state, bar, button };
  }

  #press(file) {
    const upload = this.#all.find((each) => each.file === file);
    if (upload.state === "running") return upload.request.abort();
    if (upload.state === "aside") return this.#forget(upload);
    if (upload.state === "kept") return import("./waiting-acts.js").then((acts) => acts.takeBack(upload.key));
    if (upload.state === "waiting") {
      this.#waiting = this.#waiting.filter((each) => each !== upload);
      return this.#failed(upload, text("upload.stopped"), "stopped");
    }
    this.#again(upload);
  }

  #again(upload) {
    upload.row.item.classList.remove("is-bad");
    upload.row.bar.hidden = false;
    upload.row.bar.value = 0;
    upload.row.button.replaceChildren(text("upload.stop"));
    upload.row.button.setAttribute("aria-label", text("upload.stop.name", { name: upload.file.name }));
    this.#line(upload);
  }
}
