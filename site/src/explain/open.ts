// Opens the dialog of one block. The dialog is a script of its own, fetched when it is
// first needed.

import type { ValueType } from "./blockvalues";
import { asset } from "../lib/assets";
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
