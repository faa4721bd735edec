// The one Trusted Types policy. HTML comes only from our own server, where interpolation escapes;
// scripts come only from the addresses of our two workers.

/** @param {string} address */
const onlyWorker = (address) => {
  if (address !== "/sw.js" && !/^\/assets\/[0-9a-f]+\/scan-worker\.js$/.test(address)) throw new TypeError(`not a script of ours: ${address}`);
  return address;
};

const policy = globalThis.trustedTypes?.createPolicy("quire", {
  createHTML: (html) => html,
  createScriptURL: onlyWorker,
}) ?? { createHTML: (html) => html, createScriptURL: onlyWorker };

/** @param {string} address */
export const scriptAddress = (address) => policy.createScriptURL(address);

/**
 * Reads HTML that our server sent.
 * @param {string} html
 * @returns {Document}
 */
export const parsed = (html) => new DOMParser().parseFromString(policy.createHTML(html), "text/html");
