// The words of pages in their own language, which the page itself names the file of.
import texts from "quire/said";

export const language = document.documentElement.lang || "en";
const plural = new Intl.PluralRules(language);
const number = new Intl.NumberFormat(language);

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function text(key, values = {}) {
  const entry = texts[key] ?? key;
  const pattern = typeof entry === "string" ? entry
    : (values.count === 0 && entry.zero) || (entry[plural.select(values.count ?? 0)] ?? entry.other);
  return pattern.replace(/\{\{|\{(\w+)\}/g, (whole, name) => {
    if (whole === "{{") return "{";
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? number.format(value) : value;
  });
}

/** @param {number} count */
export function size(count) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let value = count, unit = 0;
  while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit += 1; }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return new Intl.NumberFormat(language, {
    style: "unit", unit: units[unit], unitDisplay: unit ? "short" : "long", maximumFractionDigits: digits,
  }).format(value);
}
