// Tables: titles of columns, and rows that begin with their name. What is a cell already stays as it is.

import { h, type Child } from "./dom";

type Rows = HTMLElement[] | HTMLElement; // or a body that others fill

const cell = (make: (c: Child) => HTMLElement) => (c: Child): HTMLElement =>
  c instanceof HTMLTableCellElement ? c : make(c);

export function head(...titles: Child[]): HTMLTableSectionElement {
  return h("thead", {}, h("tr", {}, ...titles.map(cell((t) => h("th", { scope: "col" }, t)))));
}

export function row(attrs: Record<string, unknown>, name: Child, ...cells: Child[]): HTMLTableRowElement {
  return h("tr", attrs, cell((n) => h("th", { scope: "row" }, n))(name), ...cells.map(cell((c) => h("td", {}, c))));
}

// fill puts a caption, titles and rows into a table.
export function fill(table: HTMLTableElement, titles: Child[], rows: Rows, caption?: HTMLElement): HTMLTableElement {
  const body = Array.isArray(rows) ? h("tbody", {}, ...rows) : rows;
  table.replaceChildren(...(caption ? [caption] : []), head(...titles), body);
  return table;
}

export function makeTable(
  attrs: Record<string, unknown>, titles: Child[], rows: Rows, caption?: HTMLElement,
): HTMLTableElement {
  return fill(h("table", attrs), titles, rows, caption);
}
