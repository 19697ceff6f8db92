// Codecs of the reader's own: WebAssembly modules, which the engine has checked and rewritten so that they
// count their work (core/codec/plugin). They import nothing, and run in instances of their own. The engine
// calls these functions as imports and names places in its own memory.

import { NO_MEMORY } from "../lib/instantiate";

// View is a memory as bytes and as words. A memory that grows leaves an empty view behind.
interface View {
  bytes: Uint8Array;
  words: Int32Array;
}

interface Running {
  memory: WebAssembly.Memory;
  view: View;
  calls: ((argument: number) => unknown)[]; // each gives the call its work itself
  fuel: WebAssembly.Global<"i64">;
  saved?: Uint8Array;
}

const NO_ROOM = -3;
const NOT_VALID = -2;
const NO_START = -1;
const NO_END = -1;
const TRAPPED = -2;
const MARKS = -1n << 62n; // values of the fuel that say why a call was stopped: see plugin.Stopped
const MANY = 512; // bytes, from which on a view of them costs less than a loop

// moduleHost makes the imports. memory is that of the engine.
export function moduleHost(memory: () => WebAssembly.Memory): Record<string, (...values: number[]) => number | void> {
  const running: (Running | undefined)[] = [];
  let fault = "";
  const viewOf = ({ buffer }: WebAssembly.Memory): View => ({ bytes: new Uint8Array(buffer), words: new Int32Array(buffer) });
  let own: View = { bytes: new Uint8Array(), words: new Int32Array() };
  const engine = (): View => {
    if (own.bytes.length === 0) own = viewOf(memory());
    return own;
  };
  const module = (id: number): View => {
    const m = running[id]!;
    if (m.view.bytes.length === 0) m.view = viewOf(m.memory);
    return m.view;
  };
  const failed = (why: unknown, status: number): number => {
    fault = why instanceof Error ? why.message : String(why);
    return status;
  };
  const text = (at: number, length: number): string => new TextDecoder().decode(engine().bytes.subarray(at, at + length));
  // copy moves bytes between a module and the engine, and says whether both places are inside. A block goes over in
  // words: a loop over its bytes took more than half of the time of a call. Many blocks go over at once.
  const copy = (to: View, at: number, from: View, begin: number, n: number): number => {
    if (at + n > to.bytes.length || begin + n > from.bytes.length) return 0;
    if (n > MANY) {
      to.bytes.set(from.bytes.subarray(begin, begin + n), at);
    } else if (((at | begin | n) & 3) === 0) {
      for (let i = 0; i < n >> 2; i++) to.words[(at >> 2) + i] = from.words[(begin >> 2) + i]!;
    } else {
      for (let i = 0; i < n; i++) to.bytes[at + i] = from.bytes[begin + i]!;
    }
    return 1;
  };
  const call = (id = 0, f = 0, argument = 0): number => {
    const m = running[id]!;
    try {
      return Number(m.calls[f]!(argument) ?? 0) >>> 0;
    } catch (why) {
      const left = m.fuel.value;
      if (left < 0n) return left > MARKS ? NO_END : TRAPPED - 1 - Number(MARKS - left);
      return failed(why, TRAPPED);
    }
  };
  return {
    start(code = 0, length = 0, names = 0, namesLength = 0) {
      let compiled: WebAssembly.Module;
      try {
        compiled = new WebAssembly.Module(engine().bytes.slice(code, code + length));
      } catch (why) {
        return failed(why, NOT_VALID);
      }
      try {
        const { exports } = new WebAssembly.Instance(compiled);
        const list = text(names, namesLength).split(" ");
        const memory = exports["memory"] as WebAssembly.Memory;
        running.push({
          memory,
          view: viewOf(memory),
          fuel: exports[list.pop()!] as WebAssembly.Global<"i64">,
          calls: list.map((name) => exports[name] as (argument: number) => unknown),
        });
        return running.length - 1;
      } catch (why) {
        return failed(why, why instanceof RangeError && NO_MEMORY.test(why.message) ? NO_ROOM : NO_START);
      }
    },
    call,
    callOn(id = 0, f = 0, argument = 0, at = 0, from = 0, n = 0) {
      copy(module(id), at >>> 0, engine(), from >>> 0, n);
      return call(id, f, argument);
    },
    read(id = 0, at = 0, to = 0, n = 0) {
      return copy(engine(), to >>> 0, module(id), at >>> 0, n);
    },
    write(id = 0, at = 0, from = 0, n = 0) {
      return copy(module(id), at >>> 0, engine(), from >>> 0, n);
    },
    save(id = 0) {
      running[id]!.saved = module(id).bytes.slice();
    },
    restore(id = 0) {
      module(id).bytes.set(running[id]!.saved!);
    },
    fault(to = 0, most = 0) {
      return new TextEncoder().encodeInto(fault, engine().bytes.subarray(to >>> 0, (to >>> 0) + most)).written;
    },
    end(id = 0) {
      running[id] = undefined;
    },
  };
}
