// The table of a sweep: only columns that have values, of which the reader chooses; each row opens its point, or
// becomes side A or B.

import { button, h, text } from "../lib/dom";
import { keep, keptValue } from "../lib/keep";
import { fill } from "../lib/table";
import { change, digits4, ratio } from "../lib/format";
import { scenarioFragment } from "../links/permalink";
import { metrics, type Given } from "../state/metrics";
import type { Page } from "../state/page";
import { simulatorLink } from "./links";
import type { Points, Row } from "./sweeppoints";
import { measures, type Measure } from "./sweepvalues";

const STORED = "burstscope.columns";
// What a first visit shows.
const FIRST = ["speedup", "dramBytes", "joules", "compressionRatioRaw", "compressionRatioEffective", "error"];

interface Column {
  measure: Measure;
  side: "A" | "B";
  title: string;
}

// textOf writes a value as the result table does.
function textOf(m: Measure, v: number | undefined): string {
  if (v === undefined) return "–";
  if (m.name === "speedup") return `×${ratio(v)}`;
  if (m.over) return change(1, v) || digits4(v);
  return metrics().get(m.name)?.text(v, {} as Given) ?? digits4(v);
}

export class SweepTable {
  private table = h("table", { class: "numbers figure-table", id: "sweep-table" });
  private list = h("div", { class: "columnlist" });
  private same = h("p", { class: "note" });
  private shown = new Set(keptColumns());
  readonly element = h("div", {},
    h("details", { class: "columns" }, h("summary", {}, "columns"), this.list),
    h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": "Table of the sweep" }, this.table),
    this.same);

  constructor(
    private page: Page,
    private points: Points,
    private open: (fragment: string) => void,
  ) {}

  draw(): void {
    const { rows } = this.points;
    const has = measures().filter((m) => rows.some((r) => this.points.of(m, r).B !== undefined));
    const offered = has.length > 0 ? has : measures().filter((m) => FIRST.includes(m.name));
    this.fillList(offered);
    const columns = offered.filter((m) => this.shown.has(m.name)).flatMap((m) => this.columnsOf(m));
    const within = document.activeElement instanceof HTMLElement && this.table.contains(document.activeElement);
    const focused = within ? (document.activeElement as HTMLElement).dataset["key"] : undefined;
    const { vary, vary2 } = this.page.settings.repro;
    const heads = [[vary, vary2].filter(Boolean).join(", "), ...columns.map((c) => c.title), "use as", "results"];
    const caption = h("caption", { class: "vh" }, "The measures at every value");
    fill(this.table, heads, rows.map((r) => this.row(r, columns)), caption);
    if (focused) this.table.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    text(this.same, `A of every row: ${this.points.names().A}, where no column of A stands.`);
  }

  // columnsOf are those of a measure: of A only where it changes.
  private columnsOf(m: Measure): Column[] {
    if (m.over) return [{ measure: m, side: "B", title: m.title.replace(" of B over A", ", B against A") }];
    const ofA = new Set(this.points.rows.map((r) => this.points.of(m, r).A).filter((v) => v !== undefined));
    const title = `${m.title[0]!.toLowerCase()}${m.title.slice(1)}`;
    const B: Column = { measure: m, side: "B", title: `B: ${title}` };
    return ofA.size > 1 ? [{ measure: m, side: "A", title: `A: ${title}` }, B] : [B];
  }

  private fillList(offered: Measure[]): void {
    const signature = offered.map((m) => m.name).join();
    if (this.list.dataset["filled"] === signature) return;
    this.list.dataset["filled"] = signature;
    this.list.replaceChildren(...offered.map((m) => {
      const box = h("input", { type: "checkbox", "data-column": m.name });
      box.checked = this.shown.has(m.name);
      box.addEventListener("change", () => {
        if (box.checked) this.shown.add(m.name);
        else this.shown.delete(m.name);
        keep(STORED, JSON.stringify([...this.shown]));
        this.draw();
      });
      return h("label", { class: "tick" }, box, ` ${m.title}`);
    }));
  }

  private row(r: Row, columns: Column[]): HTMLElement {
    const key = `${r.value} ${r.second}`.trim();
    const words = "open this point in the simulator";
    const link = simulatorLink(scenarioFragment(this.page, r.scenario), this.open, r.title, words);
    link.dataset["key"] = key;
    const head = h("th", { scope: "row" }, link);
    const fault = this.points.faultOf(r);
    if (fault) {
      const why = [fault.where, fault.what, fault.mend].filter(Boolean).join(": ");
      const cell = h("td", { colspan: columns.length + 2, class: "bad" }, why);
      return h("tr", { class: "refused", "data-value": key }, head, cell);
    }
    const cells = columns.map(({ measure, side }) =>
      h("td", { "data-measure": measure.name }, textOf(measure, this.points.of(measure, r)[side])));
    const as = (["A", "B"] as const).map((side) => {
      const title = `Use ${r.title} as side ${side}`;
      const attributes = { class: "use", "data-key": `${key} as ${side}`, "aria-label": title, title };
      return button(side, () => this.open(scenarioFragment(this.page, this.points.asSide(r, side))), { ...attributes });
    });
    const hashes = ([r.A, r.B] as const).map((n) => this.points.hashOf(n).result);
    const short = hashes.every(Boolean) ? hashes.map((x) => x.slice(0, 8)).join(" ") : "–"; // a row is of two results
    return h("tr", { "data-value": key }, head, ...cells, h("td", { class: "as" }, ...as),
      h("td", { class: "mono", title: hashes.filter(Boolean).join(" ") }, short));
  }
}

function keptColumns(): string[] {
  const list = keptValue(STORED);
  return Array.isArray(list) && list.every((x) => typeof x === "string") ? list : FIRST;
}
