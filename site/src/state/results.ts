// The results on show.

import type { PerSide, Result, Side, Topology } from "../protocol/protocol";
import type { Full } from "../protocol/scenario";
import type { RunData } from "./run";

export class Results {
  A?: Result;
  B?: Result;
  // Where the results come from: the latest run, the run before it while a run is in
  // progress, or the poster before the first run.
  of: "nothing" | "poster" | "before" | "run" = "nothing";
  topology: Partial<PerSide<Topology>> = {}; // the machines they are of

  constructor(public scenario: Full) {}

  takePoster(results: PerSide<Result>, topology: Topology | undefined): void {
    Object.assign(this, results);
    if (topology) this.topology = { A: topology, B: topology };
    this.of = "poster";
  }

  // posterIsOf says which scenario the poster is of, once the page has read it.
  posterIsOf(scenario: Full): void {
    if (this.of === "poster") this.scenario = scenario;
  }

  // supersede marks the results as those of the run before.
  supersede(): void {
    if (this.of === "run") this.of = "before";
  }

  take(side: Side, result: Result, data: RunData): void {
    if (this.of !== "run") {
      delete this.A;
      delete this.B;
    }
    this.of = "run";
    this.scenario = data.scenario;
    this.topology = data.topology;
    this[side] = result;
  }

  // ofRuns are the results that a run on this page computed.
  ofRuns(): Partial<PerSide<Result>> {
    if (this.of === "nothing" || this.of === "poster") return {};
    return { ...(this.A ? { A: this.A } : {}), ...(this.B ? { B: this.B } : {}) };
  }
}
