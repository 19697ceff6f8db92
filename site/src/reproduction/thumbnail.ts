// A figure in the list of figures: its first picture without words.

import { cividis } from "../drawing/cividis";
import { type Palette, pictureOf, Plot, round, scale } from "../drawing/plot";
import { endsOf, type ChartPanel } from "./chart";

const WIDTH = 144;
const HEIGHT = 40;
const MOST_SERIES = 4; // more would be narrower than a pixel

export function thumbnail(p: ChartPanel | undefined, palette: Palette): SVGElement {
  const plot = new Plot(palette);
  if (p?.kind === "map") cells(plot, p);
  else if (p) bars(plot, p);
  return pictureOf(plot, WIDTH, HEIGHT, { "aria-hidden": "true" });
}

function bars(plot: Plot, p: ChartPanel): void {
  const y = scale(...endsOf(p), HEIGHT, 0);
  const zero = y(p.unit === "x" ? 1 : 0);
  const series = p.series.slice(0, MOST_SERIES);
  const group = WIDTH / p.categories.length;
  const wide = (group * 0.84) / series.length;
  plot.path(`M0 ${round(zero)}H${WIDTH}`, { stroke: plot.colours.muted, "stroke-width": 0.5 });
  series.forEach((s, i) => s.values.forEach((v, c) => {
    if (v === null) return;
    const height = Math.max(0.7, round(Math.abs(zero - y(v))));
    const place = { x: round(group * (c + 0.08) + wide * i), y: round(Math.min(y(v), zero)) };
    plot.draw("rect", { ...place, width: round(wide), height, fill: plot.colours.series[i] });
  }));
}

function cells(plot: Plot, p: ChartPanel): void {
  const shade = scale(0, Math.max(1e-9, ...p.series.flatMap((s) => s.values.map((v) => v ?? 0))), 0, 1, Math.sqrt);
  const [wide, high] = [WIDTH / p.categories.length, HEIGHT / p.series.length];
  p.series.forEach((s, i) => s.values.forEach((v, c) => plot.draw("rect", {
    x: round(wide * c), y: round(high * i), width: round(wide), height: round(high),
    fill: v === null ? "none" : cividis(shade(Math.max(0, v))),
  })));
}
