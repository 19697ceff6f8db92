// The tab Capacity, for a side whose memory lies behind a link in part: what each allocation holds in device memory and
// in buddy memory, how many entries overflow over time, and how busy the link is.

import "../../buddy.css";
import { DEVICE, LINKED, ROOM, legendMark } from "../drawing/marks";
import { byId, h, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, count, percent, ratio, short, visible } from "../lib/format";
import { SIDES, type Dram, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";
import { gaugeOf, type Held } from "./gauge";

window.burstscopeBuddy = (page) => void new BuddyPage(page);

const LEFT = 44;
const RIGHT = 10;
const TOP = 16;
const CHART = 76; // height
const GAP = 26; // between charts, with the title of the next
const FOOT = 18;

interface Chart {
  side: Side;
  title: string;
  y: number;
  says(point: number): string;
}

class BuddyPage {
  private words = h("p", { class: "words" });
  private gauge = h("div", { class: "held" });
  private key = h(
    "div",
    { class: "legend" },
    ...[DEVICE, ROOM, LINKED].map((m) => legendMark(m)),
    h("span", {}, h("i", { class: "k whole" }), "the allocation without compression; device memory ends at the mark"),
  );
  private allocation = h("select", { "aria-label": "Allocation of the timeline" });
  private plot = svg("svg", { class: "plot capacity", role: "img", tabindex: 0 }) as SVGSVGElement;
  private holder = h("div", { class: "heldplot" }, this.plot);
  private readout = h("p", { class: "readout" });
  private charts: Chart[] = [];
  private point = -1; // of the arrow keys and the pointer
  private readonly draw = soon(() => this.paint());

  constructor(private page: Page) {
    this.allocation.addEventListener("change", this.draw);
    this.plot.addEventListener("pointermove", (e) => this.show(this.pointAt(e.clientX)));
    this.plot.addEventListener("pointerleave", () => this.show(-1));
    this.plot.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (by === undefined) return;
      e.preventDefault();
      e.stopPropagation();
      this.show(Math.max(0, Math.min(this.points() - 1, this.point + by)));
    });
    byId("panel-buddy").append(
      this.words, this.gauge, this.key,
      h("div", { class: "tools" }, h("label", {}, "timeline of", this.allocation)),
      this.holder, this.readout,
    );
    page.on(["dram", "results", "tab", "theme", "run"], this.draw);
    page.on(["cursor"], soon(() => this.cursor()));
    new ResizeObserver(this.draw).observe(this.holder);
  }

  // sides are those of the run with a link.
  private sides(): Side[] {
    return SIDES.filter((side) => this.page.valueOf(side, "backing.gbPerSecond"));
  }

  private held(side: Side): Held | undefined {
    return this.page.results.of === "run" ? (this.page.results[side]?.["buddy"] as Held | undefined) : undefined;
  }

  private paint(): void {
    if (byId("panel-buddy").hidden) return;
    const sides = this.sides();
    const ready = sides.filter((side) => this.page.data.dram[side]);
    this.key.hidden = this.allocation.parentElement!.hidden = !sides.some((side) => this.held(side));
    this.holder.hidden = ready.length === 0;
    text(this.words, ready.length === 0 ? "The gauge and the timeline appear when a side with memory behind a link has finished." : "");
    if (ready.length > 0) this.words.replaceChildren(...ready.map((side) => h("span", {}, h("strong", {}, `${side} `), this.said(side))));
    this.gauge.replaceChildren(...ready.flatMap((side) => {
      const held = this.held(side);
      return held ? [gaugeOf(`${side}, ${this.page.data.labels[side]}`, held)] : [];
    }));
    this.list(ready);
    this.paintCharts(ready);
  }

  // said sums a side up.
  private said(side: Side): string {
    const r = this.page.results[side];
    const metric = (name: string): number => r?.metrics?.[name] ?? 0;
    const stat = (name: string): number => r?.stats?.[name] ?? 0;
    const held = this.held(side);
    const link = `The link was busy for ${percent(metric("linkUtilisation"))} of the time: ${bytes(stat("linkInBytes"))} in and ${bytes(stat("linkOutBytes"))} out, headers included. `;
    if (!held) return `has all its data behind the link. ${link}`;
    return (
      `holds ${bytes(held.sizeBytes)} in ${bytes(held.deviceBytes)} of device memory: ${ratio(held.sizeBytes / held.deviceBytes)} times the capacity. ` +
      `${percent(metric("buddyAccessShare"))} of the accesses crossed the link. ${link}` +
      `Metadata: ${percent(metric("metadataHitRate"))} of ${count(stat("metadataAccesses"))} look-ups hit. `
    );
  }

  private list(sides: Side[]): void {
    const names = new Set(sides.flatMap((side) => this.held(side)?.allocations.map((a) => a.name) ?? []));
    const chosen = this.allocation.value;
    this.allocation.replaceChildren(h("option", { value: "" }, "all allocations"), ...[...names].map((n) => h("option", { value: n }, visible(n))));
    if (names.has(chosen)) this.allocation.value = chosen;
  }

  private cycles(side: Side): number {
    return (this.page.results.of === "run" ? this.page.results[side]?.cycles : undefined) ?? 0;
  }

  private get end(): number {
    return Math.max(1, ...this.sides().map((side) => this.cycles(side)));
  }

  private x(cycle: number): number {
    return LEFT + ((this.holder.clientWidth - LEFT - RIGHT) * Math.min(cycle, this.end)) / this.end;
  }

  private paintCharts(sides: Side[]): void {
    this.charts = [];
    this.plot.replaceChildren(stripes());
    const series = sides.map((side) => ({ side, d: this.page.data.dram[side]!, of: this.entries(side) }));
    const most = Math.max(1, ...series.flatMap(({ of }) => (of ? [...of.met] : [])));
    let y = TOP;
    for (const { side, d, of } of series) {
      if (of) {
        const at = (n: number): number => CHART * (1 - n / most);
        this.frame(side, `${side}: entries in use (dashed) and overflowed`, y, [[0, short(most)], [CHART, "0"]], (p) => `${count(of.over[p]!)} of ${count(of.met[p]!)} entries overflow`);
        this.steps("met", y, d, (p) => at(of.met[p]!));
        this.steps("over", y, d, (p) => at(of.over[p]!), CHART);
        y += CHART + GAP;
      }
      const { linkIn, linkOut } = d;
      if (linkIn && linkOut && [...linkIn, ...linkOut].some((n) => n > 0)) {
        const room = Number(this.page.valueOf(side, "backing.channels")) * d.cyclesPerPoint;
        const share = (list: Uint32Array, p: number): number => Math.min(1, list[p]! / room);
        this.frame(side, `${side}: use of the link, in above and out below`, y, [[0, "100 %"], [CHART / 2 + 4, "0"], [CHART, "100 %"]], (p) => `link busy ${percent(share(linkIn, p))} in, ${percent(share(linkOut, p))} out`);
        const middle = CHART / 2;
        this.steps("in", y, d, (p) => middle * (1 - share(linkIn, p)), middle);
        this.steps("out", y, d, (p) => middle * (1 + share(linkOut, p)), middle);
        this.plot.append(svg("path", { class: "axis", d: `M${LEFT} ${y + middle}H${this.x(this.end)}` }));
        y += CHART + GAP;
      }
    }
    const height = y - GAP + TOP + FOOT;
    for (const part of [0, 0.5, 1]) {
      this.plot.append(svg("text", { x: this.x(this.end * part), y: height - 5, class: part === 0 ? "" : part === 1 ? "end" : "mid" }, `${short(this.end * part)}${part === 1 ? " cycles" : ""}`));
    }
    this.plot.append(svg("path", { class: "cursor" }));
    this.plot.setAttribute("viewBox", `0 0 ${this.holder.clientWidth} ${height}`);
    this.plot.style.height = `${height}px`;
    const last = series.flatMap(({ side, of }) => (of ? [`${side}: at most ${count(Math.max(0, ...of.over))} of ${count(Math.max(0, ...of.met))} entries lie behind the link in part, ${count(of.over.at(-1) ?? 0)} at the end.`] : []));
    this.plot.setAttribute("aria-label", `Timeline over ${count(this.end)} cycles. ${last.join(" ")} Arrow keys move through it.`);
    this.show(this.point);
    this.cursor();
  }

  // entries are the chosen allocation's entries over time, or those of all.
  private entries(side: Side): { met: number[]; over: number[] } | undefined {
    const d = this.page.data.dram[side]!;
    const held = this.held(side);
    if (!held || !d.met || !d.overflowed || !d.allocations) return undefined;
    const chosen = this.allocation.value;
    const places = held.allocations.flatMap((a, k) => (chosen === "" || a.name === chosen ? [k] : []));
    const sum = (column: Uint32Array): number[] => Array.from({ length: d.points }, (_, p) => places.reduce((n, k) => n + column[p * d.allocations! + k]!, 0));
    return { met: sum(d.met), over: sum(d.overflowed) };
  }

  private frame(side: Side, title: string, y: number, ticks: [number, string][], says: (point: number) => string): void {
    this.charts.push({ side, title, y, says });
    this.plot.append(
      svg("text", { x: LEFT, y: y - 5, class: "side" }, title),
      svg("path", { class: "grid", d: `M${LEFT} ${y}H${this.x(this.end)}M${LEFT} ${y + CHART}H${this.x(this.end)}` }),
      ...ticks.map(([at, words]) => svg("text", { x: LEFT - 6, y: y + at + (at === 0 ? 10 : 0), class: "end" }, words)),
    );
  }

  // steps draws a line of steps, or the area between it and a base.
  private steps(kind: string, y: number, d: Dram, at: (point: number) => number, base?: number): void {
    let path = "";
    for (let p = 0; p < d.points; p++) {
      path += `${p === 0 ? "M" : "L"}${this.x(p * d.cyclesPerPoint).toFixed(1)} ${(y + at(p)).toFixed(1)}H${this.x((p + 1) * d.cyclesPerPoint).toFixed(1)}`;
    }
    if (base !== undefined) {
      this.plot.append(svg("path", { class: `area ${kind}`, d: `${path}V${y + base}H${this.x(0)}Z` }));
    }
    this.plot.append(svg("path", { class: `line ${kind}`, d: path }));
  }

  private points(): number {
    return Math.max(1, ...this.sides().map((side) => this.page.data.dram[side]?.points ?? 0));
  }

  private pointAt(clientX: number): number {
    const d = this.charts.length > 0 ? this.page.data.dram[this.charts[0]!.side] : undefined;
    if (!d) return -1;
    const cycle = ((clientX - this.plot.getBoundingClientRect().left - LEFT) / (this.holder.clientWidth - LEFT - RIGHT)) * this.end;
    return cycle < 0 ? -1 : Math.min(d.points - 1, Math.floor(cycle / d.cyclesPerPoint));
  }

  private show(point: number): void {
    this.point = point;
    const first = this.charts[0];
    if (point < 0 || !first) return text(this.readout, "Point at the timeline for its numbers, or move with the arrow keys.");
    const cycle = point * this.page.data.dram[first.side]!.cyclesPerPoint;
    // Sides may have intervals of other lengths.
    const said = this.charts.flatMap((c) => {
      const d = this.page.data.dram[c.side]!;
      const p = Math.floor(cycle / d.cyclesPerPoint);
      return p < d.points ? [`${c.side}: ${c.says(p)}`] : [];
    });
    text(this.readout, `From cycle ${count(cycle)}. ${said.join(". ")}.`);
  }

  private cursor(): void {
    const line = this.plot.querySelector(".cursor");
    const last = this.charts.at(-1);
    if (line && last) line.setAttribute("d", `M${this.x(this.page.settings.cycle)} ${TOP - 2}V${last.y + CHART + 2}`);
  }
}

function stripes(): SVGElement {
  const pattern = (id: string, size: number, d: string): SVGElement =>
    svg("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, svg("path", { d, class: "stripe" }));
  return svg("defs", {}, pattern("over-stripes", 3, "M0.5 0V3"), pattern("out-stripes", 4, "M0 4L4 0"));
}
