// The parts of the page that are not needed for its first second: the maps,
// the plain pictures, the output, the source and the inspector. They come as a
// script of their own once the page stands.

import { AboveMAG } from "./abovemag";
import { AddressMap } from "./addressmap";
import { startInspector } from "./inspector";
import { OutputPanel } from "./output";
import type { Side } from "./protocol";
import { startSource } from "./source";
import { Strips } from "./strips";

export interface PanelHooks {
  pick(addr: number, side?: Side): void;
  run(): void;
}

window.burstscopePanels = (page, hooks) => {
  startInspector(page, hooks.pick);
  new AddressMap(page, hooks.pick);
  new Strips(page, hooks.pick);
  new OutputPanel(page);
  startSource(page);
  new AboveMAG(page, hooks.run);
  page.emit("tab");
};
