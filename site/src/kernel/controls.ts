// Controls of the tables of arguments and textures.

import { h } from "../lib/dom";

export function choice(label: string, options: readonly (readonly [string, string])[], value: string, set: (v: string) => void): HTMLSelectElement {
  const select = h("select", { "aria-label": label }, ...options.map(([v, said]) => h("option", { value: v }, said)));
  select.value = value;
  select.addEventListener("change", () => set(select.value));
  return select;
}

export function input(label: string, value: string, set: (v: string) => void): HTMLInputElement {
  const field = h("input", { "aria-label": label, autocomplete: "off", value });
  field.addEventListener("input", () => set(field.value));
  return field;
}

// picker is a button that asks for a file.
export function picker(label: string, words: string, take: (file: File) => void): HTMLElement {
  const field = h("input", { type: "file", class: "vh", tabindex: -1, "aria-label": label });
  const button = h("button", { type: "button", onclick: () => field.click() }, words);
  field.addEventListener("change", () => field.files?.[0] && take(field.files[0]));
  return h("span", {}, button, field);
}
