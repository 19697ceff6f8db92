// The encoded bits of a block, field by field, and its bytes as values.

import { VALUE_BYTES, bytesOf, valueText, valuesOf, type ValueType } from "./blockvalues";
import { APPROXIMATED, legendMark } from "../drawing/marks";
import { h } from "../lib/dom";
import type { Explanation, Field } from "../protocol/explain";
import { roving, type Selection } from "./select";

const KINDS: Record<Field["kind"], string> = {
  header: "header",
  code: "prefix or codeword",
  index: "index",
  data: "data",
  escape: "value behind an escape",
  padding: "padding",
};

function bitString(hex: string): string {
  return [...hex].map((c) => parseInt(c, 16).toString(2).padStart(4, "0")).join("");
}

// signs writes minus signs as the page does.
export function signs(s: string): string {
  return s.replace(/(^|\s)-(?=\d)/g, "$1\u2212");
}

function span(first: number, count: number): string {
  return count === 1 ? `bit ${first}` : `bits ${first} to ${first + count - 1}`;
}

// fieldWords says a field in a sentence.
export function fieldWords(e: Explanation, f: Field): string {
  const item = e.items?.[f.item];
  const of = item ? `${item.name}, ` : "";
  return signs(`${of}${f.name}: ${f.value}; ${f.meaning} (${span(f.first, f.count)})`);
}

export function itemWords(e: Explanation, i: number): string {
  const it = e.items![i]!;
  const where = it.lost ? "" : ` (${span(it.first, it.count)})`;
  return signs(`${it.name}: ${it.says}${where}`);
}

// bitFlow lays all bits out, a field after the other; where a burst ends it says so.
export function bitFlow(e: Explanation, selection: Selection, mag: number): HTMLElement {
  const box = h("div", { class: "flow", role: "listbox", "aria-label": "Encoded bits, field by field", "aria-orientation": "horizontal" });
  const bits = bitString(e.encoded);
  const fields = e.fields ?? [];
  // The arrow keys go through fields, and through symbols without a field.
  const stops: { chip: HTMLElement; items: number[]; field?: number }[] = [];
  let gap: HTMLElement | undefined; // the element that holds the fields of the current item
  let item = -1;
  const lost = (to: number): void => {
    const items = e.items ?? [];
    for (let i = item + 1; i < to; i++) {
      if (!items[i]!.lost) continue;
      let last = i;
      while (last + 1 < to && items[last + 1]!.lost) last++;
      const name = last > i ? `${items[i]!.name.replace(" ", "s ")} to ${items[last]!.name.replace(/^\D+/, "")}` : items[i]!.name;
      const chip = h("span", { class: "lost", role: "option", "aria-selected": "false", "aria-label": `${name} left out: no bits`, title: items[i]!.says }, `${name} left out`);
      stops.push({ chip, items: Array.from({ length: last - i + 1 }, (_, k) => i + k) });
      box.append(chip);
      i = last;
    }
  };
  fields.forEach((f, n) => {
    if (f.item !== item) {
      lost(f.item);
      item = f.item;
      gap = h("span", { class: "item", role: "group", "aria-label": e.items![item]!.name });
      box.append(gap);
    }
    const chip = h("span", { class: `f ${f.kind}`, role: "option", "aria-selected": "false", "aria-label": fieldWords(e, f), title: `${f.name}: ${f.value}` });
    for (let at = f.first; at < f.first + f.count; ) {
      const edge = Math.floor(at / (mag * 8) + 1) * mag * 8;
      const end = Math.min(f.first + f.count, edge);
      chip.append(bits.slice(at, end));
      if (end === edge && end < e.laidOut) chip.append(h("b", { class: "edge", title: `burst ${edge / mag / 8} of ${mag} B ends here` }, `▏${edge / mag / 8 + 1}`));
      at = end;
    }
    gap!.append(chip);
    stops.push({ chip, items: [f.item], field: n });
  });
  lost((e.items ?? []).length);
  // Up and down: to the item before or after.
  const itemOf = (i: number): number | undefined => stops[i]?.items[0];
  const stride = (from: number, down: boolean): number => {
    let to = from;
    while (itemOf(to) === itemOf(from)) to += down ? 1 : -1;
    if (!stops[to]) return 0;
    if (!down) while (itemOf(to - 1) === itemOf(to)) to--;
    return to - from;
  };
  const chips = stops.map((s) => s.chip);
  roving(box, () => chips, stride, (i) => selection.choose(stops[i]!.items, stops[i]!.field));
  selection.on(() => {
    for (const { chip, items, field } of stops) {
      const here = field !== undefined && field === selection.field;
      chip.classList.toggle("on", items.some((k) => selection.items.has(k)));
      chip.classList.toggle("this", here);
      chip.setAttribute("aria-selected", String(here));
    }
  });
  return box;
}

// bitKey names the kinds that occur.
export function bitKey(e: Explanation): HTMLElement {
  const key = h("p", { class: "key" });
  for (const [kind, words] of Object.entries(KINDS)) {
    if (e.fields?.some((f) => f.kind === kind)) key.append(h("span", {}, h("i", { class: `f ${kind}` }, "01"), words));
  }
  if (e.items?.some((i) => i.lost)) key.append(legendMark(APPROXIMATED, "left out"));
  return key;
}

// valueGrid shows the bytes and their values as numbers. Values that a reader gets
// differently stand below.
export function valueGrid(e: Explanation, selection: Selection, type: ValueType): HTMLElement {
  const original = bytesOf(e.original);
  const decoded = bytesOf(e.decoded);
  const size = VALUE_BYTES[type];
  const before = valuesOf(original, type);
  const after = valuesOf(decoded, type);
  const lostBytes = new Set((e.items ?? []).filter((i) => i.lost).flatMap((i) => Array.from({ length: i.bytes }, (_, k) => i.byte + k)));
  const box = h("div", { class: `values ${type}`, role: "listbox", "aria-label": `The block as ${before.length} values of type ${type}` });
  const cells = before.map((v, i) => {
    const from = i * size;
    const hex = e.original.slice(2 * from, 2 * (from + size));
    const changed = e.decoded.slice(2 * from, 2 * (from + size)) !== hex;
    const cut = Array.from({ length: size }, (_, k) => from + k).some((b) => lostBytes.has(b));
    const was = valueText(v, type);
    const is = valueText(after[i]!, type);
    const loss = changed ? `, a reader gets ${is}` : cut ? ", left out and restored" : "";
    return h(
      "span",
      { class: cut || changed ? "cut" : undefined, role: "option", "aria-selected": "false", "aria-label": `value ${i}, byte ${from}: ${was}${loss}` },
      h("small", {}, hex),
      h("span", {}, was),
      changed ? h("span", { class: "got" }, `→ ${is}`) : undefined,
    );
  });
  box.append(...cells);
  const columns = (): number => {
    const top = cells[0]!.offsetTop;
    const n = cells.findIndex((c) => c.offsetTop !== top);
    return n < 0 ? cells.length : n;
  };
  roving(box, () => cells, (_, down) => (down ? columns() : -columns()), (i) => selection.chooseBytes(i * size, (i + 1) * size));
  selection.on(() => {
    cells.forEach((c, i) => {
      const on = selection.covers(i * size, (i + 1) * size);
      c.classList.toggle("on", on);
      c.setAttribute("aria-selected", String(on));
    });
  });
  return box;
}
