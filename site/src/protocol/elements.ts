// The elements of an output, exact and as a side made them, and how their bytes are read.

import type { Side } from "./side";

export interface Elements {
  type: "elements";
  id: number;
  side: Side;
  name: string; // of the output
  what: string; // why there are none; "" if there are
  element?: string;
  address?: number; // of the first, in device memory
  columns?: number; // of an image; 0 if it is none
  exact?: Uint8Array;
  got?: Uint8Array;
}

type Read = (v: DataView, at: number) => number | bigint;

// small reads floating-point numbers of a few bits with a bias of half their exponents (IEEE 754; OCP FP8, section 5).
function small(bits: number, exponentBits: number, mantissaBits: number, infinities: boolean): number {
  const sign = bits >> (exponentBits + mantissaBits) & 1 ? -1 : 1;
  const most = (1 << exponentBits) - 1;
  const e = bits >> mantissaBits & most;
  const m = bits & ((1 << mantissaBits) - 1);
  if (infinities && e === most) return m === 0 ? sign * Infinity : NaN;
  if (!infinities && e === most && m === (1 << mantissaBits) - 1) return NaN;
  const least = 1 - (most >> 1);
  return sign * (e === 0 ? m : m + (1 << mantissaBits)) * 2 ** (Math.max(e, 1) - 1 + least - mantissaBits);
}

const word = new DataView(new ArrayBuffer(4));

// READ has the types of core/workload/program.go.
export const READ: Record<string, Read> = {
  u8: (v, at) => v.getUint8(at),
  s8: (v, at) => v.getInt8(at),
  u16: (v, at) => v.getUint16(at, true),
  s16: (v, at) => v.getInt16(at, true),
  u32: (v, at) => v.getUint32(at, true),
  s32: (v, at) => v.getInt32(at, true),
  u64: (v, at) => v.getBigUint64(at, true),
  s64: (v, at) => v.getBigInt64(at, true),
  f32: (v, at) => v.getFloat32(at, true),
  f64: (v, at) => v.getFloat64(at, true),
  f16: (v, at) => small(v.getUint16(at, true), 5, 10, true),
  bf16: (v, at) => {
    word.setUint32(0, v.getUint16(at, true) << 16);
    return word.getFloat32(0);
  },
  e4m3: (v, at) => small(v.getUint8(at), 4, 3, false),
};

const BYTES: Record<string, number> = { bf16: 2, e4m3: 1 };

// bytesOf is the size of an element.
export const bytesOf = (element: string): number => BYTES[element] ?? Number(element.slice(1)) / 8;

// valuesOf reads all elements.
export function valuesOf(element: string, bytes: Uint8Array): Float64Array {
  const [read, size] = [READ[element]!, bytesOf(element)];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => Number(read(view, i * size)));
}

// textOf writes a value with as many digits as a real of 32 bits has.
export function textOf(x: number | bigint): string {
  if (typeof x === "bigint" || Number.isInteger(x)) return String(x).replace("-", "\u2212");
  return String(Number(x.toPrecision(7))).replace(/-/g, "\u2212");
}
