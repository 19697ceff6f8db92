// The tab Capacity, for a side whose memory lies behind a link in part: what each allocation holds in device memory and
// in buddy memory, how many entries overflow over time, and how busy the link is.

import "../../buddy.css";
import { DEVICE, LINKED, ROOM, legendMark } from "../drawing/marks";
import { timePlot, type Layer, type TimeChart } from "../drawing/timeplot";
import { byId, h, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, count, percent, ratio, short, visible } from "../lib/format";
import { SIDES, type Dram, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";
import { gaugeOf, type Held } from "./gauge";

window.burstscopeBuddy = (page) => void new BuddyPage(page);

const CHART = 76; // height

class BuddyPage {
  private words = h("p", { class: "words" });
  private gauge = h("div", { class: "held" });
  private key = h("div", { class: "legend" },
    ...[DEVICE, ROOM, LINKED].map((m) => legendMark(m)),
    h("span", {}, h("i", { class: "k whole" }), "the allocation without compression; device memory ends at the mark"),
  );
  private allocation = h("select", { "aria-label": "Allocation of the timeline" });
  private time = timePlot("capacity", "Point at the timeline for its numbers, or move with the arrow keys.");
  private holder = h("div", { class: "heldplot" }, this.time.plot);
  private readonly draw = soon(() => this.paint());

  constructor(private page: Page) {
    this.allocation.addEventListener("change", this.draw);
    byId("panel-buddy").append(
      this.words, this.gauge, this.key,
      h("div", { class: "tools" }, h("label", {}, "timeline of", this.allocation)),
      this.holder, this.time.readout,
    );
    page.on(["dram", "results", "tab", "theme", "run"], this.draw);
    page.on(["cursor"], soon(() => this.time.cursor(page.settings.cycle)));
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

  private paintCharts(sides: Side[]): void {
    const series = sides.map((side) => ({ side, d: this.page.data.dram[side]!, of: this.entries(side) }));
    const most = Math.max(1, ...series.flatMap(({ of }) => (of ? [...of.met] : [])));
    const told: { side: Side; d: Dram; says(point: number): string }[] = [];
    const charts: TimeChart[] = [];
    const add = (side: Side, title: string, ticks: TimeChart["ticks"], layers: Layer[], says: (p: number) => string): void => {
      const d = this.page.data.dram[side]!;
      const from = (p: number): number => p * d.cyclesPerPoint;
      told.push({ side, d, says });
      charts.push({
        title: `${side}: ${title}`, high: CHART, ticks, points: d.points, from, to: (p) => from(p + 1), layers,
        says: (p) => `From cycle ${count(from(p))}. ${all(from(p))}.`,
      });
    };
    // A cycle is read from all charts. Sides may have intervals of other lengths.
    const all = (cycle: number): string => told.flatMap(({ side, d, says }) => {
      const p = Math.floor(cycle / d.cyclesPerPoint);
      return p < d.points ? [`${side}: ${says(p)}`] : [];
    }).join(". ");
    for (const { side, d, of } of series) {
      if (of) {
        const over = (p: number): number => of.over[p]! / most;
        add(side, "entries in use (dashed) and overflowed", [[1, short(most)], [0, "0"]], [
          { look: "line met", over: (p) => of.met[p]! / most },
          { look: "area over", over, under: () => 0 }, { look: "line over", over },
        ], (p) => `${count(of.over[p]!)} of ${count(of.met[p]!)} entries overflow`);
      }
      const { linkIn, linkOut } = d;
      if (!linkIn || !linkOut || ![...linkIn, ...linkOut].some((n) => n > 0)) continue;
      const room = Number(this.page.valueOf(side, "backing.channels")) * d.cyclesPerPoint;
      const share = (list: Uint32Array, p: number): number => Math.min(1, list[p]! / room);
      const [above, below] = [(p: number) => (1 + share(linkIn, p)) / 2, (p: number) => (1 - share(linkOut, p)) / 2];
      add(side, "use of the link, in above and out below", [[1, "100 %"], [0.5, "0"], [0, "100 %"]], [
        { look: "area in", over: above, under: () => 0.5 }, { look: "line in", over: above },
        { look: "area out", over: below, under: () => 0.5 }, { look: "line out", over: below },
      ], (p) => `link busy ${percent(share(linkIn, p))} in, ${percent(share(linkOut, p))} out`);
    }
    const last = series.flatMap(({ side, of }) => (of ? [`${side}: at most ${count(Math.max(0, ...of.over))} of ${count(Math.max(0, ...of.met))} entries lie behind the link in part, ${count(of.over.at(-1) ?? 0)} at the end.`] : []));
    this.time.draw(this.holder.clientWidth, this.end, charts, `Timeline over ${count(this.end)} cycles. ${last.join(" ")}`, stripes());
    this.time.cursor(this.page.settings.cycle);
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
}

function stripes(): SVGElement {
  const pattern = (id: string, size: number, d: string): SVGElement =>
    svg("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, svg("path", { d, class: "stripe" }));
  return svg("defs", {}, pattern("over-stripes", 3, "M0.5 0V3"), pattern("out-stripes", 4, "M0 4L4 0"));
}
