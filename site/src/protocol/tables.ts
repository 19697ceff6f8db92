// The lists of what the engine knows (core/catalog): GPUs, programs, codecs and metrics.
// firsttables.ts has those that a page needs from the beginning; the engine sends the rest when it is ready.
// Every script of a document reads the same lists.

export interface PresetInfo {
  name: string;
  title: string;
}

export interface WorkloadInfo {
  name: string;
  title: string;
  sizes?: number[];
  defaultSize?: number;
  dataModes?: string[];
  image?: boolean;
}

// CodecInfo is a row of the table of codecs (core/codec/codecs).
export interface CodecInfo {
  name: string;
  title: string;
  reading?: boolean; // another reading of a paper
  over?: string; // the codec whose code a lossy one shortens
  trained?: boolean; // its codes are made from what memory holds
  ways?: boolean; // its decoder can have parallel ways
}

// MetricInfo is a row of the table of metrics (core/metric).
export interface MetricInfo {
  name: string;
  title: string;
  unit: string;
  formula: string;
  about: string;
  source: string;
  format: string; // a kind in braces, and words around it
  better?: "lower" | "higher";
  compare?: "speedup" | "change" | "mag" | "measure";
  also?: string[];
  row?: string;
  term?: string;
  poster?: boolean;
  under?: string; // the metric that this one measures in another way
}

// SettingInfo is one value of a scheme, as core/scheme describes it.
export interface SettingInfo {
  path: string;
  title: string;
  unit?: string;
  about: string;
  words?: string[];
  numbers?: number[];
  low?: number;
  high?: number;
  default: string | number;
  optional?: boolean; // a scenario may lack it
  binary?: boolean; // bytes in base64, which have no control
  pattern?: string; // of a text, and how to write it
  mend?: string;
  label?: string; // tells two schemes apart, with {} for the value
  without?: string; // the same without a value
  offer?: string[]; // values that a sweep begins with
  needs?: { path: string; is?: string[]; not?: string[] }[]; // without all of them it has no effect
}

export interface EntryInfo {
  name: string;
  title: string;
  about?: string;
  place?: string; // where it works: "in L1"
  settings: SettingInfo[];
}

// GroupInfo is one group of a scheme with everything that it can be.
export interface GroupInfo {
  group: string;
  key: string; // of the setting that names the entry
  title: string;
  about: string;
  settings: SettingInfo[]; // of every entry: a scenario has the group in full then
  entries: EntryInfo[];
}

export interface Tables {
  presets: PresetInfo[];
  workloads: WorkloadInfo[];
  codecs: CodecInfo[];
  metrics: MetricInfo[];
  schemes: GroupInfo[]; // at first only the groups that every scenario has
}

const shared = globalThis as { burstscopeTables?: Tables };

// tables are the lists in force.
export const tables: Tables = (shared.burstscopeTables ??= {
  presets: [],
  workloads: [],
  codecs: [],
  metrics: [],
  schemes: [],
});

// learn takes the lists of the engine.
export function learn(sent: Partial<Tables>): void {
  for (const key of ["presets", "workloads", "codecs", "metrics", "schemes"] as const) {
    if (sent[key]?.length) Object.assign(tables, { [key]: sent[key] });
  }
  // The entries of the memory are the codecs. The engine's list lacks the codec of a reader's own.
  for (const g of tables.schemes.filter(isWhole)) {
    const listed = new Map((g.entries ?? []).map((e) => [e.name, e]));
    const names = [{ name: "none", title: "none" }, ...tables.codecs.filter((c) => !c.over)];
    g.entries = names.map(({ name, title }) => listed.get(name) ?? { name, title, settings: [] });
  }
}

// isWhole tells whether every scenario has the group, with all of its settings.
export function isWhole(g: GroupInfo): boolean {
  return g.settings.length > 0;
}

// codecTitle is what people call a codec.
export function codecTitle(name: string): string {
  return tables.codecs.find((c) => c.name === name)?.title ?? name;
}
