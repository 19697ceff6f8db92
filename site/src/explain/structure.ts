// The structures that a codec makes of a block: tables, a dictionary, planes, a code.

import { h, svg } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import type { Explanation, Structure } from "../protocol/explain";
import { signs } from "./bits";
import { roving, type Selection } from "./select";
import { codeTree } from "./tree";

export function structureSection(s: Structure, e: Explanation, selection: Selection): HTMLElement {
  const box = h("section", { class: `s-${s.kind}` }, h("h3", {}, s.title), h("p", { class: "note" }, s.note));
  if (s.kind === "dictionary") box.append(dictionary(s, e, selection));
  if (s.rows.length === 0) return box;
  const table = rowsOf(s, selection);
  if (s.kind === "code") box.append(h("div", { class: "scroller beside", tabindex: 0, role: "group", "aria-label": s.title }, codeTree(s), table));
  else if (s.kind === "dictionary") box.append(h("details", {}, h("summary", {}, "Words in the order they entered"), table));
  else box.append(h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": s.title }, table));
  return box;
}

function rowsOf(s: Structure, selection: Selection): HTMLElement {
  const rows = s.rows.map((r) => {
    const [head, ...rest] = r.cells;
    return row({}, head, ...rest.map((c) => (s.kind === "planes" && /^[01]{31,32}$/.test(c) ? plane(c) : signs(c))));
  });
  const body = h("tbody", {}, ...rows);
  const table = makeTable({ class: "structure" }, s.columns, body);
  // Of several items of a row, the one that is not the mask or bitmap.
  roving(body, () => rows, (_, down) => (down ? 1 : -1), (i) => {
    const items = s.rows[i]!.items ?? [];
    selection.choose(items.length > 1 && items[0] === 0 && s.kind !== "code" ? items.slice(1) : items);
  });
  selection.on(() => {
    rows.forEach((row, i) => {
      const on = (s.rows[i]!.items ?? []).some((k) => selection.items.has(k) && (k !== 0 || selection.items.size === 1));
      row.classList.toggle("on", on);
      if (on) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    // A word is a column of the planes. In planes of differences, it is the difference to
    // the word before.
    if (s.kind !== "planes" || s.rows.length === 0) return;
    const bits = s.rows[0]!.cells[1]!.length;
    const at = selection.bytes ? Math.floor(selection.bytes.from / 4) - (32 - bits) : -1;
    table.style.setProperty("--column", at >= 0 ? `${at * PIXEL}px` : "-99px");
  });
  return table;
}

const PIXEL = 6;

// plane draws a row of bits, bit 0 left.
function plane(bits: string): SVGElement {
  let d = "";
  [...bits].forEach((b, i) => (d += b === "1" ? `M${i * PIXEL} 1h${PIXEL - 1}v10h${1 - PIXEL}z` : ""));
  const value = parseInt([...bits].reverse().join(""), 2).toString(16);
  return svg("svg", { class: "plane", width: bits.length * PIXEL, height: 12, role: "img", "aria-label": `0x${value}` }, svg("path", { d }));
}

const ENTRIES = 16;

// dictionary shows the entries as they stood before the word pointed at, or at the
// end of the block.
function dictionary(s: Structure, e: Explanation, selection: Selection): HTMLElement {
  const cells = Array.from({ length: ENTRIES }, () => h("span", {}));
  const said = h("p", {});
  const draw = (): void => {
    const before = selection.items.size > 0 ? Math.min(...selection.items) : Infinity;
    const item = e.items?.[before];
    const used = new Set(
      (e.fields ?? []).filter((f) => f.kind === "index" && selection.items.has(f.item)).map((f) => Number(f.value)),
    );
    const held: (string | undefined)[] = [];
    const by: string[] = [];
    for (const r of s.rows) {
      if ((r.items?.[0] ?? 0) >= before) break;
      held[Number(r.cells[1])] = r.cells[2]!;
      by[Number(r.cells[1])] = r.cells[0]!;
    }
    said.textContent = item ? `Before ${item.name}${used.size > 0 ? `, which uses entry ${[...used].join(", ")}` : ""}:` : "After the last word:";
    cells.forEach((c, i) => {
      c.replaceChildren(h("small", {}, `${i}${held[i] ? ` · word ${by[i]}` : ""}`), held[i] ?? "empty");
      c.className = used.has(i) ? "on" : held[i] ? "" : "free";
    });
  };
  selection.on(draw);
  draw();
  return h("div", {}, said, h("div", { class: "entries" }, ...cells));
}
