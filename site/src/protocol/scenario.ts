// A scenario as the engine reads it, its controls (knobs), and their legal values.

import { FIRST } from "./first";
import { OWN, STARTER_PROGRAM, entryOf, type OwnProgram } from "./kernel";
import type { Side } from "./side";
import { codecTitle, isWhole, tables } from "./tables";
import type { CodecInfo, EntryInfo, GroupInfo, SettingInfo, WorkloadInfo } from "./tables";

// Memory is the group that every scenario has, with the values that the page reads.
export interface Memory {
  codec: string;
  probabilities: string;
  decodingWays: number;
  mag: number;
  approximation: string;
  threshold: number;
  // latency: cycles of the compressor and the decompressor, "46/20"; the codec's own
  // where absent.
  latency?: string;
  // header: how an approximation's header counts; the first of its words where absent.
  header?: string;
  // sample: of online probabilities, in 1/400 of the program; 20 where absent.
  sample?: number;
  // module: the WebAssembly module of the codec PLUGIN, in base64. It has no knob.
  module?: string;
}

// PLUGIN is the codec that comes as a module (core/codec/codecs/plugin.go).
export const PLUGIN = "plugin";

export interface Scenario {
  version: number;
  title?: string;
  notes?: string;
  // overrides: values of the machine in place of the preset's, by their path.
  machine: { preset: string; overrides?: Record<string, number | string> };
  // ptx is a program of the reader's own, in place of the others.
  workload: { name: string; size?: number; data?: string; ptx?: OwnProgram };
  memory: Memory;
  seed: number;
  compare?: { memory: Memory };
  view?: View;
}

// View is the author's first view and the controls that are fixed or hidden
// (core/scenario/view.go). It is read of shipped scenarios and sent to no engine.
export interface View {
  tab?: string;
  side?: Side;
  cycle?: number;
  locked?: string[];
  hidden?: string[];
  free?: string[]; // of a lesson's step, which locks everything else
}

// Given is a scenario that leaves values to their defaults.
interface GivenScheme {
  memory?: Partial<Memory>;
}
export type Given = Omit<Partial<Scenario>, "memory" | "compare"> & GivenScheme & { compare?: GivenScheme };

export interface Shipped {
  name: string;
  title: string;
  notes?: string;
  hash?: string;
  scenario: Given;
  id?: string; // address of one that the site keeps (links/remote.ts)
  image?: { png: Uint8Array; name: string }; // that came with it
}

export interface Interval {
  low: number;
  high: number;
}

// Noise is how far the speedup of two sides moves although nothing changed (core/experiment/draw.go). It is of the
// results whose scenarios have these hashes.
export interface Noise {
  a: string;
  b: string;
  own: Interval; // over seeds of the inputs and placements of the buffers
  null: Interval; // over the same, if nothing were saved
  seeds: number;
  placements: number;
  distinguishable: boolean;
}

// SHIPPED_DEFAULT runs when the list of shipped scenarios cannot be read.
export const SHIPPED_DEFAULT: Shipped = {
  name: FIRST,
  title: "Transpose: E2MC against TSLC",
  scenario: {
    workload: { name: "transpose", size: 256, data: "ramp" },
    memory: { codec: "e2mc16", approximation: "tslc-opt" },
    compare: { memory: { codec: "e2mc16" } },
  },
};

// OWN_WARP_LIMIT ends a kernel that does not end: one warp of its CTA reaches it in less than a second of one core,
// also where every turn of the loop is an atomic. A loop over a million elements by 256 threads stays far below it.
export const OWN_WARP_LIMIT = 200_000;

// OWN_PROGRAM runs a program of the reader's own.
export const OWN_PROGRAM: Shipped = {
  name: OWN,
  title: "Your kernel",
  scenario: {
    machine: { preset: "gtx580b", overrides: { "sm.warpInstructionLimit": OWN_WARP_LIMIT } },
    workload: { name: "", ptx: STARTER_PROGRAM },
    memory: { codec: "e2mc16", approximation: "tslc-opt" },
    compare: { memory: { codec: "e2mc16" } },
  },
};

// complete fills what a scenario leaves to the defaults.
export function complete(s: Given): Required<Pick<Scenario, "compare">> & Scenario {
  return {
    version: 1,
    machine: { ...{ preset: "gtx580b" }, ...s.machine },
    workload: { ...{ name: s.workload?.ptx === undefined ? "dct" : "" }, ...s.workload },
    memory: { ...defaultMemory(), ...s.memory },
    seed: s.seed ?? 1,
    compare: { memory: { ...defaultMemory(), ...s.compare?.memory }, ...partsOf(s.compare) },
    ...partsOf(s),
  };
}

// defaultMemory is that of a scenario without one.
function defaultMemory(): Memory {
  const memory: Part = {};
  for (const g of tables.schemes.filter(isWhole)) {
    memory[g.key] = "none";
    for (const f of g.settings) if (!f.optional) memory[nameOf(g, f)] = f.default;
  }
  return memory as unknown as Memory;
}

export type Full = ReturnType<typeof complete>;

// sideScenario is what the engine runs for one side.
export function sideScenario(s: Full, side: Side): Scenario {
  return {
    version: s.version,
    machine: s.machine,
    workload: s.workload,
    memory: memoryOf(s, side),
    seed: s.seed,
    ...partsOf(side === "A" ? s.compare : s),
  };
}

// Part is the entry of a scheme in a group: the entry's name under the group's key, and
// its settings. A group that a scheme does not have is none.
export type Part = Record<string, string | number>;

const NO_PARTS = new Set(["version", "title", "notes", "machine", "workload", "memory", "seed", "compare", "view", "lesson"]);

// partsOf returns the groups of a scheme beside memory, whatever their names are: the
// engine knows them.
export function partsOf(s: object | undefined): Record<string, Part> {
  const parts: Record<string, Part> = {};
  for (const [name, value] of Object.entries(s ?? {})) {
    if (!NO_PARTS.has(name) && typeof value === "object" && value !== null) parts[name] = { ...(value as Part) };
  }
  return parts;
}

// schemeOf holds the groups of one side of a scenario.
export function schemeOf(s: Full, side: Side): Record<string, Part | undefined> {
  return (side === "A" ? s.compare : s) as unknown as Record<string, Part | undefined>;
}

export function memoryOf(s: Full, side: Side): Memory {
  return side === "A" ? s.compare.memory : s.memory;
}

// Knob is one thing a person may set. The path is also its key in permalinks.
export interface Knob {
  path: string;
  id: string;
  kind: "choice" | "number" | "text";
  get(s: Full): string;
  set(s: Full, value: string): void;
  low?: number;
  high?: number;
  // Of the knobs that the engine's list of schemes makes:
  title?: string;
  about?: string;
  options?: Option[];
  setting?: SettingInfo;
  idle?(s: Full): boolean; // the value has no effect
  absent?(s: Full): boolean; // the scheme has no such setting
}

// KNOBS are all knobs. learnSchemes adds those of the engine's groups.
export const KNOBS: Knob[] = [
  {
    path: "workload.name",
    id: "knob-workload",
    kind: "choice",
    get: (s) => s.workload.name,
    set: (s, v) => {
      if (v === "") return; // a program of the reader's own has no name
      s.workload.name = v;
      delete s.workload.ptx;
    },
  },
  {
    path: "workload.size",
    id: "knob-size",
    kind: "choice",
    get: (s) => (s.workload.size === undefined ? "" : String(s.workload.size)),
    set: (s, v) => {
      s.workload.size = Number(v);
    },
  },
  {
    path: "workload.data",
    id: "knob-data",
    kind: "choice",
    get: (s) => s.workload.data ?? "",
    set: (s, v) => {
      s.workload.data = v;
    },
  },
  {
    path: "machine.preset",
    id: "knob-preset",
    kind: "choice",
    get: (s) => s.machine.preset,
    set: (s, v) => {
      s.machine.preset = v;
    },
  },
  {
    path: "seed",
    id: "knob-seed",
    kind: "number",
    low: 0,
    high: Number.MAX_SAFE_INTEGER,
    get: (s) => String(s.seed),
    set: (s, v) => {
      s.seed = Number(v);
    },
  },
];

const FIXED_KNOBS = KNOBS.length;

let learned: readonly GroupInfo[] = []; // the engine's groups, for the titles of their entries

// learnSchemes makes knobs for every group that can be more than none, first for those that every scenario has.
export function learnSchemes(groups: readonly GroupInfo[]): void {
  KNOBS.length = FIXED_KNOBS;
  learned = groups;
  for (const g of [...groups.filter(isWhole), ...groups.filter((x) => !isWhole(x))]) {
    if (g.entries.length < 2) continue;
    const sides: Side[] = ["A", "B"];
    KNOBS.push(...sides.map((side) => entryKnob(side, g)));
    const settings = new Map<string, SettingInfo>();
    for (const f of [...g.settings, ...g.entries.flatMap((e) => e.settings)]) if (!f.binary) settings.set(f.path, f);
    for (const f of settings.values()) KNOBS.push(...sides.map((side) => settingKnob(side, g, f)));
  }
}

// groupsLearned are the groups that have knobs.
export function groupsLearned(): string[] {
  return [...new Set(KNOBS.slice(FIXED_KNOBS).map((k) => k.path.split(".")[1]!))];
}

// wholePaths are the paths of the values that every scheme has.
export function wholePaths(): string[] {
  const whole = learned.filter(isWhole).map((g) => g.group);
  const paths = KNOBS.filter((k) => k.path.startsWith("B.")).map((k) => k.path.slice(2));
  return paths.filter((path) => whole.includes(path.split(".")[0]!));
}

const nameOf = (g: GroupInfo, f: SettingInfo): string => f.path.slice(g.group.length + 1);

// holds tells whether a setting of a part has an effect.
function holds(g: GroupInfo, f: SettingInfo, part: Part): boolean {
  return (f.needs ?? []).every(({ path, is, not }) => {
    const word = String(part[path.slice(g.group.length + 1)] ?? "none");
    return is ? is.includes(word) : !not?.includes(word);
  });
}

function entryKnob(side: Side, g: GroupInfo): Knob {
  return {
    path: `${side}.${g.group}.${g.key}`,
    id: `knob-${side}-${g.group}-${g.key}`,
    kind: "choice",
    title: isWhole(g) ? g.key : g.title,
    about: g.about,
    options: g.entries.map((e) => ({ value: e.name, text: e.title })),
    get: (s) => String(schemeOf(s, side)[g.group]?.[g.key] ?? "none"),
    set: (s, value) => {
      const scheme = schemeOf(s, side);
      const part = scheme[g.group];
      if (part?.[g.key] === value) return;
      if (!isWhole(g) || !part) {
        if (value === "none") delete scheme[g.group];
        else scheme[g.group] = { [g.key]: value };
        return;
      }
      for (const f of g.entries.find((e) => e.name === part[g.key])?.settings ?? []) delete part[nameOf(g, f)];
      part[g.key] = value;
      for (const f of g.settings) if (f.binary && !holds(g, f, part)) delete part[nameOf(g, f)];
    },
  };
}

function settingKnob(side: Side, g: GroupInfo, f: SettingInfo): Knob {
  const name = nameOf(g, f);
  const whole = g.settings.includes(f);
  const entry = (s: Full): EntryInfo | undefined => {
    const chosen = schemeOf(s, side)[g.group]?.[g.key] ?? "none";
    return g.entries.find((e) => e.name === chosen);
  };
  const absent = (s: Full): boolean => !whole && !entry(s)?.settings.some((x) => x.path === f.path);
  const options = (f.words ?? f.numbers)?.map((v) => ({ value: String(v), text: codecTitle(String(v)) }));
  // A value that can be left out is the first word or an empty text then.
  const without = f.optional && whole && !options ? "" : String(f.default);
  return {
    path: `${side}.${f.path}`,
    id: `knob-${side}-${g.group}-${name}`,
    kind: options ? "choice" : typeof f.default === "string" || without === "" ? "text" : "number",
    title: f.unit ? `${f.title}, ${f.unit}` : f.title,
    about: f.about ?? "",
    ...(options ? { options } : {}),
    low: f.low ?? 0,
    high: f.high ?? Number.MAX_SAFE_INTEGER,
    setting: f,
    get: (s) => String(schemeOf(s, side)[g.group]?.[name] ?? without),
    set: (s, value) => {
      const part = schemeOf(s, side)[g.group];
      if (!part) return;
      if (value === "" || ((f.optional || !whole) && value === without)) delete part[name];
      else part[name] = typeof f.default === "string" ? value : Number(value);
    },
    absent,
    idle: (s) => absent(s) || !holds(g, f, schemeOf(s, side)[g.group] ?? {}),
  };
}

// valueOf is the value of a setting of a side, if its scheme has the setting: an L1 with a policy has l1.phase, a link
// backing.gbPerSecond.
export function valueOf(s: Full, side: Side, path: string): string | undefined {
  const knob = KNOBS.find((k) => k.path === `${side}.${path}` && !k.absent?.(s));
  return knob?.get(s);
}

// Lists are the choices that the engine's tables give.
export interface Lists {
  presets: Named[];
  workloads: WorkloadInfo[];
  codecs: CodecInfo[];
  schemes: GroupInfo[];
}

interface Named {
  name: string;
  title?: string;
}

// listsOf makes the choices of the tables in force.
export function listsOf(): Lists {
  learnSchemes(tables.schemes);
  return {
    presets: tables.presets,
    workloads: tables.workloads,
    codecs: tables.codecs,
    schemes: tables.schemes,
  };
}

export function workloadInfo(lists: Lists, name: string): WorkloadInfo | undefined {
  return lists.workloads.find((w) => w.name === name);
}

// Option is one entry of a choice: its value and its text.
export interface Option {
  value: string;
  text: string;
}

// optionsOf returns the legal values of a choice, or [] if the engine decides.
export function optionsOf(knob: Knob, s: Full, lists: Lists): Option[] {
  const entries = (list: Named[], text: (name: string) => string): Option[] =>
    list.map((x) => ({ value: x.name, text: x.title ?? text(x.name) }));
  if (knob.options) return knob.options;
  switch (knob.path) {
    case "workload.name": {
      const own = s.workload.ptx === undefined ? [] : [{ value: "", text: `your kernel: ${entryOf(s.workload.ptx)}` }];
      return [...own, ...entries(lists.workloads, (n) => n)];
    }
    case "machine.preset":
      return entries(lists.presets, (n) => n);
    case "workload.size": {
      const info = workloadInfo(lists, s.workload.name);
      return (info?.sizes ?? []).map((n) => ({ value: String(n), text: sizeText(n, info) }));
    }
    case "workload.data":
      return entries((workloadInfo(lists, s.workload.name)?.dataModes ?? []).map((name) => ({ name })), (n) => n);
  }
  return [];
}

function sizeText(n: number, info: WorkloadInfo | undefined): string {
  return info?.image ? `${n} × ${n}` : n.toLocaleString("en");
}

// memoryLabel names a scheme in a word or two.
export function memoryLabel(m: Memory): string {
  if (m.approximation !== "none") return codecTitle(m.approximation);
  return m.codec === "none" ? "no compression" : codecTitle(m.codec);
}

// difference says what a scheme has in a setting that another one has differently.
function difference(f: SettingInfo, value: string | number | undefined): string {
  if (value === undefined && f.without) return f.without;
  const shown = String(value ?? f.default);
  if (!f.label) return [f.title, shown, f.unit].filter(Boolean).join(" ");
  const words = f.label.replace("{}", shown);
  return shown === "1" ? words.replace(/s$/, "") : words;
}

// sideLabel names all that a side has: its memory, if that is compressed or alone, and an
// entry for each other group.
function sideLabel(s: Full, side: Side, m: Memory): string {
  const parts = Object.entries(partsOf(schemeOf(s, side))).map(([group, part]) => {
    const known = learned.find((g) => g.group === group)?.entries.find((e) => Object.values(part).includes(e.name));
    return String(known?.title ?? [part["kind"], ...Object.values(part)].find((v) => typeof v === "string") ?? "");
  });
  const plain = m.codec === "none" && m.approximation === "none" && parts.length > 0;
  return [...(plain ? [] : [memoryLabel(m)]), ...parts].join(" + ");
}

// labels tells the two schemes apart, however alike they are.
export function labels(s: Full): { A: string; B: string } {
  const [a, b] = [s.compare.memory, s.memory];
  const base = { A: sideLabel(s, "A", a), B: sideLabel(s, "B", b) };
  const alike = base.A === base.B;
  for (const g of learned.filter(isWhole)) {
    const entry = g.entries.find((e) => e.name === a.codec && a.codec === b.codec);
    for (const f of [...g.settings, ...(entry?.settings ?? [])]) {
      const [of, other] = [a, b].map((m) => (m as unknown as Part)[nameOf(g, f)]);
      // The names of the schemes have an approximation, and a MAG changes what every number means.
      if (f.binary || f.path === "memory.approximation" || of === other) continue;
      if (!alike && f.path !== "memory.mag") continue;
      base.A += `, ${difference(f, of)}`;
      base.B += `, ${difference(f, other)}`;
    }
  }
  return base;
}

// mend makes a scenario runnable if one choice rules out another, and says what it
// changed.
export function mend(s: Full, changed?: Knob): string[] {
  const said: string[] = [];
  for (const [side, m] of [["A", s.compare.memory], ["B", s.memory]] as const) {
    const over = tables.codecs.find((c) => c.name === m.approximation)?.over;
    if (!over || m.codec === over) continue;
    if (changed?.path === `${side}.memory.codec`) {
      m.approximation = "none";
      said.push(`${side}: TSLC cuts 16-bit symbols, so ${codecTitle(m.codec)} runs without approximation.`);
    } else {
      m.codec = over;
      said.push(`${side}: ${codecTitle(m.approximation)} works on ${codecTitle(over)}, so the codec is now ${codecTitle(over)}.`);
    }
  }
  return said;
}

learnSchemes(tables.schemes); // those of the time before the engine is ready
