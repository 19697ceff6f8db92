// The cards of the systems: the settings in a line, what a system excludes by the engine's rules, and what it did in
// the run on show. A number comes from the result object of these settings, or it is not there.

import { h, text } from "../lib/dom";
import { count } from "../lib/format";
import { soon } from "../lib/turns";
import type { Result } from "../protocol/protocol";
import { KNOBS, type Full, type Knob } from "../protocol/scenario";
import { SIDES, type Side } from "../protocol/side";
import { owns } from "../state/owned";
import { counter } from "../state/metrics";
import type { Page } from "../state/page";
import { exclusions } from "./rules";

type Count = (...names: string[]) => string; // the sum of counters

const blocks = (end: string): string[] => [`blocksRead${end}`, `blocksWritten${end}`];
const MOVED = [...blocks("Raw"), ...blocks("Lossless"), ...blocks("Lossy")];

// DID says in words what a system touched, from the counters of a result.
const DID: Record<string, (n: Count) => string> = {
  memory: (n) => `${n(...blocks("Lossless"), ...blocks("Lossy"))} of ${n(...MOVED)} blocks coded`,
  approximation: (n) => `${n(...blocks("Lossy"))} of ${n(...MOVED)} blocks approximated`,
  l1: (n) => `${n("l1Decompressions")} of ${n("l1Hits")} hits on compressed lines`,
  loads: (n) => `${n("l1Answered")} of ${n("approximateMisses")} missing load lines predicted`,
  backing: (n) =>
    `${n("buddyReads", "buddyWrites")} of ${n("controllerReads", "controllerWrites")} blocks asked of the link, ` +
    `${n("entriesOverflowed")} of ${n("entriesMet")} entries in buddy memory`,
};

interface Card {
  name: string;
  box: HTMLElement;
  summary: HTMLElement;
  did: HTMLElement;
}

export function startCards(page: Page): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".card")].map((box): Card => {
    return { name: box.dataset["card"]!, box, summary: box.querySelector("summary")!, did: box.querySelector(".did")! };
  });
  const draw = soon(() => {
    for (const c of cards) {
      const s = page.settings.scenario;
      text(c.summary, summaryOf(c, s) || "needs and excludes");
      const on = SIDES.filter((side) => (choiceOf(c, side)?.get(s) ?? "none") !== "none");
      c.box.style.setProperty("--on", String(on.length));
      owns(page, c.did);
      text(c.did, page.shows && !page.changed ? SIDES.flatMap((side) => didOf(page, c, side)).join("\n") : "");
    }
  });
  page.on(["scenario", "lists", "results", "run"], draw);
  draw();
  const rules = soon(() => {
    for (const c of cards) {
      const list = rulesOf(page, c.name);
      c.box.querySelector("ul")!.replaceChildren(...list.map((x) => h("li", { class: "note" }, x)));
    }
  });
  page.on(["lists"], rules);
  rules();
}

// choiceOf is the knob that turns a card's system on.
function choiceOf(c: Card, side: Side): Knob | undefined {
  const id = c.box.querySelector(`.grid [id^="knob-${side}-"]`)?.id;
  return KNOBS.find((k) => k.id === id);
}

// summaryOf is a line of the values that have an effect: one for both sides, or one of each.
function summaryOf(c: Card, s: Full): string {
  const ids = new Set([...c.box.querySelectorAll("details .grid [id]")].map((e) => e.id));
  return KNOBS.filter((k) => ids.has(k.id) && k.path.startsWith("B."))
    .flatMap((b) => {
      const a = KNOBS.find((k) => k.path === `A${b.path.slice(1)}`)!;
      const values = [a, b].filter((k) => !k.idle?.(s) && k.get(s) !== "").map((k) => k.get(s));
      return values.length === 0 ? [] : `${b.title} ${[...new Set(values)].join(" | ")}`;
    })
    .join(", ");
}

// didOf says what a system did on a side of the result on show; nothing where it was off.
function didOf(page: Page, c: Card, side: Side): string[] {
  const { results } = page;
  const result = results[side];
  const knob = choiceOf(c, side);
  if (!result || !knob || knob.get(results.scenario) === "none") return [];
  const idle = result.idle?.find((x) => x.path === knob.path.slice(2));
  return [`${side}: ${idle ? idle.text : `${DID[c.name]!(countOf(result))}.`}`];
}

function countOf(r: Result): Count {
  return (...names) => count(names.reduce((sum, name) => sum + (counter(r, name) ?? 0), 0));
}

// rulesOf are the rules about a system: those that name one of its entries.
function rulesOf(page: Page, name: string): string[] {
  const { codecs, schemes } = page.catalogue.lists;
  const lossy = codecs.filter((c) => c.over).map((c) => c.title);
  const entries = (schemes.find((g) => g.group === name)?.entries ?? []).filter((e) => e.name !== "none");
  const titles = { approximation: lossy, memory: ["codec"] }[name] ?? entries.map((e) => e.title);
  const names = (words: string): boolean => titles.some((t) => words.includes(t.replace(" (proxy)", "")));
  return exclusions.flatMap((line) =>
    line.not
      .filter((x) => names(line.choice) || names(x.what))
      .map(({ what, machines, why }) => {
        const on = machines ? ` (${machines.join(", ")})` : "";
        return `${line.choice}: not with ${what}${on}, because ${why}.`;
      }),
  );
}
