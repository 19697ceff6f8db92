// The parts of the page report their status here. Tests read it (state/teststate.ts).

import type { Fault, PerSide, ViewNumbers } from "../protocol/protocol";
import type { KernelTest } from "./kernel";
import type { LabTest } from "./lab";
import { FIRST_REPRO_TEST, type ReproTest } from "./reproduction";

export interface OfflineTest {
  kept: boolean; // all files of the page's build are on this machine
  update: boolean; // a newer version waits
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

// Status holds the reports of the parts.
export interface Status {
  // The latest message shown for a fault, or null once it is dismissed or mended.
  error: Fault | null;
  // Every message now on the page, oldest first.
  messages: Fault[];
  // The moving picture: ready after its first frame is set up, failed when
  // there is no WebGL 2 or it was lost; the numbers come from the view itself.
  view: { ready: boolean; failed: boolean } & ViewNumbers;
  picture: "moving" | "plain" | "page"; // what the stage shows now
  // The cycle sought last: the engine's answer, and the time that it took.
  sought: SoughtTest;
  engines: number; // of the latest run: each is a worker
  kernel: KernelTest;
  lab: LabTest;
  repro: ReproTest;
  offline: OfflineTest;
  // The step of a lesson on show; absent without one.
  lesson?: { name: string; step: number; steps: number; veiled: boolean; title: string };
}

export function firstStatus(): Status {
  return {
    error: null,
    messages: [],
    view: { ready: false, failed: false, tick: 0, run: 0, cycle: 0, window: 0, burstsDrawn: 0, savedDrawn: 0, approximatedDrawn: 0, fps: 0 },
    picture: "page",
    sought: { pending: false, answers: 0, cycle: 0, milliseconds: 0, digests: {}, work: {}, every: {}, replayedFrom: {}, states: {}, stateBytes: {}, error: "" },
    engines: 1,
    kernel: { open: false, ready: false, kernels: [], marks: [] },
    lab: { open: false, phase: "idle", progress: 0, error: "", cancelMilliseconds: 0, blocks: 0, map: "none", fit: "idle", fitMilliseconds: 0 },
    repro: { ...FIRST_REPRO_TEST },
    offline: { kept: false, update: false },
  };
}
