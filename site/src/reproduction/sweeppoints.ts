// The points of a sweep: what each is of, the runs it needs, and what came of them.

import { labels, partsOf, schemeOf, type Full, type Memory, type Scenario } from "../protocol/scenario";
import type { Fault } from "../protocol/protocol";
import type { Page } from "../state/page";
import type { Job, Outcome } from "../sweep/pool";
import { isPath, scenariosOf, titleOf, valuesOf, varied, type Measure } from "./sweepvalues";

export interface Row {
  value: string;
  second: string; // of the second setting, "" without one
  title: string;
  scenario: Full;
  A: string; // names of the two jobs
  B: string;
}

const MOST_POINTS = 256;

const nameOf = (s: Scenario): string => JSON.stringify(s);

export class Points {
  rows: Row[] = [];
  jobs = new Map<string, Job>(); // by name
  private outcomes = new Map<string, { key: string; outcome: Outcome }>();
  private faults = new Map<string, Fault>();

  constructor(private page: Page) {}

  // plan makes the points of the settings. It answers what is wrong with them.
  plan(): string {
    const { scenario, repro: s } = this.page.settings;
    this.rows = [];
    this.jobs = new Map();
    const lists: string[][] = [];
    const asked: [string, string][] = [[s.vary, s.values]];
    if (s.vary2) asked.push([s.vary2, s.values2]);
    for (const [path, values] of asked) {
      if (!isPath(path)) return `“${path.slice(0, 40)}” is not a path of a scenario`;
      const list = valuesOf(values);
      if (typeof list === "string") return list;
      lists.push(list);
    }
    const [first = [], seconds = [""]] = lists;
    const n = first.length * seconds.length;
    if (n > MOST_POINTS) return `${n} points are more than ${MOST_POINTS}`;
    for (const second of seconds) {
      for (const value of first) {
        let at = varied(this.page, scenario, s.vary, value, s.both === "1");
        if (s.vary2) at = varied(this.page, at, s.vary2, second, s.both === "1");
        const { A, B } = scenariosOf(at);
        const title = titleOf(this.page, s.vary, value) + (s.vary2 && `, ${titleOf(this.page, s.vary2, second)}`);
        this.rows.push({ value, second, title, scenario: at, A: nameOf(A), B: nameOf(B) });
        for (const one of [A, B]) this.jobs.set(nameOf(one), { key: "", scenario: one, traffic: false });
      }
    }
    return "";
  }

  // left are the jobs that have not been run.
  left(): Job[] {
    return [...this.jobs].filter(([name]) => !this.outcomes.has(name) && !this.faults.has(name)).map(([, job]) => job);
  }

  get some(): boolean {
    return [...this.jobs.keys()].some((name) => this.outcomes.has(name));
  }

  came(job: Job, key: string, outcome: Outcome): void {
    this.outcomes.set(nameOf(job.scenario), { key, outcome });
  }

  failed(job: Job, fault: Fault): void {
    this.faults.set(nameOf(job.scenario), fault);
  }

  faultOf(row: Row): Fault | undefined {
    return this.faults.get(row.B) ?? this.faults.get(row.A);
  }

  hashOf(name: string): { scenario: string; result: string } {
    const o = this.outcomes.get(name);
    return { scenario: o?.key ?? "", result: o?.outcome.hash ?? "" };
  }

  resultOf(name: string): unknown {
    return this.outcomes.get(name)?.outcome.result ?? null;
  }

  // of is a measure at a point: of each side, or of B over A.
  of(m: Measure, row: Row): { A: number | undefined; B: number | undefined } {
    const one = (name: string): number | undefined => {
      const r = this.outcomes.get(name)?.outcome.result;
      const v = r ? m.of(r) : NaN;
      return Number.isFinite(v) ? v : undefined;
    };
    const [A, B] = [one(row.A), one(row.B)];
    if (!m.over) return { A, B };
    return { A: undefined, B: A !== undefined && B !== undefined && A !== 0 ? B / A : undefined };
  }

  // metric is a metric of a side.
  metric(name: string, of: string): number | undefined {
    return this.outcomes.get(of)?.outcome.result?.metrics?.[name];
  }

  // asSide is the scenario on show with the scheme B of a point on one side, on the point's machine and program.
  asSide(row: Row, side: "A" | "B"): Full {
    if (side === "B") return row.scenario;
    const { memory, compare: _, ...rest } = this.page.settings.scenario;
    const compare = { memory: schemeOf(row.scenario, "B")["memory"] as unknown as Memory, ...partsOf(row.scenario) };
    const { machine, workload } = row.scenario;
    return { ...structuredClone({ memory, ...rest }), compare, machine, workload };
  }

  names(): { A: string; B: string } {
    return labels(this.page.settings.scenario);
  }
}
