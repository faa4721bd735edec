// Each element's module is fetched only where the element stands.
const names = [
  "app-lock", "command-palette", "compare-desk", "confirm-dialog", "contact-picker", "copy-button", "data-table", "field-boxes", "fill-desk",
  "folder-tree", "formula-field", "grid-table", "install-hint", "keep-paper", "kept-pages", "key-hints", "letter-editor", "live-jobs", "live-part", "local-number", "local-time", "mark-desk",
  "match-board", "more-lines", "page-board", "page-fields", "page-reader", "passkey-button", "photo-field", "redact-areas", "scan-camera", "share-button", "soft-page", "sort-list",
  "theme-switch", "toast-region", "upload-zone", "zone-choice",
];

/** Starts what has come into the page. @param {ParentNode} [root] */
export function wake(root = document) {
  for (const name of names) {
    if (!customElements.get(name) && root.querySelector(name)) import(`quire/${name}`);
  }
}
