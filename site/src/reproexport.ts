// Files that leave the reproduction: each with the version that made it and the
// hashes of what it is from.

import { download, png } from "./labexport";
import type { Claim, CommittedRun, Figure, Ledger } from "./reprodata";

export { png };

export function save(content: string, type: string, name: string): void {
  download(new Blob([content], { type }), name);
}

export function field(x: unknown): string {
  const s = x === undefined || x === null ? "" : String(x);
  // A field that begins with one of these would be taken for a formula by a spreadsheet.
  const safe = /^[=+@\t\r]|^-[^\d.]/.test(s) ? `'${s}` : s;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csvOf(comments: string[], head: string[], rows: unknown[][]): string {
  const lines = comments.map((c) => `# ${c.replace(/[\r\n]+/g, " ")}`);
  return [...lines, head.join(","), ...rows.map((r) => r.map(field).join(","))].join("\n") + "\n";
}

const CLAIM_COLUMNS = ["id", "paper", "tier", "kind", "figure", "statement", "verdict", "measured", "paperValue", "unit", "ratioDeviation", "effectDeviation", "grade"] as const;

function stampOf(x: { version: string; data: string; digest: string }, what: string): string[] {
  return [`Burstscope ${x.version}, ${what}, ${x.data} inputs`, `SHA-256 of the committed results ${x.digest}`];
}

export function saveLedgerCSV(l: Ledger, rows: Claim[], runs: CommittedRun[]): void {
  const list = (x: string[] | undefined, between: string): string => (x ?? []).join(between);
  const csv = csvOf(
    [...stampOf(l, "ledger of claims"), `${rows.length} of ${l.claims.length} rows`],
    [...CLAIM_COLUMNS, "missing", "remarks", "runs", "analysis"],
    rows.map((c) => [...CLAIM_COLUMNS.map((k) => c[k]), list(c.missing, "; "), list(c.remarks, "; "), (c.runs ?? []).map((r) => runs[r]!.key).join(" "), c.analysis]),
  );
  save(csv, "text/csv", `burstscope-claims-${l.data}.csv`);
}

export function saveLedgerJSON(l: Ledger, rows: Claim[], runs: CommittedRun[]): void {
  save(JSON.stringify({ version: l.version, digest: l.digest, data: l.data, claims: rows.map((c) => ({ ...c, runs: c.runs?.map((r) => runs[r]!.key) })) }, null, 1), "application/json", `burstscope-claims-${l.data}.json`);
}

export function figureStamp(f: Figure): string[] {
  return [...stampOf(f, `figure ${f.figure}`), f.title];
}
