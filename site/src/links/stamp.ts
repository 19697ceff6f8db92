// The stamp of every file that leaves the page: which version made it, of which
// scenarios, with which results, and the link that brings the same state back.

import { assets } from "../lib/assets";
import { outsideLesson, settingsOf, writeFragment, type Owner } from "./permalink";
import { SIDES, type PerSide } from "../protocol/protocol";
import { labels } from "../protocol/scenario";
import type { Page } from "../state/page";
import { shared } from "./versions";

export interface Stamp {
  program: string; // "Burstscope 1.2.3"
  title: string;
  link: string;
  sides: PerSide<{ label: string; scenarioHash: string; resultHash: string }>;
}

// linkOf is a link to the results on show, in the view of the page, or to another owner; that of
// an embed leads to the site.
export function linkOf(page: Page, owner: Owner = page.results.of === "nothing" ? settingsOf(page) : page.results): string {
  const here = document.documentElement.classList.contains("embed") ? new URL("./", location.href).href : location.href.replace(/#.*$/, "");
  return `${here}${shared(writeFragment(page, true, outsideLesson(page, owner)))}`;
}

export function stampOf(page: Page): Stamp {
  const names = labels(page.results.scenario);
  const side = (s: "A" | "B") => ({
    label: names[s],
    scenarioHash: page.results[s]?.scenarioHash ?? "",
    resultHash: page.results[s]?.resultHash ?? "",
  });
  return {
    program: `Burstscope ${page.catalogue.version || assets.version}`,
    title: page.results.origin.shipped.title,
    link: linkOf(page),
    sides: { A: side("A"), B: side("B") },
  };
}

// stampLines are its words, a line each; a picture carries them below itself.
export function stampLines(s: Stamp): string[] {
  const side = (k: "A" | "B"): string => {
    const { label, scenarioHash, resultHash } = s.sides[k];
    return `${k} ${label}: scenario ${scenarioHash || "–"}, result ${resultHash || "–"}`;
  };
  return [`${s.program}. ${s.title}`, ...SIDES.map(side), s.link].map((l) => l.replace(/[\r\n]+/g, " "));
}

// shortLines are the same for small pictures: hashes are cut, the link is left out.
export function shortLines(s: Stamp): string[] {
  const cut = (x: string): string => x.slice(0, 12) || "–";
  return [
    `${s.program}. ${s.title}`,
    ...SIDES.map((k) => `${k} ${s.sides[k].label}: scenario ${cut(s.sides[k].scenarioHash)}, result ${cut(s.sides[k].resultHash)}`),
  ];
}
