// What the settings exclude, before Run is pressed: the engine's rules (core/scheme, Rules) about what is chosen, and
// the nearest legal settings with one press. If a run has found that its program needs another setting, such as a GPU
// with more room, the settings that would do are buttons here too.

import { button, byId, h, text } from "../lib/dom";
import { makeTable } from "../lib/table";
import { openDialog } from "../lib/dialog";
import { visible } from "../lib/format";
import { soon } from "../lib/turns";
import type { Excluded, Fix } from "../protocol/protocol";
import { KNOBS, optionsOf, type Full, type Knob, type Scenario } from "../protocol/scenario";
import { FIXED, isLocked, lockedChange, scenarioPath } from "../state/locks";
import { say } from "../state/messages";
import type { Page } from "../state/page";
import { exclusions } from "./rules";

export type AskExclusions = (scenario: Scenario, keep: string) => Promise<Excluded>;

const OFFERED = 6; // settings that mend a fault, the nearest first

const OVERRIDE = "machine.overrides.";

export function startExclusions(page: Page, ask: AskExclusions): void {
  const words = h("span", {});
  const mends = h("span", { class: "buttons", id: "exclusion-mend" });
  const more = h("button", { type: "button", class: "plain" }, "What excludes what");
  const box = h("div", { class: "note exclusion", id: "exclusion", role: "status", hidden: true }, words, h("div", { class: "buttons" }, mends, more));
  byId("run").closest(".buttons")!.prepend(box); // in view wherever the settings are scrolled
  let before = page.settings.scenario;
  let keep = ""; // the setting that was changed last
  let asked = 0;

  const look = async (): Promise<void> => {
    const s = page.settings.scenario;
    keep = KNOBS.filter((k) => k.get(before) !== k.get(s)).map((k) => scenarioPath(k.path))[0] ?? keep;
    before = structuredClone(s);
    if (!page.run.engineReady) return;
    const mine = ++asked;
    const { run } = page;
    const ran = JSON.stringify(run.data.scenario) === JSON.stringify(s);
    const legal = ran && (run.phase === "running" || run.phase === "done"); // and the engine has better to do
    const answer: Partial<Excluded> = legal ? {} : await ask(bare(s), keep);
    if (mine !== asked) return; // a later change has its own answer
    const faults = answer.faults ?? [];
    const failed = ran && run.phase === "error";
    const found = failed && faults.length === 0 ? (run.data.fault?.fixes ?? []).slice(0, OFFERED).map((f) => [f]) : [];
    const choices = answer.nearest?.length ? [answer.nearest] : found;
    box.hidden = faults.length === 0 && found.length === 0;
    const said = new Set(faults.map((f) => `${sideOf(f.path)}${visible(f.message)}.`));
    text(words, found.length > 0 ? "This program needs another setting." : [...said].join(" "));
    mends.replaceChildren(...choices.map((c) => button(`Use ${wordsOf(c)}`, () => use(c))));
    for (const knob of KNOBS) document.getElementById(knob.id)?.setAttribute("aria-invalid", String(faults.some((f) => f.path === scenarioPath(knob.path))));
  };
  const wordsOf = (choice: Fix[]): string => choice.map((f) => named(page, f)).join(", ");
  const use = (choice: Fix[]): void => {
    const s = structuredClone(page.settings.scenario);
    for (const f of choice) take(s, f);
    const fixed = lockedChange(page.settings.scenario, s, (path) => isLocked(page, path));
    if (fixed) return text(words, `${fixed} is ${FIXED}.`);
    page.settings.scenario = s;
    say(`Set: ${wordsOf(choice)}.`);
    page.emit("scenario");
    byId("run").focus();
  };
  more.addEventListener("click", () => void openDialog("What excludes what", makeTable({ class: "exclusions" }, ["choice", "not with", "because"], rows())));
  const later = soon(() => void look());
  page.on(["scenario", "run"], later);
  later();
}

// bare leaves out the program: nothing that excludes depends on it, and it may be megabytes.
function bare(s: Full): Scenario {
  return { ...s, workload: { name: "vecadd" } };
}

function knobOf(f: Fix): Knob | undefined {
  return KNOBS.find((k) => scenarioPath(k.path) === f.path);
}

function sideOf(path: string): string {
  return path.startsWith("compare.") ? "A: " : path.startsWith("machine.") ? "" : "B: ";
}

// named is a change in words: "B: approximation none".
function named(page: Page, f: Fix): string {
  const knob = knobOf(f);
  if (!knob) return `${f.path.replace(OVERRIDE, "")} ${f.value}`;
  if (knob.path === "machine.preset") return f.value;
  const option = optionsOf(knob, page.settings.scenario, page.catalogue.lists).find((o) => o.value === f.value);
  return `${sideOf(f.path)}${knob.title ?? knob.path.slice(knob.path.lastIndexOf(".") + 1)} ${option?.text ?? f.value}`;
}

function take(s: Full, f: Fix): void {
  const knob = knobOf(f);
  if (knob) knob.set(s, f.value);
  else if (f.path.startsWith(OVERRIDE)) {
    const n = Number(f.value);
    s.machine.overrides = { ...s.machine.overrides, [f.path.slice(OVERRIDE.length)]: Number.isInteger(n) ? n : f.value };
  }
}

function rows(): HTMLElement[] {
  return exclusions.flatMap((line) =>
    line.not.map((x, i) =>
      h("tr", {},
        i === 0 ? h("th", { scope: "rowgroup", rowspan: line.not.length }, line.choice) : undefined,
        h("td", {}, x.machines ? `${x.what} (${x.machines.join(", ")})` : x.what),
        h("td", {}, x.why),
      ),
    ),
  );
}
