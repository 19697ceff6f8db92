// The lists of what the engine knows (core/catalog): GPUs, programs, codecs and metrics.
// The engine sends them when it is ready; firsttables.ts has those for the time before.
// Every script of a document reads the same lists.

export interface PresetInfo {
  name: string;
  title: string;
  sms?: number;
  channels?: number;
}

export interface WorkloadInfo {
  name: string;
  title: string;
  doc?: string;
  sizes?: number[];
  defaultSize?: number;
  sizeLabel?: string;
  dataModes?: string[];
  image?: boolean;
  metric?: string;
}

// CodecInfo is a row of the table of codecs (core/codec/codecs).
export interface CodecInfo {
  name: string;
  title: string;
  reading?: boolean; // another reading of a paper
  over?: string; // the codec whose code a lossy one shortens
  trained?: boolean; // its codes are made from what memory holds
  ways?: boolean; // its decoder can have parallel ways
  source?: string;
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
}

// GroupInfo is one group of a scheme with everything that it can be.
export interface GroupInfo {
  group: string;
  key: string; // of the setting that names the entry
  title: string;
  about: string;
  settings: SettingInfo[];
  entries: { name: string; title: string; about?: string; settings: SettingInfo[] }[];
}

export interface Tables {
  presets: PresetInfo[];
  workloads: WorkloadInfo[];
  codecs: CodecInfo[];
  metrics: MetricInfo[];
  memory: Pick<SettingInfo, "path" | "words" | "numbers" | "low" | "high">[]; // the settings of the scheme's memory
}

const shared = globalThis as { burstscopeTables?: Tables };

// tables are the lists in force.
export const tables: Tables = (shared.burstscopeTables ??= { presets: [], workloads: [], codecs: [], metrics: [], memory: [] });

// learn takes the lists of the engine.
export function learn(sent: Partial<Tables> & { schemes?: GroupInfo[] }): void {
  const memory = sent.schemes?.find((g) => g.group === "memory")?.settings;
  const all: Partial<Tables> = memory ? { ...sent, memory } : sent;
  for (const key of ["presets", "workloads", "codecs", "metrics", "memory"] as const) {
    if (all[key]?.length) Object.assign(tables, { [key]: all[key] });
  }
}

// memorySetting is what the table says of a setting of the memory.
export function memorySetting(name: string): Tables["memory"][number] | undefined {
  return tables.memory.find((f) => f.path === `memory.${name}`);
}

// codecTitle is what people call a codec.
export function codecTitle(name: string): string {
  return tables.codecs.find((c) => c.name === name)?.title ?? name;
}
