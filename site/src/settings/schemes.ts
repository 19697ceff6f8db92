// The scheme of a side by its name: one list of all that the engine knows, each with nothing beside it. A mixture is a
// line of its own while it is chosen; the cards below make one.

import { byId, h } from "../lib/dom";
import { KNOBS, labels, mend, type Full, type Knob, type Lists } from "../protocol/scenario";
import { SIDES, type Side } from "../protocol/side";
import { isWhole } from "../protocol/tables";
import { isHidden, isLocked, mark, scenarioPath } from "../state/locks";
import type { Page } from "../state/page";

const APPROXIMATION = "memory.approximation";

// Whole is a scheme: its choices by path, none where it has none.
export interface Whole {
  name: string;
  title: string;
  picks: Record<string, string>;
}

export function wholes(lists: Lists): Whole[] {
  const list: Whole[] = [{ name: "none", title: "no compression", picks: {} }];
  for (const { name, title, over } of lists.codecs) {
    const picks: Whole["picks"] = over ? { "memory.codec": over, [APPROXIMATION]: name } : { "memory.codec": name };
    list.push({ name, title, picks });
  }
  for (const g of lists.schemes.filter((x) => !isWhole(x))) {
    for (const e of g.entries.filter((x) => x.name !== "none")) {
      const title = e.place ? `${e.title} ${e.place}` : `${g.title}: ${e.title}`;
      list.push({ name: `${g.group}.${e.name}`, title, picks: { [`${g.group}.${g.key}`]: e.name } });
    }
  }
  return list;
}

// choicesOf are the knobs that together name the scheme of a side.
export function choicesOf(lists: Lists, side: Side): Knob[] {
  const paths = new Set([APPROXIMATION, ...lists.schemes.map((g) => `${g.group}.${g.key}`)]);
  return KNOBS.filter((k) => k.path.startsWith(`${side}.`) && paths.has(k.path.slice(2)));
}

export const pickOf = (w: Whole, k: Knob): string => w.picks[k.path.slice(2)] ?? "none";

export function startSchemes(page: Page, changed: (s: Full, said: string[]) => void): void {
  for (const side of SIDES) {
    byId<HTMLSelectElement>(`scheme-${side}`).addEventListener("change", (e) => {
      const { lists } = page.catalogue;
      const chosen = wholes(lists).find((w) => w.name === (e.target as HTMLSelectElement).value);
      if (!chosen) return;
      const s = structuredClone(page.settings.scenario);
      for (const k of choicesOf(lists, side)) k.set(s, pickOf(chosen, k));
      changed(s, mend(s));
    });
  }
}

export function drawSchemes(page: Page): void {
  const { lists } = page.catalogue;
  const s = page.settings.scenario;
  for (const side of SIDES) {
    const select = byId<HTMLSelectElement>(`scheme-${side}`);
    const knobs = choicesOf(lists, side);
    const all = wholes(lists);
    const now = all.find((w) => knobs.every((k) => k.get(s) === pickOf(w, k)));
    if (!now) all.unshift({ name: "", title: labels(s)[side], picks: {} });
    const signature = all.map((w) => `${w.name}\n${w.title}`).join("\r");
    if (select.dataset["filled"] !== signature) {
      select.dataset["filled"] = signature;
      select.replaceChildren(...all.map((w) => h("option", { value: w.name }, w.title)));
    }
    select.value = now?.name ?? "";
    const paths = knobs.map((k) => scenarioPath(k.path));
    select.disabled = false;
    mark(select, paths.some((p) => isLocked(page, p)));
    select.closest<HTMLElement>(".whole")!.hidden = paths.every((p) => isHidden(page, p));
  }
}
