// Reads the contents of a buffer from a file: NumPy's .npy, or the bytes as they are.

import { bytes as amount } from "../lib/format";

const MOST_BYTES = 64 << 20; // of a file

export interface Contents {
  data: Uint8Array;
  element?: string;
}

// TYPES are NumPy's letters for the types that buffers have.
const TYPES: Record<string, string> = { u: "u", i: "s", f: "f" };

export function contentsOf(bytes: Uint8Array): Contents {
  if (String.fromCharCode(...bytes.subarray(0, 6)) !== "\x93NUMPY") return { data: bytes };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = bytes[6]! > 1;
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = wide ? 12 : 10;
  const header = new TextDecoder("latin1").decode(bytes.subarray(start, start + length));
  const [, order, letter, size] = /'descr': *'([<>|=])([a-z])(\d+)'/.exec(header) ?? [];
  if (order === undefined) throw new Error("the header of the .npy file names no plain type; save an array of numbers");
  if (order === ">") throw new Error("the .npy file is big-endian; save it as little-endian");
  const kind = TYPES[letter!];
  if (kind === undefined || (kind === "f" && Number(size) < 4)) throw new Error(`the .npy file has elements of type ${letter}${size}; use integers, f4 or f8`);
  if (/'fortran_order': *True/.test(header)) throw new Error("the .npy file is in Fortran's order; save numpy.ascontiguousarray of it");
  return { data: bytes.subarray(start + length), element: `${kind}${8 * Number(size)}` };
}

export async function readContents(file: File): Promise<Contents> {
  if (file.size > MOST_BYTES) throw new Error(`it has ${amount(file.size)}; a buffer of the page has at most ${amount(MOST_BYTES)}`);
  const found = contentsOf(new Uint8Array(await file.arrayBuffer()));
  if (found.data.length === 0) throw new Error("it is empty; choose a file with contents");
  return found;
}
