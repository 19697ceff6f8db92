// Restores the functions of a packed program. tools/wasmlink/pack/token.go says what the
// actions and streams are; their numbers here are those there.

import { Reader } from "./unpackreader";

const enum Act {
  None,
  Number,
  Bytes,
  Raw,
  Open,
  Close,
  Level,
  Address,
  Call,
  Return,
  Target,
  Table,
  Frame,
  Again,
}

const enum Stream {
  Symbols,
  Frame = 7,
  High,
  Middle,
  Low,
  CallHigh,
  CallLow,
  Return,
  Target,
  Depth,
  Table,
  Locals,
  Raw,
  Bytes,
}

// A step is bytes of the text, then an action with its argument and the depth of blocks at
// it, counted from the depth at the symbol's begin.
const stepWords = 5;

const tooLong = (): Error => new Error("the program is damaged: a function is too long");

export class CodeUnpacker {
  private readonly scratch: Uint8Array; // holds any function
  private readonly firstPC: number;
  private readonly text: Uint8Array;
  private readonly steps: Int32Array;
  private readonly first: Int32Array; // of each symbol: its first step
  private readonly shift: Int32Array; // of each symbol: by how much it changes the depth
  private readonly restore: (b: Uint8Array, at: Int32Array, pc: number) => number;

  constructor(r: Reader) {
    this.scratch = new Uint8Array(r.number() + 16);
    this.firstPC = r.number();
    const items = Array.from({ length: r.number() }, () => [{ text: r.bytes(r.number()), act: r.byte(), arg: r.byte() }]);
    const count = r.number();
    for (let i = 0; i < count; i++) items.push([...items[r.byte()]!, ...items[r.byte()]!]);
    const text: number[] = [];
    const steps: number[] = [];
    this.first = new Int32Array(items.length + 1);
    this.shift = new Int32Array(items.length);
    items.forEach((parts, symbol) => {
      let depth = 0;
      let from = text.length;
      const step = (act: Act, arg: number): void => {
        steps.push(from, text.length, act, arg, depth);
        from = text.length;
      };
      for (const { text: bytes, act, arg } of parts) {
        text.push(...bytes);
        if (act === Act.Open) depth++;
        else if (act === Act.Close) depth--;
        else if (act !== Act.None) step(act, arg);
      }
      if (from < text.length) step(Act.None, 0);
      this.first[symbol + 1] = steps.length;
      this.shift[symbol] = depth;
    });
    this.text = Uint8Array.from(text);
    this.steps = Int32Array.from(steps);
    this.restore = this.restorer();
  }

  // functions restores the entries that a section holds.
  functions(r: Reader): Uint8Array {
    const firstFunction = r.number();
    const count = r.number();
    const restored = new Uint8Array(r.number());
    const at = new Int32Array(r.number());
    for (let stream = 0, place = 0; stream < at.length; stream++) {
      at[stream] = place;
      place += r.number();
    }
    for (let stream = 0; stream < at.length; stream++) at[stream] = at[stream]! + r.at;
    let end = 0;
    for (let f = 0; f < count; f++) {
      const size = this.restore(r.b, at, (this.firstPC + firstFunction + f) * 65536);
      for (let n = size; ; n >>>= 7) {
        restored[end++] = n < 128 ? n : (n & 127) | 128;
        if (n < 128) break;
      }
      restored.set(this.scratch.subarray(0, size), end);
      end += size;
    }
    if (end !== restored.length) throw new Error("the program is damaged: its functions have another length");
    return restored;
  }

  // restorer makes the function that restores the next function of the streams in b, of which at holds the places, into
  // scratch and returns its length. pc is its address. It is made once: a compiler takes the same function of another
  // call for another one.
  private restorer(): (bytes: Uint8Array, begins: Int32Array, pc: number) => number {
    const { scratch: out, text, steps, first, shift } = this;
    let b = out;
    let at = steps;
    let o = 0;
    let base = 0;
    let ends: number[] = [];
    const copy = (stream: number, n: number): void => {
      for (let s = at[stream]!, end = (at[stream] = s + n); s < end; ) out[o++] = b[s++]!;
    };
    const number = (stream: number): number => {
      let v = 0;
      for (let shift = 0; ; shift += 7) {
        const c = b[at[stream]!++]!;
        v |= (c & 127) << shift;
        if (c < 128) return v;
      }
    };
    const signed = (stream: number): number => {
      let v = 0;
      for (let shift = 0; ; ) {
        const c = b[at[stream]!++]!;
        v |= (c & 127) << shift;
        shift += 7;
        if (c < 128) return shift < 32 && c & 64 ? v | (-1 << shift) : v;
      }
    };
    const putUnsigned = (v: number): void => {
      for (; v > 127; v >>>= 7) out[o++] = (v & 127) | 128;
      out[o++] = v;
    };
    const putSigned = (v: number): void => {
      for (; v > 63; v >>>= 7) out[o++] = (v & 127) | 128;
      out[o++] = v;
    };
    const here = (d: number): number => Math.min(Math.max(base - d - 1, 0), ends.length - 1);

    return (bytes, begins, pc) => {
      b = bytes;
      at = begins;
      let back = pc;
      let depth = 0;
      let frame = 0;
      o = base = 0;
      ends = [];
      copy(Stream.Locals, number(Stream.Locals));
      while (depth >= 0) {
        const symbol = b[at[Stream.Symbols]!++]!;
        for (let p = first[symbol]!, last = first[symbol + 1]!; p < last; p += stepWords) {
          for (let t = steps[p]!, end = steps[p + 1]!; t < end; ) out[o++] = text[t++]!;
          const arg = steps[p + 3]!;
          const d = depth + steps[p + 4]!;
          switch (steps[p + 2] as Act) {
            case Act.Number: {
              let s = at[arg]!;
              while (b[s]! > 127) out[o++] = b[s++]!;
              out[o++] = b[s++]!;
              at[arg] = s;
              break;
            }
            case Act.Bytes:
              copy(Stream.Bytes, arg);
              break;
            case Act.Raw:
              copy(Stream.Raw, number(Stream.Raw));
              break;
            case Act.Level:
              putUnsigned(d - arg);
              break;
            case Act.Address:
              putSigned((b[at[Stream.High]!++]! << 16) | (b[at[Stream.Middle]!++]! << 8) | b[at[Stream.Low]!++]!);
              break;
            case Act.Call:
              putSigned((b[at[Stream.CallHigh]!++]! << 8) | b[at[Stream.CallLow]!++]!);
              break;
            case Act.Return:
              if (ends.length > 0) back = Math.max(back, pc + ends[here(d)]! + 1);
              putSigned((back += signed(Stream.Return)));
              break;
            case Act.Target:
              putSigned(ends[here(d) + signed(Stream.Target)]! + 1);
              break;
            case Act.Table: {
              let end = -1;
              const list = Array.from({ length: number(Stream.Table) }, () => (end += number(Stream.Table)));
              if (end >= out.length) throw tooLong();
              if (base === 0) {
                base = d;
                ends = list;
              }
              putUnsigned(end);
              let target = 0;
              for (let entry = 0; entry <= end; entry++) {
                while (entry > list[target]!) target++;
                putUnsigned(target);
              }
              break;
            }
            case Act.Frame:
              frame = signed(Stream.Frame);
              putSigned(frame);
              break;
            case Act.Again:
              putSigned(frame + arg);
              break;
          }
        }
        depth += shift[symbol]!;
        // A damaged program must not write on for ever.
        if (o > out.length) throw tooLong();
      }
      return o;
    };
  }
}
