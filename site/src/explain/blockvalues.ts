// The 128 bytes of a block as numbers of one type.

export const VALUE_TYPES = ["u8", "u16", "i32", "u32", "f16", "f32", "f64"] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

export const VALUE_BYTES: Record<ValueType, number> = { u8: 1, u16: 2, i32: 4, u32: 4, f16: 2, f32: 4, f64: 8 };

export function bytesOf(hex: string): Uint8Array {
  const b = new Uint8Array(hex.length / 2);
  for (let i = 0; i < b.length; i++) b[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return b;
}

// valuesOf reads little-endian numbers.
export function valuesOf(bytes: Uint8Array, type: ValueType): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read: Record<ValueType, (at: number) => number> = {
    u8: (at) => view.getUint8(at),
    u16: (at) => view.getUint16(at, true),
    i32: (at) => view.getInt32(at, true),
    u32: (at) => view.getUint32(at, true),
    f16: (at) => half(view.getUint16(at, true)),
    f32: (at) => view.getFloat32(at, true),
    f64: (at) => view.getFloat64(at, true),
  };
  const size = VALUE_BYTES[type];
  return Array.from({ length: bytes.length / size }, (_, i) => read[type](i * size));
}

// half is an IEEE 754 binary16 number.
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// likelyType guesses what a block holds: floats if at least half of the words that
// are not zero have a usual exponent (2^-40 to 2^40) and few different ones, bytes if
// most words need their highest byte, else integers.
export function likelyType(bytes: Uint8Array): ValueType {
  const words = valuesOf(bytes, "u32").filter((w) => w !== 0);
  const usual = words.filter((w) => Math.abs(((w >>> 23) & 255) - 127) <= 40).length;
  if (words.length === 0) return "i32";
  const top = words.filter((w) => w >>> 24 !== 0 && w >>> 24 !== 255).length;
  const spread = new Set(words.map((w) => w >>> 23)).size;
  if (2 * usual >= words.length && spread <= 24) return "f32";
  return 4 * top >= 3 * words.length ? "u8" : "i32";
}

// valueText writes a number in at most about nine characters.
export function valueText(v: number, type: ValueType): string {
  const minus = (s: string): string => s.replace(/-/g, "\u2212");
  if (!type.startsWith("f") || Number.isInteger(v)) {
    const s = String(v);
    if (s.length <= 11) return minus(Object.is(v, -0) ? "-0" : s);
  }
  if (!Number.isFinite(v)) return minus(Number.isNaN(v) ? "NaN" : v > 0 ? "∞" : "-∞");
  const s = String(Number(v.toPrecision(6)));
  return minus(s.length <= 9 ? s : v.toExponential(3));
}

// Difference sums up how far got lies from exact.
export interface Difference {
  changed: number;
  of: number;
  worst: number; // index of the largest absolute error
  largest: number;
  relative: number; // mean over all values of |exact − got| ÷ |exact|
}

export function difference(exact: number[], got: number[]): Difference {
  const d: Difference = { changed: 0, of: exact.length, worst: 0, largest: 0, relative: 0 };
  exact.forEach((x, i) => {
    const y = got[i]!;
    if (Object.is(x, y)) return;
    d.changed++;
    const error = Math.abs(x - y);
    // The error of values that cannot be subtracted is infinite.
    const far = Number.isNaN(error) ? Infinity : error;
    if (far > d.largest || d.changed === 1) {
      d.largest = far;
      d.worst = i;
    }
    const share = x === 0 ? (y === 0 ? 0 : 1) : far / Math.abs(x);
    d.relative += Number.isFinite(share) ? share / exact.length : 1 / exact.length;
  });
  return d;
}
