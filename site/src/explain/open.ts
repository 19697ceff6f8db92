// Opens the dialog of one block. The dialog is a script of its own, fetched when it is
// first needed.

import type { ValueType } from "./blockvalues";
import { loadScript } from "../lib/script";
import type { Loss, ExplainQuestion, Explained } from "../protocol/explain";
import type { Side } from "../protocol/protocol";

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

declare global {
  interface Window {
    burstscopeAsk?: (question: Omit<ExplainQuestion, "type" | "id">) => Promise<Explained>;
    burstscopeExplain?: (request: ExplainRequest) => void;
  }
}

// openExplain shows a block. If the dialog's script cannot be fetched, the caller gets
// the error.
export async function openExplain(request: ExplainRequest): Promise<void> {
  if (!window.burstscopeExplain) await loadScript("explain.js", "explain.css");
  window.burstscopeExplain?.(request);
}
