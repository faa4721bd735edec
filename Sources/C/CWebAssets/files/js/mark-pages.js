// On which pages something is put: asked in words such as 1-3, 5.
import { ask } from "./mark-ask.js";
import { text } from "./texts.js";

/**
 * @param {number[]} pages all there are, in order @param {number} own the one it lies on
 * @returns {Promise<number[] | undefined>} without its own
 */
export function choosePages(pages, own) {
  const first = pages[0], last = pages[pages.length - 1];
  return ask({
    title: text("mark.spread.title"), label: text("mark.spread.pages"), hint: text("mark.spread.hint"), yes: text("mark.spread.yes"),
    value: first === last ? String(first) : `${first}-${last}`,
    read: (words) => {
      const found = read(words, pages)?.filter((page) => page !== own);
      return found?.length ? { is: found } : text("mark.spread.none");
    },
  });
}

/** Those of the pages that are named; nothing when a part of the words is none. */
function read(words, pages) {
  const named = new Set();
  for (const part of words.split(/[,;]/).map((each) => each.trim()).filter(Boolean)) {
    const [, from, to] = /^(\d+)(?:\s*[-–]\s*(\d+))?$/.exec(part) ?? [];
    if (!from) return undefined;
    const ends = [Number(from), Number(to ?? from)].sort((a, b) => a - b);
    for (const page of pages) if (page >= ends[0] && page <= ends[1]) named.add(page);
  }
  return pages.filter((page) => named.has(page));
}
