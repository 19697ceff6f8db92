// What the values of an output say: how far a side is from the exact run, and where most.

import { textOf, valuesOf, type Elements } from "../protocol/elements";
import { count } from "../lib/format";

// Errors compares a side with the exact output, element by element.
export interface Errors {
  each: Float64Array; // distances; infinite where one value is no number
  wrong: number; // a zero of another sign too, whose distance is 0
  worst: number; // the first with the largest distance, -1 if there is none
}

// Decoded are the values of an output of a side.
export interface Decoded {
  of: Elements;
  exact: Float64Array;
  got: Float64Array;
  errors: Errors;
}

export function decoded(of: Elements): Decoded | undefined {
  if (!of.element || !of.exact || !of.got) return undefined;
  const [exact, got] = [valuesOf(of.element, of.exact), valuesOf(of.element, of.got)];
  return { of, exact, got, errors: errorsOf(exact, got) };
}

export function errorsOf(exact: Float64Array, got: Float64Array): Errors {
  const each = new Float64Array(exact.length);
  let [wrong, worst] = [0, -1];
  for (let i = 0; i < each.length; i++) {
    const [x, y] = [exact[i]!, got[i]!];
    if (Object.is(x, y)) continue;
    const d = Math.abs(x - y);
    each[i] = Number.isNaN(d) ? Infinity : d;
    wrong++;
    if (worst < 0 || each[i]! > each[worst]!) worst = i;
  }
  return { each, wrong, worst };
}

// rangeOf is that of the finite values.
export function rangeOf(x: Float64Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of x) {
    if (!Number.isFinite(v)) continue;
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return low > high ? [0, 0] : [low, high];
}

// columnsOf is how many elements a row of an output shows that says nothing about its shape: a square if it is one, a
// power of two else.
export function columnsOf(elements: number, image = 0): number {
  if (image > 0) return image;
  const side = Math.round(Math.sqrt(elements));
  return side * side === elements ? Math.max(1, side) : 2 ** Math.round(Math.log2(Math.max(1, elements)) / 2);
}

// Bin is a bar of the histogram of errors: how many elements of each side have an error in it.
export interface Bin {
  title: string;
  counts: number[];
}

// binsOf counts errors by powers of ten; the exact elements come first.
export function binsOf(sides: readonly Errors[]): Bin[] {
  const place = (e: number): number => (Number.isFinite(e) ? Math.floor(Math.log10(e)) : Infinity);
  const counted = sides.map(({ each }) => {
    const by = new Map<number, number>();
    for (const e of each) if (e !== 0) by.set(place(e), (by.get(place(e)) ?? 0) + 1);
    return by;
  });
  const places = [...new Set(counted.flatMap((by) => [...by.keys()]))].sort((a, b) => a - b);
  const power = (p: number): string => (p >= -3 && p <= 6 ? textOf(10 ** p) : `1e${textOf(p)}`);
  const signs = sides.map((s, i) => s.wrong - [...counted[i]!.values()].reduce((sum, n) => sum + n, 0));
  return [
    { title: "exact", counts: sides.map((s) => s.each.length - s.wrong) },
    ...(signs.some((n) => n > 0) ? [{ title: "a zero of another sign", counts: signs }] : []),
    ...places.map((p) => ({
      title: p === Infinity ? "no number" : `${power(p)} to ${power(p + 1)}`,
      counts: counted.map((by) => by.get(p) ?? 0),
    })),
  ];
}

// Types of NumPy. What it has no type for is saved as whole numbers of the same bits.
const NPY: Record<string, string> = {
  u8: "|u1", s8: "|i1", u16: "<u2", s16: "<i2", u32: "<u4", s32: "<i4", u64: "<u8", s64: "<i8",
  f16: "<f2", f32: "<f4", f64: "<f8", bf16: "<u2", e4m3: "|u1",
};

// npyOf is a file of NumPy (numpy.lib.format, version 1.0).
export function npyOf(element: string, shape: number[], data: Uint8Array): Uint8Array<ArrayBuffer> {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const dictionary = `{'descr': '${NPY[element]}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const before = 10; // magic string, version and length
  const room = Math.ceil((before + dictionary.length + 1) / 64) * 64;
  const file = new Uint8Array(room + data.length).fill(0x20, before, room);
  file.set([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, (room - before) & 255, (room - before) >> 8]);
  file.set(new TextEncoder().encode(dictionary), before);
  file[room - 1] = 0x0a;
  file.set(data, room);
  return file;
}

// namedBits tells what a file holds whose type NumPy does not have.
export function namedBits(element: string): string {
  return element === "bf16" || element === "e4m3" ? `-${element}-bits` : "";
}

// wordsOf says how a side compares.
export function wordsOf({ errors, exact }: Decoded): string {
  if (errors.wrong === 0) return "every element is exact";
  return `${count(errors.wrong)} of ${count(exact.length)} elements differ`;
}
