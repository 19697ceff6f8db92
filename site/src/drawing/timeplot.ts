// Charts over the cycles of a run: lines and areas of steps on one scale of cycles, in one column or beside each other,
// with the cursor of the timeline and a readout for the pointer and the arrow keys.

import { h, stepped, svg, text } from "../lib/dom";
import { short } from "../lib/format";
import { END, LIVE, Plot, round, scale, START, type Scale } from "./plot";

// Layer is a line, or with a lower end an area; both lie in shares of the chart's height.
export interface Layer {
  look: string; // its classes
  over(point: number): number;
  under?(point: number): number;
  more?: Record<string, string>; // attributes
}

export interface TimeChart {
  column?: number; // from the left
  title?: string | undefined; // above it
  name?: string | undefined; // before it
  high: number; // CSS pixels
  ticks: [number, string][]; // shares of the height
  points: number;
  from(point: number): number; // cycles
  to(point: number): number;
  layers: Layer[];
  span?: { from: number; to: number } | undefined; // cycles that are marked
  says(point: number): string;
}

interface Placed extends TimeChart {
  x: number;
  y: number;
  w: number;
}

const LEFT = 48;
const RIGHT = 10;
const TITLE = 20; // room of a title
const BELOW = 6; // between two charts without one
const BESIDE = 24;
const FOOT = 20;

// STEPS of the keys: 1 is a point, 2 a chart.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 };

export interface TimePlot {
  readonly plot: SVGSVGElement;
  readonly readout: HTMLElement;
  draw(width: number, end: number, charts: TimeChart[], label: string, ...definitions: SVGElement[]): void;
  cursor(cycle: number): void;
}

// timePlot makes an empty one.
export function timePlot(name: string, hint: string): TimePlot {
  const readout = h("p", { class: "readout", "aria-live": "polite" });
  const line = svg("path", { class: "cursor" });
  let charts: Placed[] = [];
  let end = 1;
  let cycle = 0;
  let chart = 0; // that is read
  let point = -1;

  const tell = (at: number, i: number): void => {
    [chart, point] = [at, i];
    const c = charts[at];
    text(readout, c && i >= 0 && i < c.points ? c.says(i) : hint);
  };
  const plot = svg("svg", {
    class: `plot ${name}`, role: "img", tabindex: 0,
    onpointermove: (e: PointerEvent) => {
      const r = plot.getBoundingClientRect();
      const [x, y] = [e.clientX - r.left, e.clientY - r.top];
      const at = charts.findIndex((c) => x >= c.x && x <= c.x + c.w && y <= c.y + c.high);
      const c = charts[at];
      if (!c) return tell(0, -1);
      let i = 0;
      while (i < c.points && ((x - c.x) / c.w) * end >= c.to(i)) i++;
      tell(at, i);
    },
    onpointerleave: () => tell(0, -1),
  }) as SVGSVGElement;
  stepped(plot, () => STEPS, (step) => {
    if (charts.length === 0) return;
    const within = (v: number, most: number): number => Math.max(0, Math.min(most, v));
    const at = within(chart + Math.trunc(step / 2), charts.length - 1);
    tell(at, within(point + (step % 2), charts[at]!.points - 1));
  });

  const across = (c: Placed): Scale => scale(0, end, c.x, c.x + c.w);
  const cursor = (now: number): void => {
    cycle = now;
    const floor = Math.max(...charts.map((c) => c.y + c.high));
    const columns = new Map(charts.map((c) => [c.x, round(across(c)(now))]));
    line.setAttribute("d", [...columns.values()].map((x) => `M${x} ${TITLE - 2}V${floor + 2}`).join(""));
  };
  const drawChart = (out: Plot, c: Placed): void => {
    const [x, y] = [across(c), scale(0, 1, c.y + c.high, c.y)];
    if (c.title) out.words(c.x, c.y - 7, c.title, { ...START, fill: LIVE.ink, "font-weight": 600 });
    if (c.name) out.words(c.x - 6, y(0.5) + 4, c.name, END);
    for (const [share, said] of c.ticks) {
      out.across(c.x, c.x + c.w, y(share));
      // The word at the top lies below its line, away from the title.
      out.words(c.x - 6, y(share) + (share === 1 ? 10 : share === 0 ? 0 : 4), said, END);
    }
    const steps = (at: (point: number) => number, back?: boolean): string => {
      const parts = Array.from({ length: c.points }, (_, i) => {
        const [from, to] = [round(x(c.from(i))), round(x(c.to(i)))];
        return `${back ? to : from} ${round(y(at(i)))}H${back ? from : to}`;
      });
      return (back ? parts.reverse() : parts).join("L");
    };
    for (const { look, over, under, more } of c.points > 0 ? c.layers : []) {
      const d = `M${steps(over)}${under ? `L${steps(under, true)}Z` : ""}`;
      out.draw("path", { class: look, d, ...more });
    }
    if (!c.span) return;
    const from = x(c.span.from);
    out.draw("rect", { class: "span", x: from, y: c.y, width: Math.max(1, x(c.span.to) - from), height: c.high });
  };
  // draw puts the charts of each column below one another, behind definitions; it is as high as they are.
  const draw: TimePlot["draw"] = (width, until, list, label, ...definitions) => {
    end = Math.max(1, until);
    const columns = 1 + Math.max(0, ...list.map((c) => c.column ?? 0));
    const w = (width - LEFT - RIGHT - BESIDE * (columns - 1)) / columns;
    const floors: number[] = Array(columns).fill(0);
    charts = list.map((c) => {
      const k = c.column ?? 0;
      const y = floors[k]! + (c.title === undefined ? BELOW : TITLE);
      floors[k] = y + c.high;
      return { ...c, x: LEFT + k * (w + BESIDE), y, w };
    });
    const height = Math.max(...floors) + FOOT;
    const out = new Plot(LIVE);
    for (const c of charts) drawChart(out, c);
    for (const x of new Set(charts.map((c) => c.x))) {
      out.words(x, height - 5, "0", START);
      out.words(x + w / 2, height - 5, short(end / 2));
      out.words(x + w, height - 5, `${short(end)} cycles`, END);
    }
    plot.replaceChildren(...definitions, ...out.parts, line);
    plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    plot.style.height = `${height}px`;
    plot.setAttribute("aria-label", `${label} Arrow keys move through it.`);
    tell(chart, point);
    cursor(cycle);
  };
  return { plot, readout, draw, cursor };
}
