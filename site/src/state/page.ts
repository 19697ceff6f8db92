// What the page knows: the settings (mirrored in the URL fragment), the run
// (what the engine sent), and the object tests read.

import type {
  Blocks,
  CounterInfo,
  Dram,
  Fault,
  Inspection,
  Lines,
  Output,
  PerSide,
  Result,
  Series,
  Side,
  SideProgress,
  Source,
  Topology,
  ViewNumbers,
} from "../protocol/protocol";
import { EventLog } from "../protocol/events";
import { FIRST_LAB, type LabSettings, type LabTest } from "./lab";
import { NO_LESSON, type LessonLink } from "./lesson";
import { NO_LOCKS, type Locks } from "./locks";
import type { Metric } from "./metrics";
import { FIRST_REPRO, FIRST_REPRO_TEST, type ReproSettings, type ReproTest } from "./reproduction";
import { FIRST_LISTS, SHIPPED_DEFAULT, complete, type Full, type Lists, type Shipped } from "../protocol/scenario";

export const TABS = ["bursts", "address", "mag", "dram", "output", "source"] as const;
export type Tab = (typeof TABS)[number];
// Width of the picture, in CSS pixels, from which both sides fit beside each other.
export const BOTH_SIDES_FROM = 560;
export const MAP_COLOURS = ["bursts", "size", "touches", "mode"] as const;
// What the tab DRAM shows.
export const DRAM_SHOWS = ["banks", "bandwidth", "queues", "row-hits", "bank-hits"] as const;
export type DramShow = (typeof DRAM_SHOWS)[number];
export type MapColour = (typeof MAP_COLOURS)[number];
export type ThemeChoice = "auto" | "light" | "dark";
export type Picture = "auto" | "moving" | "plain";

export interface PickedBurst {
  cycle: number;
  req: number;
  seenAt?: number; // the cursor's cycle then; where it moves, the burst is let go
}

export interface Settings {
  shipped: Shipped; // the scenario the knobs started from
  scenario: Full; // with the knobs applied
  tab: Tab;
  side: Side; // side shown where only one fits
  picture: Picture;
  cycle: number; // the cursor, in base cycles
  speed: number; // base cycles per second
  playing: boolean;
  figuresAtCursor: boolean; // results and chart as far as the cursor; else of the whole run
  addr: number | undefined; // selected block
  burst: PickedBurst | undefined; // of it, if one was clicked
  map: MapColour;
  mapRow: number; // of the address map: the first shown in detail
  mapRows: number; // how many are, 0 = as many as can be read
  dram: DramShow;
  channel: number | undefined; // of DRAM; undefined = all, where all can be shown
  theme: ThemeChoice;
  lab: LabSettings;
  locks: Locks; // of the link
  repro: ReproSettings;
  lesson: LessonLink;
}

export interface Past {
  cycle: number;
  result: Result;
}

// EventWindow is a part of a side's events that came by itself, and what the side had
// come to at its end.
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
  blocks: Partial<PerSide<Blocks>>;
  outputs: PerSide<Output[]>;
  source: Source | undefined;
  lines: Partial<PerSide<Lines>>;
  dram: Partial<PerSide<Dram>>;
  events: PerSide<EventLog>;
  // What the sides had come to at the cycle sought last.
  past: Partial<PerSide<Past>>;
  windows: Partial<PerSide<EventWindow>>; // the latest
  inspected: Inspection | undefined;
  refused: Fault | undefined; // why the block last asked for cannot be inspected
  labels: PerSide<string>;
  scenario: Full; // what these data belong to
  ownImage: string | undefined;
}

export type Phase = "loading" | "running" | "done" | "cancelled" | "error";

// TestState is window.burstscope.state. Tests and scripts read it; nothing in
// the page does.
export interface TestState {
  // loading: no run has begun. running: one is under way. done, cancelled,
  // error: how the latest run ended; a later run goes back to running.
  phase: Phase;
  // Number of the latest run, counted from 1; 0 before the first.
  run: number;
  // Hashes over statistics and output bytes of the latest finished run.
  resultHashes: Partial<PerSide<string>>;
  // Result objects (the JSON of `burstscope run`) of the latest finished sides.
  results: Partial<PerSide<Result>>;
  // What the engine last reported: the part it is in and how far it is, 0..1.
  progress: { phase: string; fraction: number };
  // The latest message shown for a fault, or null once it is dismissed or mended.
  error: Fault | null;
  // Every message now on the page, oldest first.
  messages: Fault[];
  // True after the engine said it is ready.
  engineReady: boolean;
  // The moving picture: ready after its first frame is set up, failed when
  // there is no WebGL or it was lost; the numbers come from the view itself.
  view: { ready: boolean; failed: boolean } & ViewNumbers;
  // The settings as the fragment holds them.
  tab: Tab;
  picture: "moving" | "plain" | "page"; // what the stage shows now
  cycle: number; // cursor
  cycles: number; // end of the timeline
  playing: boolean;
  // Events received of either side, and how many the engine dropped.
  events: PerSide<{ count: number; dropped: number }>;
  // Blocks and outputs received of the latest run.
  blocks: PerSide<number>;
  outputs: PerSide<number>;
  // The cycle sought last: what the engine answered, and how long it took.
  sought: SoughtTest;
  // Sides whose DRAM over time has come.
  dram: PerSide<boolean>;
  lab: LabTest;
  repro: ReproTest;
  offline: OfflineTest;
  // The step of a lesson on show; absent without one.
  lesson?: { name: string; step: number; steps: number; veiled: boolean; title: string };
}

export interface SoughtTest {
  pending: boolean;
  answers: number; // so far, of both sides
  cycle: number;
  milliseconds: number;
  digests: Partial<PerSide<string>>;
  work: Partial<PerSide<number>>;
  every: Partial<PerSide<number>>;
  replayedFrom: Partial<PerSide<number>>;
  states: Partial<PerSide<number>>;
  stateBytes: Partial<PerSide<number>>;
  error: string;
}

export type Topic =
  | "scenario" // a knob or the chosen scenario changed
  | "lists" // the engine said what it knows
  | "run" // a run began or ended
  | "progress"
  | "results" // results to show changed
  | "events"
  | "series"
  | "blocks"
  | "output"
  | "source"
  | "lines"
  | "dram"
  | "inspected"
  | "past" // a cycle was reached by replay
  | "figures" // figures at the cursor, or at the end
  | "cursor" // cycle, speed or playing changed
  | "tab" // tab, side, picture or map colour changed
  | "select" // the selected block changed
  | "map" // rows of the address map changed
  | "threshold" // the tried threshold changed
  | "theme"
  | "watched" // somebody is looking
  | "lab" // the lab came on or went off, or its settings changed
  | "repro"; // the same of the reproduction

export class Page {
  settings: Settings;
  lists: Lists = FIRST_LISTS;
  shipped: Shipped[] = [SHIPPED_DEFAULT];
  listed: { name: string; title: string }[] = []; // what the site's owner offers besides
  counters: Record<string, CounterInfo> = {};
  runHeld = false; // a lesson waits for a prediction: nothing is run
  // Figures beside METRICS, made from what a result holds.
  figures = new Map<string, Metric>();
  version = "";
  data: RunData;
  // Results on show: of the latest run, of the one before while a run is
  // under way, or of the poster before the first.
  results: Partial<PerSide<Result>> = {};
  resultsOf: "nothing" | "poster" | "before" | "run" = "nothing";
  resultScenario: Full;
  resultTopology: Partial<PerSide<Topology>> = {}; // machines the results are of
  ownImage: { png: Uint8Array; name: string } | undefined;
  // The threshold somebody is trying on the histogram, before it is run.
  triedThreshold: number | undefined;
  // Whether somebody is looking, as far as the page can tell (page/watched.ts).
  watched = false;
  test: TestState;
  private listeners = new Map<Topic, (() => void)[]>();

  constructor() {
    const scenario = complete(SHIPPED_DEFAULT.scenario);
    this.settings = {
      shipped: SHIPPED_DEFAULT,
      scenario,
      tab: "bursts",
      side: "B",
      picture: "auto",
      cycle: 0,
      speed: 64,
      playing: false,
      figuresAtCursor: false,
      addr: undefined,
      burst: undefined,
      map: "bursts",
      mapRow: 0,
      mapRows: 0,
      dram: "banks",
      channel: undefined,
      theme: "auto",
      lab: { ...FIRST_LAB },
      locks: { ...NO_LOCKS },
      repro: { ...FIRST_REPRO },
      lesson: { ...NO_LESSON },
    };
    this.resultScenario = structuredClone(scenario);
    this.data = emptyRun(this.resultScenario, { A: "", B: "" });
    this.test = {
      phase: "loading",
      run: 0,
      resultHashes: {},
      results: {},
      progress: { phase: "", fraction: 0 },
      error: null,
      messages: [],
      engineReady: false,
      view: {
        ready: false,
        failed: false,
        tick: 0,
        cycle: 0,
        burstsDrawn: 0,
        savedDrawn: 0,
        approximatedDrawn: 0,
        fps: 0,
      },
      tab: "bursts",
      picture: "page",
      cycle: 0,
      cycles: 0,
      playing: false,
      events: { A: { count: 0, dropped: 0 }, B: { count: 0, dropped: 0 } },
      blocks: { A: 0, B: 0 },
      outputs: { A: 0, B: 0 },
      sought: { pending: false, answers: 0, cycle: 0, milliseconds: 0, digests: {}, work: {}, every: {}, replayedFrom: {}, states: {}, stateBytes: {}, error: "" },
      dram: { A: false, B: false },
      lab: { open: false, phase: "idle", progress: 0, error: "", cancelMilliseconds: 0, blocks: 0, map: "none" },
      repro: { ...FIRST_REPRO_TEST },
      offline: { kept: false, update: false },
    };
  }

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) {
      const list = this.listeners.get(topic) ?? [];
      list.push(listener);
      this.listeners.set(topic, list);
    }
  }

  emit(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }
}

export function emptyRun(scenario: Full, labels: PerSide<string>): RunData {
  return {
    topology: {},
    progress: {},
    series: {},
    blocks: {},
    outputs: { A: [], B: [] },
    source: undefined,
    lines: {},
    dram: {},
    events: { A: new EventLog(), B: new EventLog() },
    past: {},
    windows: {},
    inspected: undefined,
    refused: undefined,
    labels,
    scenario,
    ownImage: undefined,
  };
}

export interface OfflineTest {
  kept: boolean; // all files of the page's build are on this machine
  update: boolean; // a newer version waits
}

// Base cycles per second. At the first speed a burst crosses the picture's
// bus in about 0.7 s.
export const SPEED = { least: 1, most: 5_000_000, first: 64 };
