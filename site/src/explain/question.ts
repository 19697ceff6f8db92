// One block taken apart under one codec: what is asked of the engine, what it
// answers, and the way to the dialog that shows it. The dialog is a script of its
// own, fetched when it is first opened.

import { asset } from "../lib/assets";
import type { ValueType } from "./blockvalues";
import type { Side } from "../protocol/protocol";

// Loss is how selective loss is to decide, where that differs from the run.
export interface Loss {
  mag?: number;
  threshold?: number;
  accounting?: string; // fixed32, variable, literal
}

export interface ExplainOrigin {
  what: "burst" | "map" | "lab";
  address?: number;
  allocation?: string;
  file?: string;
  offset?: number;
}

export interface ExplainRequest {
  blockHex?: string; // 128 bytes; left out for a block of a run, which the side has
  codec: string;
  origin: ExplainOrigin;
  side?: Side;
  lossy?: Loss;
  table?: "run" | "lab" | "block";
  type?: ValueType; // of the values, where it is known
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

declare global {
  interface Window {
    burstscopeAsk?: (question: Omit<ExplainQuestion, "type" | "id">) => Promise<Explained>;
    burstscopeExplain?: (request: ExplainRequest) => void;
  }
}

// openExplain shows a block; a failure to fetch the dialog's script is told to
// whoever asked.
export function openExplain(request: ExplainRequest): Promise<void> {
  if (window.burstscopeExplain) {
    window.burstscopeExplain(request);
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = asset("explain.css");
    const script = document.createElement("script");
    script.src = asset("explain.js");
    script.onload = () => {
      window.burstscopeExplain?.(request);
      resolve();
    };
    script.onerror = () => {
      script.remove();
      link.remove();
      reject(new Error("explain.js could not be loaded"));
    };
    document.head.append(link, script);
  });
}
