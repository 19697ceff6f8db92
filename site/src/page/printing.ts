// Print: light paper, and at the foot what the numbers are of and the link back.

import { byId, text } from "../lib/dom";
import { stampLines, stampOf } from "../links/stamp";
import type { Page } from "../state/page";

export function startPrinting(page: Page): void {
  addEventListener("beforeprint", () => text(byId("print-foot"), stampLines(stampOf(page)).join("\n")));
}
