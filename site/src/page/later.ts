// The parts of the page that come last: files of the reader's own, the output, DRAM over time, the program's text, the breakdowns, why a
// side is sooner, why a value is wrong, what excludes what, the cards of the systems, the guide of a first run, the
// glossary, the cursor in words, the foot of a print, the runs of the visit, the row above the tab DRAM, the values
// of the machine, and the session.

import "../../later.css";
import type { LaterHooks } from "./panels";
import { startDramTools } from "../picture/dramtools";
import { traceDialog } from "../export/tracedialog";
import { startLateTabs } from "../engine/lateparts";
import { openDialog } from "../lib/dialog";
import { byId } from "../lib/dom";
import { startTextSize } from "../lib/textsize";
import { soon } from "../lib/turns";
import { learnSchemes } from "../protocol/scenario";
import { TERMS } from "../results/glossary";
import { startBreakdowns } from "../results/breakdown";
import { startKept } from "../results/kept";
import { OutputPanel } from "../results/output";
import { startProvenance } from "../results/provenance";
import { startSource } from "../results/source";
import { startWhy } from "../results/why";
import { startGuide } from "./guide";
import { startPrinting } from "./printing";
import { startSession } from "./session";
import { startSweepThis } from "./sweepthis";
import { startEstimate } from "../settings/estimate";
import { startCards } from "../settings/cards";
import { startExclusions } from "../settings/exclusions";
import { machineDialog } from "../settings/machinepanel";
import { startOwnImage } from "../settings/ownimage";
import { startRuntimes } from "./runtimes";
import { startOwnModule, takeModule } from "../settings/ownmodule";
import type { Page } from "../state/page";
import { startCursorWords } from "../timeline/words";

declare global {
  interface Window {
    burstscopeLater?: (page: Page, hooks: LaterHooks) => void;
  }
}

window.burstscopeLater = (page, hooks) => {
  const learn = (): void => learnSchemes(page.catalogue.lists.schemes); // this script has a list of its own
  startTextSize();
  page.on(["lists"], learn);
  learn();
  page.terms = TERMS;
  page.emit("figures");
  // Each part has a turn of its own: all at once would hold up a slow phone.
  for (const start of [
    () => startOwnImage(page, hooks.messages, hooks.run, { ...hooks, codec: (file) => void takeModule(page, hooks.messages, hooks, file, "B") }),
    () => startOwnModule(page, hooks.messages, hooks),
    () => new OutputPanel(page),
    () => startProvenance(page, startSource(page, hooks.setLoads)),
    () => startBreakdowns(page),
    () => startWhy(page),
    () => startCursorWords(page),
    () => startPrinting(page),
    () => startKept(page, hooks.messages, hooks.run),
    () => startSweepThis(page),
    () => startEstimate(page, hooks),
    () => startExclusions(page, hooks.exclusions),
    () => startCards(page),
    () => startGuide(page),
    () => startRuntimes(page),
    () => startSession(page),
    () => byId("machine-values").addEventListener("click", () => openDialog(`Machine: ${page.settings.scenario.machine.preset}`, ...machineDialog(page, hooks.describe))),
    () => startDramTools(page, () => openDialog("Save a trace", ...traceDialog(page, hooks.trace, byId<HTMLDialogElement>("dialog")))),
    () => startLateTabs(page, hooks),
    () => {
      for (const topic of ["tab", "source", "results"] as const) page.emit(topic);
    },
  ]) soon(start)();
};
