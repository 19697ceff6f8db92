// The error of an output over its address: a column for some elements in a row, with the mean and the largest
// difference from the exact output.

import { fitCanvas, h, ink, stepped, text } from "../lib/dom";
import { count, significant } from "../lib/format";
import type { Errors } from "../protocol/protocol";
import type { Page } from "../state/page";

// heightOf is the height of a value in a strip, from 0 to 1, on a scale of the root, so that small errors beside large
// ones can be seen. What is infinite is as high as the strip.
export function heightOf(value: number, top: number): number {
  if (value === 0) return 0;
  return Number.isFinite(value) && top > 0 ? Math.sqrt(value / top) : 1;
}

// topOf is the largest finite value.
export function topOf(e: Errors): number {
  return e.most.reduce((top, v) => (Number.isFinite(v) ? Math.max(top, v) : top), 0);
}

// wordsOfErrors says in words what a column of the strip shows; without a column, the whole.
export function wordsOfErrors(e: Errors, column?: number): string {
  const value = (v: number): string => (Number.isFinite(v) ? significant(v) : "no number");
  if (column === undefined) {
    const wrong = e.most.reduce((n, v) => n + (v > 0 ? 1 : 0), 0);
    if (wrong === 0) return `Error over address, ${e.name}: none.`;
    const top = e.most.indexOf(e.most.reduce((a, b) => Math.max(a, b), 0));
    return `Error over address, ${e.name}: ${count(wrong)} of ${count(e.most.length)} columns have one; the largest, ${value(e.most[top]!)}, is at ${placeOf(e, top)}.`;
  }
  return `${placeOf(e, column)}: mean error ${value(e.mean[column]!)}, largest ${value(e.most[column]!)}.`;
}

function placeOf(e: Errors, column: number): string {
  const first = column * e.each;
  const elements = e.each === 1 ? `element ${count(first)}` : `elements from ${count(first)}`;
  return `byte ${count(first * e.elementBytes)} (${elements})`;
}

export class ErrorStrip {
  private canvas = h("canvas", { role: "img", tabindex: 0 });
  private words = h("p", { class: "readout" });
  readonly box = h("figure", { class: "errorstrip", hidden: true }, this.canvas, this.words);
  private shown: Errors | undefined;
  private column: number | undefined;

  constructor(private page: Page) {
    this.canvas.addEventListener("pointermove", (e) => {
      const r = this.canvas.getBoundingClientRect();
      this.look(Math.floor(((e.clientX - r.left) / r.width) * (this.shown?.mean.length ?? 1)));
    });
    this.canvas.addEventListener("pointerleave", () => this.look(undefined));
    stepped(this.canvas, () => ({ ArrowLeft: -1, ArrowRight: 1 }), (step) =>
      this.look((this.column ?? (step > 0 ? -1 : (this.shown?.mean.length ?? 0))) + step));
  }

  // draw shows the errors of an output of the side on show; without a name, of the first one.
  draw(name: string | undefined): void {
    const list = this.page.data.errors[this.page.settings.side];
    const errors = list.find((e) => e.name === name) ?? (name === undefined ? list[0] : undefined);
    if (errors !== this.shown) this.column = undefined;
    this.shown = errors;
    this.box.hidden = !errors;
    if (errors) this.paint(errors);
  }

  private look(column: number | undefined): void {
    const e = this.shown;
    if (!e) return;
    this.column = column === undefined ? undefined : Math.max(0, Math.min(e.mean.length - 1, column));
    this.paint(e);
  }

  private paint(e: Errors): void {
    const words = wordsOfErrors(e, this.column);
    text(this.words, words);
    Object.assign(this.canvas.dataset, { name: e.name, from: this.column === undefined ? "" : this.column * e.each, each: e.each }); // for results/provenance.ts
    this.canvas.setAttribute("aria-label", `${wordsOfErrors(e)} Pale is the largest error of a column, dark the mean. Arrow keys move from column to column.`);
    const { g, width, height } = fitCanvas(this.canvas);
    const top = topOf(e);
    const wide = width / e.mean.length;
    g.fillStyle = ink("rule");
    g.fillRect(0, height - 1, width, 1);
    g.fillStyle = ink("approx");
    for (let i = 0; i < e.mean.length; i++) {
      for (const [values, alpha] of [[e.most, 0.35], [e.mean, 1]] as const) {
        const high = heightOf(values[i]!, top) * (height - 2);
        g.globalAlpha = alpha;
        g.fillRect(i * wide, height - 1 - high, Math.max(wide, 1), high);
      }
    }
    g.globalAlpha = 1;
    if (this.column === undefined) return;
    g.strokeStyle = ink("ink");
    g.strokeRect(this.column * wide + 0.5, 0.5, Math.max(wide, 2), height - 1);
  }
}
