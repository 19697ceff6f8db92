// The parts of the page that are not needed for its first second: the maps,
// the plain pictures, the inspector, own images and the
// dialogs. They come as a script of their own once the page stands.

import { AboveMAG } from "../picture/abovemag";
import { AddressMap } from "../picture/addressmap";
import { startDialogs } from "./dialogs";
import { byId } from "../lib/dom";
import { startExport } from "../export/export";
import { startInspector } from "../inspector/inspector";
import type { AskElements, AskLaunches, AskSets } from "../engine/lateparts";
import type { AskMachine } from "../settings/machinepanel";
import type { Messages } from "../state/messages";
import type { Side, Unpacked } from "../protocol/protocol";
import type { AskEstimate } from "../protocol/estimate";
import type { ShortLinks } from "../links/shortlink";
import type { AskExclusions } from "../settings/exclusions";
import type { SetLoads } from "../results/source";
import type { PickedBurst } from "../state/settings";
import { Strips } from "../picture/strips";
import type { AskTrace } from "../export/tracedialog";

// LaterHooks are what the parts of later.ts need.
export interface LaterHooks {
  run(): void;
  messages: Messages;
  setLoads: SetLoads;
  trace: AskTrace;
  edit(file: File): void; // opens a program in the editor
  unpack(packed: Uint8Array): Promise<Unpacked>;
  l1Sets: AskSets;
  launches: AskLaunches;
  elements: AskElements;
  pick(addr: number, side?: Side, burst?: PickedBurst): void;
  describe: AskMachine;
  exclusions: AskExclusions;
  estimate: AskEstimate;
  turn(path: string, value: string): void; // a knob
}

export interface PanelHooks extends LaterHooks {
  remote: ShortLinks;
  part(name: string, mend: string, start: () => void): void; // fetches a script; mend says what is missing without it
}

window.burstscopePanels = (page, hooks) => {
  startInspector(page, hooks.pick);
  const map = new AddressMap(page, hooks.pick);
  const strips = new Strips(page, hooks.pick);
  const above = new AboveMAG(page, hooks.run);
  startDialogs(page, hooks.remote);
  const dialog = byId<HTMLDialogElement>("dialog");
  const pictures = { strips: strips.figure.bind(strips), histogram: above.figure.bind(above), map: map.figure.bind(map) };
  startExport(page, { pictures, trace: hooks.trace, dialog });
  page.emit("tab");
  const start = (): void => window.burstscopeLater?.(page, hooks);
  hooks.part("later", "The program's text and the breakdowns are missing.", start);
};
