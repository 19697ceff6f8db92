// The URL fragment: all settings, readable, versioned. Only what differs from
// the shipped scenario and the first view is written.

import { hex, parseAddress } from "../lib/format";
import { EMBED_PREFIX } from "./embedoptions";
import { LINK_VERSION, MOST_CHARACTERS, type Read, quoted } from "./fragment";
import { REPRO_KEYS, writeRepro } from "./reproduction";
import { SIDES, type Side } from "../protocol/protocol";
import { KNOBS, complete, mend, optionsOf, partsOf, schemeOf, valueOf, workloadInfo, type Full, type Knob, type Shipped } from "../protocol/scenario";
import { FIRST_LAB, LAB_MAGS, LAB_QUESTIONS } from "../state/lab";
import { NO_LESSON, type LessonLink } from "../state/lesson";
import { FIXED, fixes, lockedChange, ofScenario, readLocks, scenarioPath, writeLocks } from "../state/locks";
import type { Page } from "../state/page";
import type { Origin } from "../state/run";
import { type Locks, DRAM_SHOWS, L1_SHOWS, LATE_TABS, MAP_COLOURS, TABS, type Settings, type Tab, SPEED } from "../state/settings";

const MOST_CHANNELS = 256;
const MOST_ROWS = 2 ** 32;
const MOST_STEPS = 40; // of a lesson, core/lesson/steps

type Take = (value: string, s: Settings) => string | undefined; // returns the fault

function oneOf<T extends string>(list: readonly T[], set: (s: Settings, v: T) => void): Take {
  return (value, s) => {
    const v = list.find((x) => x === value);
    if (v === undefined) return `use one of ${list.join(", ")}`;
    set(s, v);
    return undefined;
  };
}

function numberIn(low: number, high: number, set: (s: Settings, v: number) => void): Take {
  return (value, s) => {
    const n = value.trim() === "" ? NaN : Number(value);
    if (!(n >= low && n <= high)) return `use a number from ${low} to ${high}`;
    set(s, n);
    return undefined;
  };
}

const VIEW_KEYS: Record<string, Take> = {
  tab: oneOf(TABS, (s, v) => (s.tab = v)),
  side: oneOf(["A", "B"], (s, v) => (s.side = v)),
  picture: oneOf(["auto", "moving", "plain"], (s, v) => (s.picture = v)),
  map: oneOf(MAP_COLOURS, (s, v) => (s.map = v)),
  dram: oneOf(DRAM_SHOWS, (s, v) => (s.dram = v)),
  channel: numberIn(0, MOST_CHANNELS - 1, (s, v) => (s.channel = Math.floor(v))),
  l1: oneOf(L1_SHOWS, (s, v) => (s.l1 = v)),
  phase: (value, s) => {
    const m = /^([AB])\.(\d{1,4})\.(\d{1,9})$/.exec(value);
    if (!m) return "use a side, an SM and a phase of it, such as B.3.12";
    s.phase = { side: m[1] as Side, sm: Number(m[2]), phase: Number(m[3]) };
    return undefined;
  },
  theme: oneOf(["auto", "light", "dark"], (s, v) => (s.theme = v)),
  cycle: numberIn(0, Number.MAX_SAFE_INTEGER, (s, v) => Object.assign(s, { cycle: v, placed: false })),
  speed: numberIn(SPEED.least, SPEED.most, (s, v) => Object.assign(s, { speed: v, ownSpeed: true })),
  // The lab: "none", a real array, or the shipped scenario whose inputs are shown. A file is never
  // part of a link.
  lab: (value, s) => {
    s.lab.open = true;
    s.lab.set = value === "none" ? "" : value;
    return undefined;
  },
  "lab.codec": (value, s) => {
    if (!/^[a-z][a-z0-9-]*$/.test(value)) return "use the name of a codec, such as bdi";
    s.lab.codec = value;
    return undefined;
  },
  "lab.question": oneOf(LAB_QUESTIONS, (s, v) => (s.lab.question = v)),
  "lab.mag": oneOf(LAB_MAGS.map(String), (s, v) => (s.lab.mag = Number(v))),
  "lab.threshold": numberIn(0, 64, (s, v) => (s.lab.threshold = Math.floor(v))),
  lesson: (value, s) => {
    if (!/^[a-z][a-z0-9-]*$/.test(value)) return "use the name of a lesson, such as burst";
    s.lesson.name = value;
    return undefined;
  },
  step: numberIn(1, MOST_STEPS, (s, v) => (s.lesson.step = Math.floor(v))),
  lock: (value, s) => takeLocks(value, s.locks, "locked"),
  hide: (value, s) => takeLocks(value, s.locks, "hidden"),
  ...Object.fromEntries(Object.entries(REPRO_KEYS).map(([key, take]): [string, Take] => [key, (value, s) => take(value, s.repro)])),
  // The burst that was clicked: its cycle and the number of its request.
  burst: (value, s) => {
    const m = /^(\d{1,15})\.(\d{1,10})$/.exec(value);
    if (!m) return "use a cycle and a request, such as 1200.16777217";
    s.burst = { cycle: Number(m[1]), req: Number(m[2]) };
    return undefined;
  },
  kernel: oneOf(["edit"], (s) => (s.kernel.open = true)),
  "kernel.from": (value, s) => {
    if (!/^[a-z]\w{0,40}$/.test(value)) return "use the name of a shipped kernel, such as transpose";
    s.kernel.from = value;
    return undefined;
  },
  figures: oneOf(["cursor"], (s) => (s.figuresAtCursor = true)),
  // The address map's detail: its first row, and how many.
  row: numberIn(0, MOST_ROWS, (s, v) => (s.mapRow = Math.floor(v))),
  rows: numberIn(0, MOST_ROWS, (s, v) => (s.mapRows = Math.floor(v))),
  addr: (value, s) => {
    const a = parseAddress(value);
    if (a === undefined) return "use an address such as 0xc0000000";
    Object.assign(s, { addr: a, addrLinked: true });
    return undefined;
  },
};

function takeLocks(value: string, into: Locks, key: "locked" | "hidden"): string | undefined {
  const { paths, unknown } = readLocks(value);
  into[key] = paths;
  return unknown.length > 0 ? `there is no control ${unknown.map(quoted).join(", ")}` : undefined;
}

// applyView takes the keys of the view out of the pairs; they need no engine.
export function applyView(read: Read, s: Settings): void {
  for (const [key, take] of Object.entries(VIEW_KEYS)) {
    const value = read.pairs.get(key);
    if (value === undefined) continue;
    const wrong = take(value, s);
    if (wrong) read.problems.push(`${key}=${quoted(value)} was ignored: ${wrong}`);
    read.pairs.delete(key);
  }
}

// FORMER_PRESETS are names that links of version 1 gave to machines that have other names now
// (core/scenario/presets.go).
const FORMER_PRESETS: ReadonlyMap<string, string> = new Map([["gtx580", "gtx580v4"]]);

// applyScenario sets scenario and knobs, once the shipped scenarios and the
// engine's lists are known. What is wrong is ignored and named.
export function applyScenario(read: Read, page: Page): void {
  const s = page.settings;
  const name = read.pairs.get("s");
  const id = read.pairs.get("id"); // of a scenario that the site keeps; it was fetched before
  for (const key of ["s", "id"]) read.pairs.delete(key);
  if (name !== undefined || id !== undefined) {
    const shipped = page.catalogue.shipped.find((x) => (id === undefined ? x.name === name : x.id === id));
    if (shipped) {
      s.shipped = shipped;
      s.scenario = complete(shipped.scenario);
      if (shipped.image) page.ownImage = shipped.image;
      showFirst(s, read.given);
    } else if (id !== undefined) {
      read.problems.push(`id=${quoted(id)} was ignored: use the hash of a scenario, 64 digits of 0-9 and a-f`);
    } else if (name !== undefined) {
      const names = page.catalogue.shipped.map((x) => x.name).join(", ");
      read.problems.push(`there is no scenario “${quoted(name)}” (there are ${names}), so ${s.shipped.name} is shown`);
    }
  }
  // A link may fix the values that it sets, but it may not set values that the scenario
  // fixes.
  const own = ofScenario(s.shipped.scenario);
  const locked = (path: string): string | undefined => (fixes(own, scenarioPath(path)) ? `it is ${FIXED}` : undefined);
  const before = structuredClone(s.scenario);
  for (const knob of KNOBS) {
    const given = read.pairs.get(knob.path);
    if (given === undefined) continue;
    const value = knob.path === "machine.preset" ? (FORMER_PRESETS.get(given) ?? given) : given;
    read.pairs.delete(knob.path);
    const wrong = locked(knob.path) ?? checkKnob(knob, value, s.scenario, page);
    if (wrong) {
      read.problems.push(`${knob.path}=${quoted(value)} was ignored: ${wrong}`);
      continue;
    }
    knob.set(s.scenario, value);
    if (knob.path === "workload.name") fitWorkload(s.scenario, page);
  }
  for (const [key, value] of [...read.pairs]) {
    if (!key.startsWith(OVERRIDE)) continue;
    read.pairs.delete(key);
    if (locked(key)) {
      read.problems.push(`${quoted(key)}=${quoted(value)} was ignored: it is ${FIXED}`);
      continue;
    }
    const machine = s.scenario.machine;
    machine.overrides = { ...machine.overrides, [key.slice(OVERRIDE.length)]: overrideOf(value) };
  }
  readExtras(read, s.scenario, locked);
  const image = read.pairs.get("image");
  if (image !== undefined) {
    read.pairs.delete("image");
    read.problems.push(
      `it was made with “${quoted(image)}”, the sender's own image, which a link cannot hold; drop the image here to see the same result`,
    );
  }
  for (const side of SIDES) {
    const hash = read.pairs.get(`${side}.module`);
    if (hash === undefined) continue;
    read.pairs.delete(`${side}.module`);
    s.modules[side] = hash;
    read.problems.push(`the codec of ${side} is too large for a link; ${hash ? `drop the module with SHA-256 ${quoted(hash)}… here, or ` : ""}open the scenario file that holds it`);
  }
  const program = read.pairs.get("program");
  if (program !== undefined) {
    read.pairs.delete("program");
    s.kernel.absent = true;
    read.problems.push(`the program “${quoted(program)}” is too large for a link; open the scenario file that holds it`);
  }
  for (const key of read.pairs.keys()) if (key.startsWith(EMBED_PREFIX)) read.pairs.delete(key);
  for (const key of read.pairs.keys()) read.problems.push(`the key “${quoted(key)}” is unknown and was ignored`);
  read.pairs.clear();
  for (const said of mend(s.scenario)) read.problems.push(said);
  if (read.given.has("tab") && isEmpty(s.tab, s.scenario)) {
    read.problems.push(`tab=${s.tab} was ignored: neither side has ${s.tab === "l1" ? "an L1 with a policy, or predicts loads" : "memory behind a link"}`);
    s.tab = "bursts";
  }
  const carried = lockedChange(before, s.scenario, (path) => fixes(own, path));
  if (carried) {
    s.scenario = before;
    read.problems.push(`the settings of the link would change ${carried}, which is ${FIXED}, so none was applied`);
  }
}

// isEmpty tells whether a tab has nothing to show of a scenario.
function isEmpty(tab: Tab, s: Full): boolean {
  return LATE_TABS[tab]?.every((path) => SIDES.every((side) => valueOf(s, side, path) === undefined)) ?? false;
}

// showFirst is what the author of a scenario wants seen first, unless the link
// (given) says otherwise.
export function showFirst(s: Settings, given: ReadonlySet<string> = new Set()): void {
  const { tab, side, cycle } = firstOf(s.shipped);
  if (!given.has("tab")) s.tab = tab;
  if (!given.has("side")) s.side = side;
  if (!given.has("cycle") && cycle > 0) s.cycle = cycle;
}

function firstOf(shipped: Shipped): { tab: Tab; side: Side; cycle: number } {
  const v = shipped.scenario.view;
  return { tab: TABS.find((t) => t === v?.tab) ?? "bursts", side: v?.side === "A" ? "A" : "B", cycle: v?.cycle ?? 0 };
}

// A machine has many values, each of which a link may override; the engine checks
// them when it runs.
const OVERRIDE = "machine.overrides.";

// Keys of a scenario without a control pass through the page unchanged; the engine
// accepts or refuses them.
const OFFERED: Record<string, readonly string[]> = {
  machine: ["preset", "overrides"],
  workload: ["name", "size", "data"],
};
const EXTRA = /^(machine|workload|[AB]\.[a-z][A-Za-z0-9]*)\.([A-Za-z][A-Za-z0-9]*)$/;

function groupOf(s: Full, name: string): Record<string, unknown> {
  if (name === "machine" || name === "workload") return s[name] as unknown as Record<string, unknown>;
  const scheme = schemeOf(s, name[0] as Side);
  return (scheme[name.slice(2)] ??= {});
}

function readExtras(read: Read, s: Full, locked: (path: string) => string | undefined): void {
  for (const [key, value] of [...read.pairs]) {
    const [, group, name] = EXTRA.exec(key) ?? [];
    if (!group || !name) continue;
    read.pairs.delete(key);
    const fixed = locked(key);
    if (fixed) {
      read.problems.push(`${key}=${quoted(value)} was ignored: ${fixed}`);
      continue;
    }
    let extra: unknown = overrideOf(value);
    if (/^["[{]/.test(value)) {
      try {
        extra = JSON.parse(value);
      } catch {
        read.problems.push(`${key}=${quoted(value)} was ignored: it is cut off`);
        continue;
      }
    }
    if (key === "workload.ptx") s.workload = { name: "" }; // either of the two
    groupOf(s, group)[name] = extra;
  }
}

const ROOM = 8192; // characters of a link beside its program [ours]

// tooLarge tells whether a link cannot hold the program of a scenario.
export function tooLarge({ workload: { ptx } }: Full): boolean {
  if (!ptx) return false;
  const held = [...(ptx.args ?? []), ...(ptx.buffers ?? []),
    ...(ptx.textures ?? [])].reduce((n, { data }) => n + (data?.length ?? 0), ptx.source.length);
  return held > MOST_CHARACTERS || encodeURIComponent(JSON.stringify(ptx)).length > MOST_CHARACTERS - ROOM;
}

function extras(s: Full, own: Full): [string, string][] {
  const pairs: [string, string][] = [];
  const parts = SIDES.flatMap((side) => Object.keys(partsOf(schemeOf(s, side))).map((group) => `${side}.${group}`));
  for (const group of [...Object.keys(OFFERED), "A.memory", "B.memory", ...parts]) {
    for (const [name, value] of Object.entries(groupOf(s, group))) {
      if (name === "ptx" && tooLarge(s)) {
        pairs.push(["program", s.workload.ptx?.file ?? name]);
        continue;
      }
      if (name === "module" && encodeURIComponent(String(value)).length > MOST_CHARACTERS - ROOM) {
        pairs.push([`${group[0]}.module`, ""]); // writeFragment knows its hash
        continue;
      }
      if (OFFERED[group]?.includes(name) || KNOBS.some((k) => k.path === `${group}.${name}`) || JSON.stringify(groupOf(structuredClone(own), group)[name]) === JSON.stringify(value)) continue;
      // A text that would be read as another type is written as JSON.
      const plain = typeof value === "number" || (typeof value === "string" && overrideOf(value) === value && !/^["[{]/.test(value));
      pairs.push([`${group}.${name}`, plain ? String(value) : JSON.stringify(value)]);
    }
  }
  return pairs;
}

export function overrideOf(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

// checkKnob answers what is wrong with a value for a knob, or undefined.
export function checkKnob(knob: Knob, value: string, s: Full, page: Page): string | undefined {
  const { low = 0, high = Number.MAX_SAFE_INTEGER, setting } = knob;
  if (setting?.optional && value === "") return undefined;
  if (setting?.pattern) return new RegExp(setting.pattern).test(value) ? undefined : setting.mend;
  if (knob.kind === "number" || (knob.kind === "text" && typeof setting?.default === "number")) return whole(value, low, high);
  if (knob.kind === "text") return undefined; // of a notation of its own, which the engine reads
  const options = optionsOf(knob, s, page.catalogue.lists);
  if (options.length === 0) return undefined;
  if (options.some((o) => o.value === value)) return undefined;
  // The list of sizes is not complete; the engine decides which it accepts.
  if (knob.path === "workload.size") return whole(value, 1, 2 ** 31 - 1);
  return `use one of ${options.map((o) => o.value).join(", ")}`;
}

function whole(value: string, low: number, high: number): string | undefined {
  const n = value.trim() === "" ? NaN : Number(value);
  return Number.isInteger(n) && n >= low && n <= high ? undefined : `use a whole number from ${low} to ${high}`;
}

// fitWorkload replaces size and data that the workload does not have.
export function fitWorkload(s: Full, page: Page): void {
  const info = workloadInfo(page.catalogue.lists, s.workload.name);
  const size = KNOBS.find((k) => k.path === "workload.size")!;
  const data = KNOBS.find((k) => k.path === "workload.data")!;
  const shipped = page.catalogue.shipped.find((x) => x.scenario.workload?.name === s.workload.name)?.scenario.workload;
  if (!fits(size, s, page)) {
    const own = info?.defaultSize ?? shipped?.size ?? info?.sizes?.[0];
    if (own === undefined) delete s.workload.size;
    else s.workload.size = own;
  }
  if (!fits(data, s, page)) {
    const own = shipped?.data ?? optionsOf(data, s, page.catalogue.lists)[0]?.value;
    if (own === undefined) delete s.workload.data;
    else s.workload.data = own;
  }
}

function fits(knob: Knob, s: Full, page: Page): boolean {
  const options = optionsOf(knob, s, page.catalogue.lists);
  return options.some((o) => o.value === knob.get(s));
}

// scenarioPairs are those of a scenario, set over a shipped one: where it differs, or
// all of them.
function scenarioPairs(shipped: Shipped, s: Full, lesson: LessonLink = NO_LESSON, all = false): [string, string][] {
  const of: [string, string][] = lesson.name === "" ? [shipped.id ? ["id", shipped.id] : ["s", shipped.name]] : [["lesson", lesson.name], ["step", String(lesson.step)]];
  const pairs: [string, string][] = [["v", String(LINK_VERSION)], ...of];
  const own = complete(shipped.scenario);
  for (const knob of KNOBS) {
    const value = knob.get(s);
    const differs = value !== knob.get(own) && (value !== "" || knob.kind === "text");
    if (differs || (all && value !== "")) pairs.push([knob.path, value]);
  }
  pairs.push(...extras(s, own));
  for (const [path, value] of Object.entries(s.machine.overrides ?? {})) {
    if (own.machine.overrides?.[path] !== value) pairs.push([OVERRIDE + path, String(value)]);
  }
  return pairs;
}

function fragmentOf(pairs: [string, string][]): string {
  return `#${pairs.map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&")}`;
}

// scenarioFragment opens the simulator with a scenario. It says everything, since
// the list of shipped scenarios may not have come yet.
export function scenarioFragment(page: Page, s: Full): string {
  const { shipped } = page.catalogue;
  // Its numbers stand under the name of a scenario: of one with the same program, where there is one.
  const named = shipped.find((x) => !s.workload.ptx && x.scenario.workload?.name === s.workload.name);
  return fragmentOf(scenarioPairs(named ?? shipped[0]!, s, NO_LESSON, true));
}

// Owner is the part of a link that decides its results: a scenario and its origin.
export interface Owner {
  scenario: Full;
  origin: Origin;
}

// settingsOf is the owner of a link to the settings. They keep an image that their program
// does not take, for the next one that does.
export function settingsOf(page: Page): Owner {
  return { scenario: page.settings.scenario, origin: { ...page.origin, image: page.ownImage } };
}

// outsideLesson is the owner of a link that others follow: a lesson would ask them first, and show
// no result.
export function outsideLesson(page: Page, owner: Owner): Owner {
  const { origin } = owner;
  return origin.lesson.name === "" ? owner : { scenario: owner.scenario, origin: { ...origin, shipped: page.catalogue.shipped[0]!, lesson: NO_LESSON } };
}

// writeFragment is the fragment of the page as it is, with the settings or with another owner.
// The cursor is written where it stands; while playing only when asked (withCursor).
export function writeFragment(page: Page, withCursor: boolean, owner?: Owner): string {
  const s = page.settings;
  const { scenario, origin } = owner ?? settingsOf(page);
  const pairs = scenarioPairs(origin.shipped, scenario, origin.lesson);
  for (const pair of pairs) {
    const side = /^([AB])\.module$/.exec(pair[0])?.[1];
    if (side) pair[1] = page.moduleHashes.get(String(groupOf(scenario, `${side}.memory`)["module"])) ?? "";
  }
  if (origin.image && origin.image !== origin.shipped.image) pairs.push(["image", origin.image.name]);
  const first = firstOf(origin.shipped);
  const tab = isEmpty(s.tab, scenario) ? "bursts" : s.tab;
  if (tab !== first.tab) pairs.push(["tab", tab]);
  if (s.side !== first.side) pairs.push(["side", s.side]);
  if (s.picture !== "auto") pairs.push(["picture", s.picture]);
  if (s.map !== "bursts") pairs.push(["map", s.map]);
  if (s.dram !== "banks") pairs.push(["dram", s.dram]);
  if (s.channel !== undefined) pairs.push(["channel", String(s.channel)]);
  if (s.l1 !== "modes") pairs.push(["l1", s.l1]);
  if (s.phase) pairs.push(["phase", `${s.phase.side}.${s.phase.sm}.${s.phase.phase}`]);
  if (s.theme !== "auto") pairs.push(["theme", s.theme]);
  if (withCursor && s.cycle > 0 && !s.placed) pairs.push(["cycle", String(Math.round(s.cycle))]);
  if (s.ownSpeed) pairs.push(["speed", String(Math.round(s.speed))]);
  if (s.addr !== undefined) pairs.push(["addr", hex(s.addr)]);
  if (s.addr !== undefined && s.burst) pairs.push(["burst", `${s.burst.cycle}.${s.burst.req}`]);
  if (s.figuresAtCursor) pairs.push(["figures", "cursor"]);
  if (s.mapRow > 0) pairs.push(["row", String(s.mapRow)]);
  if (s.mapRows > 0) pairs.push(["rows", String(s.mapRows)]);
  if (s.locks.locked.length > 0) pairs.push(["lock", writeLocks(s.locks.locked)]);
  if (s.locks.hidden.length > 0) pairs.push(["hide", writeLocks(s.locks.hidden)]);
  if (s.kernel.open) pairs.push(["kernel", "edit"]);
  if (s.lab.open) {
    pairs.push(["lab", s.lab.set || "none"]);
    for (const key of ["question", "codec", "mag", "threshold"] as const) {
      if (s.lab[key] !== FIRST_LAB[key]) pairs.push([`lab.${key}`, String(s.lab[key])]);
    }
  }
  pairs.push(...writeRepro(s.repro));
  return fragmentOf(pairs);
}
