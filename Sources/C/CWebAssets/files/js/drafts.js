// What somebody had typed when the page was taken from under them: by the lock, by a session that ended, by another person
// signing in here, by an answer that says why it could not be. It waits in this tab alone, for a day at most, and is given
// back to nobody but who typed it. Of pages that show private folders nothing is written down.
import { reader } from "./presence.js";
import { text } from "./texts.js";
import { toast } from "./toast-region.js";

const prefix = "quire-draft:";
const longest = 86_400_000;
const isPrivate = document.querySelector("meta[name=reader]")?.hasAttribute("data-private");
const typed = "textarea, select, input:not([type=hidden], [type=password], [type=file], [type=search], [autocomplete=one-time-code])";

const isChanged = (field) => field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked
  : field.matches("select") ? [...field.options].some((option) => option.selected !== option.defaultSelected)
  : field.value !== field.defaultValue;
const forms = () => [...document.querySelectorAll("main form")].filter((form) => form.method === "post");
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.matches(typed));
const nameOf = (form) => form.id || form.getAttribute("action");
const valueOf = (field) => field.matches("select[multiple]") ? [...field.selectedOptions].map((option) => option.value) : field.value;

/** Before the page goes. */
export function keep() {
  if (!reader || isPrivate) return;
  const fields = forms().flatMap((form) => fieldsOf(form).filter(isChanged).map((field) =>
    [nameOf(form), field.name, field.type, valueOf(field), field.checked]));
  if (!fields.length) return;
  try {
    sessionStorage.setItem(prefix + location.pathname, JSON.stringify({ reader, at: Date.now(), fields }));
  } catch { /* a full or closed storage keeps nothing */ }
}

/** At a door, or where something was refused, what was typed before it waits; behind it, it comes back where it was typed. */
export function come() {
  const isDoor = !reader || document.querySelector("form[action='/unlock'], [data-trouble]");
  for (const key of Object.keys(sessionStorage).filter((each) => each.startsWith(prefix))) {
    const draft = JSON.parse(sessionStorage.getItem(key));
    const isOurs = draft.reader === reader;
    if (Date.now() - draft.at > longest) sessionStorage.removeItem(key);
    else if (isDoor || (reader && !isOurs)) sessionStorage.setItem(key, JSON.stringify({ ...draft, held: true }));
    else if (!draft.held) sessionStorage.removeItem(key);
    else if (key === prefix + location.pathname) give(key, draft);
  }
}

function give(key, { fields }) {
  sessionStorage.removeItem(key);
  let count = 0;
  for (const [form, name, type, value, checked] of fields) {
    const own = forms().find((each) => nameOf(each) === form);
    for (const field of own ? fieldsOf(own) : []) {
      if (field.name !== name || field.type !== type) continue;
      const isBox = type === "checkbox" || type === "radio";
      if (isBox && field.value !== value) continue;
      if (isBox) field.checked = checked;
      else if (Array.isArray(value)) for (const option of field.options) option.selected = value.includes(option.value);
      else field.value = value;
      for (let at = field.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
      count += 1;
      // As if it had been typed just now: what saves itself does so.
      for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
    }
  }
  if (count) toast({ text: text("away.restored") });
}

addEventListener("pagehide", keep);
document.addEventListener("quire:leaving", keep);
