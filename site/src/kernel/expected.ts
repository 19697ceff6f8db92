// Compares the outputs of a run with those that the reader expects.

import { count, significant } from "../lib/format";
import { elementBytes } from "../protocol/kernel";

// Reals may differ by this part of the expected value: compilers and GPUs round sums in other orders.
const CLOSE = 1e-5;

const READ: Record<string, (v: DataView, at: number) => number | bigint> = {
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
};

// compared says in words how an output differs from the expected one. ok is true if it does not.
export function compared(element: string, expected: Uint8Array, got: Uint8Array): { ok: boolean; words: string } {
  const bytes = elementBytes(element);
  const n = Math.floor(got.length / bytes);
  if (expected.length !== got.length) return { ok: false, words: `has ${count(n)} elements, ${count(Math.floor(expected.length / bytes))} are expected` };
  const read = READ[element] ?? READ["u8"]!;
  const [a, b] = [expected, got].map((x) => new DataView(x.buffer, x.byteOffset, x.byteLength)) as [DataView, DataView];
  const real = element.startsWith("f");
  let wrong = 0;
  let first = "";
  for (let i = 0; i < n; i++) {
    const [want, is] = [read(a, i * bytes), read(b, i * bytes)];
    const same = Object.is(want, is) || want === is || (real && Math.abs(Number(is) - Number(want)) <= CLOSE * Math.abs(Number(want)));
    if (same) continue;
    if (wrong++ === 0) first = `; the first is element ${count(i)}: ${words(is)} instead of ${words(want)}`;
  }
  return { ok: wrong === 0, words: wrong === 0 ? "is as expected" : `differs from the expected output in ${count(wrong)} of ${count(n)} elements${first}` };
}

function words(x: number | bigint): string {
  return typeof x === "bigint" || Number.isInteger(x) ? String(x) : significant(x);
}
