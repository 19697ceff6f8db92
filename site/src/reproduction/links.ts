// Links from results to the simulator: a run, or a run beside what it is set against.

import { h } from "../lib/dom";
import type { CommittedRun, Figure, Formula } from "./data";
import { scenarioFragment } from "../links/permalink";
import { complete, partsOf, type Memory, type Scenario } from "../protocol/scenario";
import type { Page } from "../state/page";

// fragmentOfRuns opens a run as scheme B, and another beside it as A where it is of
// the same program and machine; else A has no scheme.
export function fragmentOfRuns(page: Page, run: Scenario, base?: Scenario): string {
  const beside = base && samePlace(run, base) ? { memory: base.memory, ...partsOf(base) } : { memory: plain(run.memory) };
  return scenarioFragment(page, complete({ ...run, compare: beside }));
}

function samePlace(a: Scenario, b: Scenario): boolean {
  const place = (s: Scenario): string => JSON.stringify([s.machine, s.workload, s.seed]);
  return place(a) === place(b);
}

function plain(m: Memory): Memory {
  const { latency: _, ...rest } = m;
  return { ...rest, codec: "none", approximation: "none" };
}

// simulatorLink is a link that opens a fragment in this page.
export function simulatorLink(fragment: string, open: (fragment: string) => void, label: string | Node, title: string): HTMLAnchorElement {
  const a = h("a", { href: fragment, title }, label);
  a.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return;
    e.preventDefault();
    open(fragment);
  });
  return a;
}

// leaves are the runs that a formula is of, in its order.
export function leaves(f: Formula): Extract<Formula, { run: number }>[] {
  return "run" in f ? [f] : f.of.flatMap(leaves);
}

// PointLink is one way to look at a value in the simulator.
export interface PointLink {
  fragment: string;
  title: string;
}

// linksOf are the points of a value: one for each ratio or single run in it.
export function linksOf(page: Page, figure: Figure, runs: CommittedRun[], f: Formula): PointLink[] {
  const at = (n: number): CommittedRun | undefined => runs[figure.runs[n] ?? -1];
  if (f.op === "geomean" || f.op === "mean") return f.of.flatMap((x) => linksOf(page, figure, runs, x));
  const [first, second] = leaves(f).map((leaf) => at(leaf.run));
  if (!first) return [];
  if (f.op === "traffic") {
    const scenario: Scenario = { ...first.scenario, memory: { ...first.scenario.memory, codec: f.codec ?? "none", ...(f.mag ? { mag: f.mag } : {}), ...(f.ways ? { decodingWays: f.ways } : {}) } };
    return [{ fragment: fragmentOfRuns(page, scenario), title: first.title }];
  }
  if (!second) return [{ fragment: fragmentOfRuns(page, first.scenario), title: first.title }];
  // Of a speedup the second is the scheme itself: its seconds stand below.
  const inverse = f.op === "ratio" && leaves(f)[0]?.metric === "seconds";
  const [run, base] = inverse ? [second, first] : [first, second];
  return [{ fragment: fragmentOfRuns(page, run.scenario, base.scenario), title: `${run.title}, compared with ${base.title}` }];
}
