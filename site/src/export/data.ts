// Results and scenario as files.

import { csvOf } from "../lib/files";
import { metrics, type Given } from "../state/metrics";
import { pack, type Packable } from "../lib/msgpack";
import { SIDES, type PerSide } from "../protocol/protocol";
import { given } from "../results/results";
import { base64, type OwnProgram } from "../protocol/kernel";
import type { Full, Scenario } from "../protocol/scenario";
import { stampLines, type Stamp } from "../links/stamp";
import type { Page } from "../state/page";

// resultsCSV has a row for each figure and each counter, of both sides.
export function resultsCSV(page: Page, stamp: Stamp): string {
  const both = given(page);
  const rows: unknown[][] = [];
  for (const m of metrics().values()) {
    const [a, b] = SIDES.map((s) => both[s] && m.value(both[s]));
    if (a === undefined && b === undefined) continue;
    rows.push(["figure", m.key, m.title, a, b, ratioOf(a, b), m.formula]);
  }
  for (const name of namesOf(both)) {
    const [a, b] = SIDES.map((s) => both[s]?.result.stats?.[name]);
    const info = page.catalogue.counters[name];
    rows.push(["counter", name, info?.unit, a, b, ratioOf(a, b), info?.doc]);
  }
  return csvOf(stampLines(stamp), ["kind", "name", "title or unit", "A", "B", "B to A", "meaning"], rows);
}

function namesOf(both: Partial<PerSide<Given>>): string[] {
  const names = SIDES.flatMap((s) => Object.keys(both[s]?.result.stats ?? {}));
  return [...new Set(names)].sort();
}

function ratioOf(a: number | undefined, b: number | undefined): string {
  return a === undefined || b === undefined || a === 0 ? "" : String(b / a);
}

// resultsJSON holds the result objects as the command line writes them.
export function resultsJSON(page: Page, stamp: Stamp): string {
  const side = (s: "A" | "B") => ({ label: stamp.sides[s].label, ...page.results[s] });
  return `${JSON.stringify({ program: stamp.program, title: stamp.title, link: stamp.link, A: side("A"), B: side("B") }, null, 1)}\n`;
}

const MOST_LINK = 4000; // characters in notes, of which core/scenario accepts 16 KiB

// scenarioFile is the scenario of the results on show. Its notes, which change no result,
// hold the stamp.
function scenarioFile(page: Page, stamp: Stamp): Scenario & { compare: Full["compare"] } {
  const s = structuredClone(page.results.scenario);
  // A link that holds a whole program is left out, for notes are short: the file holds the program.
  const lines = stampLines(stamp.link.length > MOST_LINK ? { ...stamp, link: "" } : stamp);
  const notes = [page.results.origin.shipped.notes, ...lines].filter((x) => x).join("\n");
  return { ...s, title: page.results.origin.shipped.title, notes };
}

export function scenarioJSON(page: Page, stamp: Stamp): string {
  const s = scenarioFile(page, stamp);
  const { image } = page.results.origin;
  const workload = image ? { ...s.workload, image: base64(image.png) } : s.workload;
  return `${JSON.stringify({ ...s, workload }, null, 2)}\n`;
}

export function scenarioPacked(page: Page, stamp: Stamp): Uint8Array<ArrayBuffer> {
  const s = scenarioFile(page, stamp);
  const { image } = page.results.origin;
  const workload = { ...s.workload, ...(image ? { image: image.png } : {}), ...(s.workload.ptx ? { ptx: binary(s.workload.ptx) } : {}) };
  const compare = { ...s.compare, memory: withBytes(s.compare.memory, "module") };
  return pack({ ...s, workload, compare, memory: withBytes(s.memory, "module") } as unknown as Packable);
}

// withBytes turns a value from base64, which JSON needs, into bytes.
function withBytes<T extends object, K extends keyof T>(of: T, name: K): T {
  const text = of[name];
  return typeof text === "string" ? { ...of, [name]: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) } : of;
}

// binary turns the inputs of a program into bytes.
function binary(p: OwnProgram): unknown {
  const data = <T extends { data?: string }>(a: T): T => withBytes(a, "data");
  return { ...p, ...(p.args ? { args: p.args.map(data) } : {}), ...(p.textures ? { textures: p.textures.map(data) } : {}) };
}
