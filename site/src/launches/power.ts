// Power over time, part upon part.

import { cividis } from "../drawing/cividis";
import { h, svg, text } from "../lib/dom";
import { count, short, significant } from "../lib/format";
import type { Power } from "../protocol/launches";

// Span is a stretch of cycles.
export interface Span {
  from: number;
  to: number;
}

const LEFT = 48;
const RIGHT = 10;
const TOP = 18;
const HEIGHT = 130;
const FOOT = 20;
const FOOT_PART = "Static";
const TOLD = 4; // parts in the readout
const LEAST = 0.005; // of the energy: smaller parts are not in the key

export class PowerChart {
  private plot = svg("svg", { class: "plot power", role: "img", tabindex: 0 }) as SVGSVGElement;
  private key = h("div", { class: "legend" });
  private readout = h("p", { class: "readout" });
  readonly element = h("div", { class: "powerchart" }, this.plot, this.key, this.readout);
  private power: Power | undefined;
  private at = -1; // window of the pointer and the arrow keys
  private cycle = 0;

  constructor() {
    this.plot.addEventListener("pointermove", (e) => this.tell(this.windowAt(e.clientX)));
    this.plot.addEventListener("pointerleave", () => this.tell(-1));
    this.plot.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (by === undefined || !this.power) return;
      e.preventDefault();
      e.stopPropagation();
      this.tell(Math.max(0, Math.min(this.power.ends.length - 1, this.at + by)));
    });
  }

  show(power: Power | undefined): void {
    this.power = power;
    this.element.hidden = !power || power.ends.length === 0;
  }

  private get end(): number {
    return this.power?.ends.at(-1) ?? 1;
  }

  private x(cycle: number): number {
    return LEFT + ((this.element.clientWidth - LEFT - RIGHT) * Math.min(cycle, this.end)) / this.end;
  }

  private of(window: number): number[] {
    const { parts, watts } = this.power!;
    return [...watts.subarray(window * parts.length, (window + 1) * parts.length)];
  }

  private total(window: number): number {
    return this.of(window).reduce((a, b) => a + b, 0);
  }

  // begin is the cycle in which a window begins.
  private begin(window: number): number {
    return window > 0 ? this.power!.ends[window - 1]! : 0;
  }

  draw(span: Span | undefined): void {
    const p = this.power;
    if (!p || this.element.hidden) return;
    const windows = [...p.ends.keys()];
    const energy = (list: number[]): number => list.reduce((sum, v, w) => sum + v * (p.ends[w]! - this.begin(w)), 0);
    const totals = windows.map((w) => this.total(w));
    const [all, most] = [energy(totals), Math.max(1e-12, ...totals)];
    const low = windows.map(() => 0);
    const areas: SVGElement[] = [];
    const keys: HTMLElement[] = [];
    // The part that never changes is the foot, without a colour. The others share the scale.
    const parts = p.parts.map((part, i) => {
      const values = windows.map((w) => this.of(w)[i]!);
      return { part, values, share: energy(values) / all };
    });
    const foot = (x: { part: string }): number => Number(x.part === FOOT_PART);
    const used = parts.filter((x) => x.share > 0).sort((a, b) => foot(b) - foot(a));
    used.forEach(({ part, values, share }, i) => {
      const under = [...low];
      windows.forEach((w) => (low[w]! += values[w]!));
      const fill = part === FOOT_PART ? "var(--rule)" : cividis(i / Math.max(1, used.length - 1));
      areas.push(svg("path", { d: this.area(low, under, most), style: `fill:${fill}`, "data-part": part }));
      const words = `${part} ${significant(100 * share, 2)} %`;
      if (share >= LEAST) keys.push(h("span", {}, h("i", { class: "k", style: `background:${fill}` }), words));
    });
    const wide = span ? Math.max(1, this.x(span.to) - this.x(span.from)) : 0;
    const marked = span && { class: "span", x: this.x(span.from), y: TOP, width: wide, height: HEIGHT };
    const over = [...(marked ? [svg("rect", marked)] : []), svg("path", { class: "cursor" })];
    this.plot.replaceChildren(...this.frame(most), ...areas, ...over);
    const height = TOP + HEIGHT + FOOT;
    this.plot.setAttribute("viewBox", `0 0 ${this.element.clientWidth} ${height}`);
    this.plot.style.height = `${height}px`;
    const said = `${significant(all / this.end)} W on average, at most ${significant(most)} W`;
    this.plot.setAttribute("aria-label", `Power over ${count(this.end)} cycles: ${said}. Arrow keys move through it.`);
    this.key.replaceChildren(...keys);
    this.tell(this.at);
    this.cursor(this.cycle);
  }

  // area lies between two lines of steps.
  private area(over: number[], under: number[], most: number): string {
    const y = (watts: number): string => (TOP + HEIGHT * (1 - watts / most)).toFixed(1);
    const x = (cycle: number): string => this.x(cycle).toFixed(1);
    const { ends } = this.power!;
    const there = over.map((v, w) => `${x(this.begin(w))} ${y(v)}H${x(ends[w]!)}`);
    const back = under.map((v, w) => `L${x(ends[w]!)} ${y(v)}H${x(this.begin(w))}`).reverse();
    return `M${there.join("L")}${back.join("")}Z`;
  }

  private frame(most: number): SVGElement[] {
    const right = this.x(this.end);
    const tick = (part: number): SVGElement => {
      const words = `${short(this.end * part)}${part === 1 ? " cycles" : ""}`;
      const side = part === 0 ? "" : part === 1 ? "end" : "mid";
      return svg("text", { x: this.x(this.end * part), y: TOP + HEIGHT + 15, class: side }, words);
    };
    return [
      svg("text", { x: LEFT, y: TOP - 6, class: "side" }, "power by part, in watts"),
      svg("path", { class: "grid", d: `M${LEFT} ${TOP}H${right}M${LEFT} ${TOP + HEIGHT}H${right}` }),
      svg("text", { x: LEFT - 6, y: TOP + 10, class: "end" }, significant(most)),
      svg("text", { x: LEFT - 6, y: TOP + HEIGHT, class: "end" }, "0"),
      ...[0, 0.5, 1].map(tick),
    ];
  }

  cursor(cycle: number): void {
    this.cycle = cycle;
    this.plot.querySelector(".cursor")?.setAttribute("d", `M${this.x(cycle)} ${TOP - 2}V${TOP + HEIGHT + 2}`);
  }

  private windowAt(clientX: number): number {
    const width = this.element.clientWidth - LEFT - RIGHT;
    const cycle = ((clientX - this.plot.getBoundingClientRect().left - LEFT) / width) * this.end;
    return cycle < 0 ? -1 : Math.max(-1, this.power?.ends.findIndex((e) => cycle < e) ?? -1);
  }

  private tell(window: number): void {
    this.at = window;
    const p = this.power;
    if (!p || window < 0 || window >= p.ends.length) {
      return text(this.readout, "Point at the power for its numbers, or move with the arrow keys.");
    }
    const watts = this.of(window);
    const largest = [...watts.keys()].sort((a, b) => watts[b]! - watts[a]!).slice(0, TOLD);
    const most = largest.map((i) => `${p.parts[i]} ${significant(watts[i]!)} W`).join(", ");
    const cycles = `Cycles ${count(this.begin(window))} to ${count(p.ends[window]!)}`;
    text(this.readout, `${cycles}: ${significant(this.total(window))} W. Most of it: ${most}.`);
  }
}
