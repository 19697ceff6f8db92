// Restores a program that tools/wasmlink/pack packed, while it is loaded. A program
// that is not packed passes through.

import { CodeUnpacker } from "./unpackcode";
import { Reader } from "./unpackreader";

const headerBytes = 8;
const name = "packed";

const enum Kind {
  Plain,
  Symbols,
  Code,
  Words,
}

// unpacked is the module in bytes that hold it packed.
export function unpacked(program: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let held = new Uint8Array(0);
  let filled = 0; // bytes of held
  let code: CodeUnpacker | undefined;
  let started = false;
  let plain = false; // the program is not packed

  // section restores the first section of held from byte at on, and returns what follows it,
  // or undefined if it is not all there.
  const section = (at: number, out: (b: Uint8Array) => void): number | undefined => {
    const size = lengthAt(held.subarray(0, filled), at + 1);
    if (!size || size.end + size.value > filled) return undefined;
    const end = size.end + size.value;
    const r = new Reader(held, size.end + 1 + name.length, end);
    switch (r.byte() as Kind) {
      case Kind.Plain:
        out(r.bytes(end - r.at).slice());
        break;
      case Kind.Symbols:
        code = new CodeUnpacker(r);
        break;
      case Kind.Code:
        out(code!.functions(r));
        break;
      case Kind.Words:
        out(words(r));
        break;
      default:
        throw new Error("the program is packed by another build");
    }
    return end;
  };

  return program.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (plain) {
          controller.enqueue(chunk);
          return;
        }
        // A section comes in many chunks, and memory that is new costs more than the copy.
        if (filled + chunk.length > held.length) {
          const more = new Uint8Array(Math.max(2 * held.length, filled + chunk.length));
          more.set(held.subarray(0, filled));
          held = more;
        }
        held.set(chunk, filled);
        filled += chunk.length;
        let at = 0;
        if (!started) {
          if (filled < headerBytes + 16) return;
          started = true;
          if (!isPacked(held)) {
            plain = true;
            controller.enqueue(held.slice(0, filled));
            return;
          }
          controller.enqueue(held.slice(0, headerBytes));
          at = headerBytes;
        }
        for (let next; at < filled && (next = section(at, (b) => controller.enqueue(b))) !== undefined; ) at = next;
        held.copyWithin(0, at, filled);
        filled -= at;
      },
      flush(controller) {
        if (plain) return;
        if (!started) controller.enqueue(held.slice(0, filled)); // too short for a program: the compiler says what is wrong
        else if (filled > 0) throw new Error("the program ends too early");
      },
    }),
  );
}

// isPacked tells whether the first section of a module has the name of packed ones.
function isPacked(b: Uint8Array): boolean {
  const size = lengthAt(b, headerBytes + 1);
  return b[headerBytes] === 0 && size !== undefined && b[size.end] === name.length && String.fromCharCode(...b.subarray(size.end + 1, size.end + 1 + name.length)) === name;
}

function lengthAt(b: Uint8Array, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let shift = 0; at < b.length; shift += 7) {
    const c = b[at++]!;
    value |= (c & 127) << shift;
    if (c < 128) return { value, end: at };
  }
  return undefined;
}

// Codes of words (tools/wasmlink/pack/words.go), and the words of a record that count its
// further words.
const codeDifference = 2;
const wordMore = 7;
const wordMoreTop = 10;

// words restores a table of words.
function words(r: Reader): Uint8Array {
  const rows = r.number();
  const fixed = r.number();
  const record = r.number() === 1;
  const out = new DataView(new ArrayBuffer(4 * r.number()));
  const lengths = Array.from({ length: r.number() }, () => r.number());
  const streams = lengths.map((n) => {
    const stream = new Reader(r.b, r.at, r.at + n);
    r.bytes(n);
    return stream;
  });
  const last = new Int32Array(streams.length);
  const word = (column: number): number => {
    const v = streams[column]!.number();
    if (v < codeDifference) return -v; // 0, or all ones
    const d = v - codeDifference;
    return (last[column] = last[column]! + ((d >>> 1) ^ -(d & 1)));
  };
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const begin = at;
    let count = fixed;
    for (let column = 0; column < count; column++, at += 4) {
      out.setInt32(at, word(column), true);
      if (record && column === fixed - 1) {
        count += out.getUint32(begin + 4 * wordMore, true) + out.getUint8(begin + 4 * wordMoreTop + 3);
        count += count % 2;
      }
    }
  }
  return new Uint8Array(out.buffer);
}
