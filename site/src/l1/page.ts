// The tab L1: which mode the policy of each SM chose in each phase, and why; and how much
// latency its warps hid, what L1 held, and how long its decompressors' queues were.

import "../../l1.css";
import { byId, h, ink, text } from "../lib/dom";
import { fill, row } from "../lib/table";
import { soon } from "../lib/turns";
import { count, percent, significant } from "../lib/format";
import { cividis } from "../drawing/cividis";
import { DROPPED, IDLE, RIGHT, legendMark } from "../drawing/marks";
import { say } from "../state/messages";
import { SIDES, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";
import { BOTH_SIDES_FROM, L1_SHOWS, type L1Show } from "../state/settings";
import { MODE_INKS, PhaseMap, VALUES, type Cell, type Drawn } from "./map";
import { MODES, plainTable, tableOf, type PhaseTable } from "./phases";
import type { AskSets } from "../engine/lateparts";
import { drawSets, rowsOfSets, wordsOfSets } from "./sets";
import { whyOf } from "./why";

window.burstscopeL1 = (page, ask) => void new L1Page(page, ask);

const WORDS: Record<L1Show, string> = {
  modes: "modes",
  tolerance: "latency tolerance",
  capacity: "effective capacity",
  queue: "decompressor queues",
  sets: "sets of one L1",
};
type Scaled = Exclude<L1Show, "modes" | "sets">;
const SCALES: Record<Scaled, string> = {
  tolerance: "cycles of a hit that warps hide",
  capacity: "times its size in lines",
  queue: "lines in front of a line",
};

class L1Page {
  private shows = h("select", { "aria-label": "What the map of L1 shows" }, ...L1_SHOWS.map((s) => h("option", { value: s }, WORDS[s])));
  private sm = h("select", { "aria-label": "SM whose L1 is shown" });
  private ofSM = h("label", {}, "of", this.sm);
  private asked = ""; // the L1 asked for last
  private words = h("p", { class: "words" });
  private canvas = h("canvas", { tabindex: 0, role: "application", "aria-roledescription": "map" });
  private holder = h("div", { class: "l1map" }, this.canvas);
  private key = h("div", { class: "legend" });
  private readout = h("p", { class: "readout" });
  private why = h("section", { class: "l1why", "aria-label": "Why this mode" });
  private table = h("table", { class: "numbers" });
  private numbers = h("details", {}, h("summary", {}, "The numbers of the chosen SM as a table"), h("div", { class: "scroller", role: "region", tabindex: 0, "aria-label": "Numbers of the chosen SM" }, this.table));
  private map = new PhaseMap(this.canvas);
  readonly draw = soon(() => this.paint());

  constructor(
    private page: Page,
    private ask: AskSets,
  ) {
    this.sm.addEventListener("change", () => {
      const [side, sm] = this.sm.value.split(".");
      page.settings.phase = { side: side as Side, sm: Number(sm), phase: page.settings.phase?.phase ?? 0 };
      page.emit("select");
      this.draw();
    });
    this.shows.addEventListener("change", () => {
      page.settings.l1 = this.shows.value as L1Show;
      page.emit("tab");
    });
    this.canvas.addEventListener("click", (e) => this.choose(this.under(e)));
    this.canvas.addEventListener("pointermove", (e) => this.point(this.under(e)));
    this.canvas.addEventListener("pointerleave", () => this.point(undefined));
    this.canvas.addEventListener("keydown", (e) => this.step(e));
    this.numbers.addEventListener("toggle", this.draw);
    byId("panel-l1").append(
      h("div", { class: "tools" }, h("label", {}, "show", this.shows), this.ofSM),
      this.words, this.holder, this.key, this.readout, this.why, this.numbers,
    );
    page.on(["phases", "tab", "theme", "run", "results", "cursor", "past", "figures"], this.draw);
    new ResizeObserver(this.draw).observe(this.holder);
  }

  // selected is the phase that is explained, if the run has it.
  private get selected(): Cell | undefined {
    const { phase } = this.page.settings;
    const row = phase && tableOf(this.page, phase.side)?.rowOf(phase.sm, phase.phase);
    return phase && row !== undefined ? { side: phase.side, row } : undefined;
  }

  // sides are those on show: both that have a policy, or one where only one fits.
  private sides(): Drawn[] {
    const all = SIDES.flatMap((side) => {
      const table = tableOf(this.page, side);
      return table && table.rows > 0 ? [{ side, table, label: this.page.data.labels[side] }] : [];
    });
    if (all.length < 2 || this.holder.clientWidth >= BOTH_SIDES_FROM) return all;
    return all.filter((s) => s.side === this.page.settings.side);
  }

  // plain are sides that predict loads in an L1 without a policy: there are sets to see, and no phases.
  private plain(): Drawn[] {
    const { page } = this;
    return SIDES.flatMap((side) => {
      const topology = page.data.topology[side];
      if (tableOf(page, side) || !topology || page.valueOf(side, "loads.drop") === undefined || page.run.phase !== "done") return [];
      return [{ side, table: plainTable(side, topology.sms ?? 0), label: page.data.labels[side] }];
    });
  }

  private paint(): void {
    const { page } = this;
    if (byId("panel-l1").hidden) return;
    const phases = this.sides();
    const plain = this.plain();
    const show = phases.length === 0 && plain.length > 0 ? "sets" : page.settings.l1;
    this.shows.value = show;
    this.shows.disabled = phases.length === 0 && plain.length > 0;
    const sides = show === "sets" ? [...phases, ...plain] : phases;
    const none = sides.length === 0;
    this.holder.hidden = this.key.hidden = this.numbers.hidden = this.readout.hidden = none;
    this.ofSM.hidden = none || show !== "sets";
    if (none) {
      const ended = SIDES.some((s) => tableOf(page, s));
      text(this.words, ended ? "No SM has ended a phase: the program makes too few accesses to L1. Choose a larger input, or shorter phases in the settings." : "The picture appears when a side with an L1 policy or with predicted loads has finished.");
      this.why.replaceChildren();
      return;
    }
    if (show === "sets") return this.paintSets(sides);
    this.holder.style.minHeight = `${PhaseMap.leastHeight(sides)}px`;
    const most = show === "modes" ? 0 : Math.max(...sides.map((s) => extent(s.table, show)));
    const end = Math.max(...sides.map((s) => this.cycles(s)));
    this.map.draw(sides, show, most, end, page.settings.cycle, this.selected);
    const said = sides.map((s) => `${s.side}: ${wordsOf(s.table, show)}`).join(" ");
    text(this.words, said);
    this.canvas.setAttribute("aria-label", `${titleOf(show)}, a lane for each SM, from left to right over time. ${said} Arrow keys move from phase to phase and from SM to SM.`);
    this.legend(sides[0]!.table, show, most);
    this.point(undefined);
    this.explain();
    this.fill(sides);
  }

  // paintSets shows the L1 of an SM as the run has left it, or at the cursor if figures are
  // shown up to it.
  private paintSets(sides: Drawn[]): void {
    const { page } = this;
    const { phase, figuresAtCursor } = page.settings;
    const drawn = sides.find((s) => s.side === phase?.side) ?? sides[0]!;
    const sm = phase && phase.side === drawn.side && phase.sm < drawn.table.of.sms ? phase.sm : 0;
    const choices = sides.flatMap((s) => Array.from({ length: s.table.of.sms }, (_, k) => ({ value: `${s.side}.${k}`, words: `${s.side}, SM ${k}` })));
    if (this.sm.childElementCount !== choices.length) this.sm.replaceChildren(...choices.map((c) => h("option", { value: c.value }, c.words)));
    this.sm.value = `${drawn.side}.${sm}`;
    const cycle = figuresAtCursor ? page.data.past[drawn.side]?.cycle : undefined;
    const wanted = `${page.run.number} ${page.run.phase} ${drawn.side} ${sm} ${cycle}`;
    if (wanted !== this.asked) this.ask(drawn.side, sm, cycle);
    this.asked = wanted;
    const sets = page.data.l1Sets;
    text(this.readout, figuresAtCursor ? "This is L1 at the cursor." : "This is L1 at the end of the run. Choose “Up to cursor” beside the results to see it at the cursor.");
    this.why.replaceChildren();
    if (!sets || sets.side !== drawn.side || sets.sm !== sm) return;
    this.holder.style.minHeight = `${20 + (4 * sets.tags.length) / sets.tagsPerSet}px`;
    drawSets(this.canvas, sets, drawn.table);
    const said = wordsOfSets(sets, drawn.table);
    text(this.words, said);
    this.canvas.setAttribute("aria-label", `Sets of an L1, a row for each set, a cell for each sub-block. ${said}`);
    this.modes(drawn.table, "a line as it is", " full");
    this.key.append(h("span", {}, h("i", { class: "k order" }), "room of a line on order"));
    if (sets.predicted.some((p) => p > 0)) {
      this.key.append(legendMark(DROPPED, "predicted, with wrong bytes"), legendMark(RIGHT));
    }
    if (!this.numbers.open) return;
    const { head, rows } = rowsOfSets(sets);
    this.tabulate(said, head, rows);
  }

  private modes(t: PhaseTable, raw: string, kind = ""): void {
    this.key.replaceChildren(...t.used.map((m) => h("span", {}, h("i", { class: `k mode${m}${kind}`, style: `--mode: ${ink(MODE_INKS[m]!)}` }), m === 0 ? raw : t.name(m))));
  }

  private tabulate(caption: string, head: string[], rows: string[][]): void {
    fill(this.table, head, rows.map(([first, ...rest]) => row({}, first, ...rest)), h("caption", {}, caption));
  }

  private cycles({ side, table }: Drawn): number {
    const done = this.page.results.of === "run" ? this.page.results[side]?.cycles : undefined;
    return done ?? table.value(table.rows - 1, "ended");
  }

  private legend(t: PhaseTable, show: Exclude<L1Show, "sets">, most: number): void {
    if (show === "modes") return this.modes(t, t.name(0));
    const steps = Array.from({ length: 11 }, (_, i) => i / 10);
    this.key.replaceChildren(
      h("span", {}, "0", h("i", { class: "ramp" }, ...steps.map((s) => h("b", { style: `background:${cividis(s)}` }))), `${significant(most)} or more ${SCALES[show]}`),
      show === "queue" && legendMark(IDLE) || "",
    );
  }

  private under(e: MouseEvent): Cell | undefined {
    if (this.shows.value === "sets") return undefined;
    const r = this.canvas.getBoundingClientRect();
    return this.map.at(e.clientX - r.left, e.clientY - r.top);
  }

  private point(cell: Cell | undefined): void {
    if (this.shows.value === "sets") return;
    const t = cell && tableOf(this.page, cell.side);
    text(this.readout, t ? `${cell.side}, ${brief(t, cell.row)}` : "Click a phase, or move with the arrow keys, to see why it has its mode.");
  }

  private choose(cell: Cell | undefined): void {
    if (!cell) return;
    const t = tableOf(this.page, cell.side)!;
    this.page.settings.phase = { side: cell.side, sm: t.value(cell.row, "sm"), phase: t.value(cell.row, "phase") };
    this.page.emit("select");
    this.paint();
  }

  // explain writes why the selected phase has its mode.
  private explain(): void {
    const { selected } = this;
    const t = selected && tableOf(this.page, selected.side);
    if (!t) return this.why.replaceChildren();
    const why = whyOf(t, selected.row);
    this.why.replaceChildren(
      h("h2", {}, `${selected.side}, ${why.title}`),
      h("p", {}, why.reason),
      why.modes.length > 0 && h("ul", {}, ...why.modes.map((m) => h("li", m.chosen ? { class: "chosen" } : {}, m.words))) || "",
      ...why.more.map((words) => h("p", {}, words)),
      h("button", { type: "button", onclick: () => this.showSets(t.value(selected.row, "ended")) }, "Show the sets of this L1 when the phase ended"),
    );
  }

  // showSets shows the sets of the chosen SM's L1 at a cycle.
  private showSets(cycle: number): void {
    const { page } = this;
    page.settings.figuresAtCursor = true;
    page.settings.l1 = "sets";
    window.burstscopeControl?.seek(cycle);
    page.emit("figures");
    page.emit("tab");
  }

  private step(e: KeyboardEvent): void {
    const first = this.sides()[0];
    if (!first || this.shows.value === "sets") return;
    const { selected } = this;
    const at = selected ?? { side: first.side, row: 0 };
    const t = tableOf(this.page, at.side);
    const to = t && moved(t, at.row, e.key);
    if (to === undefined) return;
    this.choose({ side: at.side, row: selected ? to : 0 });
    say(`${this.why.querySelector("h2")?.textContent ?? ""} ${this.why.querySelector("p")?.textContent ?? ""}`);
    e.preventDefault();
    e.stopPropagation();
  }

  private fill(sides: Drawn[]): void {
    if (!this.numbers.open) return;
    const drawn = sides.find((s) => s.side === this.selected?.side) ?? sides[0]!;
    const t = drawn.table;
    const sm = this.selected ? t.value(this.selected.row, "sm") : 0;
    const [from, to] = t.span(sm);
    const number = (v: number): string => (Number.isNaN(v) ? "–" : significant(v));
    const head = ["phase", "ends in cycle", "mode", "tolerance", ...t.used.map((m) => `AMAT, ${t.name(m)}`), "capacity", "in front"];
    this.tabulate(
      `Side ${drawn.side}, SM ${sm}. Tolerance and AMAT in cycles; the AMATs are those that chose the mode.`,
      head,
      Array.from({ length: to - from }, (_, i) => from + i).map((row) => [
        count(t.value(row, "phase")),
        count(t.value(row, "ended")),
        t.name(t.mode(row)),
        number(t.value(row, "tolerance")),
        ...t.used.map((m) => number(t.value(row, `whyAMAT${MODES[m]}`))),
        number(t.value(row, "capacity")),
        number(t.queue(row)),
      ]),
    );
  }
}

function titleOf(show: Exclude<L1Show, "sets">): string {
  return { modes: "Modes of the L1s", tolerance: "Latency tolerance", capacity: "Effective capacity of the L1s", queue: "Queues of the decompressors" }[show];
}

// moved is the row that a key leads to.
function moved(t: PhaseTable, row: number, key: string): number | undefined {
  const sm = t.value(row, "sm");
  const [from, to] = t.span(sm);
  const within = (r: number): number => Math.max(from, Math.min(to - 1, r));
  const beside = (step: number): number => {
    for (let other = sm + step; other >= 0 && other < t.of.sms; other += step) {
      const found = t.find(other, (t.value(row, "began") + t.until(row)) / 2);
      if (found !== undefined) return found;
    }
    return row;
  };
  const places: Record<string, number> = {
    ArrowLeft: within(row - 1), ArrowRight: within(row + 1), ArrowUp: beside(-1), ArrowDown: beside(1),
    PageUp: within(row - t.of.period), PageDown: within(row + t.of.period), Home: from, End: to - 1,
  };
  return places[key];
}

function valuesOf(t: PhaseTable, show: Scaled): number[] {
  return Array.from({ length: t.rows }, (_, row) => VALUES[show](t, row)).filter((v) => !Number.isNaN(v));
}

// extent is the top of the scale: of fifty values one may be above it, because one phase with
// twenty times the usual value would leave no colours for the others.
function extent(t: PhaseTable, show: Scaled): number {
  const values = valuesOf(t, show).sort((a, b) => a - b);
  return values[Math.ceil(values.length * 0.98) - 1] ?? 0;
}

// wordsOf says in words what the map of a side shows.
function wordsOf(t: PhaseTable, show: Exclude<L1Show, "sets">): string {
  const every = Math.max(...Array.from({ length: t.of.sms }, (_, sm) => t.every(sm)));
  const kept = every > 1 ? ` The run is long, so of some SMs only every ${every}th phase is shown.` : "";
  const without = Array.from({ length: t.of.sms }, (_, sm) => t.span(sm)).filter(([from, to]) => from === to).length;
  const idle = without > 0 ? ` ${without} of ${t.of.sms} SMs ended no phase.` : "";
  if (show === "modes") {
    const shares = t.used.map((m) => {
      let n = 0;
      for (let row = 0; row < t.rows; row++) if (t.mode(row) === m) n++;
      return `${percent(n / t.rows)} ${t.name(m)}`;
    });
    return `${t.of.policy}, ${count(t.rows)} phases of ${count(t.of.accesses)} accesses: ${shares.join(", ")}; ${changesOf(t)}.${idle}${kept}`;
  }
  const values = valuesOf(t, show).sort((a, b) => a - b);
  if (values.length === 0) return `no line passed a decompressor.${kept}`;
  const middle = significant(values[Math.floor(values.length / 2)]!);
  const most = significant(values[values.length - 1]!);
  switch (show) {
    case "tolerance":
      return `warps hide ${middle} cycles of a hit in the median phase and ${most} in the greatest: ready warps × instructions that one warp issues in turn.${kept}`;
    case "capacity":
      return `the lines in L1 are ${middle} times its size at the end of the median phase, and at most ${most} times.${kept}`;
    case "queue":
      return `${middle} lines stood in front of a line in the decompressors in the median phase, and at most ${most}.${kept}`;
  }
}

function changesOf(t: PhaseTable): string {
  let n = 0;
  for (let row = 1; row < t.rows; row++) if (t.value(row, "sm") === t.value(row - 1, "sm") && t.mode(row) !== t.mode(row - 1)) n++;
  return n === 1 ? "1 change" : `${count(n)} changes`;
}

// brief is a phase in one line.
function brief(t: PhaseTable, row: number): string {
  const v = (column: string): number => t.value(row, column);
  return `SM ${v("sm")}, phase ${count(v("phase"))}, cycles ${count(v("began"))} to ${count(v("ended"))}: ${t.name(t.mode(row))}, tolerance ${significant(v("tolerance"))} cycles, capacity ${significant(v("capacity"))}`;
}
