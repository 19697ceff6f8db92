// The settings that a reader's sweep can vary, and the measures that it shows.

import { fitWorkload, overrideOf } from "../links/permalink";
import type { PointResult } from "../protocol/protocol";
import { isWhole, tables, type GroupInfo, type SettingInfo } from "../protocol/tables";
import { KNOBS, PLUGIN, complete, mend, schemeOf, sideScenario, type Full, type Scenario } from "../protocol/scenario";
import { choicesOf, pickOf, wholes, type Whole } from "../settings/schemes";
import type { Page } from "../state/page";

export const MOST_VALUES = 64;

// Parameter is a path of a scenario that a sweep may vary.
export interface Parameter {
  path: string;
  title: string;
  values: string; // offered
}

// SCHEME varies the whole scheme of B, by the names of its list.
export const SCHEME = "scheme";

// schemesOf are the schemes that one press compares: all codecs, or all systems.
export function schemesOf(page: Page, which: "codecs" | "systems"): string {
  const plugin = page.settings.scenario.memory.module !== undefined;
  const list = wholes(page.catalogue.lists).filter((w) => plugin || w.name !== PLUGIN);
  const wanted = list.filter((w) => w.name === "none" || w.name.includes(".") === (which === "systems"));
  return wanted.map((w) => w.name).join(", ");
}

function wholeOf(page: Page, name: string): Whole | undefined {
  return wholes(page.catalogue.lists).find((w) => w.name === name);
}

// titleOf names a value as the page does.
export function titleOf(page: Page, path: string, value: string): string {
  return (path === SCHEME && wholeOf(page, value)?.title) || value;
}

// activeOf are the parameters that have an effect in the settings on show.
export function activeOf(page: Page): Parameter[] {
  const s = page.settings.scenario;
  const known = new Set(KNOBS.map((k) => k.path.replace(/^[AB]\./, "")));
  return parametersOf(page).filter(({ path, values }) => {
    if (values === "") return false;
    if (!known.has(path) || !/^(memory|l1|loads|backing)\./.test(path)) return true;
    return KNOBS.some((k) => k.path.slice(2) === path && !k.absent?.(s) && !k.idle?.(s));
  });
}

export function parametersOf(page: Page): Parameter[] {
  const { settings } = page;
  const { lists } = page.catalogue;
  const s = settings.scenario;
  const info = lists.workloads.find((w) => w.name === s.workload.name);
  const names = (list: { name: string }[]): string => list.map((x) => x.name).join(", ");
  return [
    { path: SCHEME, title: "scheme of B", values: schemesOf(page, "codecs") },
    ...lists.schemes.filter(isWhole).flatMap((g) => groupParameters(g, s)),
    ...lists.schemes.filter((g) => !isWhole(g)).flatMap((g) => groupParameters(g, s)),
    { path: "workload.name", title: "program", values: names(lists.workloads.slice(0, 8)) },
    { path: "workload.size", title: "size", values: (info?.sizes ?? []).join(", ") },
    { path: "workload.data", title: "data", values: (info?.dataModes ?? []).join(", ") },
    { path: "machine.preset", title: "machine", values: names(lists.presets) },
    { path: "seed", title: "seed", values: "1, 2, 3" },
  ];
}

// groupParameters are the paths of a group that can be more than none.
function groupParameters(g: GroupInfo, s: Full): Parameter[] {
  if (g.entries.length < 2) return [];
  const settings = [...g.settings, ...g.entries.flatMap((e) => e.settings)]
    .filter((f) => !f.binary)
    .map((f) => ({ path: f.path, title: isWhole(g) && f.unit ? `${f.title}, ${f.unit}` : f.title, values: settingValues(f) }));
  const entries = g.entries.map((e) => e.name).filter((name) => name !== PLUGIN || s.memory.module !== undefined);
  return [{ path: `${g.group}.${g.key}`, title: isWhole(g) ? g.key : g.title, values: entries.join(", ") }, ...settings];
}

function settingValues(f: SettingInfo): string {
  return (f.offer ?? f.words ?? f.numbers ?? [...new Set([f.low ?? 0, f.default, f.high ?? f.default])]).join(", ");
}

// valuesOf reads a list: words and numbers with commas, LOW..HIGH and LOW..HIGH:STEP.
// It returns a text if the list is wrong.
export function valuesOf(list: string): string[] | string {
  const out: string[] = [];
  for (const part of list.split(",").map((p) => p.trim()).filter((p) => p !== "")) {
    const range = /^(\d{1,9})\.\.(\d{1,9})(?::(\d{1,9}))?$/.exec(part);
    if (!range) {
      out.push(part);
      continue;
    }
    const [low, high, step] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)];
    if (low > high || step === 0) return `${part} is not a range; write 4..32:4 for 4, 8 and so on up to 32`;
    if ((high - low) / step >= MOST_VALUES) return `${part} is more than ${MOST_VALUES} values`;
    for (let n = low; n <= high; n += step) out.push(String(n));
  }
  const unique = [...new Set(out)];
  if (unique.length === 0) return "there is no value; write some, with commas between them";
  if (unique.length > MOST_VALUES) return `${unique.length} values are more than ${MOST_VALUES}`;
  return unique;
}

const OVERRIDE = "machine.overrides.";

// varied sets one value of a scenario. A setting of a scheme is set in B, or in A too;
// any other value is set in both.
export function varied(page: Page, of: Full, path: string, value: string, both: boolean): Full {
  const s = complete(structuredClone(of));
  const set = (group: object, key: string): void => {
    (group as Record<string, unknown>)[key] = overrideOf(value);
  };
  const [group = "", name = ""] = path.split(".", 2);
  if (path === SCHEME) {
    const whole = wholeOf(page, value);
    if (!whole) s.memory.codec = value; // the engine says what is wrong with it
    else for (const k of choicesOf(page.catalogue.lists, "B")) k.set(s, pickOf(whole, k));
    mend(s);
  } else if (name !== "" && group !== "machine" && group !== "workload") {
    for (const side of both ? (["A", "B"] as const) : (["B"] as const)) set((schemeOf(s, side)[group] ??= {}), name);
  } else if (path.startsWith(OVERRIDE)) s.machine.overrides = { ...s.machine.overrides, [path.slice(OVERRIDE.length)]: overrideOf(value) };
  else if (path === "workload.name") {
    s.workload = { ...s.workload, name: value };
    delete s.workload.ptx;
    fitWorkload(s, page);
  } else if (path.startsWith("workload.")) set(s.workload, path.slice("workload.".length));
  else if (path === "machine.preset") s.machine = { ...s.machine, preset: value };
  else set(s, path);
  return s;
}

export function isPath(path: string): boolean {
  return /^[a-z][A-Za-z0-9]*\.[A-Za-z][\w.]*$/.test(path) || path === "seed" || path === SCHEME;
}

export function scenariosOf(s: Full): { A: Scenario; B: Scenario } {
  return { A: sideScenario(s, "A"), B: sideScenario(s, "B") };
}

// Measure is a figure of a point: of one run, or of B over A.
export interface Measure {
  name: string;
  title: string;
  unit: string;
  over: boolean; // B over A
  of(r: PointResult): number;
}

// measures are the metrics of which less or more is better: B over A where values
// depend on the program, one value for each side else.
export function measures(): Measure[] {
  return tables.metrics
    .filter((m) => m.better && m.name !== "seconds")
    .map((m) => {
      const of = (r: PointResult): number => r.metrics?.[m.name] ?? NaN;
      if (m.compare === "speedup") return { name: "speedup", title: "Speedup of B over A", unit: "x", over: true, of: (r) => 1 / of(r) };
      if (m.compare === "change") return { name: m.name, title: `${m.title} of B over A`, unit: "x", over: true, of };
      return { name: m.name, title: m.title, unit: m.unit, over: false, of };
    });
}
