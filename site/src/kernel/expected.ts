// Compares the outputs of a run with those that the reader expects.

import { count } from "../lib/format";
import { READ, textOf } from "../protocol/elements";
import { elementBytes } from "../protocol/kernel";

// Reals may differ by this part of the expected value: compilers and GPUs round sums in other orders.
const CLOSE = 1e-5;

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
    if (wrong++ === 0) first = `; the first is element ${count(i)}: ${textOf(is)} instead of ${textOf(want)}`;
  }
  return { ok: wrong === 0, words: wrong === 0 ? "is as expected" : `differs from the expected output in ${count(wrong)} of ${count(n)} elements${first}` };
}
