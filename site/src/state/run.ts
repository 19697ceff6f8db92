// The latest run: its progress, and the data that the engine sent about it.

import { EventLog } from "../protocol/events";
import type { Blocks, Dram, Errors, Fault, Inspection, Lines, Output, PerSide, Result, Series, Side, SideProgress, Source, Topology } from "../protocol/protocol";
import { entryOf, type Mark } from "../protocol/kernel";
import type { L1Sets, Phases } from "../protocol/l1";
import type { Launches } from "../protocol/launches";
import { labels, type Full, type Shipped } from "../protocol/scenario";
import type { LessonLink } from "./lesson";

export interface Past {
  cycle: number;
  result: Result;
}

// OwnImage is an image of the reader's own.
export interface OwnImage {
  png: Uint8Array;
  name: string;
}

// Origin says where a scenario came from: a link to it names that. Results keep theirs, whatever
// the settings are by then.
export interface Origin {
  shipped: Shipped;
  lesson: LessonLink;
  image: OwnImage | undefined; // that the program read
}

// Made is what a result or a run is of: its settings, and where they came from.
export interface Made {
  scenario: Full;
  origin: Origin;
}

// subjectOf names what a result or a run is of: a program of a scenario. Of the same subject, numbers of other settings
// may stay on show, marked as such; those of another subject may not.
export function subjectOf({ scenario: { workload }, origin: { shipped, lesson } }: Made): string {
  return JSON.stringify([shipped.id ?? shipped.name, lesson, workload.name, workload.ptx && entryOf(workload.ptx)]);
}

// EventWindow is a part of a side's events that came by itself, with the side's result at
// its end.
export interface EventWindow {
  side: Side;
  from: number;
  until: number;
  buffer: ArrayBuffer;
  opening: number; // of its events, the first tell the state at from
  result: Result;
}

export interface RunData {
  topology: Partial<PerSide<Topology>>;
  progress: Partial<PerSide<SideProgress>>;
  series: Partial<PerSide<Series>>;
  results: Partial<PerSide<Result>>;
  blocks: Partial<PerSide<Blocks>>;
  outputs: PerSide<Output[]>;
  errors: PerSide<Errors[]>;
  source: Source | undefined;
  lines: Partial<PerSide<Lines>>;
  dram: Partial<PerSide<Dram>>;
  phases: Partial<PerSide<Phases>>;
  l1Sets: L1Sets | undefined; // the latest
  launches: Partial<PerSide<Launches>>;
  events: PerSide<EventLog>;
  // Results of the sides at the cycle sought last.
  past: Partial<PerSide<Past>>;
  windows: Partial<PerSide<EventWindow>>; // the latest
  inspected: Inspection | undefined;
  fault: Fault | undefined; // that ended the run
  refused: Fault | undefined; // why the last requested block cannot be inspected
  labels: PerSide<string>;
  kept: Side[]; // sides of the run before that did not run again
  remembered: Partial<PerSide<Result>>; // results of an earlier visit, until the run has its own
  scenario: Full; // the scenario of these data
  origin: Origin;
  marks: Mark[]; // faults of the run in the text of its program
}

export type Phase = "loading" | "running" | "done" | "cancelled" | "error";

// What the engine said of a side, with the side's name.
const MESSAGES = ["outputs", "errors", "series", "blocks", "lines", "dram", "phases", "launches"] as const;

function emptyRun(scenario: Full, origin: Origin, labels: PerSide<string>): RunData {
  return {
    topology: {},
    progress: {},
    series: {},
    results: {},
    blocks: {},
    outputs: { A: [], B: [] },
    errors: { A: [], B: [] },
    source: undefined,
    lines: {},
    dram: {},
    phases: {},
    l1Sets: undefined,
    launches: {},
    events: { A: new EventLog(), B: new EventLog() },
    past: {},
    windows: {},
    inspected: undefined,
    fault: undefined,
    refused: undefined,
    labels,
    kept: [],
    remembered: {},
    scenario,
    origin,
    marks: [],
  };
}

// Run is the latest run.
export class Run {
  number = 0; // counted from 1; 0 before the first
  // loading: no run has begun. running: a run is in progress. done, cancelled, error: how
  // the latest run ended; a later run goes back to running.
  phase: Phase = "loading";
  progress = { phase: "", fraction: 0 }; // as the engine reported it last
  hashes: Partial<PerSide<string>> = {}; // of the finished run
  engineReady = false;
  held = false; // a lesson waits for a prediction: nothing is run
  told: ReadonlySet<string> | undefined; // the only metrics that the table shows, if a lesson asks for others later
  data: RunData;
  private before: RunData | undefined; // data of the run before, until the engine has said which sides it keeps

  constructor(scenario: Full, origin: Origin) {
    this.data = emptyRun(scenario, origin, { A: "", B: "" });
  }

  // repeats tells whether a run of a scenario would be the latest one again.
  repeats(scenario: Full, origin: Origin): boolean {
    const { data } = this;
    return this.phase === "done" && origin.image === data.origin.image && JSON.stringify(scenario) === JSON.stringify(data.scenario);
  }

  begin(scenario: Full, origin: Origin): void {
    this.before = this.phase === "done" ? this.data : undefined;
    this.number++;
    this.phase = "running";
    this.progress = { phase: "start", fraction: 0 };
    this.hashes = {};
    this.data = emptyRun(scenario, origin, labels(scenario));
  }

  // keep takes over what the engine sent about sides of the run before. last says that no other engine
  // keeps more of them.
  keep(kept: { side: Side; was: Side }[], last: boolean): void {
    const { data, before } = this;
    if (last) this.before = undefined;
    for (const { side, was } of kept) {
      data.kept.push(side);
      if (!before) continue;
      data.source = before.source;
      for (const of of ["topology", "results", "events"] as const) Object.assign(data[of], { [side]: before[of][was] });
      for (const of of MESSAGES) {
        const m = before[of][was];
        Object.assign(data[of], { [side]: Array.isArray(m) ? m.map((one) => ({ ...one, side })) : m && { ...m, side } });
      }
    }
  }

  finish(hashes: PerSide<string>): void {
    this.hashes = hashes;
    this.progress = { phase: "done", fraction: 1 };
  }
}
