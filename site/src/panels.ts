// The parts of the page that are not needed for its first second: the maps,
// the plain pictures, the output, the source, the inspector, own images and the
// dialogs. They come as a script of their own once the page stands.

import { AboveMAG } from "./abovemag";
import { AddressMap } from "./addressmap";
import { startBreakdowns } from "./breakdown";
import { openDialog, startDialogs } from "./dialogs";
import { byId } from "./dom";
import { startCursorWords } from "./cursorwords";
import { DramCharts } from "./dramcharts";
import { startDramTools } from "./dramtools";
import { startExport } from "./export";
import { startInspector } from "./inspector";
import { machineDialog, type AskMachine } from "./machinepanel";
import type { Messages } from "./messages";
import { OutputPanel } from "./output";
import { startOwnImage } from "./ownimage";
import { startPrinting } from "./printing";
import type { Side } from "./protocol";
import type { ShortLinks } from "./shortlink";
import { startSource } from "./source";
import type { PickedBurst } from "./state";
import { Strips } from "./strips";
import { traceDialog, type AskTrace } from "./tracedialog";

export interface PanelHooks {
  pick(addr: number, side?: Side, burst?: PickedBurst): void;
  run(): void;
  messages: Messages;
  trace: AskTrace;
  describe: AskMachine;
  remote: ShortLinks;
}

window.burstscopePanels = (page, hooks) => {
  startInspector(page, hooks.pick);
  new AddressMap(page, hooks.pick);
  const strips = new Strips(page, hooks.pick);
  new OutputPanel(page);
  startSource(page);
  const above = new AboveMAG(page, hooks.run);
  startOwnImage(page, hooks.messages, hooks.run);
  startDialogs(page, hooks.remote);
  startBreakdowns(page);
  startCursorWords(page);
  startPrinting(page);
  new DramCharts(page);
  const dialog = byId<HTMLDialogElement>("dialog");
  const pictures = { strips: strips.figure.bind(strips), histogram: above.figure.bind(above) };
  startExport(page, { pictures, trace: hooks.trace, dialog });
  startDramTools(page, () => openDialog("Save a trace", ...traceDialog(page, hooks.trace, dialog)));
  byId("machine-values").addEventListener("click", () =>
    openDialog(`Machine: ${page.settings.scenario.machine.preset}`, ...machineDialog(page, hooks.describe)),
  );
  page.emit("tab");
};
