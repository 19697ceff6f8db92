// The data lab before it is opened: its script is fetched when it is first needed.

import { latePart } from "../engine/lateparts";
import type { FitAllocation, FitMap, FromLab, ToLab } from "../protocol/lab";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

export interface LabHooks {
  send(m: ToLab): void;
  listen(listener: (m: FromLab) => void): void;
  messages: Messages;
}

declare global {
  interface Window {
    burstscopeLab?: (page: Page, hooks: LabHooks) => void;
    // What fitmap.js brings: it fills a box with maps, and returns what shows the maps of arrays, each with its place in the profile.
    burstscopeFitMaps?: (page: Page, box: HTMLElement) => (map: FitMap, list: { array: FitAllocation; at: number }[]) => void;
  }
}

// labLoader fetches the lab's script, once.
export function labLoader(page: Page, hooks: LabHooks): () => void {
  return latePart(hooks.messages, "lab", "The data lab", "The simulator works without it.", () => {
    window.burstscopeLab?.(page, hooks);
    page.emit("lab");
  });
}
