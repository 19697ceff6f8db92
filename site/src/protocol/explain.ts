// One block taken apart under one codec: what is asked of the engine, and its answer.

import type { Side } from "./side";

// Loss is how selective loss is to decide, where that differs from the run.
export interface Loss {
  mag?: number;
  threshold?: number;
  accounting?: string; // fixed32, variable, literal
}

// ExplainQuestion is the message to the worker.
export interface ExplainQuestion {
  type: "explain";
  id: number;
  codec: string;
  block?: string;
  side?: Side;
  addr?: string;
  lossy?: Loss;
  table?: string;
  cycle?: number; // of the memory the block is taken from; else its present
}

export interface Field {
  first: number; // bit
  count: number; // bits
  name: string;
  kind: "header" | "code" | "index" | "data" | "escape" | "padding";
  value: string;
  meaning: string;
  item: number;
}

export interface Item {
  name: string;
  first: number;
  count: number;
  byte: number;
  bytes: number;
  says: string;
  lost?: boolean;
}

export interface Structure {
  kind: "table" | "code" | "dictionary" | "planes";
  title: string;
  note: string;
  columns: string[];
  rows: { cells: string[]; items: number[] | null }[];
}

export interface Candidate {
  first: number;
  count: number;
  cutBits: number;
  totalBits: number;
  reaches: boolean;
  chosen: boolean;
}

export interface Decision {
  compBits: number;
  budgetBits: number;
  extraBits: number;
  thresholdBits: number;
  rule: string;
  lengths: number[];
  candidates: Candidate[] | null;
}

export interface BurstCount {
  mag: number;
  bursts: number;
  bytes: number;
  bits: number;
  mode: string;
}

export interface Explanation {
  codec: string;
  source: string;
  bits: number;
  codeBits: number;
  laidOut: number;
  mode: "raw" | "lossless" | "lossy";
  original: string;
  encoded: string;
  decoded: string;
  fields: Field[] | null;
  tag: Field[] | null;
  items: Item[] | null;
  structures: Structure[] | null;
  bursts: BurstCount[];
  notes: string[] | null;
  decision?: Decision;
}

export interface Explained {
  type: "explained";
  id: number;
  ok: boolean;
  what?: string; // why not
  mend?: string;
  explanation?: Explanation;
  basis?: "given" | "memory" | "original" | "stored";
  table?: "" | "run" | "image" | "lab" | "block";
  mag?: number;
  threshold?: number;
}
