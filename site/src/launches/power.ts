// Power over time, part upon part.

import { cividis } from "../drawing/cividis";
import { timePlot, type Layer } from "../drawing/timeplot";
import { h } from "../lib/dom";
import { count, significant } from "../lib/format";
import type { Power } from "../protocol/launches";

// Span is a stretch of cycles.
export interface Span {
  from: number;
  to: number;
}

const HEIGHT = 130;
const FOOT_PART = "Static";
const TOLD = 4; // parts in the readout
const LEAST = 0.005; // of the energy: smaller parts are not in the key

export class PowerChart {
  private key = h("div", { class: "legend" });
  readonly time = timePlot("power", "Point at the power for its numbers, or move with the arrow keys.");
  readonly element = h("div", { class: "powerchart" }, this.time.plot, this.key, this.time.readout);
  private power: Power | undefined;

  show(power: Power | undefined): void {
    this.power = power;
    this.element.hidden = !power || power.ends.length === 0;
  }

  draw(span: Span | undefined): void {
    const p = this.power;
    if (!p || this.element.hidden) return;
    const end = p.ends.at(-1) ?? 1;
    const begin = (window: number): number => p.ends[window - 1] ?? 0;
    const n = p.parts.length;
    const of = (window: number): number[] => [...p.watts.subarray(window * n, (window + 1) * n)];
    const windows = [...p.ends.keys()];
    const energy = (list: number[]): number => list.reduce((sum, v, w) => sum + v * (p.ends[w]! - begin(w)), 0);
    const totals = windows.map((w) => of(w).reduce((a, b) => a + b, 0));
    const [all, most] = [energy(totals), Math.max(1e-12, ...totals)];
    const keys: HTMLElement[] = [];
    // The part that never changes is the foot, without a colour. The others share the scale.
    const parts = p.parts.map((part, i) => {
      const values = windows.map((w) => of(w)[i]!);
      return { part, values, share: energy(values) / all };
    });
    const foot = (x: { part: string }): number => Number(x.part === FOOT_PART);
    const used = parts.filter((x) => x.share > 0).sort((a, b) => foot(b) - foot(a));
    let low = windows.map(() => 0);
    const layers = used.map(({ part, values, share }, i): Layer => {
      const [under, over] = [low, low.map((v, w) => v + values[w]!)];
      low = over;
      const fill = part === FOOT_PART ? "var(--rule)" : cividis(i / Math.max(1, used.length - 1));
      const words = `${part} ${significant(100 * share, 2)} %`;
      if (share >= LEAST) keys.push(h("span", {}, h("i", { class: "k", style: `background:${fill}` }), words));
      const more = { fill, "data-part": part };
      return { look: "", over: (w) => over[w]! / most, under: (w) => under[w]! / most, more };
    });
    this.key.replaceChildren(...keys);
    const says = (w: number): string => {
      const watts = of(w);
      const largest = [...watts.keys()].sort((a, b) => watts[b]! - watts[a]!).slice(0, TOLD);
      const told = largest.map((i) => `${p.parts[i]} ${significant(watts[i]!)} W`).join(", ");
      return `Cycles ${count(begin(w))} to ${count(p.ends[w]!)}: ${significant(totals[w]!)} W. Most of it: ${told}.`;
    };
    const said = `${significant(all / end)} W on average, at most ${significant(most)} W`;
    this.time.draw(this.element.clientWidth, end, [{
      title: "power by part, in watts", high: HEIGHT, ticks: [[0, "0"], [1, significant(most)]], points: p.ends.length,
      from: begin, to: (w) => p.ends[w]!, layers, span, says,
    }], `Power over ${count(end)} cycles: ${said}.`);
  }
}
