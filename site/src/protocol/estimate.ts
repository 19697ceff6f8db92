// Estimates: what the engine says about settings that were not run, from the blocks of the last run
// (core/estimate).

import type { Scenario } from "./scenario";
import type { Side } from "./side";

export interface Estimated {
  blocksRead: number;
  blocksWritten: number;
  burstsRead: number;
  burstsWritten: number;
  burstsBar: number; // both may be off by this, because only a sample was coded
  rawRatio: number;
  ratio: number;
  lossyShare: number;
  aboveMAG: number[]; // by bytes above a multiple of the MAG; last: those that do not compress
  aboveSafe: number[]; // of more than one burst, in buffers that may be approximated
  oneBurst: number;
  cut: number;
  storedError: number; // of the data in memory, not of the program's output
  contents: number;
  share: number;
}

export type EstimateSides = Partial<Record<Side, Scenario>>;
export type EstimateQuestion = { type: "estimate"; id: number; sides: EstimateSides };

// EstimateAnswer answers the latest question; earlier ones get no answer.
export interface EstimateAnswer {
  type: "estimated";
  id: number;
  sides: Partial<Record<Side, Estimated | { what: string }>>;
}

export type AskEstimate = (sides: EstimateSides, listener: (a: EstimateAnswer) => void) => void;
