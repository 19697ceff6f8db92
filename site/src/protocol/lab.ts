// What the page and the engine tell each other of the data lab.

import type { LentFile } from "./lentfile";

// LabSource is what to survey: a file, the inputs of a scenario, or the memory of a
// finished run.
export interface LabSource {
  blob?: Blob | LentFile; // a File says its name
  beside?: (Blob | LentFile)[]; // among which an index finds its shards
  ports?: MessagePort[]; // those of lent files, which are handed over
  format?: string;
  elements?: string;
  offset?: number;
  array?: string;
  scenario?: unknown;
  side?: string;
  allocation?: string;
  module?: string; // of the reader's own codec, in base64
}

export type ToLab =
  | ({ type: "lab"; id: number } & LabSource)
  | { type: "labCancel"; id: number }
  | { type: "labBlock"; id: number; block: number }
  | ({ type: "fit"; id: number; blobs: (Blob | LentFile)[]; ports: MessagePort[]; names: string[] } & FitQuestion)
  | ({ type: "fitAnswer"; id: number } & FitQuestion)
  | { type: "fitMap"; id: number }
  | { type: "fitSimulate"; id: number; gpu: string; link: string };

// FitQuestion is what a reader asks about profiled files.
export interface FitQuestion {
  gpu: string;
  whole: number; // bytes of all data, 0 = the files are all
  threshold: number; // Buddy Threshold in percent
  judge: "worst" | "mean";
}

export interface LabArray {
  name: string;
  elements: string;
  shape: number[];
  bytes: number;
  firstBlock: number;
}

export interface LabCodec {
  name: string;
  bits: number;
  bytes: Float64Array; // blocks of 0 to 128 bytes
  cells: Uint32Array; // bytes of blocksPerCell blocks
}

export interface LabDone {
  type: "labDone";
  id: number;
  format: string; // in words
  notes: string[]; // what a reader of the figures must know about the file
  bytes: number;
  sha256: string;
  arrays: LabArray[];
  arrayCount: number;
  blocks: number;
  paddedBytes: number;
  values: { elements: number; zeros: number; nans: number; infinites: number };
  bounds: { symbolBits: number; bitsPerBlock: number; ratio: number; approximate: boolean }[];
  blocksPerCell: number;
  codecs: LabCodec[];
}

export interface LabBlock {
  type: "labBlock";
  id: number;
  block: number;
  ok: boolean;
  what?: string;
  bytes: Uint8Array;
  array: string;
  elements: string;
  offset: number; // in the array
  sizes: Record<string, number>; // bits
}

export interface FitRow {
  link: { name: string; title: string; mbPerSecond: number; bandwidthSource: string; headerBytes: number; headerSource: string };
  slowdown: number;
  apart: number;
  plain: number;
}

export interface FitAllocation {
  name: string;
  bytes: number;
  target: string;
  compressionRatio: number;
  zeroShare: number;
  overShare: number;
}

// FitMap counts the entries of each array by the sectors of their codes, from 0 to 4: five numbers a cell.
export interface FitMap {
  type: "fitMap";
  id: number;
  perCell: number; // entries of a cell
  ends: Uint32Array; // of each array's cells, in the order of the profile
  counts: Uint32Array;
}

// FitAnswer says whether data fit into a GPU (core/system/buddy/fit).
export interface FitAnswer {
  type: "fitAnswer";
  id: number;
  profile: {
    snapshots: number;
    allocations: FitAllocation[];
    sizeBytes: number;
    deviceBytes: number;
    capacityRatio: number;
    compressionRatio: number;
    buddyShare: number;
  };
  answer: {
    gpu: { name: string; memoryBytes: number; memorySource: string; bytesPerSecond: number; l2BytesPerSecond: number; clockSource: string; public: boolean };
    wholeBytes: number;
    needBytes: number;
    linkedBytes: number;
    fitsPlain: boolean;
    fits: boolean;
    formula: string;
    rows: FitRow[];
  };
  latencySource: string;
  sampleBytes: number;
  notes: string[]; // about the files, each with its name
}

export type FromLab =
  | FitAnswer
  | FitMap
  | { type: "fitSimulated"; id: number; gpu: string; link: string; slowdown: number }
  | { type: "labProgress"; id: number; phase: string; fraction: number }
  | LabDone
  | LabBlock
  | { type: "labFailed"; id: number; what: string; mend: string; offset?: number; missing?: boolean } // missing: shards of an index
  | { type: "labCancelled"; id: number };
