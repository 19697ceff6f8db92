// The memory chart: the path of data as graphics programmers know it, links as
// wide as the bytes they carried and coloured by how much of the peak that is.

import { byId, h, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, percent } from "../lib/format";
import { cividis } from "../drawing/cividis";
import { metrics, counter, figure, valueOf, type Given } from "../state/metrics";
import { SIDES, type PerSide } from "../protocol/protocol";
import { memoryLabel } from "../protocol/scenario";
import { owns } from "../state/owned";
import { namesOnShow, onShow } from "./results";
import type { Page } from "../state/page";

const LINE_BYTES = 128;
const WIDEST = 14;

interface Link {
  id: string;
  label: string;
  metric: string;
  bytes(g: Given): number | undefined;
  peak(g: Given): number | undefined; // share of peak, where one is known
}

const LINKS: readonly Link[] = [
  {
    id: "link-l1",
    label: "t-l1",
    metric: "lines",
    bytes: (g) => scaled(valueOf("lines", g), LINE_BYTES),
    // An SM's load/store unit passes one line a cycle.
    peak: (g) => part(valueOf("lines", g), scaled(g.result.cycles, g.result.metrics?.["sms"])),
  },
  {
    id: "link-xbar",
    label: "t-xbar",
    metric: "requests",
    bytes: (g) => valueOf("requestBytes", g),
    // An SM hands the crossbar one flit a cycle.
    peak: (g) => part(counter(g.result, "xbarRequestFlits"), scaled(g.result.cycles, g.result.metrics?.["sms"])),
  },
  {
    id: "link-l2",
    label: "t-l2",
    metric: "xbarBytes",
    bytes: (g) => valueOf("xbarBytes", g),
    peak: (g) => valueOf("xbarBusy", g),
  },
  {
    id: "link-mc",
    label: "t-mc",
    metric: "blockBytes",
    bytes: (g) => valueOf("blockBytes", g),
    // Against what the DRAM buses could carry of uncompressed blocks.
    peak: (g) => {
      const [busy, moved, asked] = [valueOf("busBusy", g), valueOf("dramBytes", g), valueOf("blockBytes", g)];
      return busy === undefined || !moved || asked === undefined ? undefined : (busy * asked) / moved;
    },
  },
  {
    id: "link-dram",
    label: "t-dram",
    metric: "dramBytes",
    bytes: (g) => valueOf("dramBytes", g),
    peak: (g) => valueOf("busBusy", g),
  },
];

const NODES: readonly [string, string][] = [
  ["node-sm", "ipc"],
  ["node-l1", "l1HitRate"],
  ["node-xbar", "xbarBusy"],
  ["node-l2", "l2HitRate"],
  ["node-mc", "readQueue"],
  ["node-dram", "busBusy"],
  ["node-meta", "metadataHitRate"],
  ["node-saved", "savedBytes"],
];

function scaled(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a * b;
}

function part(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || !b ? undefined : a / b;
}

export function startChart(page: Page): void {
  for (const [id, metric] of NODES) opens(byId<SVGElement>(id), metric);
  for (const l of LINKS) opens(byId<SVGElement>(l.label), l.metric);
  soon(scale)();
  soon(tabulate)();
  const draw = (): void => drawChart(page);
  page.on(["tab", "lists"], soon(draw));
  page.on(["results", "run", "scenario"], draw); // at once: it may be exported
  draw(); // with the first paint
}

function opens(e: SVGElement, metric: string): void {
  e.setAttribute("data-metric", metric);
  e.setAttribute("tabindex", "0");
  e.setAttribute("role", "button");
}

function drawChart(page: Page): void {
  const side = page.settings.side;
  owns(page, byId("chart"), byId("chart-numbers"));
  const both: Partial<PerSide<Given>> = onShow(page);
  const g = both[side];
  text(byId("chart-title"), `Memory chart, ${side}: ${namesOnShow(page)[side]}`);
  // Both sides share one scale, so that switching between them compares.
  const most = Math.max(1, ...SIDES.flatMap((s) => LINKS.map((l) => (both[s] && l.bytes(both[s])) || 0)));
  for (const l of LINKS) {
    const line = byId<SVGElement>(l.id);
    const moved = (g && l.bytes(g)) || 0;
    const peak = g && l.peak(g);
    line.style.strokeWidth = String(moved === 0 ? 1 : Math.max(1.5, (WIDEST * moved) / most));
    line.style.stroke = peak === undefined ? "" : cividis(peak);
    const label = byId<SVGElement>(l.label);
    text(label, figure(l.metric, g));
    const share = peak === undefined ? "" : `, ${percent(peak)} of peak`;
    label.setAttribute("aria-label", `${figure(l.metric, g)}: ${bytes(moved)}${share}`);
  }
  for (const [id, metric] of NODES) {
    const second = byId(id).querySelectorAll("text")[1]!;
    const f = figure(metric, g);
    text(second, metric === "metadataHitRate" && f.endsWith("%") ? `${f} hits` : f);
    byId(id).setAttribute("aria-label", byId(id).textContent ?? "");
  }
  text(byId("node-codec").querySelectorAll("text")[1]!, g ? codecOf(g) : "–");
  for (const row of byId("chart-numbers").querySelectorAll<HTMLElement>("tr[data-row]")) {
    for (const s of SIDES) text(row.querySelector(`[data-side=${s}] button`)!, figure(row.dataset["row"]!, both[s]));
  }
}

// tabulate makes the table of all metrics, of both sides.
function tabulate(): void {
  const cell = (metric: string, side: string): HTMLElement =>
    h("td", { "data-side": side }, h("button", { type: "button", class: "num", "data-metric": metric }, "–"));
  byId("chart-numbers").append(
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "vh" }, "figure")), ...SIDES.map((s) => h("th", { scope: "col" }, s)))),
    h("tbody", {},
      ...[...metrics().values()].map((m) => h("tr", { "data-row": m.key }, h("th", { scope: "row" }, m.title), ...SIDES.map((s) => cell(m.key, s)))),
    ),
  );
}

function codecOf(g: Given): string {
  return g.memory.codec === "none" ? "no codec" : memoryLabel(g.memory);
}

function scale(): void {
  const g = byId<SVGElement>("chart-scale");
  const steps = 24;
  g.append(svg("text", { y: 10 }, "% of peak"));
  for (let i = 0; i < steps; i++) {
    g.append(svg("rect", { x: i * 2.8, y: 16, width: 3, height: 6, fill: cividis(i / (steps - 1)) }));
  }
  g.append(svg("text", { y: 36 }, "0"), svg("text", { x: steps * 2.8, y: 36, class: "end" }, "100"));
}
