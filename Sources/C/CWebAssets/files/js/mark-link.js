// Where a link on a page leads: a web or mail address or the number of a page.
import { ask } from "./mark-ask.js";
import { text } from "./texts.js";

/**
 * @param {string} now where it leads so far, or nothing @param {number} pages how many there are
 * @returns {Promise<string | undefined>} as the desk reads it: an address, or `#3`
 */
export const askTarget = (now, pages) => ask({
  title: text("mark.link.title"), label: text("mark.link.target"), hint: text("mark.link.hint"), yes: text("mark.link.yes"),
  value: (now ?? "").replace(/^#/, ""), inputmode: "url",
  read: (words) => {
    const page = /^#?(\d{1,5})$/.exec(words)?.[1];
    if (page) return page >= 1 && page <= pages ? { is: `#${Number(page)}` } : text("mark.link.noPage", { count: pages });
    return /[.:]/.test(words) && !/\s/.test(words) ? { is: words } : text("mark.link.none");
  },
});
