// The session: what the address holds is kept in this browser, and is the address of the next visit that names none.
// The first script of the document puts it there (tools/build/policy.go), so that all parts begin with it as with a
// link. A program of the reader's own that is too large for an address is kept by the editor.

import { openDialog } from "../lib/dialog";
import { button, byId, h } from "../lib/dom";
import { keep } from "../lib/keep";
import type { Page } from "../state/page";
import type { Topic } from "../state/topics";

const STORED = "burstscope.session";
const DRAFT = "burstscope.kernel"; // the editor's (kernel/draft.ts)
const KEEP_MS = 500; // longer than the address waits (page/address.ts)

export function startSession(page: Page): void {
  let timer = 0;
  let forgotten = false;
  const store = (): void => {
    timer = 0;
    // Before that the address may hold what is not applied yet.
    if (forgotten || !page.run.engineReady || page.linkWaits || location.hash.length < 2) return;
    keep(STORED, location.hash);
  };
  if (!document.documentElement.classList.contains("embed") && self === top) {
    const all: Topic[] = [
      "run", "scenario", "tab", "select", "theme", "cursor", "figures", "map", "kernel", "lab", "repro",
    ];
    page.on(all, () => {
      if (page.settings.playing && timer !== 0) return; // the cursor moves all the time
      clearTimeout(timer);
      timer = setTimeout(store, KEEP_MS);
    });
    addEventListener("pagehide", store);
  }
  const forget = (): void => {
    forgotten = true;
    for (const key of [STORED, DRAFT]) keep(key, null);
    location.assign(location.pathname + location.search);
  };
  byId("fresh").addEventListener("click", () =>
    openDialog(
      "Start fresh",
      h("p", {}, "This browser forgets the scenario, its settings, the cursor, and the kernel in the editor. " +
        "Export first what you need."),
      button("Forget them and start fresh", forget, { id: "forget" }),
    ),
  );
}
