// The parts of the page that come last: files of the reader's own, the program's text, the breakdowns, why a side is sooner,
// why a value is wrong, the runs of the visit, and the values of the machine.

import type { LaterHooks } from "./panels";
import { startBuddy } from "../buddy/loader";
import { startL1 } from "../l1/loader";
import { openDialog } from "../lib/dialog";
import { byId } from "../lib/dom";
import { learnSchemes } from "../protocol/scenario";
import { startBreakdowns } from "../results/breakdown";
import { startKept } from "../results/kept";
import { startProvenance } from "../results/provenance";
import { startSource } from "../results/source";
import { startWhy } from "../results/why";
import { startSweepThis } from "./sweepthis";
import { machineDialog } from "../settings/machinepanel";
import { startOwnImage } from "../settings/ownimage";
import type { Page } from "../state/page";

declare global {
  interface Window {
    burstscopeLater?: (page: Page, hooks: LaterHooks) => void;
  }
}

window.burstscopeLater = (page, hooks) => {
  const learn = (): void => learnSchemes(page.catalogue.lists.schemes); // this script has a list of its own
  page.on(["lists"], learn);
  learn();
  startOwnImage(page, hooks.messages, hooks.run, hooks);
  startProvenance(page, startSource(page, hooks.setLoads));
  startBreakdowns(page);
  startWhy(page);
  startKept(page, hooks.run);
  startSweepThis(page);
  byId("machine-values").addEventListener("click", () =>
    openDialog(`Machine: ${page.settings.scenario.machine.preset}`, ...machineDialog(page, hooks.describe)),
  );
  startL1(page, hooks.messages, hooks.l1Sets);
  startBuddy(page, hooks.messages);
  for (const topic of ["tab", "source", "results"] as const) page.emit(topic);
};
