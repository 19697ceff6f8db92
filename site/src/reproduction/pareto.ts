// Speed over loss for a figure of combinations: a point for each combination of each program, filled on the program's
// Pareto front. A rectangle drawn over points, or the keyboard, chooses points; the table lists the chosen ones.

import { END, type Palette, pictureOf, Plot, scale } from "../drawing/plot";
import { button, h, text } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import { percent, significant } from "../lib/format";
import type { Figure } from "./data";

// Titles of the panels in assets/figures/rfvp-combined.yaml begin so.
const PANELS = { speed: "Speedup", energy: "Energy", loss: "Loss", front: "On the Pareto front" } as const;

const HEIGHT = 300;
const EDGE = { left: 44, right: 14, top: 10, bottom: 34 };
// Losses are on a logarithmic scale between these; what is beyond lies at its ends.
const LEAST = 1e-3;
const MOST = 10;
const TICKS = [0.001, 0.01, 0.1, 1, 10];

export interface ParetoPoint {
  program: string;
  combination: string;
  speed: number;
  energy: number;
  loss: number; // share
  front: boolean;
}

// paretoPoints are the points of a figure that has the panels; others have none. The least loss comes first.
export function paretoPoints(f: Pick<Figure, "panels">): ParetoPoint[] {
  const panel = (begin: string) => f.panels.find((p) => p.title.startsWith(begin));
  const [speed, energy, loss, front] = [PANELS.speed, PANELS.energy, PANELS.loss, PANELS.front].map(panel);
  if (!speed || !energy || !loss || !front) return [];
  const inShares = loss.unit === "%" ? 0.01 : 1;
  const points: ParetoPoint[] = [];
  front.series.forEach((s, i) =>
    front.categories.forEach((program, k) => {
      const value = (p: typeof front) => p.series.find((x) => x.label === s.label)?.values[p.categories.indexOf(program)] ?? null;
      const [v, e, l, on] = [value(speed), value(energy), value(loss), front.series[i]!.values[k] ?? null];
      if (program === "mean" || v === null || e === null || l === null || on === null) return;
      points.push({ program, combination: s.label, speed: v, energy: e, loss: l * inShares, front: on === 1 });
    }),
  );
  return points.sort((a, b) => a.loss - b.loss || a.speed - b.speed);
}

// acrossOf is the place of a loss between 0 and 1.
export const acrossOf = scale(LEAST, MOST, 0, 1, Math.log10);

export class Pareto {
  private words = h("p", { class: "words", "aria-live": "polite" });
  private holder = h("div", { class: "pareto", tabindex: 0, role: "application", "aria-roledescription": "chart" });
  private body = h("tbody", {});
  private table = makeTable(
    { class: "numbers figure-table" },
    ["program", "combination", "speedup", "energy of nothing over energy", "loss", "Pareto front"], this.body,
    h("caption", { class: "vh" }, "The chosen points"),
  );
  private clear = button("Clear the choice", () => this.choose(new Set()), { class: "plain" });
  readonly box = h("section", { class: "figpanel wide", hidden: true },
    h("h3", {}, "Speed over loss, all programs and combinations"),
    this.holder,
    h("p", { class: "note" }, "Filled: on the Pareto front of its program. Square: with RFVP. Drag over points to choose them; on the keyboard arrows move, Space chooses, Shift and arrows choose several, Escape clears."),
    h("div", { class: "tools" }, this.words, this.clear),
    h("div", { class: "scroller", role: "region", tabindex: 0, "aria-label": "The chosen points" }, this.table),
  );
  private points: ParetoPoint[] = [];
  private of: unknown;
  private chosen = new Set<number>();
  private at = -1; // the point that the keyboard is on
  private from: { x: number; y: number } | undefined; // where a drag began
  private to = { x: 0, y: 0 };
  private palette: Palette | undefined;

  constructor() {
    const { holder } = this;
    const place = (e: PointerEvent): { x: number; y: number } => {
      const r = holder.getBoundingClientRect();
      return { x: e.clientX - r.left, y: e.clientY - r.top };
    };
    holder.addEventListener("pointerdown", (e) => {
      holder.setPointerCapture(e.pointerId);
      this.from = this.to = place(e);
    });
    holder.addEventListener("pointermove", (e) => {
      if (!this.from) return;
      this.to = place(e);
      this.paint();
    });
    holder.addEventListener("pointerup", () => this.brushed());
    holder.addEventListener("pointercancel", () => {
      this.from = undefined;
      this.paint();
    });
    holder.addEventListener("keydown", (e) => this.key(e));
  }

  draw(figure: Figure, palette: Palette): void {
    if (this.of !== figure) {
      this.of = figure;
      this.points = paretoPoints(figure);
      this.chosen.clear();
      this.at = -1;
    }
    this.palette = palette;
    this.box.hidden = this.points.length === 0;
    if (!this.box.hidden) this.paint();
  }

  private place(p: ParetoPoint): { x: number; y: number } {
    const wide = this.holder.clientWidth - EDGE.left - EDGE.right;
    const top = Math.max(...this.points.map((q) => q.speed));
    return { x: EDGE.left + acrossOf(p.loss) * wide, y: EDGE.top + (1 - p.speed / top) * (HEIGHT - EDGE.top - EDGE.bottom) };
  }

  // brushed chooses what a drag has covered; a press without a drag, the points under it.
  private brushed(): void {
    const { from, to } = this;
    this.from = undefined;
    if (!from) return;
    const near = 6;
    const [left, right] = [Math.min(from.x, to.x) - near, Math.max(from.x, to.x) + near];
    const [up, down] = [Math.min(from.y, to.y) - near, Math.max(from.y, to.y) + near];
    const inside = this.points.map((p) => this.place(p)).map(({ x, y }) => x >= left && x <= right && y >= up && y <= down);
    this.choose(new Set(inside.flatMap((on, i) => (on ? [i] : []))));
  }

  private choose(set: Set<number>): void {
    this.chosen = set;
    this.paint();
  }

  private key(e: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[e.key];
    if (step !== undefined) {
      this.at = Math.max(0, Math.min(this.points.length - 1, this.at + step));
      if (e.shiftKey) this.chosen.add(this.at);
    } else if (e.key === " " || e.key === "Enter") {
      if (this.at >= 0 && !this.chosen.delete(this.at)) this.chosen.add(this.at);
    } else if (e.key === "Escape" && this.chosen.size > 0) this.chosen.clear();
    else return;
    e.preventDefault();
    e.stopPropagation();
    this.paint();
  }

  private paint(): void {
    if (!this.palette) return;
    const width = Math.max(280, this.holder.clientWidth);
    const right = width - EDGE.right;
    const plot = new Plot(this.palette);
    const ink = this.palette;
    const floor = HEIGHT - EDGE.bottom;
    const top = Math.max(...this.points.map((q) => q.speed));
    const up = scale(0, top, floor, EDGE.top);
    for (let v = 0; v <= top; v += top > 4 ? 2 : 1) plot.across(EDGE.left, right, up(v), `${v}×`);
    for (const t of TICKS.filter((t) => width > 420 || t !== 1)) {
      const said = t === LEAST ? "≤ 0.1 %" : t === MOST ? "≥ 1000 %" : percent(t);
      plot.words(EDGE.left + acrossOf(t) * (right - EDGE.left), floor + 15, said, t === MOST ? END : {});
    }
    plot.words((EDGE.left + width) / 2, HEIGHT - 3, "loss of quality");
    this.points.forEach((p, i) => {
      const { x, y } = this.place(p);
      const on = this.chosen.has(i);
      const colour = ink.series[p.combination.includes("RFVP") ? 5 : 0]!;
      const style = { fill: p.front ? colour : ink.paper, stroke: on ? ink.ink : colour, "stroke-width": on ? 2.5 : 1.2, "data-point": i, "data-chosen": String(on) };
      if (p.combination.includes("RFVP")) plot.draw("rect", { x: x - 4, y: y - 4, width: 8, height: 8, ...style });
      else plot.draw("circle", { cx: x, cy: y, r: 4.5, ...style });
      if (i === this.at) plot.draw("circle", { cx: x, cy: y, r: 9, fill: "none", stroke: ink.ink, "stroke-width": 1.5 });
    });
    if (this.from) {
      const { from, to } = this;
      plot.draw("rect", {
        x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y),
        fill: ink.ink, "fill-opacity": 0.08, stroke: ink.ink, "stroke-dasharray": "4 3",
      });
    }
    this.holder.replaceChildren(pictureOf(plot, width, HEIGHT, { "aria-hidden": "true" }));
    this.tell();
  }

  private tell(): void {
    const here = this.points[this.at];
    const chosen = [...this.chosen].sort((a, b) => a - b).map((i) => this.points[i]!);
    const on = here ? ` On ${here.program}, ${here.combination}: ${significant(here.speed)} times as fast, loss ${percent(here.loss)}.` : "";
    const said = `${chosen.length} of ${this.points.length} points chosen.${on}`;
    text(this.words, said);
    this.holder.setAttribute("aria-label", `Speedup over loss. ${said} Arrow keys move from point to point.`);
    this.clear.hidden = chosen.length === 0;
    this.table.hidden = chosen.length === 0;
    this.body.replaceChildren(
      ...chosen.map((p) => row({}, p.program, p.combination, significant(p.speed, 4), significant(p.energy, 4),
        percent(p.loss), p.front ? "on it" : "–")),
    );
  }
}
