// The results on show.

import type { PerSide, Result, Side } from "../protocol/protocol";
import { complete, type Full, type Noise, type Shipped } from "../protocol/scenario";
import { NO_LESSON } from "./lesson";
import type { Origin, RunData } from "./run";

// Earlier are results of a run of this visit.
export type Earlier = Pick<Results, "A" | "B" | "scenario" | "origin">;

// Built is the result of a shipped scenario that came with the page (tools/build/built.go).
export interface Built {
  name: string;
  version: string;
  picture?: boolean; // its output is a picture to people
  results: PerSide<Result>;
  noise?: Noise;
}

// Arrived are results of the latest run.
type Arrived = Partial<PerSide<Result>> & { data: RunData };

export class Results {
  A?: Result;
  B?: Result;
  // Where the results come from: the latest run, the run before it while a run is in
  // progress, or the build of the page.
  of: "nothing" | "built" | "before" | "run" = "nothing";
  built: Built | undefined; // where they come from the build
  private repeats = false; // the next run is the one that made them
  private arrived: Arrived | undefined;

  constructor(
    public scenario: Full,
    public origin: Origin,
  ) {}

  // takeBuilt shows what the build computed of a shipped scenario.
  takeBuilt(built: Built, shipped: Shipped): void {
    Object.assign(this, built.results);
    this.of = "built";
    this.built = built;
    this.scenario = complete(shipped.scenario);
    this.origin = { shipped, lesson: NO_LESSON, image: undefined };
  }

  // key names the results: scenario, version and hashes.
  get key(): string {
    const { A, B, origin } = this;
    return [origin.shipped.name, B?.version ?? A?.version, A?.resultHash, B?.resultHash].join(" ");
  }

  // ran tells whether a run of this page made the results.
  get ran(): boolean {
    return this.of === "run" || this.of === "before";
  }

  // supersede marks the results as those of the run before, unless the next run repeats them.
  supersede(): void {
    if (this.of === "run" && !this.repeats) this.of = "before";
    this.repeats = false;
  }

  // restore shows the results of an earlier run of this page again. They stand while that run is
  // repeated for its picture.
  restore(earlier: Earlier): void {
    Object.assign(this, earlier);
    this.of = "run";
    this.built = undefined;
    this.repeats = true;
  }

  // take keeps the result of a side until the other side has one too: a result alone cannot be
  // compared, and a run that is cancelled or fails leaves the results before it on show.
  take(side: Side, result: Result, data: RunData): void {
    if (this.arrived?.data !== data) this.arrived = { data };
    this.arrived[side] = result;
    if (this.arrived.A && this.arrived.B) this.show(this.arrived);
  }

  // runEnded shows the result of one side if no run has both.
  runEnded(): void {
    if (this.arrived && !this.ran) this.show(this.arrived);
  }

  private show({ data, A, B }: Arrived): void {
    delete this.A;
    delete this.B;
    Object.assign(this, { ...(A ? { A } : {}), ...(B ? { B } : {}) });
    this.of = "run";
    this.built = undefined;
    this.scenario = data.scenario;
    this.origin = data.origin;
  }

  // ofRuns are the results that a run on this page computed.
  ofRuns(): Partial<PerSide<Result>> {
    if (!this.ran) return {};
    return { ...(this.A ? { A: this.A } : {}), ...(this.B ? { B: this.B } : {}) };
  }
}
