// The program's text, with what each line came to on one side. One of the
// counts colours its column; the button walks through its largest lines.

import { cividisRGB } from "../drawing/cividis";
import { button, byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, count, percent, short } from "../lib/format";
import type { LineCounts, SourceFile } from "../protocol/protocol";
import type { Side } from "../protocol/side";
import { FIXED, isLocked, scenarioPath } from "../state/locks";
import type { Page } from "../state/page";
import { chosen, loadsIn, predicts, stateOf, withToggled, type Load } from "./approximate";
import { Beside } from "./beside";
import { LoadTable } from "./loadtable";

const LANES = 32; // threads of a warp

type Key = "stallCycles" | "executions" | "lanes" | "l1Misses" | "bytes";

interface Measure {
  key: Key;
  head: string;
  name: string; // in a sentence
  doc: string;
  show(n: number): string;
}

const MEASURES: readonly Measure[] = [
  {
    key: "stallCycles",
    head: "stall cycles",
    name: "stall cycles",
    doc: "SM cycles without an issue, charged to the instruction that the oldest warp waited to issue, or to its last instruction while only its stores were pending",
    show: short,
  },
  { key: "executions", head: "executed", name: "warp instructions", doc: "how often a warp executed it", show: short },
  { key: "lanes", head: "lanes", name: "idle lanes", doc: "active threads of a warp on average, of 32", show: (n) => n.toFixed(1) },
  { key: "l1Misses", head: "L1 misses", name: "L1 misses", doc: "128-byte lines requested from L2 after L1 misses", show: short },
  { key: "bytes", head: "bytes", name: "bytes", doc: "moved between L1 and L2 for it", show: bytes },
];

// heat is what a measure ranks lines by: for lanes, the threads that were idle.
function heat(c: LineCounts, m: Measure, i: number): number {
  if (m.key === "lanes") return LANES * c.executions[i]! - c.lanes[i]!;
  return c[m.key][i]!;
}

// colours gives a cell the colour of x in 0..1, and text that is legible on it:
// black or white, whichever has more contrast (at least 4.5 to 1 on any colour).
function colours(x: number): string {
  const rgb = cividisRGB(x);
  const [r, g, b] = rgb.map((v) => (v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  const dark = 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.179;
  return `background: rgb(${rgb.join(" ")}); color: ${dark ? "#fff" : "#000"}`;
}

// SetLoads sets loads.which of a side; "" turns prediction off.
export type SetLoads = (side: Side, which: string) => void;

// startSource returns a function that opens the tab at a line of a file.
export function startSource(page: Page, setLoads: SetLoads): (file: string, line: number) => void {
  const panel = new SourcePanel(page, setLoads);
  return (file, line) => {
    page.settings.tab = "source";
    page.emit("tab");
    // The tab fills itself first.
    soon(soon(() => panel.show(file, line)))();
  };
}

class SourcePanel {
  private which = h("select", { "aria-label": "File shown" });
  private by = h("select", { "aria-label": "Count that colours the lines" }, ...MEASURES.map((m) => h("option", { value: m.key }, m.head)));
  private next = button("Hottest line", () => this.jump());
  private words = h("p", { class: "words", "aria-live": "polite" });
  private body = h("tbody", {});
  private head = h("thead", {});
  private table = h("table", { class: "code" }, this.head, this.body);
  private box = h("div", { class: "codebox", tabindex: 0, role: "region", "aria-label": "Program text" }, this.table);
  private rows: HTMLElement[] = []; // by line, from 0
  private shown: unknown[] = [];
  private ranked: number[] = []; // indices into the counts, largest first
  private at = -1; // of ranked
  private file: SourceFile | undefined;
  private counts: LineCounts | undefined;
  private loads: Load[] = []; // of the program
  private loadsOf: unknown; // the source they are of
  private now: Set<string> | undefined; // the approximate ones; undefined until a run has told
  private predicted: LoadTable;
  private beside: Beside;
  private opened: unknown; // the text that was brought to its line with the most bytes

  constructor(
    private page: Page,
    private setLoads: SetLoads,
  ) {
    this.predicted = new LoadTable(page, (file, line) => this.show(file, line));
    const pair = h("div", { class: "codepair" }, this.box);
    this.by.value = "bytes";
    byId("panel-source").append(
      h("div", { class: "tools" }, this.words, h("label", {}, "colour", this.by), this.which, this.next),
      pair,
      this.predicted.box,
    );
    const draw = soon(() => this.draw());
    this.beside = new Beside(this.box, draw);
    pair.append(this.beside.box);
    this.next.after(this.beside.button);
    this.which.addEventListener("change", draw);
    this.by.addEventListener("change", draw);
    page.on(["source", "lines", "tab", "run", "scenario", "results"], draw);
  }

  private draw(): void {
    if (byId("panel-source").hidden) return;
    const { data, settings } = this.page;
    const files = data.source?.files ?? [];
    const signature = files.map((f) => f.name).join("\r");
    if (this.which.dataset["filled"] !== signature) {
      this.which.dataset["filled"] = signature;
      this.which.replaceChildren(...files.map((f) => h("option", { value: f.name }, f.name)));
    }
    this.which.hidden = files.length < 2;
    this.file = files.find((f) => f.name === this.which.value) ?? files[0];
    this.counts = data.lines[settings.side]?.files.find((f) => f.name === this.file?.name);
    this.findLoads();
    this.predicted.draw();
    const other = data.source?.files.find((f) => f !== this.file);
    const otherCounts = data.lines[settings.side]?.files.find((f) => f.name === other?.name);
    const measure = this.measure();
    const most = otherCounts ? Math.max(1, ...Array.from(otherCounts.line, (_, i) => heat(otherCounts, measure, i))) : 1;
    this.beside.show(data.source, this.file, otherCounts, measure.head, (c, i) => this.cell(c, measure, i, i === undefined ? 0 : heat(c, measure, i) / most));
    const chosenNow = this.now && [...this.now].sort().join(" ");
    const now = [this.file?.text, this.counts, this.by.value, settings.side, predicts(settings.scenario, settings.side), chosenNow];
    if (now.every((x, i) => x === this.shown[i]) && this.shown.length > 0) return;
    const another = now[0] !== this.shown[0];
    this.shown = now;
    this.fill();
    if (another) this.box.scrollTo(0, 0);
    // The text opens at the line that moves most bytes.
    if (this.counts && this.opened !== this.file?.text) {
      this.opened = this.file?.text;
      const hottest = this.ranked[0];
      if (hottest !== undefined) this.point(this.counts.line[hottest]!);
    }
  }

  // findLoads finds the loads of the program and which of them are approximate.
  private findLoads(): void {
    const { page } = this;
    const { side, scenario } = page.settings;
    if (this.loadsOf !== page.data.source) {
      this.loadsOf = page.data.source;
      this.loads = loadsIn(page.data.source);
    }
    this.now = chosen(scenario, side, this.loads, { scenario: page.results.scenario, result: page.results[side] });
  }

  // mark is the button of a line with loads: whether they are approximate.
  private mark(n: number): HTMLElement {
    const { now, page } = this;
    const side = page.settings.side;
    const own = this.loads.filter((l) => (this.file?.language === "ptx" ? l.line : l.fileLine) === n);
    const cell = h("td", { class: "approximate" });
    if (own.length === 0) return cell;
    const state = now ? stateOf(now, own) : "false";
    const fixed = isLocked(page, scenarioPath(`${side}.loads.which`));
    const what = own.length === 1 ? "The load" : `The ${own.length} loads`;
    const why = fixed ? ` The choice is ${FIXED}.` : now ? "" : " A run tells which loads are approximate.";
    cell.append(
      h(
        "button",
        {
          type: "button", "aria-pressed": state, disabled: fixed || now === undefined, "data-line": n,
          "aria-label": `Line ${n}: approximate`, title: `${what} of line ${n} may get predicted values: ${{ true: "yes", false: "no", mixed: "some" }[state]}.${why}`,
          onclick: () => {
            if (this.now) this.setLoads(side, withToggled(this.now, own));
            // The rows are made anew; focus goes on where it was.
            soon(soon(() => this.body.querySelector<HTMLElement>(`button[data-line="${n}"]`)?.focus({ preventScroll: true })))();
          },
        },
        { true: "≈", false: "=", mixed: "≃" }[state],
      ),
    );
    return cell;
  }

  // show scrolls to a line of a file.
  show(file: string, line: number): void {
    if (this.which.value !== file) {
      this.which.value = file;
      this.draw();
    }
    this.point(line);
  }

  // point marks a line and scrolls to it.
  private point(line: number): void {
    this.rows.forEach((row) => row.classList.remove("here"));
    const row = this.rows[line - 1];
    row?.classList.add("here");
    if (row) this.box.scrollTo({ top: row.offsetTop - this.box.clientHeight / 2, left: 0 });
    this.beside.link(line, true);
  }

  private measure(): Measure {
    return MEASURES.find((m) => m.key === this.by.value) ?? MEASURES[0]!;
  }

  private fill(): void {
    const { file, counts } = this;
    const measure = this.measure();
    const marks = predicts(this.page.settings.scenario, this.page.settings.side) && this.loads.length > 0;
    const heats = counts ? Array.from(counts.line, (_, i) => heat(counts, measure, i)) : [];
    this.ranked = heats.map((_, i) => i).filter((i) => heats[i]! > 0).sort((a, b) => heats[b]! - heats[a]!);
    this.at = -1;
    this.next.disabled = this.ranked.length === 0;
    text(this.next, "Hottest line");
    text(this.words, this.summary(heats));
    this.head.replaceChildren(
      h("tr", {},
        h("th", { scope: "col" }, "line"),
        marks && h("th", { scope: "col", title: "Loads that may get predicted values (RFVP): press to change" }, "≈"),
        ...(counts ? MEASURES.map((m) => h("th", { scope: "col", class: m === measure ? "on" : "off", title: m.doc }, m.head)) : []),
        h("th", { scope: "col", class: "text" }, file?.language === "ptx" ? "PTX" : "source"),
      ),
    );
    this.head.hidden = !counts && !marks;
    const most = heats[this.ranked[0] ?? -1] ?? 1;
    const index = new Map(Array.from(counts?.line ?? [], (line, i) => [line, i]));
    const lines = file ? file.text.replace(/\n$/, "").split("\n") : [];
    this.rows = lines.map((line, n) => {
      const i = index.get(n + 1);
      const cells = counts ? MEASURES.map((m) => this.cell(counts, m, i, m === measure ? (heats[i ?? -1] ?? 0) / most : -1)) : [];
      return h("tr", {}, h("th", { scope: "row" }, String(n + 1)), marks && this.mark(n + 1), ...cells, h("td", { class: "text" }, line));
    });
    this.body.replaceChildren(...this.rows);
  }

  // cell is one count of a line; x is its part of the largest, -1 where another
  // count colours the lines.
  private cell(c: LineCounts, m: Measure, i: number | undefined, x: number): HTMLElement {
    const cell = h("td", { class: x < 0 ? "off" : "on", style: x > 0 ? colours(x) : undefined });
    if (i === undefined) return cell;
    const runs = c.executions[i]!;
    if (m.key === "lanes") cell.append(runs > 0 ? m.show(c.lanes[i]! / runs) : "–");
    else if (c[m.key][i]! > 0 || m.key === "executions") cell.append(m.show(c[m.key][i]!));
    return cell;
  }

  private summary(heats: number[]): string {
    const { file, counts } = this;
    if (!file) return "The program's text appears with the run.";
    const what = file.language === "ptx" ? `${file.name}: what the machine runs` : file.name;
    if (!counts) return `${what}. Counts for each line come when side ${this.page.settings.side} has finished.`;
    const total = heats.reduce((sum, n) => sum + n, 0);
    return `${what}. Side ${this.page.settings.side}: ${count(total)} ${this.measure().name}.`;
  }

  // jump shows the line with the largest count, then the next one.
  private jump(): void {
    const counts = this.counts;
    if (!counts || this.ranked.length === 0) return;
    this.at = (this.at + 1) % this.ranked.length;
    const i = this.ranked[this.at]!;
    const line = counts.line[i]!;
    this.point(line);
    const measure = this.measure();
    const n = heat(counts, measure, i);
    const total = this.ranked.reduce((sum, k) => sum + heat(counts, measure, k), 0);
    text(this.next, "Next hottest");
    text(this.words, `Number ${this.at + 1}: line ${line}, ${count(n)} ${measure.name}, ${percent(n / total)} of all.`);
  }
}
