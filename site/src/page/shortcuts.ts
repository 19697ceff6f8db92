// Every shortcut of the page, as the help lists them: its keys as the browser names
// them, as people read them, and what they do. page/keyboard.ts acts on them.

import { TABS } from "../state/settings";

export interface Shortcut {
  keys: readonly string[];
  shown: string;
  what: string;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [" "], shown: "space", what: "play or pause" },
  { keys: ["ArrowLeft", "ArrowRight"], shown: "← →", what: "step to the burst before or after" },
  { keys: ["Home"], shown: "Home", what: "to the start" },
  { keys: ["[", "]"], shown: "[ ]", what: "slower, faster" },
  { keys: TABS.map((_, i) => String(i + 1)), shown: `1 … ${TABS.length}`, what: "Bursts, Address map, Above MAG, DRAM, Output, Source, L1 modes, Capacity, Launches" },
  { keys: ["a", "b"], shown: "a b", what: "side shown in chart and inspector" },
  {
    keys: [],
    shown: "W A S D",
    what:
      "after Interact: zoom and move through time. The wheel and two fingers zoom, a drag pans, a double click fits " +
      "the run, Shift + wheel or Page Up and Down show other channels",
  },
  { keys: ["e"], shown: "e", what: "every encoded bit of the selected block" },
  { keys: ["r"], shown: "r", what: "run" },
  { keys: ["x"], shown: "x", what: "export" },
  { keys: ["Escape"], shown: "Esc", what: "leave the moving picture; close what is open" },
  { keys: ["?"], shown: "?", what: "this help" },
];
