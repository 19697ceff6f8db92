// What a scheme costs against the error of the output: cycles, bytes and energy of B over A, a point for each scheme of
// a sweep. Those that no other beats in both are filled and joined.

import { svg } from "../lib/dom";
import { percent, significant } from "../lib/format";
import { ratioTicks, type Palette } from "./chart";

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
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-size": 12,
      "font-family": "system-ui, sans-serif", fill: palette.ink,
      "aria-label": `Cost against error. Beaten by no other: ${said.join("; ")}.`,
    },
    ...COSTS.map((_, k) => {
      const place = { transform: `translate(${(k % across) * wide} ${Math.floor(k / across) * high})` };
      return svg("g", place, ...picture(points, k, [wide, high], palette));
    }),
  ) as SVGSVGElement;
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
  const x = (v: number): number => EDGE.left + ((v - low) / (high - low)) * (right - EDGE.left);
  const y = (e: number): number => floor - Math.sqrt(e / (top || 1)) * (floor - EDGE.top);
  const parts: SVGElement[] = [];
  const label = (at: [number, number], words: string, more: Record<string, unknown> = {}): void =>
    void parts.push(svg("text", { x: at[0], y: at[1], fill: p.muted, "text-anchor": "middle", ...more }, words));
  label([EDGE.left, 14], TITLES[cost]!, { "text-anchor": "start", fill: p.ink, "font-weight": 600 });
  for (const share of top > 0 ? [0, 0.25, 1] : [0]) {
    parts.push(svg("path", { d: `M${EDGE.left} ${y(share * top)}H${right}`, stroke: p.rule, fill: "none" }));
    label([EDGE.left - 6, y(share * top) + 4], share === 0 ? "0" : percent(share * top), { "text-anchor": "end" });
  }
  const dashed = { stroke: p.muted, "stroke-dasharray": "4 3", fill: "none" };
  parts.push(svg("path", { d: `M${x(1)} ${EDGE.top}V${floor}`, ...dashed }));
  const room = NARROWEST_LABEL / (right - EDGE.left);
  for (const v of ratioTicks(low, high, room)) label([x(v), floor + 15], `×${significant(v)}`);
  label([x(1), EDGE.top - 4], "as A");
  const below = top > 0 ? "error upwards, on a scale of the root" : "the output of each is exact";
  label([(EDGE.left + right) / 2, height - 4], below);
  const front = new Set(frontOf(list, cost));
  const steps = [...front].map((i) => `${x(list[i]!.costs[cost]!)} ${y(list[i]!.error)}`);
  const line = steps.length > 0 && `M${steps.join("L")}`;
  if (line) parts.push(svg("path", { d: line, stroke: p.series[0], fill: "none", "stroke-width": 1.5 }));
  const named: { cx: number; cy: number; title: string; more: number }[] = []; // a name for each place
  list.forEach((q, i) => {
    const on = front.has(i);
    const [cx, cy] = [x(q.costs[cost]!), y(q.error)];
    const title = svg("title", {}, `${q.title}: ×${significant(q.costs[cost]!)}, error ${percent(q.error)}`);
    const style = { fill: on ? p.series[0] : p.paper, stroke: p.series[0], "stroke-width": 1.4 };
    parts.push(svg("circle", { cx, cy, r: 4.5, "data-front": String(on), "data-point": q.title, ...style }, title));
    if (!on) return;
    const same = named.find((n) => Math.abs(n.cx - cx) < NEAR && Math.abs(n.cy - cy) < NEAR);
    if (same) same.more++;
    else named.push({ cx, cy, title: q.title, more: 0 });
  });
  for (const { cx, cy, title, more } of named) {
    const words = more > 0 ? `${title} and ${more} more` : title;
    label([cx + 7, cy - 6], words, { "text-anchor": cx > width * 0.6 ? "end" : "start", fill: p.ink });
  }
  return parts;
}
