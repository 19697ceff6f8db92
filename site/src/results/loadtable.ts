// The table beside the source: the approximate loads of a side, with what prediction did to each of them in the run.

import { button, h, text } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import { count, measure, percent } from "../lib/format";
import type { Page } from "../state/page";
import { rowsOf, type Row } from "./approximate";

const HEADS: readonly [string, string][] = [
  ["load", "the load, its line of the PTX and of the source: press to see the line"],
  ["L1 misses", "lines that L1 did not hold"],
  ["predicted", "misses that got a predicted line"],
  ["dropped", "misses that were predicted and never fetched"],
  ["accuracy", "exact values of the predicted ones"],
  ["values", "predicted values of all that the load gave to threads; later loads may read predicted lines in L1 again"],
  ["exact", "values of the load that its own predictions did not change"],
];

export class LoadTable {
  private words = h("p", { class: "note" });
  private body = h("tbody", {});
  private table = makeTable(
    { class: "numbers loads" }, HEADS.map(([head, doc]) => h("th", { scope: "col", title: doc }, head)), this.body,
  );
  readonly box = h("section", { class: "loadbox", "aria-label": "Approximate loads", tabindex: 0, hidden: true }, this.words, this.table);
  private shown: unknown[] = [];

  constructor(
    private page: Page,
    private show: (file: string, line: number) => void,
  ) {}

  draw(): void {
    const { page } = this;
    const side = page.settings.side;
    const result = page.results.of === "run" ? page.results[side] : undefined;
    const predicted = result?.predicted?.loads;
    this.box.hidden = !predicted?.length;
    if (!result || !predicted) return;
    const loss = result.loss === undefined ? "" : ` Loss of quality: ${percent(result.loss)} (${measure(result.lossMetric)}).`;
    const stale = page.changed ? " The settings have changed: press Run." : "";
    text(this.words, `Side ${side}: ${count(predicted.length)} approximate ${predicted.length === 1 ? "load" : "loads"}.${loss}${stale}`);
    const ptx = page.data.source?.files.find((f) => f.language === "ptx");
    const lines = page.data.lines[side]?.files.find((f) => f.name === ptx?.name);
    const now = [result, lines];
    if (now.every((x, i) => x === this.shown[i])) return;
    this.shown = now;
    const loaded = new Map(Array.from(lines?.line ?? [], (line, i) => [line, lines!.lanes[i]!]));
    this.body.replaceChildren(...rowsOf(result, (line) => loaded.get(line)).map((r) => this.row(r, ptx?.name ?? "")));
  }

  private row({ load, dropped, accuracy, share, exact }: Row, ptx: string): HTMLElement {
    const cuda = this.page.data.source?.files.find((f) => f.name === load.file?.replace(/^.*\//, ""));
    const to = (file: string, line: number, words: string): HTMLElement =>
      button(words, () => this.show(file, line), { class: "to" });
    const of = (n: number): string => (load.misses > 0 ? `${count(n)} (${percent(n / load.misses)})` : count(n));
    const part = (x: number): string => (Number.isFinite(x) ? percent(x) : "–");
    const cells = [count(load.misses), of(load.dropped), of(dropped), part(accuracy), part(share), part(exact)];
    const lines = cuda && load.fileLine ? [" ", to(cuda.name, load.fileLine, `${cuda.name}:${load.fileLine}`)] : [];
    const name = to(ptx, load.line, `${load.kernel}, PTX ${load.line}`);
    return row({}, h("th", { scope: "row", title: `${load.kernel}: ${load.text}` }, name, ...lines), ...cells);
  }
}
