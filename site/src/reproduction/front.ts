// What a scheme costs against the error of the output: cycles, bytes and energy of B over A, a point for each scheme of
// a sweep. Those that no other beats in both are filled and joined.

import { dashed, END, type Palette, pictureOf, Plot, ratioTicks, scale, START } from "../drawing/plot";
import { svg } from "../lib/dom";
import { percent, significant } from "../lib/format";

export interface FrontPoint {
  title: string;
  error: number; // share
  costs: (number | undefined)[]; // of B over A, in the order of COSTS
}

export const COSTS = ["cycles", "dramBytes", "joules"] as const;
const TITLES = ["cycles, B over A", "bytes moved, B over A", "energy, B over A"];
const HEIGHT = 240;
const FLAT = 120; // where no scheme changes the output
const EDGE = { left: 52, right: 12, top: 36, bottom: 34 };
const NARROWEST_LABEL = 40; // of a value on the axis
const NEAR = 12; // names closer than that would cover each other
const NARROWEST = 250; // of a picture; three of them stand beside each other where they fit

// frontOf are the places of the points that no other beats in cost and error.
export function frontOf(points: readonly FrontPoint[], cost: number): number[] {
  const at = (i: number): number => points[i]!.costs[cost] ?? NaN;
  const beats = (i: number, k: number): boolean => {
    const [x, y] = [at(i) - at(k), points[i]!.error - points[k]!.error];
    return x <= 0 && y <= 0 && (x < 0 || y < 0);
  };
  const all = points.map((_, i) => i).filter((i) => Number.isFinite(at(i)));
  return all.filter((k) => !all.some((i) => beats(i, k))).sort((a, b) => points[a]!.error - points[b]!.error);
}

// frontChart draws the three pictures.
export function frontChart(points: readonly FrontPoint[], width: number, palette: Palette): SVGSVGElement {
  const across = Math.max(1, Math.min(COSTS.length, Math.floor(width / NARROWEST)));
  const wide = width / across;
  const high = points.some((q) => q.error > 0) ? HEIGHT : FLAT;
  const height = Math.ceil(COSTS.length / across) * high;
  const said = COSTS.map((_, k) => `${TITLES[k]}: ${frontOf(points, k).map((i) => points[i]!.title).join(", ")}`);
  const plot = new Plot(palette);
  COSTS.forEach((_, k) => {
    const place = { transform: `translate(${(k % across) * wide} ${Math.floor(k / across) * high})` };
    plot.draw("g", place, ...picture(points, k, [wide, high], palette));
  });
  const label = `Cost against error. Beaten by no other: ${said.join("; ")}.`;
  return pictureOf(plot, width, height, { role: "img", "aria-label": label });
}

function picture(
  points: readonly FrontPoint[], cost: number, [width, height]: [number, number], p: Palette,
): SVGElement[] {
  const list = points.filter((q) => Number.isFinite(q.costs[cost] ?? NaN));
  const costs = [...list.map((q) => q.costs[cost]!), 1];
  const margin = Math.max(0.02, 0.08 * (Math.max(...costs) - Math.min(...costs)));
  const [low, high] = [Math.max(0, Math.min(...costs) - margin), Math.max(...costs) + margin];
  const top = Math.max(0, ...list.map((q) => q.error)); // 0: no scheme changes the output
  const [right, floor] = [width - EDGE.right, height - EDGE.bottom];
  const x = scale(low, high, EDGE.left, right);
  const y = scale(0, top || 1, floor, EDGE.top, Math.sqrt);
  const plot = new Plot(p);
  plot.words(EDGE.left, 14, TITLES[cost]!, { ...START, fill: p.ink, "font-weight": 600 });
  for (const share of top > 0 ? [0, 0.25, 1] : [0]) {
    plot.across(EDGE.left, right, y(share * top), share === 0 ? "0" : percent(share * top));
  }
  dashed(plot, `M${x(1)} ${EDGE.top}V${floor}`);
  const room = NARROWEST_LABEL / (right - EDGE.left);
  for (const v of ratioTicks(low, high, room)) plot.words(x(v), floor + 15, `×${significant(v)}`);
  plot.words(x(1), EDGE.top - 4, "as A");
  const below = top > 0 ? "error upwards, on a scale of the root" : "the output of each is exact";
  plot.words((EDGE.left + right) / 2, height - 4, below);
  const front = new Set(frontOf(list, cost));
  const steps = [...front].map((i) => `${x(list[i]!.costs[cost]!)} ${y(list[i]!.error)}`);
  if (steps.length > 0) plot.path(`M${steps.join("L")}`, { stroke: p.series[0], "stroke-width": 1.5 });
  const named: { cx: number; cy: number; title: string; more: number }[] = []; // a name for each place
  list.forEach((q, i) => {
    const on = front.has(i);
    const [cx, cy] = [x(q.costs[cost]!), y(q.error)];
    const title = svg("title", {}, `${q.title}: ×${significant(q.costs[cost]!)}, error ${percent(q.error)}`);
    const style = { fill: on ? p.series[0] : p.paper, stroke: p.series[0], "stroke-width": 1.4 };
    plot.draw("circle", { cx, cy, r: 4.5, "data-front": String(on), "data-point": q.title, ...style }, title);
    if (!on) return;
    const same = named.find((n) => Math.abs(n.cx - cx) < NEAR && Math.abs(n.cy - cy) < NEAR);
    if (same) same.more++;
    else named.push({ cx, cy, title: q.title, more: 0 });
  });
  for (const { cx, cy, title, more } of named) {
    const words = more > 0 ? `${title} and ${more} more` : title;
    plot.words(cx + 7, cy - 6, words, { ...(cx > width * 0.6 ? END : START), fill: p.ink });
  }
  return plot.parts;
}
