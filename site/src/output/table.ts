// The elements of an output one by one: exact beside A beside B.

import { bytesOf, textOf } from "../protocol/elements";
import { h } from "../lib/dom";
import { makeTable } from "../lib/table";
import { count, hex } from "../lib/format";
import type { Decoded } from "./values";

const ROWS = 8;

export class ElementTable {
  private body = h("tbody");
  private from = h("input", { type: "number", min: 0, "aria-label": "First element of the table" });
  private sides: [Decoded, Decoded] | undefined;
  private first = 0;
  private at = -1;
  readonly element: HTMLElement;

  constructor(look: (i: number) => void) {
    const turn = (words: string, name: string, step: number): HTMLElement => {
      return h("button", { type: "button", "aria-label": name, onclick: () => this.turn(this.first + step) }, words);
    };
    this.from.addEventListener("change", () => {
      if (Number.isInteger(this.from.valueAsNumber)) look(this.from.valueAsNumber);
    });
    const heads = ["element", "address", "exact", "A", "error of A", "B", "error of B"];
    this.element = h("div", { class: "values" },
      h("div", { class: "tools" }, h("label", {}, "elements from", this.from),
        turn("↑", "Elements before", -ROWS), turn("↓", "Elements after", ROWS)),
      h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": "Table: elements of the output" },
        makeTable({}, heads, this.body)));
  }

  show(A: Decoded, B: Decoded): void {
    this.sides = [A, B];
    this.turn(this.first);
  }

  // look shows an element among those around it.
  look(i: number): void {
    this.at = i;
    if (i < this.first || i >= this.first + ROWS || this.first === 0) this.turn(i - (i % ROWS));
    else this.fill();
  }

  private turn(first: number): void {
    const n = this.sides?.[0].exact.length ?? 0;
    this.first = Math.max(0, Math.min(first, n - (n % ROWS || ROWS)));
    this.fill();
  }

  private fill(): void {
    if (!this.sides) return;
    const [{ of, exact }] = this.sides;
    this.from.value = String(this.first);
    const rows: HTMLElement[] = [];
    for (let i = this.first; i < Math.min(exact.length, this.first + ROWS); i++) {
      const cells = this.sides.flatMap(({ got, errors }) => {
        const off = errors.each[i] !== 0;
        const error = Number.isFinite(errors.each[i]!) ? textOf(errors.each[i]!) : "no number";
        return [h("td", off ? { class: "off" } : {}, textOf(got[i]!)), h("td", off ? { class: "off" } : {}, error)];
      });
      rows.push(h("tr", i === this.at ? { "aria-current": "true" } : {},
        h("th", { scope: "row" }, count(i)), h("td", {}, hex(of.address! + i * bytesOf(of.element!))),
        h("td", {}, textOf(exact[i]!)), ...cells));
    }
    this.body.replaceChildren(...rows);
  }
}
