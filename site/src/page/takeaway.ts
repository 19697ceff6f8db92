// Says whether the page works without a network, and offers it as one file.

import { inOneFile } from "../lib/assets";
import { h } from "../lib/dom";
import type { Page } from "../state/page";

export function takeaway(page: Page): Node[] {
  if (inOneFile) return [h("h3", {}, "Without a network"), h("p", {}, "This file holds everything and needs no network.")];
  const { kept } = page.status.offline;
  return [
    h("h3", {}, "Without a network"),
    h("p", {},
      kept ? "This page is stored on this machine. It opens without a network and can be installed as a program. " : "",
      h("a", { href: "burstscope.html", download: "burstscope.html" }, "The page as one file"),
      " runs from a disk or a USB stick.",
    ),
  ];
}
