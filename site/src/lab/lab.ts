// The data lab as the page sees it before it is opened: what a link says of it,
// what it and the engine tell each other, and the way to its script, which is
// fetched when the lab is first opened.

import { asset } from "../lib/assets";
import { h } from "../lib/dom";
import type { Messages } from "../state/messages";
import type { Page } from "../state/state";

export const LAB_MAGS = [16, 32, 64] as const;

export interface LabSettings {
  open: boolean;
  set: string; // name of a shipped scenario whose inputs are shown; "" = none
  codec: string;
  mag: number;
  threshold: number; // bytes
}

export const FIRST_LAB: LabSettings = { open: false, set: "", codec: "e2mc16", mag: 32, threshold: 16 };

// LabSource is what to survey: a file, the inputs of a scenario, or the memory of a
// finished run.
export interface LabSource {
  blob?: Blob;
  format?: string;
  elements?: string;
  offset?: number;
  array?: string;
  scenario?: unknown;
  side?: string;
  allocation?: string;
}

export type ToLab =
  | ({ type: "lab"; id: number } & LabSource)
  | { type: "labCancel"; id: number }
  | { type: "labBlock"; id: number; block: number };

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
  format: string;
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

export type FromLab =
  | { type: "labProgress"; id: number; phase: string; fraction: number }
  | LabDone
  | LabBlock
  | { type: "labFailed"; id: number; what: string; mend: string; offset?: number }
  | { type: "labCancelled"; id: number };

// LabTest is what tests read of the lab.
export interface LabTest {
  open: boolean;
  phase: "idle" | "reading" | "done" | "failed" | "cancelled"; // of the latest survey
  progress: number; // 0..1
  error: string; // of the latest survey, "" if none
  cancelMilliseconds: number; // from asking to the engine's word, of the latest cancel
  blocks: number; // of the data on show
  map: "none" | "moving" | "plain";
}

export interface LabHooks {
  send(m: ToLab): void;
  listen(listener: (m: FromLab) => void): void;
  messages: Messages;
}

declare global {
  interface Window {
    burstscopeLab?: (page: Page, hooks: LabHooks) => void;
  }
}

// labLoader fetches the lab's script, once.
export function labLoader(page: Page, hooks: LabHooks): () => void {
  let asked = false;
  const load = (): void => {
    if (asked) return;
    asked = true;
    document.head.append(h("link", { rel: "stylesheet", href: asset("lab.css") }));
    const script = h("script", { src: asset("lab.js") });
    script.onload = () => {
      window.burstscopeLab?.(page, hooks);
      page.emit("lab");
    };
    script.onerror = () => {
      asked = false;
      script.remove();
      hooks.messages.show("lab", { what: "The data lab could not be loaded:", where: "lab.js.", mend: "The simulator works without it." }, { label: "Try again", run: load });
    };
    document.head.append(script);
  };
  return load;
}
