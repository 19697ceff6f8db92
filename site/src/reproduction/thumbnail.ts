// A figure in the list of figures: its first picture without words.

import { cividis } from "../drawing/cividis";
import { svg } from "../lib/dom";
import { endsOf, type ChartPanel, type Palette } from "./chart";

const WIDTH = 144;
const HEIGHT = 40;
const MOST_SERIES = 4; // more would be narrower than a pixel

const round = (x: number): number => Math.round(x * 10) / 10;

export function thumbnail(p: ChartPanel | undefined, palette: Palette): SVGElement {
  const parts = p ? (p.kind === "map" ? cells(p) : bars(p, palette)) : [];
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT };
  return svg("svg", { ...size, "aria-hidden": "true" }, ...parts);
}

function bars(p: ChartPanel, palette: Palette): SVGElement[] {
  const [low, top] = endsOf(p);
  const y = (v: number): number => HEIGHT * (1 - (Math.min(Math.max(v, low), top) - low) / (top - low));
  const zero = y(p.unit === "x" ? 1 : 0);
  const series = p.series.slice(0, MOST_SERIES);
  const group = WIDTH / p.categories.length;
  const wide = (group * 0.84) / series.length;
  const rule = svg("path", { d: `M0 ${round(zero)}H${WIDTH}`, stroke: palette.muted, "stroke-width": 0.5 });
  const each = series.flatMap((s, i) => s.values.flatMap((v, c) => {
    if (v === null) return [];
    const x = round(group * (c + 0.08) + wide * i);
    const height = Math.max(0.7, round(Math.abs(zero - y(v))));
    return [svg("rect", { x, y: round(Math.min(y(v), zero)), width: round(wide), height, fill: palette.series[i] })];
  }));
  return [rule, ...each];
}

function cells(p: ChartPanel): SVGElement[] {
  const top = Math.max(1e-9, ...p.series.flatMap((s) => s.values.map((v) => v ?? 0)));
  const [wide, high] = [WIDTH / p.categories.length, HEIGHT / p.series.length];
  return p.series.flatMap((s, i) => s.values.map((v, c) => svg("rect", {
    x: round(wide * c), y: round(high * i), width: round(wide), height: round(high),
    fill: v === null ? "none" : cividis(Math.sqrt(Math.max(0, v) / top)),
  })));
}
