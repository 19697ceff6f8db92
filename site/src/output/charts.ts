// Pictures of an output's values: heat maps of the exact ones, of both sides and of their errors, and a plot.

import { cividis, cividisRGB } from "../drawing/cividis";
import { fitCanvas, h, ink, stepped, text } from "../lib/dom";
import { textOf } from "../protocol/elements";
import { rangeOf, type Decoded } from "./values";

const MOST_CELLS = 1 << 21; // of a heat map; of more, rows are left out
const STEPS = 256; // of the colour scale

interface HeatMap {
  canvas: HTMLCanvasElement;
  caption: HTMLElement;
  title: string;
}

const GRADIENT = [0, 0.25, 0.5, 0.75, 1].map(cividis).join(", ");
const scale = (): HTMLElement => h("i", { class: "scale", style: `background: linear-gradient(90deg, ${GRADIENT})` });

export class Charts {
  private list: HeatMap[];
  private line = h("canvas", { role: "img" });
  private lineWords = h("figcaption");
  readonly maps: HTMLElement;
  readonly plot: HTMLElement;
  private columns = 1;
  private at = 0;
  private sides: [Decoded, Decoded] | undefined;
  private step = 1; // rows between two that a heat map draws

  constructor(look: (i: number) => void) {
    this.list = ["exact", "A", "B", "error of A", "error of B"].map((title) => {
      const canvas = h("canvas", { role: "img", tabindex: 0 });
      this.wire(canvas, look);
      return { canvas, caption: h("figcaption"), title };
    });
    this.maps = h("div", { class: "maps" }, ...this.list.map((m) => h("figure", {}, m.canvas, scale(), m.caption)));
    const key = (side: string): HTMLElement => h("span", {}, h("i", { class: `k ${side}` }), side);
    this.plot = h("figure", { class: "plot" },
      h("figcaption", {}, h("b", {}, "Values over their place"), key("exact"), key("A"), key("B")),
      this.line, this.lineWords);
  }

  draw(A: Decoded, B: Decoded, columns: number): void {
    this.sides = [A, B];
    this.columns = columns;
    const range = rangeOf(A.exact);
    const top = Math.max(...[A, B].map((d) => rangeOf(d.errors.each)[1]));
    const values = [A.exact, A.got, B.got, A.errors.each, B.errors.each];
    this.list.forEach((m, i) => {
      const error = i > 2;
      const [low, high] = error ? [0, top] : range;
      this.paint(m.canvas, values[i]!, (v) => (error ? Math.sqrt(v / (high || 1)) : (v - low) / (high - low || 1)));
      m.canvas.parentElement!.hidden = error && values[i]!.every((v) => v === 0);
      const words = `${textOf(low)} to ${textOf(high)}${error ? ", on a scale of the root" : ""}`;
      m.caption.replaceChildren(h("b", {}, m.title), `: ${words}`);
      const said = `${m.title}, ${columns} elements in a row: ${words}. Arrow keys choose an element.`;
      m.canvas.setAttribute("aria-label", said);
      Object.assign(m.canvas.dataset, { name: A.of.name, from: this.at, each: 1 }); // for results/provenance.ts
    });
    this.drawLine(A, B);
  }

  look(i: number): void {
    this.at = i;
    for (const m of this.list) m.canvas.dataset["from"] = String(i);
    if (this.sides) this.drawLine(...this.sides);
  }

  private paint(canvas: HTMLCanvasElement, values: Float64Array, place: (v: number) => number): void {
    const { columns } = this;
    const rows = Math.ceil(values.length / columns);
    this.step = Math.max(1, Math.ceil((rows * columns) / MOST_CELLS));
    const drawn = Math.ceil(rows / this.step);
    const image = new ImageData(columns, drawn);
    const colours = Array.from({ length: STEPS }, (_, i) => cividisRGB(i / (STEPS - 1)));
    for (let r = 0; r < drawn; r++) {
      for (let c = 0; c < columns; c++) {
        const v = values[r * this.step * columns + c];
        if (v === undefined || Number.isNaN(v)) continue; // left transparent
        const [red, green, blue] = colours[Math.round(Math.min(1, Math.max(0, place(v))) * (STEPS - 1))]!;
        image.data.set([red, green, blue, 255], 4 * (r * columns + c));
      }
    }
    canvas.width = columns;
    canvas.height = drawn;
    canvas.getContext("2d")!.putImageData(image, 0, 0);
  }

  // drawLine draws the values in their order; of those that share a column of the picture, the least and the largest.
  private drawLine(A: Decoded, B: Decoded): void {
    const { g, width, height } = fitCanvas(this.line);
    const ranges = [A.exact, A.got, B.got].map(rangeOf);
    const [low, high] = [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
    const n = A.exact.length;
    const y = (v: number): number => height - 3 - ((v - low) / (high - low || 1)) * (height - 6);
    const lines = [[A.exact, "ink", 2.5, []], [A.got, "line-a", 1.5, [5, 3]], [B.got, "line-b", 1, []]] as const;
    for (const [values, colour, wide, dash] of lines) {
      g.strokeStyle = ink(colour);
      g.lineWidth = wide;
      g.setLineDash([...dash]);
      g.beginPath();
      const columns = Math.min(n, Math.ceil(width));
      for (let c = 0; c < columns; c++) {
        const [from, to] = [Math.floor((c * n) / columns), Math.floor(((c + 1) * n) / columns)];
        const [least, most] = rangeOf(values.subarray(from, Math.max(to, from + 1)));
        const x = columns > 1 ? (c / (columns - 1)) * width : width / 2;
        g.lineTo(x, y(least));
        if (most !== least) g.lineTo(x, y(most));
      }
      g.stroke();
    }
    g.setLineDash([]);
    g.strokeStyle = ink("accent");
    g.lineWidth = 1;
    g.strokeRect(n > 1 ? (this.at / (n - 1)) * width : width / 2, 0, 0.5, height);
    const words = `${textOf(low)} to ${textOf(high)}; the thin line is at element ${this.at}`;
    text(this.lineWords, words);
    this.line.setAttribute("aria-label", `Exact values and those of A and B over ${n} elements, ${words}`);
  }

  private wire(canvas: HTMLCanvasElement, look: (i: number) => void): void {
    canvas.addEventListener("pointerdown", (e) => {
      const r = canvas.getBoundingClientRect();
      const column = Math.floor(((e.clientX - r.left) / r.width) * this.columns);
      const row = Math.floor(((e.clientY - r.top) / r.height) * canvas.height) * this.step;
      look(row * this.columns + Math.min(this.columns - 1, column));
    });
    const steps = (): Record<string, number> =>
      ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns });
    stepped(canvas, steps, (step) => look(this.at + step));
  }
}
