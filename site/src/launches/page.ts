// The tab Launches: a row for each launch and kernel of a side, and its power over time. A press on a launch marks
// its cycles in the charts and puts the cursor of the timeline where it begins.

import "../../launches.css";
import { byId, h, svg, text } from "../lib/dom";
import { head, row } from "../lib/table";
import { count } from "../lib/format";
import { soon } from "../lib/turns";
import type { Launches } from "../protocol/launches";
import type { Side } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import { metrics } from "../state/metrics";
import type { Page } from "../state/page";
import { PowerChart, type Span } from "./power";
import { columnsOf, formatOf, mostStalls } from "./table";
import type { AskLaunches } from "../engine/lateparts";

window.burstscopeLaunches = (page, ask) => void new LaunchesPage(page, ask);

class LaunchesPage {
  private words = h("p", { class: "words" });
  private figure = h("select", { "aria-label": "Figure in the last column" });
  private tools = h("div", { class: "tools" }, h("label", {}, "figure in the last column", this.figure));
  private head = h("thead");
  private rows = h("tbody");
  private kernels = h("tbody");
  private table = h("table", { class: "launches" }, this.head, this.rows, this.kernels);
  private scroller = h("div", { class: "scroller" }, this.table);
  private chart: PowerChart;
  private band = svg("rect", { class: "spark-span", y: 0, height: 40, width: 0, x: 0 });
  private asked: { run: number; side: Side }[] = [];
  private chosen: (Span & { side: Side; run: number; launch: number }) | undefined;
  private shown: Launches | undefined;
  private readonly draw = soon(() => this.paint());

  constructor(
    private page: Page,
    private ask: AskLaunches,
  ) {
    this.chart = new PowerChart();
    byId("panel-launches").append(this.words, this.scroller, this.tools, this.chart.element);
    byId("spark").prepend(this.band);
    this.figure.addEventListener("change", () => this.fill());
    this.rows.addEventListener("click", (e) => this.press((e.target as Element).closest("button")?.dataset["launch"]));
    page.on(["launches", "results", "tab", "theme", "run"], this.draw);
    page.on(["cursor"], soon(() => this.mark()));
    new ResizeObserver(this.draw).observe(byId("panel-launches"));
  }

  // of are the launches of the side on show, which are asked for once a run.
  private of(side: Side): Launches | undefined {
    const { data, run, results } = this.page;
    if (!data.results[side] || results.of !== "run" || run.phase !== "done") return undefined;
    const known = data.launches[side];
    if (!known && !this.asked.some((a) => a.run === run.number && a.side === side)) {
      this.asked.push({ run: run.number, side });
      this.ask(side);
    }
    return known;
  }

  private paint(): void {
    this.mark();
    if (byId("panel-launches").hidden) return;
    const { side } = this.page.settings;
    const l = this.of(side);
    this.scroller.hidden = this.tools.hidden = !l;
    this.chart.show(l?.power);
    if (!l) return text(this.words, "The launches appear when the run has ended.");
    if (l !== this.shown) this.fill();
    const [launches, kernels] = [l.entries.length, l.kernels.length];
    const of = `${count(kernels)} ${kernels === 1 ? "kernel" : "kernels"}`;
    const said = `${side}: ${count(launches)} ${launches === 1 ? "launch" : "launches"} of ${of}.`;
    text(this.words, `${said} Press a launch to see its cycles in the timeline. ${l.note}`.trim());
    this.chart.draw(this.span());
  }

  // list offers every metric and counter for the last column.
  private list(l: Launches): void {
    const was = this.figure.value || "slotLong";
    const group = (label: string, names: string[]): HTMLElement =>
      h("optgroup", { label }, ...names.map((value) => h("option", { value }, metrics().get(value)?.title ?? value)));
    const [first, counters] = [l.columns.slice(0, l.metrics), l.columns.slice(l.metrics)];
    this.figure.replaceChildren(group("metrics", first), group("counters and stalls", counters));
    this.figure.value = l.columns.includes(was) ? was : l.columns[0]!;
  }

  private fill(): void {
    const l = this.page.data.launches[this.page.settings.side];
    if (!l) return;
    if (l !== this.shown) this.list(l);
    this.shown = l;
    const columns = columnsOf(this.figure.value);
    const { side } = this.page.settings;
    const g = { result: this.page.results[side]!, memory: memoryOf(this.page.results.scenario, side), image: false };
    const cells = (at: number): HTMLElement[] => {
      const list: HTMLElement[] = columns.map((c) => {
        const v = l.values[at * l.columns.length + l.columns.indexOf(c)]!;
        return h("td", { "data-column": c, "data-value": String(v) }, formatOf(c, v, g));
      });
      list.splice(-1, 0, h("td", { class: "word", "data-column": "stalls" }, mostStalls(l, at)));
      return list;
    };
    const times = (of: Float64Array, at: number): HTMLElement[] =>
      ["beginCycle", "launchCycles"].map((c, k) =>
        h("td", { "data-column": c, "data-value": of[at + k] }, count(of[at + k]!)),
      );
    const titles = columns.map((c) => metrics().get(c)?.title ?? c);
    titles.splice(-1, 0, "Most stalls");
    const heads = ["Launch", "Kernel", "Begins", "Cycles", ...titles];
    this.head.replaceChildren(...head(...heads).children);
    const button = (i: number): HTMLElement =>
      h("button", { type: "button", "data-launch": i, "aria-pressed": "false" }, String(i));
    this.rows.replaceChildren(
      ...l.entries.map((entry, i) =>
        row({ "data-launch": i }, button(i), h("td", { class: "word" }, entry), ...times(l.spans, 2 * i), ...cells(i)),
      ),
    );
    this.kernels.replaceChildren(
      ...l.kernels.map((kernel, i) =>
        row({ "data-kernel": kernel }, `all ${count(l.uses[3 * i]!)}`, h("td", { class: "word" }, kernel),
          ...times(l.uses, 3 * i + 1), ...cells(l.entries.length + i)),
      ),
    );
    this.mark();
  }

  // press chooses a launch, or gives the choice up.
  private press(number: string | undefined): void {
    const l = this.shown;
    if (number === undefined || !l) return;
    const launch = Number(number);
    const { settings, run } = this.page;
    if (this.span() && this.chosen?.launch === launch) this.chosen = undefined;
    else {
      const from = l.spans[2 * launch]!;
      this.chosen = { from, to: from + l.spans[2 * launch + 1]!, launch, side: settings.side, run: run.number };
      // The slider seeks as if a hand had moved it.
      const scrub = byId<HTMLInputElement>("scrub");
      scrub.value = String(from);
      scrub.dispatchEvent(new Event("input"));
    }
    this.paint();
  }

  // span is the chosen launch, if it is of the run and the side on show.
  private span(): Span | undefined {
    const c = this.chosen;
    return c && c.run === this.page.run.number && c.side === this.page.settings.side ? c : undefined;
  }

  // mark shows the chosen launch in the table and in the timeline.
  private mark(): void {
    const span = this.span();
    for (const b of this.rows.querySelectorAll("button")) {
      b.setAttribute("aria-pressed", String(span !== undefined && b.dataset["launch"] === String(this.chosen!.launch)));
    }
    const end = Math.max(1, this.page.cycles);
    this.band.setAttribute("x", String(span ? (1000 * span.from) / end : 0));
    this.band.setAttribute("width", String(span ? (1000 * (span.to - span.from)) / end : 0));
    this.chart.time.cursor(this.page.settings.cycle);
  }
}
