// Elements made by hand: text is always text here.

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `onX` listens, booleans switch, the rest are attributes
 * @param {...(Node | string)} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const sprite = () => document.querySelector("svg.icon use")?.getAttribute("href")?.split("#")[0] ?? "";

/** @param {string} name */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `${sprite()}#${name}`);
  svg.append(use);
  return svg;
}
