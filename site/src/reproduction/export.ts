// Files that leave the reproduction: each with the version that made it and the
// hashes of what it is from.

import { figureFile, type Piece } from "../drawing/figurefile";
import { LIGHT } from "../drawing/plot";
import { csvOf, png, save, type Picture } from "../lib/files";
import { chart, type ChartPanel } from "./chart";
import { sourceOf, type Claim, type CommittedRun, type Figure, type Formula, type Index } from "./data";
import type { Ledger, Noise } from "./data";
import { leaves } from "./links";
import { zeroLines, zerosOf } from "./zeros";

const CLAIM_COLUMNS = ["id", "paper", "tier", "kind", "figure", "statement", "verdict", "measured", "paperValue", "unit", "ratioDeviation", "effectDeviation", "grade"] as const;

const NOISE_COLUMNS = ["low", "high", "nullLow", "nullHigh", "distinguishable"] as const;

function noiseCells({ noise: n }: Claim): (number | string | undefined)[] {
  if (!n) return NOISE_COLUMNS.map(() => undefined);
  return [n.own.low, n.own.high, n.null.low, n.null.high, n.distinguishable ? "yes" : "no"];
}

function stampOf(x: { machine: string; data: string; digest: string }, version: string, what: string): string[] {
  return [`Burstscope ${version}, ${what}, ${x.machine}, ${x.data} inputs`, `SHA-256 of the committed results ${x.digest}`];
}

export function saveLedgerCSV(l: Ledger, rows: Claim[], runs: CommittedRun[], link: string): void {
  const list = (x: string[] | undefined, between: string): string => (x ?? []).join(between);
  const csv = csvOf(
    [...l.sources.flatMap((s) => stampOf(s, l.version, `claims of ${s.papers.join(" and ")}`)), `${rows.length} of ${l.claims.length} rows`, link],
    [...CLAIM_COLUMNS, "machine", "data", "missing", "remarks", "runs", "analysis", ...NOISE_COLUMNS],
    rows.map((c) => {
      const source = sourceOf(l, c.paper);
      return [...CLAIM_COLUMNS.map((k) => c[k]), source?.machine, source?.data, list(c.missing, "; "), list(c.remarks, "; "), (c.runs ?? []).map((r) => runs[r]!.key).join(" "), c.analysis, ...noiseCells(c)];
    }),
  );
  save(csv, `burstscope-claims-${l.set}.csv`);
}

export function saveLedgerJSON(l: Ledger, rows: Claim[], runs: CommittedRun[], link: string): void {
  const keys = (places: number[] | undefined): string[] | undefined => places?.map((r) => runs[r]!.key);
  const noise = (n: Noise | undefined): object | undefined => n && { ...n, runs: keys(n.runs) };
  const named = (c: Claim): object => ({
    ...c,
    runs: keys(c.runs),
    noise: noise(c.noise),
    asRun: c.asRun && { ...c.asRun, runs: keys(c.asRun.runs), noise: noise(c.asRun.noise) },
    readings: c.readings?.map((r) => ({ ...r, runs: keys(r.runs) })),
  });
  save(JSON.stringify({ version: l.version, link, sources: l.sources, claims: rows.map(named) }, null, 1), `burstscope-claims-${l.set}.json`);
}

export function figureStamp(f: Figure, link: string): string[] {
  return [...stampOf(f, f.version, `figure ${f.figure}`), f.title, link];
}

type ComputedHere = (f: Formula | null) => { value: number; here: string | undefined } | undefined;

export function saveFigureCSV(f: Figure, index: Index, computed: ComputedHere, link: string): void {
  const rows = f.panels.flatMap((p) =>
    p.series.flatMap((s) =>
      p.categories.map((c, k) => {
        const formula = s.formulas[k] ?? null;
        const here = computed(formula);
        const zeros = zerosOf(s, k);
        const spread = s.spreads?.[k];
        const runs = formula ? leaves(formula).map((leaf) => index.runs[f.runs[leaf.run]!]!) : [];
        return [f.figure, f.data, p.title, p.unit, s.label, c, s.values[k], s.paper[k], zeros?.zeros, zeros?.of, zeros?.without, spread?.low, spread?.high, spread?.mean, here?.value, here && (here.here ?? "no committed result"), runs.map((r) => r.key).join(" "), runs.map((r) => r.result ?? "-").join(" ")];
      }),
    ),
  );
  const head = ["figure", "data", "panel", "unit", "series", "category", "value", "paper", "zeros", "of", "withoutZeros", "low", "high", "mean", "computedHere", "bits", "scenarios", "results"];
  save(csvOf(figureStamp(f, link), head, rows), `burstscope-${f.figure}-${f.data}.csv`);
}

export function saveFigureJSON(f: Figure, index: Index, computed: ComputedHere, link: string): void {
  const runs = f.runs.map((r) => index.runs[r]!);
  const panels = f.panels.map((p) => ({
    ...p,
    series: p.series.map((s) => ({ ...s, computedHere: s.formulas.map((x) => computed(x) ?? null) })),
  }));
  save(JSON.stringify({ ...f, link, runs, panels }, null, 1), `burstscope-${f.figure}-${f.data}.json`);
}

const FILE_WIDTH = 960;

// fileOf is charts as a file: light, whatever the page is. drawn is a picture that is there already.
export function fileOf(title: string, stamp: string[], panels: ChartPanel[], drawn?: SVGSVGElement): Picture {
  const sized = (content: SVGSVGElement): Piece =>
    ({ content, width: Number(content.getAttribute("width")), height: Number(content.getAttribute("height")) });
  const pieces = panels.map((p, i): Piece => ({
    ...sized(chart(p, { width: FILE_WIDTH, palette: LIGHT, id: `file${i}` })),
    title: `${p.title} (${p.unit === "x" ? "ratio" : p.unit})`, below: zeroLines(p),
  }));
  if (drawn) pieces.push(sized(drawn));
  return figureFile(title, pieces, stamp.filter((s) => !s.includes("#v=")), stamp, LIGHT);
}

function pictureOf(f: Figure, link: string): Picture {
  return fileOf(`${f.figure}: ${f.title}`, [`Black ticks: the paper's values. ${f.notes ?? ""}`.trim(), ...figureStamp(f, link)], f.panels);
}

export function saveFigureSVG(f: Figure, link: string): void {
  save(pictureOf(f, link).svg, `burstscope-${f.figure}-${f.data}.svg`);
}

export async function saveFigurePNG(f: Figure, link: string): Promise<void> {
  save(await png(pictureOf(f, link), figureStamp(f, link)), `burstscope-${f.figure}-${f.data}.png`);
}
