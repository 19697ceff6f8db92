// Which loads of a program are approximate on a side, from the settings and the text of the program; and what a
// toggle makes of the setting loads.which (core/ptx/approximate/selection.go reads it).

import type { PredictedLoad, Result, Source } from "../protocol/protocol";
import { schemeOf, type Full } from "../protocol/scenario";
import type { Side } from "../protocol/side";

// Load is a load from global memory in the text of a program.
export interface Load {
  kernel: string;
  line: number; // of the PTX
  fileLine: number; // of the source that the PTX was made from; 0 if it is not known
  marked: boolean; // stands behind .pragma "approximate"
}

const ELSEWHERE = /\.(param|shared|const|local)\b/;

// placesIn are the lines of the source that the lines of the PTX were made from, by .loc; 0 where it is not known.
export function placesIn(source: Source | undefined): number[] {
  const ptx = source?.files.find((f) => f.language === "ptx");
  const cuda = source?.files.find((f) => f.language === "cuda");
  if (!ptx) return [];
  const names = new Map([...ptx.text.matchAll(/^\s*\.file\s+(\d+)\s+"([^"]*)"/gm)].map((m) => [m[1], m[2]!.replace(/^.*\//, "")]));
  let at = 0;
  return ptx.text.split("\n").map((text) => {
    const loc = /^\s*\.loc\s+(\d+)\s+(\d+)/.exec(text);
    if (loc) at = names.get(loc[1]) === cuda?.name ? Number(loc[2]) : 0;
    if (/^\s*}/.test(text)) at = 0; // the end of a kernel
    return at;
  });
}

// loadsIn lists the loads of the PTX, which is the first file of a source.
export function loadsIn(source: Source | undefined): Load[] {
  const ptx = source?.files.find((f) => f.language === "ptx");
  if (!source || !ptx) return [];
  const places = placesIn(source);
  const kernelOf = new Map<number, string>();
  for (const k of source.kernels ?? []) for (const line of k.lines) kernelOf.set(line, k.name);
  const loads: Load[] = [];
  let pragma = false;
  ptx.text.split("\n").forEach((text, i) => {
    const marked = pragma || /\.pragma\s+"approximate"/.test(text);
    const word = /(?:^|[\s;{])(ld\.[\w.:]+)/.exec(text)?.[1];
    const kernel = kernelOf.get(i + 1);
    pragma = marked && word === undefined && text.trim() !== "" && (pragma ? !text.includes(";") : true);
    if (word && kernel && !ELSEWHERE.test(word)) loads.push({ kernel, line: i + 1, fileLine: places[i]!, marked });
  });
  return loads;
}

// predicts tells whether a side predicts the values of loads.
export function predicts(s: Full, side: Side): boolean {
  return String(schemeOf(s, side)["loads"]?.["policy"]).startsWith("rfvp");
}

const keyOf = (l: { kernel: string; line: number }): string => `${l.kernel}:${l.line}`;

// chosen are the approximate loads of a side, as kernel:line. A selection of lines names them itself, and the
// marked loads stand in the text. Other selections follow from addresses, which only a run knows.
export function chosen(s: Full, side: Side, loads: readonly Load[], ran: { scenario: Full; result: Result | undefined }): Set<string> | undefined {
  if (!predicts(s, side)) return new Set();
  const which = String(schemeOf(s, side)["loads"]?.["which"] ?? "");
  const marked = loads.filter((l) => l.marked);
  if (which === "marked" || (which === "" && marked.length > 0)) return new Set(marked.map(keyOf));
  const items = which.split(";").map((item) => /^\s*([^:*]+):([\d,]+)\s*$/.exec(item));
  if (items.every((m) => m !== null)) return new Set(items.flatMap((m) => m[2]!.split(",").map((line) => `${m[1]!}:${line}`)));
  const same = which === String(schemeOf(ran.scenario, side)["loads"]?.["which"] ?? "") && ran.scenario.workload.name === s.workload.name;
  const told = same ? ran.result?.predicted?.loads : undefined;
  return told && new Set(told.map(keyOf));
}

// withToggled is loads.which after some loads are all added, or all left out if each of them was chosen; "" if no
// load is left.
export function withToggled(now: ReadonlySet<string>, toggled: readonly Load[]): string {
  const next = new Set(now);
  const drop = toggled.every((l) => next.has(keyOf(l)));
  for (const l of toggled) if (drop) next.delete(keyOf(l)); else next.add(keyOf(l));
  const lines = new Map<string, number[]>();
  for (const key of next) {
    const cut = key.lastIndexOf(":");
    const kernel = key.slice(0, cut);
    lines.set(kernel, [...(lines.get(kernel) ?? []), Number(key.slice(cut + 1))]);
  }
  return [...lines].map(([kernel, list]) => `${kernel}:${list.sort((a, b) => a - b).join(",")}`).join(";");
}

// stateOf says whether all, some or none of the loads are chosen.
export function stateOf(now: ReadonlySet<string>, loads: readonly Load[]): "true" | "false" | "mixed" {
  const n = loads.filter((l) => now.has(keyOf(l))).length;
  return n === 0 ? "false" : n === loads.length ? "true" : "mixed";
}

// Row is a load of the table beside the source.
export interface Row {
  load: PredictedLoad;
  dropped: number; // misses that were not fetched
  accuracy: number; // exact values of the predicted ones
  share: number; // predicted values of all that the load gave to lanes; NaN if that is not known
  exact: number; // values that no wrong prediction gave at the load's own misses; NaN if that is not known
}

// rowsOf are the loads of a result. loaded is how many values a line of the PTX loaded.
export function rowsOf(result: Result, loaded: (line: number) => number | undefined): Row[] {
  const sent = result.loads?.requests === "sent";
  return (result.predicted?.loads ?? []).map((load) => {
    const all = loaded(load.line) ?? NaN;
    return {
      load,
      dropped: sent ? 0 : load.dropped,
      accuracy: load.exact / load.lanes,
      share: load.lanes / all,
      exact: 1 - (load.lanes - load.exact) / all,
    };
  });
}
