// Files of a sweep: each says what made it, the schemes, and the link back.

import { assets } from "../lib/assets";
import { csvOf, hereLink, save, type Picture } from "../lib/files";
import type { ChartPanel } from "./chart";
import { fileOf } from "./export";
import type { Points } from "./sweeppoints";
import { texOf } from "./tex";
import { measures } from "./sweepvalues";
import type { Page } from "../state/page";

export class SweepFiles {
  constructor(
    private page: Page,
    private points: Points,
  ) {}

  name(): string {
    const { settings } = this.page;
    return `burstscope-sweep-${settings.scenario.workload.name || "own"}-${settings.repro.vary.replace(/\W+/g, "-")}`;
  }

  stamp(): string[] {
    const { scenario: s, repro } = this.page.settings;
    const of = this.points.names();
    const varied = [repro.vary, repro.vary2].filter(Boolean).join(" and ");
    const program = `${s.workload.name || "own program"} ${s.workload.size ?? ""} ${s.workload.data ?? ""}`.trim();
    return [`Burstscope ${assets.version}, sweep of ${varied}`, `${program}, ${s.machine.preset}, seed ${s.seed}`,
      `A: ${of.A}`, `B: ${of.B}`, hereLink()];
  }

  csv(): void {
    const columns = measures();
    const head = ["value", "second", ...columns.flatMap((m) => (m.over ? [m.name] : [`${m.name}A`, `${m.name}B`])),
      "scenarioA", "scenarioB", "resultA", "resultB"];
    const rows = this.points.rows.map((r) => {
      const [a, b] = [this.points.hashOf(r.A), this.points.hashOf(r.B)];
      const of = columns.map((m) => ({ m, v: this.points.of(m, r) }));
      return [r.value, r.second, ...of.flatMap(({ m, v }) => (m.over ? [v.B] : [v.A, v.B])),
        a.scenario, b.scenario, a.result, b.result];
    });
    save(csvOf(this.stamp(), head, rows), `${this.name()}.csv`);
  }

  json(): void {
    const side = (name: string): unknown => ({
      scenario: JSON.parse(name) as unknown, scenarioHash: this.points.hashOf(name).scenario,
      resultHash: this.points.hashOf(name).result, result: this.points.resultOf(name),
    });
    const points = this.points.rows.map((r) => ({ value: r.value, second: r.second, A: side(r.A), B: side(r.B) }));
    const { vary, vary2 } = this.page.settings.repro;
    const about = { version: assets.version, link: hereLink(), vary, vary2, schemes: this.points.names(), points };
    save(JSON.stringify(about, null, 1), `${this.name()}.json`);
  }

  // picture is the figure with its stamp: a panel, or what was drawn already.
  picture(panel: ChartPanel, drawn: SVGSVGElement | undefined): Picture {
    const { rows } = this.points;
    const short = (name: string): string => this.points.hashOf(name).result.slice(0, 8) || "–";
    const hashes = rows.slice(0, 6).map((r) => `${r.title}: ${short(r.A)} ${short(r.B)}`).join(", ");
    const { vary, vary2 } = this.page.settings.repro;
    const title = `Sweep of ${[vary, vary2].filter(Boolean).join(" and ")}`;
    const stamp = [...this.stamp(), `results of A and B at ${hashes}${rows.length > 6 ? " …" : ""}`];
    return fileOf(title, stamp, drawn ? [] : [panel], drawn);
  }

  tex(panel: ChartPanel): void {
    save(texOf(panel, this.stamp(), hereLink()), `${this.name()}.tex`);
  }
}
