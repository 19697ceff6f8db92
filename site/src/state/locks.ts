// Locks: controls that the author of a scenario, of a link or of a lesson fixed
// (shown, not usable) or hid. Every way of setting a value asks here: controls,
// links, dropped files and messages. They guide a reader; a page opened without them
// lets everything be set.

import { byId, h, text } from "../lib/dom";
import { KNOBS, groupsLearned, type Full, type Given } from "../protocol/scenario";
import type { Page } from "./page";
import type { Locks } from "./settings";

export const FIXED = "fixed by the author";

// Paths of groups, and of controls that are not knobs.
const ALL = "*"; // every control, also those that come with a later version
const GROUPS = [ALL, "scenario", "machine", "machine.overrides", "workload", "workload.image", "compare"];

// scenarioPath is the path of a knob in the scenario: side B is the scenario's own
// scheme, side A the one it is compared with.
export function scenarioPath(knob: string): string {
  return knob.replace(/^A(?=\.|$)/, "compare").replace(/^B\./, "").replace(/^B$/, "memory");
}

export function isControl(path: string): boolean {
  return GROUPS.includes(path) || groupsLearned().includes(path.replace(/^compare\./, "")) || KNOBS.some((k) => scenarioPath(k.path) === path);
}

// OF_A begins the paths of scheme A.
const OF_A = "compare.";

// readLocks reads the value of lock= or hide= of a fragment: paths with commas. A path of a scheme
// that names no side stands for both sides.
export function readLocks(value: string): { paths: string[]; unknown: string[] } {
  const named = value.split(",").map((p) => p.trim()).filter((p) => p !== "");
  const each = named.flatMap((p) => (scenarioPath(p) === p && isControl(OF_A + p) ? [p, OF_A + p] : [scenarioPath(p)]));
  const all = [...new Set(each)].filter((p) => !each.some((q) => p.startsWith(`${q}.`)));
  return { paths: all.filter(isControl), unknown: all.filter((p) => !isControl(p)) };
}

// writeLocks is the value that readLocks reads as a list of paths.
export function writeLocks(paths: readonly string[]): string {
  const both = (p: string): boolean => covers(paths, OF_A + p);
  return paths
    .filter((p) => !(p.startsWith(OF_A) && paths.includes(p.slice(OF_A.length))))
    .map((p) => (isControl(OF_A + p) && !both(p) ? `B.${p}` : p))
    .join(",");
}

export function covers(list: readonly string[], path: string): boolean {
  return list.some((entry) => entry === ALL || path === entry || path.startsWith(`${entry}.`));
}

// ofScenario are the locks of the scenario itself, which a link cannot open.
export function ofScenario(s: Given): Locks {
  const { locked = [], hidden = [], free } = s.view ?? {};
  return { locked, hidden, ...(free ? { free } : {}) };
}

export function fixes(l: Locks, path: string): boolean {
  return covers(l.locked, path) || covers(l.hidden, path) || (l.free !== undefined && !covers(l.free, path));
}

// inForce are all locks that hold now; what is hidden is fixed too.
function inForce(page: Page): Locks[] {
  return [ofScenario(page.settings.shipped.scenario), page.settings.locks];
}

export function isLocked(page: Page, path: string): boolean {
  return inForce(page).some((l) => fixes(l, path));
}

export function isHidden(page: Page, path: string): boolean {
  return inForce(page).some((l) => covers(l.hidden, path));
}

// lockedChange names the first fixed value that differs between two scenarios, so that a
// change of one knob cannot change a fixed one.
export function lockedChange(before: Full, after: Full, locked: (path: string) => boolean): string | undefined {
  for (const knob of KNOBS) {
    const path = scenarioPath(knob.path);
    if (locked(path) && knob.get(before) !== knob.get(after)) return path;
  }
  const [a, b] = [before.machine.overrides ?? {}, after.machine.overrides ?? {}];
  const changed = [...new Set([...Object.keys(a), ...Object.keys(b)])].some((k) => a[k] !== b[k]);
  return changed && locked("machine.overrides") ? "machine.overrides" : undefined;
}

// keepLocked puts the fixed values of `from` into s.
export function keepLocked(page: Page, s: Full, from: Full): void {
  for (const knob of KNOBS) if (isLocked(page, scenarioPath(knob.path))) knob.set(s, knob.get(from));
  if (!isLocked(page, "machine.overrides")) return;
  if (from.machine.overrides) s.machine.overrides = { ...from.machine.overrides };
  else delete s.machine.overrides;
}

// drawLocks shows on the controls what is fixed. It runs after whatever else
// enables or disables them.
export function drawLocks(page: Page): void {
  const fixed: string[] = [];
  for (const knob of KNOBS) {
    const path = scenarioPath(knob.path);
    const field = byId<HTMLSelectElement | HTMLInputElement>(knob.id);
    const [locked, hidden] = [isLocked(page, path), isHidden(page, path)];
    mark(field, locked);
    if (locked && !hidden) fixed.push(path);
    const label = field.closest<HTMLElement>(".knob");
    if (!label) field.style.visibility = hidden ? "hidden" : "";
    else if (hidden) label.hidden = true;
  }
  hideEmptyRows(page);
  const image = isLocked(page, "workload.image");
  for (const id of ["image-choose", "image-drop"]) {
    const button = byId<HTMLButtonElement>(id);
    button.disabled = image;
    if (image) button.title = FIXED;
  }
  document.querySelector<HTMLElement>(".own")!.hidden = isHidden(page, "workload.image");
  byId("machine-values").hidden = isHidden(page, "machine.overrides");
  const select = byId<HTMLSelectElement>("scenario");
  select.disabled = false;
  mark(select, isLocked(page, "scenario"));
  note(fixed);
}

// mark disables a fixed control and says why. The code that draws the control has
// enabled it before, unless it has another reason.
export function mark(field: HTMLSelectElement | HTMLInputElement | HTMLButtonElement, locked: boolean): void {
  field.classList.toggle("fixed", locked);
  if (locked) {
    field.disabled = true;
    field.title = FIXED;
    field.setAttribute("aria-description", FIXED);
  } else if (field.hasAttribute("aria-description")) {
    field.removeAttribute("title");
    field.removeAttribute("aria-description");
  }
}

// hideEmptyRows hides rows and groups of which every control is hidden, and rows of
// settings that the schemes of neither side have.
function hideEmptyRows(page: Page): void {
  for (const row of document.querySelectorAll<HTMLElement>(".schemes .grid > span:not(:empty)")) {
    const cells = [row, row.nextElementSibling, row.nextElementSibling?.nextElementSibling] as HTMLElement[];
    const empty = cells.slice(1).every((c) => c.style.visibility === "hidden" || c.dataset["absent"] === "true");
    for (const c of cells) c.hidden = empty;
  }
  const groups: [string, string[]][] = [
    ["#knob-workload", ["workload.name", "workload.size", "workload.data", "workload.image"]],
    ["#knob-preset", ["machine.preset", "machine.overrides"]],
    ["#knob-A-memory-codec", KNOBS.filter((k) => /^[AB]\./.test(k.path)).map((k) => scenarioPath(k.path))],
  ];
  for (const [control, paths] of groups) {
    document.querySelector(control)!.closest("fieldset")!.hidden = paths.every((p) => isHidden(page, p));
  }
}

function note(fixed: string[]): void {
  let line = document.getElementById("lock-note");
  if (!line) {
    line = h("p", { class: "note", id: "lock-note" });
    byId("knob-note").before(line);
  }
  line.hidden = fixed.length === 0;
  const all = KNOBS.length === fixed.length;
  text(line, fixed.length === 0 ? "" : all ? `All settings are ${FIXED}.` : `Dashed settings are ${FIXED}.`);
}
