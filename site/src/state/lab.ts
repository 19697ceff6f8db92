// Settings of the data lab as a link holds them, and its state as tests read it.

export const LAB_MAGS = [16, 32, 64] as const;

// The two questions of the lab: how well data compress, and whether they fit into a GPU.
export const LAB_QUESTIONS = ["compress", "fit"] as const;

export type LabQuestion = (typeof LAB_QUESTIONS)[number];

export interface LabSettings {
  open: boolean;
  question: LabQuestion;
  set: string; // a shipped scenario whose inputs are shown, or a real array; "" = none
  codec: string;
  mag: number;
  threshold: number; // bytes
}

// LAB_EXAMPLE is what a visitor sees first: a layer of a real model (assets/data).
export const LAB_EXAMPLE = "speech-state-bf16";

export const FIRST_LAB: LabSettings = { open: false, question: "compress", set: "", codec: "e2mc16", mag: 32, threshold: 16 };

// LabTest is what tests read of the lab.
export interface LabTest {
  open: boolean;
  phase: "idle" | "reading" | "done" | "failed" | "cancelled"; // of the latest survey
  progress: number; // 0..1
  error: string; // of the latest survey, "" if none
  cancelMilliseconds: number; // from asking to the engine's word, of the latest cancel
  blocks: number; // of the data on show
  map: "none" | "moving" | "plain";
  fit: "idle" | "reading" | "done" | "failed" | "cancelled"; // of the latest question whether files fit
  fitMilliseconds: number; // that the latest profile took
}
