// A scenario as the engine reads it, its controls (knobs), and their legal values.

import { FIRST } from "./first";
import { OWN, STARTER_PROGRAM, entryOf, type OwnProgram } from "./kernel";
import type { Side } from "./side";
import { codecTitle, memorySetting, tables, type GroupInfo, type SettingInfo, type WorkloadInfo } from "./tables";

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

type MemoryKey = Exclude<keyof Memory, "module">;

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

export interface Shipped {
  name: string;
  title: string;
  notes?: string;
  hash?: string;
  scenario: Partial<Scenario>;
  id?: string; // address of one that the site keeps (links/remote.ts)
  image?: { png: Uint8Array; name: string }; // that came with it
}

const MEMORY: Memory = {
  codec: "none",
  probabilities: "offline",
  decodingWays: 4,
  mag: 32,
  approximation: "none",
  threshold: 16,
};

// SHIPPED_DEFAULT runs when the list of shipped scenarios cannot be read.
export const SHIPPED_DEFAULT: Shipped = {
  name: FIRST,
  title: "Transpose: E2MC against TSLC",
  scenario: {
    workload: { name: "transpose", size: 256, data: "ramp" },
    memory: { ...MEMORY, codec: "e2mc16", approximation: "tslc-opt" },
    compare: { memory: { ...MEMORY, codec: "e2mc16" } },
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
    memory: { ...MEMORY, codec: "e2mc16", approximation: "tslc-opt" },
    compare: { memory: { ...MEMORY, codec: "e2mc16" } },
  },
};

// complete fills what a scenario leaves to the defaults.
export function complete(s: Partial<Scenario>): Required<Pick<Scenario, "compare">> & Scenario {
  return {
    version: 1,
    machine: { ...{ preset: "gtx580b" }, ...s.machine },
    workload: { ...{ name: s.workload?.ptx === undefined ? "dct" : "" }, ...s.workload },
    memory: { ...MEMORY, ...s.memory },
    seed: s.seed ?? 1,
    compare: { memory: { ...MEMORY, ...s.compare?.memory }, ...partsOf(s.compare) },
    ...partsOf(s),
  };
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

// Part is the entry of a scheme in a group beside memory: the entry's name under the
// group's key, and its settings. A group that a scheme does not have is none.
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
  // Of the knobs that the engine's list of schemes makes:
  title?: string;
  about?: string;
  options?: Option[];
  low?: number;
  high?: number;
  idle?(s: Full): boolean; // the value has no effect
}

const NUMERIC = new Set(["decodingWays", "mag", "threshold", "sample"]);
const KINDS: Partial<Record<MemoryKey, Knob["kind"]>> = { threshold: "number", latency: "text", sample: "text" };

// firstHeader is the header of a scenario that names none.
function firstHeader(): string {
  return memorySetting("header")?.words?.[0] ?? "";
}

function memoryKnob(side: Side, key: MemoryKey): Knob {
  return {
    path: `${side}.memory.${key}`,
    id: `knob-${side}-${key}`,
    kind: KINDS[key] ?? "choice",
    get: (s) => String(memoryOf(s, side)[key] ?? (key === "header" ? firstHeader() : "")),
    set: (s, value) => {
      const m = memoryOf(s, side) as unknown as Record<string, string | number>;
      if (key === "codec" && value !== PLUGIN) delete m["module"];
      if (value === "" || (key === "header" && value === firstHeader())) delete m[key];
      else m[key] = NUMERIC.has(key) ? Number(value) : value;
    },
  };
}

export const MEMORY_KEYS: readonly MemoryKey[] = [
  "codec",
  "approximation",
  "mag",
  "threshold",
  "decodingWays",
  "probabilities",
  "latency",
  "header",
  "sample",
];

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
    get: (s) => String(s.seed),
    set: (s, v) => {
      s.seed = Number(v);
    },
  },
  ...MEMORY_KEYS.flatMap((key) => [memoryKnob("A", key), memoryKnob("B", key)]),
];

const FIXED_KNOBS = KNOBS.length;

let learned: readonly GroupInfo[] = []; // the engine's groups, for the titles of their entries

// learnSchemes makes knobs for every group beside memory that can be more than none.
export function learnSchemes(groups: readonly GroupInfo[]): void {
  KNOBS.length = FIXED_KNOBS;
  learned = groups;
  for (const g of groups) {
    if (g.group === "memory" || g.entries.length < 2) continue;
    const sides: Side[] = ["A", "B"];
    KNOBS.push(...sides.map((side) => entryKnob(side, g)));
    const settings = new Map<string, SettingInfo>();
    for (const entry of g.entries) for (const f of entry.settings) settings.set(f.path, f);
    for (const f of settings.values()) KNOBS.push(...sides.map((side) => settingKnob(side, g, f)));
  }
}

// groupsLearned are the groups that have knobs beside memory.
export function groupsLearned(): string[] {
  return [...new Set(KNOBS.slice(FIXED_KNOBS).map((k) => k.path.split(".")[1]!))];
}

function entryKnob(side: Side, g: GroupInfo): Knob {
  return {
    path: `${side}.${g.group}.${g.key}`,
    id: `knob-${side}-${g.group}-${g.key}`,
    kind: "choice",
    title: g.title,
    about: g.about,
    options: g.entries.map((e) => ({ value: e.name, text: e.title })),
    get: (s) => String(schemeOf(s, side)[g.group]?.[g.key] ?? "none"),
    set: (s, value) => {
      const scheme = schemeOf(s, side);
      if (scheme[g.group]?.[g.key] === value) return;
      if (value === "none") delete scheme[g.group];
      else scheme[g.group] = { [g.key]: value };
    },
  };
}

function settingKnob(side: Side, g: GroupInfo, f: SettingInfo): Knob {
  const name = f.path.slice(g.group.length + 1);
  const has = (s: Full): boolean =>
    g.entries.some((e) => e.name === schemeOf(s, side)[g.group]?.[g.key] && e.settings.some((x) => x.path === f.path));
  const options = (f.words ?? f.numbers)?.map((v) => ({ value: String(v), text: String(v) }));
  return {
    path: `${side}.${f.path}`,
    id: `knob-${side}-${g.group}-${name}`,
    kind: options ? "choice" : typeof f.default === "string" ? "text" : "number",
    title: f.unit ? `${f.title}, ${f.unit}` : f.title,
    about: f.about,
    ...(options ? { options } : {}),
    low: f.low ?? 0,
    high: f.high ?? Number.MAX_SAFE_INTEGER,
    get: (s) => String(schemeOf(s, side)[g.group]?.[name] ?? f.default),
    set: (s, value) => {
      const part = schemeOf(s, side)[g.group];
      if (!part) return;
      if (value === "" || value === String(f.default)) delete part[name];
      else part[name] = typeof f.default === "string" ? value : Number(value);
    },
    idle: (s) => !has(s),
  };
}

// valueOf is the value of a setting of a side, if its scheme has the setting: an L1 with a policy has l1.phase, a link
// backing.gbPerSecond.
export function valueOf(s: Full, side: Side, path: string): string | undefined {
  const knob = KNOBS.find((k) => k.path === `${side}.${path}` && !k.idle?.(s));
  return knob?.get(s);
}

// Lists are the choices that the engine's tables give.
export interface Lists {
  presets: Named[];
  workloads: WorkloadInfo[];
  codecs: Named[];
  approximations: Named[];
  schemes: GroupInfo[];
}

interface Named {
  name: string;
  title?: string;
}

const NONE: Named = { name: "none", title: "none" };

// listsOf makes the choices of the tables in force.
export function listsOf(schemes: GroupInfo[] = []): Lists {
  learnSchemes(schemes);
  return {
    presets: tables.presets,
    workloads: tables.workloads,
    codecs: [NONE, ...tables.codecs.filter((c) => !c.over)],
    approximations: [NONE, ...tables.codecs.filter((c) => c.over)],
    schemes,
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
  const last = knob.path.slice(knob.path.lastIndexOf(".") + 1);
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
  if (last === "codec") return entries(lists.codecs, (n) => n);
  if (last === "approximation") return entries(lists.approximations, (n) => n);
  const f = memorySetting(last);
  return (f?.words ?? f?.numbers ?? []).map((v) => ({ value: String(v), text: String(v) }));
}

function sizeText(n: number, info: WorkloadInfo | undefined): string {
  return info?.image ? `${n} × ${n}` : n.toLocaleString("en");
}

// memoryLabel names a scheme in a word or two.
export function memoryLabel(m: Memory): string {
  if (m.approximation !== "none") return codecTitle(m.approximation);
  return m.codec === "none" ? "no compression" : codecTitle(m.codec);
}

const DIFFERENCE: Record<MemoryKey, (m: Memory) => string> = {
  codec: (m) => codecTitle(m.codec),
  approximation: (m) => m.approximation,
  mag: (m) => `MAG ${m.mag} B`,
  threshold: (m) => `threshold ${m.threshold} B`,
  decodingWays: (m) => (m.decodingWays === 1 ? "1 way" : `${m.decodingWays} ways`),
  probabilities: (m) => `${m.probabilities} probabilities`,
  header: (m) => `${m.header ?? firstHeader()} header`,
  sample: (m) => (m.sample ? `sample ${m.sample}/400` : "its own sample"),
  latency: (m) => (m.latency ? `latencies ${m.latency}` : "its own latencies"),
};

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
  const differ = MEMORY_KEYS.filter((k) => a[k] !== b[k] && k !== "codec" && k !== "approximation");
  const alike = base.A === base.B;
  const wanted = differ.filter((k) => alike || k === "mag");
  for (const k of wanted) {
    base.A += `, ${DIFFERENCE[k](a)}`;
    base.B += `, ${DIFFERENCE[k](b)}`;
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
