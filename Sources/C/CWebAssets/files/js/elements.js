// Each element's module is fetched only where the element stands.
const names = [
  "app-lock", "code-camera", "compare-desk", "contact-picker", "copy-button", "crop-image", "data-table", "field-boxes", "fill-desk",
  "folder-tree", "formula-field", "grid-table", "install-hint", "keep-paper", "kept-pages", "letter-editor", "live-jobs", "live-part", "local-number", "local-time", "looks-form", "mark-desk",
  "match-board", "more-lines", "nfc-writer", "page-board", "page-fields", "page-reader", "passkey-button", "photo-field", "picture-field", "push-switch", "redact-areas", "scan-camera", "seal-place", "share-button", "side-by-side", "sign-places", "soft-page", "sort-list",
  "theme-switch", "upload-zone", "zone-choice",
];

/** Starts what has come into the page. @param {ParentNode} [root] */
export function wake(root = document) {
  for (const name of names) {
    if (!customElements.get(name) && root.querySelector(name)) import(`./${name}.js`);
  }
  // Who has something to say brings it along.
  if (root.querySelector("toast-region > *")) import("./toast-region.js");
}

/** Where one comes back to a page, the browser may fill in by itself what stood in its fields. */
const isFresh = performance.getEntriesByType("navigation")[0]?.type === "navigate";

/**
 * What somebody chose or typed while the scripts were still on their way.
 * @param {string} kind which of the page's fields
 * @param {ParentNode} [root]
 * @returns {Element[]}
 */
export const changedEarly = (kind, root = document) => (isFresh ? [...root.querySelectorAll(kind)] : []).filter((field) => {
  if (["search", "text"].includes(field.type)) return field.value !== field.defaultValue;
  if (field.type === "file") return field.files.length > 0;
  if (!field.matches("select")) return ["checkbox", "radio"].includes(field.type) && field.checked !== field.defaultChecked;
  const options = [...field.options];
  const marked = options.findLastIndex((option) => option.defaultSelected);
  // Where none is marked the first one shows that can be chosen.
  return !field.multiple && field.selectedIndex !== (marked >= 0 ? marked : options.findIndex((option) => !option.disabled));
});
