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
}

export interface Tables {
  presets: PresetInfo[];
  workloads: WorkloadInfo[];
  codecs: CodecInfo[];
  metrics: MetricInfo[];
}

const shared = globalThis as { burstscopeTables?: Tables };

// tables are the lists in force.
export const tables: Tables = (shared.burstscopeTables ??= { presets: [], workloads: [], codecs: [], metrics: [] });

// learn takes the lists of the engine.
export function learn(sent: Partial<Tables>): void {
  for (const key of ["presets", "workloads", "codecs", "metrics"] as const) {
    if (sent[key]?.length) Object.assign(tables, { [key]: sent[key] });
  }
}

// codecTitle is what people call a codec.
export function codecTitle(name: string): string {
  return tables.codecs.find((c) => c.name === name)?.title ?? name;
}
