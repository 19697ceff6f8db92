// Numbers as people read them: grouped digits, units always, narrow spaces.

const THIN = "\u202f";
const MINUS = "\u2212";

// Invisible characters that change how the text around them reads: control
// characters, and those that set the direction of text.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// visible makes a text from outside safe to show, on one line, as core/fault/text.go
// does: titles of the site, names of files, values of links.
export function visible(text: string): string {
  return text.replace(UNSEEN, "\ufffd");
}

// clip is visible, shortened to most characters.
export function clip(text: string, most: number): string {
  return visible(text.length > most ? `${text.slice(0, most)}…` : text);
}

// count groups digits by threes. The browser's own formatter takes tens of milliseconds
// when it is first used, in the middle of the first paint.
export function count(n: number): string {
  if (n >= 1e15) return n.toExponential(2);
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

// significant writes n with about three digits.
export function significant(n: number, digits = 3): string {
  if (n === 0) return "0";
  const a = Math.abs(n);
  const s =
    a >= 10 ** digits || a < 1e-4
      ? a < 1e-4
        ? a.toExponential(1).replace("e-", "e\u2212")
        : count(a)
      : String(Number(a.toPrecision(digits)));
  return n < 0 ? MINUS + s : s;
}

// digits4 writes n with four digits, trailing zeros too, for columns to compare.
export function digits4(n: number): string {
  const a = Math.abs(n);
  return a >= 1e-3 && a < 1e4 ? `${n < 0 ? MINUS : ""}${a.toPrecision(4)}` : significant(n, 4);
}

// inUnits writes n in the first of the units that it reaches, of which the largest comes first; "" if it reaches none.
function inUnits(n: number, units: Record<string, number>): string {
  const unit = Object.keys(units).find((name) => n >= units[name]!);
  return unit === undefined ? "" : `${fixed3(n / units[unit]!)}${THIN}${unit}`;
}

export function bytes(n: number): string {
  return inUnits(n, { GB: 1e9, MB: 1e6, kB: 1e3 }) || `${count(n)}${THIN}B`;
}

// aboveLimit writes a size and the limit that it is above, in full where both would read alike.
export function aboveLimit(n: number, limit: number): [string, string] {
  const write = bytes(n) === bytes(limit) ? (x: number): string => `${count(x)}${THIN}B` : bytes;
  return [write(n), write(limit)];
}

export function joules(n: number): string {
  const small = n === 0 ? "0" : `${count(n * 1e15)}${THIN}fJ`;
  return inUnits(n, { J: 1, mJ: 1e-3, "µJ": 1e-6, nJ: 1e-9, pJ: 1e-12 }) || small;
}

export function seconds(n: number): string {
  return inUnits(n, { s: 1, ms: 1e-3 }) || `${fixed3(n * 1e6)}${THIN}µs`;
}

// short writes a count for a narrow place: 2.1 M.
export function short(n: number): string {
  return inUnits(n, { G: 1e9, M: 1e6, k: 1e3 }) || count(n);
}

function fixed3(n: number): string {
  return n >= 99.95 ? n.toFixed(0) : n >= 9.995 ? n.toFixed(1) : n.toFixed(2);
}

export function ratio(n: number): string {
  return n.toFixed(2);
}

// percent writes a share; small shares keep two significant digits, as long as they fit a column.
export function percent(share: number): string {
  const p = Math.abs(share * 100);
  const s = p === 0 ? "0" : p >= 9.95 ? count(p) : p >= 0.095 ? p.toFixed(1) : p < 1e-4 ? "<0.0001" : significant(p, 2);
  return `${share < 0 && p !== 0 ? MINUS : ""}${s}${THIN}%`;
}

// share writes a percentage with one decimal, for columns that line up.
export function share(x: number): string {
  return `${(x * 100).toFixed(x >= 0.9995 ? 0 : 1)}${THIN}%`;
}

// SAME is the relative difference below which two values are shown as equal (core/metric, Same).
export const SAME = 0.0005;

// change writes b against a as a signed percentage.
export function change(a: number, b: number): string {
  if (a === 0) return b === 0 ? "=" : "";
  const d = b / a - 1;
  if (Math.abs(d) < SAME) return "=";
  const p = percent(d);
  return d > 0 ? `+${p}` : p;
}

export function hex(addr: number): string {
  return `0x${addr.toString(16).padStart(8, "0")}`;
}

// measure writes the name of an error measure as people do.
export function measure(name: string | undefined): string {
  if (name === undefined || name === "none") return "";
  return name === "mre" || name === "nrmse" ? name.toUpperCase() : name.replace(/-/g, " ");
}

// sentence makes one of a fragment: capital first, a full stop last.
export function sentence(s: string): string {
  return s === "" ? "" : `${s[0]!.toUpperCase()}${s.slice(1)}${/[.!?:;,]$/.test(s) ? "" : "."}`;
}

// parseAddress reads 0x.. or decimal; undefined when it is neither.
export function parseAddress(s: string): number | undefined {
  const t = s.trim().replace(/_/g, "");
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(t)) return undefined;
  const n = Number(t);
  return Number.isSafeInteger(n) ? n : undefined;
}

// duration of what is still to come, which is never nothing.
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
