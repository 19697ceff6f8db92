// What all charts drawn as SVG share: colours, scales, ticks, words, lines of the grid, and the picture itself. Styles
// are attributes, so that a chart can be saved as it is.

import { svg } from "../lib/dom";

export interface Palette {
  paper: string;
  ink: string;
  muted: string;
  rule: string;
  series: readonly string[];
}

export const LIGHT: Palette = {
  paper: "#fbfbf8", ink: "#1b1f24", muted: "#5f656b", rule: "#d8dad3",
  series: ["#0072b2", "#e69f00", "#009e73", "#b8609a", "#56b4e9", "#d55e00", "#7f7f7f", "#a07800", "#3b3f91"],
};
export const DARK: Palette = {
  paper: "#101418", ink: "#e6e8ea", muted: "#9aa3ab", rule: "#2c333a",
  series: ["#3d9ad6", "#e69f00", "#2fb98f", "#d88fba", "#8ccbf0", "#f0803c", "#a3a9ae", "#cfa640", "#8f94e0"],
};
// LIVE is the theme of the page, whichever it is.
export const LIVE: Palette = {
  paper: "var(--paper)", ink: "var(--ink)", muted: "var(--muted)", rule: "var(--rule)", series: ["var(--fetched)"],
};

export type Scale = (v: number) => number;

// scale takes values between low and high to places between a and b, and those beyond to the ends. bend makes it a
// scale of roots or of logarithms.
export function scale(low: number, high: number, a: number, b: number, bend: Scale = (v) => v): Scale {
  const [from, to] = [bend(low), bend(high)];
  return (v) => a + ((b - a) * (Math.min(Math.max(bend(v), from), to) - from)) / (to - from);
}

// ticksOf are the multiples of a round step between the ends of an axis, three to six of them.
export function ticksOf(low: number, top: number): number[] {
  const rough = (top - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 2.5, 5].find((n) => n * unit >= rough * 0.9999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const n = Math.floor(top / step + 1e-9) - first + 1;
  return Array.from({ length: n }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// ratioTicks are those of an axis of ratios: 1, where both sides are equal, has a tick of its own. One nearer to it
// than a share of the axis gives way.
export function ratioTicks(low: number, top: number, near: number): number[] {
  const others = ticksOf(low, top).filter((v) => v !== 1 && Math.abs(v - 1) >= near * (top - low));
  return [...others, 1].sort((a, b) => a - b);
}

export const START = { "text-anchor": "start" } as const;
export const END = { "text-anchor": "end" } as const;

export const round = (x: number): number => Math.round(x * 10) / 10;

// Plot gathers the parts of a chart.
export class Plot {
  readonly parts: SVGElement[] = [];

  constructor(readonly colours: Palette) {}

  draw(...of: Parameters<typeof svg>): SVGElement {
    const e = svg(...of);
    this.parts.push(e);
    return e;
  }

  // words stand in the middle of a place, in the ink for what is less important.
  words(x: number, y: number, said: string, more: Record<string, unknown> = {}): void {
    this.draw("text", { x: round(x), y: round(y), fill: this.colours.muted, "text-anchor": "middle", ...more }, said);
  }

  path(d: string, more: Record<string, unknown> = {}): void {
    this.draw("path", { d, fill: "none", ...more });
  }

  // across is a line of the grid, with its value before it.
  across(from: number, to: number, y: number, said = ""): void {
    this.path(`M${round(from)} ${round(y)}H${round(to)}`, { stroke: this.colours.rule });
    if (said) this.words(from - 6, y + 4, said, END);
  }
}

// Apart from the class, so that a script holds only what it uses.
export function dashed(plot: Plot, d: string): void {
  plot.path(d, { stroke: plot.colours.muted, "stroke-dasharray": "4 3" });
}

export function pictureOf(plot: Plot, width: number, height: number, more: Record<string, unknown>): SVGSVGElement {
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const font = { "font-size": 12, "font-family": "system-ui, sans-serif", fill: plot.colours.ink };
  return svg("svg", { ...size, ...font, ...more }, ...plot.parts) as SVGSVGElement;
}
