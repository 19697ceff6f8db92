// Export: the dialog comes as a script of its own, when it is first asked for.

import { openDialog } from "../lib/dialog";
import { byId, h } from "../lib/dom";
import { loadScript } from "../lib/script";
import type { Pictures } from "./figures";
import type { Page } from "../state/page";
import type { AskTrace } from "./tracedialog";

export interface ExportHooks {
  pictures: Pictures;
  trace: AskTrace;
  dialog: HTMLDialogElement;
}

declare global {
  interface Window {
    // Set by export.js: the body of the dialog.
    burstscopeExport?: (page: Page, hooks: ExportHooks) => HTMLElement[];
  }
}

export function startExport(page: Page, hooks: ExportHooks): void {
  const show = (): void => {
    if (window.burstscopeExport) openDialog("Export", ...window.burstscopeExport(page, hooks));
  };
  byId("export").addEventListener("click", () => {
    if (window.burstscopeExport) return show();
    loadScript("export.js").then(show, () =>
      openDialog("Export", h("p", {}, "The part of the page that writes files could not be loaded. Check the connection and try again.")),
    );
  });
}
