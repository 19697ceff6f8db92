// The selection in the dialog of one block: the items of its code whose bytes, bits and
// structure light up together, and how keys move it.

import type { Explanation } from "../protocol/explain";

export class Selection {
  items: ReadonlySet<number> = new Set();
  field: number | undefined;
  // The bytes of a selected value; otherwise those of the items.
  bytes: { from: number; to: number } | undefined;
  private listeners: (() => void)[] = [];

  constructor(readonly of: Explanation) {}

  on(listener: () => void): void {
    this.listeners.push(listener);
  }

  choose(items: Iterable<number>, field?: number, bytes?: { from: number; to: number }): void {
    this.items = new Set(items);
    this.field = field;
    this.bytes = bytes;
    for (const listener of this.listeners) listener();
  }

  // chooseBytes selects the items that stand for some bytes.
  chooseBytes(from: number, to: number): void {
    const items = (this.of.items ?? []).flatMap((it, i) => (it.bytes > 0 && it.byte < to && from < it.byte + it.bytes ? [i] : []));
    this.choose(items, undefined, { from, to });
  }

  covers(from: number, to: number): boolean {
    if (this.bytes) return this.bytes.from < to && from < this.bytes.to;
    for (const i of this.items) {
      const it = this.of.items![i]!;
      if (it.byte < to && from < it.byte + it.bytes) return true;
    }
    return false;
  }
}

// roving makes a set of elements one stop of the Tab key; arrows move inside it.
// stride is how many elements the arrows up and down skip.
export function roving(box: Element, members: () => Element[], stride: (from: number, down: boolean) => number, chosen: (i: number) => void): void {
  const focus = (i: number): void => {
    const list = members();
    const next = list[Math.max(0, Math.min(list.length - 1, i))];
    if (!next) return;
    for (const e of list) e.setAttribute("tabindex", e === next ? "0" : "-1");
    (next as HTMLElement).focus();
  };
  box.addEventListener("keydown", (e) => {
    const { key, target } = e as KeyboardEvent;
    const list = members();
    const at = list.indexOf(target as Element);
    if (at < 0) return;
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + stride(at, false),
      ArrowDown: at + stride(at, true),
      Home: 0,
      End: list.length - 1,
    }[key];
    if (to === undefined) return;
    focus(to);
    e.preventDefault();
  });
  const pick = (e: Event): void => {
    const i = members().findIndex((m) => m.contains(e.target as Node));
    if (i < 0) return;
    members().forEach((m, k) => m.setAttribute("tabindex", k === i ? "0" : "-1"));
    chosen(i);
  };
  box.addEventListener("click", pick);
  box.addEventListener("focusin", pick);
  members().forEach((m, k) => m.setAttribute("tabindex", k === 0 ? "0" : "-1"));
}
