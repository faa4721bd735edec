// The one Trusted Types policy. HTML comes only from our own server, where interpolation escapes;
// scripts come only from the service worker's address.

/** @param {string} address */
const onlyWorker = (address) => {
  if (address !== "/sw.js") throw new TypeError(`not a script of ours: ${address}`);
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
