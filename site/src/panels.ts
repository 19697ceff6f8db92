// The parts of the page that are not needed for its first second: the maps,
// the plain pictures, the output, the source, the inspector, own images and the
// dialogs. They come as a script of their own once the page stands.

import { AboveMAG } from "./abovemag";
import { AddressMap } from "./addressmap";
import { startDialogs } from "./dialogs";
import { startInspector } from "./inspector";
import type { Messages } from "./messages";
import { OutputPanel } from "./output";
import { startOwnImage } from "./ownimage";
import type { Side } from "./protocol";
import { startSource } from "./source";
import { Strips } from "./strips";

export interface PanelHooks {
  pick(addr: number, side?: Side): void;
  run(): void;
  messages: Messages;
}

window.burstscopePanels = (page, hooks) => {
  startInspector(page, hooks.pick);
  new AddressMap(page, hooks.pick);
  new Strips(page, hooks.pick);
  new OutputPanel(page);
  startSource(page);
  new AboveMAG(page, hooks.run);
  startOwnImage(page, hooks.messages, hooks.run);
  startDialogs(page);
  page.emit("tab");
};
