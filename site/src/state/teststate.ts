// The object that tests and scripts read: window.burstscope.state.

import type { PerSide, Result, Side } from "../protocol/protocol";
import type { Page } from "./page";
import type { Phase } from "./run";
import type { Tab } from "./settings";
import type { Status } from "./status";

// TestState is the state of the page at the moment it is read.
export interface TestState extends Status {
  phase: Phase;
  // Number of the latest run, counted from 1; 0 before the first.
  run: number;
  // Hashes over statistics and output bytes of the latest finished run.
  resultHashes: Partial<PerSide<string>>;
  kept: Side[]; // sides of the run before that did not run again
  // Result objects (the JSON of `burstscope run`) of the latest finished sides.
  results: Partial<PerSide<Result>>;
  // What the engine last reported: the part it is in and how far it is, 0..1.
  progress: { phase: string; fraction: number };
  // True after the engine said it is ready.
  engineReady: boolean;
  // The settings as the fragment holds them.
  tab: Tab;
  cycle: number; // cursor
  cycles: number; // end of the timeline
  speed: number; // of the cursor, in cycles per second
  playing: boolean;
  // Events received of either side, and how many the engine dropped.
  events: PerSide<{ count: number; dropped: number }>;
  // Blocks and outputs received of the latest run.
  blocks: PerSide<number>;
  outputs: PerSide<number>;
  // Sides whose DRAM over time has come.
  dram: PerSide<boolean>;
}

export function testState(page: Page): TestState {
  const { run, settings: s } = page;
  const { data } = run;
  const events = ({ A, B }: typeof data.events) => ({
    A: { count: A.count, dropped: A.dropped },
    B: { count: B.count, dropped: B.dropped },
  });
  return {
    ...page.status,
    phase: run.phase,
    run: run.number,
    resultHashes: run.hashes,
    kept: data.kept,
    results: page.results.ofRuns(),
    progress: run.progress,
    engineReady: run.engineReady,
    tab: s.tab,
    cycle: s.cycle,
    cycles: page.cycles,
    speed: s.speed,
    playing: s.playing,
    events: events(data.events),
    blocks: { A: data.blocks.A?.count ?? 0, B: data.blocks.B?.count ?? 0 },
    outputs: { A: data.outputs.A.length, B: data.outputs.B.length },
    dram: { A: data.dram.A !== undefined, B: data.dram.B !== undefined },
  };
}
