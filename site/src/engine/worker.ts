// The worker around the engine: loads Go's runtime and engine.wasm, and passes
// messages on. The engine is burstscopeEngine, set by the Go program. The first
// message says where the two files are.

import type { GoProgram } from "../lib/assets";
import { compile, NO_MEMORY } from "../lib/instantiate";
import { lentAs } from "../protocol/lentfile";
import { unpacked } from "../lib/unpack";
import { moduleHost } from "./modules";
import { Store } from "./store";

interface GoRuntime {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface Scope {
  Go: new () => GoRuntime;
  burstscopeProgram?: string; // set by engine.wasm.js: gzip in base64
  burstscopeEngine?: { handle(m: unknown): void };
  fs: { writeSync(file: number, text: Uint8Array): number }; // of wasm_exec.js; Go says there why it ends
  burstscopeKernels(name: string): unknown;
  burstscopeLoaded?: unknown; // set by kernels/NAME.js: PTX and CUDA of a shipped program
  burstscopeRecall(keys: string[], asked: number, then: (asked: number, found: (Uint8Array | null)[]) => void): void;
  burstscopeKeep(key: string, data: Uint8Array): void;
  burstscopeForget(key: string): void;
  burstscopePost(m: unknown, transfer?: Transferable[]): void;
  burstscopeYield(callback: () => void): void;
  postMessage(m: unknown, transfer: Transferable[]): void;
  importScripts(...urls: string[]): void;
  addEventListener(type: "error", f: (e: Event) => void): void;
  onmessage: ((e: MessageEvent) => void) | null;
}

const scope = globalThis as unknown as Scope;
const waiting: unknown[] = [];
const KERNELS = "self.burstscopeLoaded="; // begins kernels/NAME.js; an object and a semicolon follow (tools/build/kernels.go)
let kernels: GoProgram["kernels"] = {};

function pass(m: { blob?: unknown; blobs?: unknown[]; beside?: unknown[] }): void {
  if (m.blob) m.blob = lentAs(m.blob);
  if (m.blobs) m.blobs = m.blobs.map(lentAs);
  if (m.beside) m.beside = m.beside.map(lentAs);
  if (scope.burstscopeEngine) scope.burstscopeEngine.handle(m);
  else waiting.push(m);
}

scope.onmessage = (e: MessageEvent<GoProgram>) => {
  scope.onmessage = (later: MessageEvent) => pass(later.data);
  start(e.data).catch((why: unknown) => {
    const what = why instanceof Error ? why.message : String(why);
    if (NO_MEMORY.test(what)) noMemory();
    else fail(`The engine could not be loaded: ${what}.`, "Check the connection and try again.");
  });
};

scope.burstscopePost = (m, transfer = []) => {
  scope.postMessage(m, transfer);
  // The engine announces itself with its first message; it is then set.
  while (scope.burstscopeEngine && waiting.length > 0) scope.burstscopeEngine.handle(waiting.shift());
};

// burstscopeKernels loads the kernels of a shipped program. A script is loaded before the
// call returns, so that the engine gets them in the middle of its work.
scope.burstscopeKernels = (name) => {
  const place = kernels?.[name];
  if (place === undefined) return null;
  if (place.startsWith(KERNELS)) return JSON.parse(place.slice(KERNELS.length, place.lastIndexOf(";")));
  try {
    scope.importScripts(place);
  } catch {
    return null; // the engine says what is missing
  }
  const loaded = scope.burstscopeLoaded;
  delete scope.burstscopeLoaded;
  return loaded;
};

// burstscopeYield calls back in the next macrotask, so that messages (a
// cancel) get in between slices. Timers would add milliseconds each.
const channel = new MessageChannel();
const callbacks: (() => void)[] = [];
channel.port1.onmessage = () => callbacks.shift()?.();
scope.burstscopeYield = (callback) => {
  callbacks.push(callback);
  channel.port2.postMessage(0);
};

const LAST_WORDS = 4096; // characters kept of what Go says; the reason comes before the stacks

function noMemory(): void {
  fail("The engine ran out of memory. Close other tabs, or choose a smaller size or less data.", "Then restart it.");
}

function fail(what: string, mend: string): void {
  scope.postMessage({ type: "error", fatal: true, what, where: "engine.wasm", mend }, []);
}

// load compiles the program while it comes. A page in a sandbox has no origin, and many hosts let only
// their own pages read a file. They give scripts to every page, so in a sandbox the
// program comes as a script: compressed, in base64.
async function load(program: GoProgram): Promise<WebAssembly.Module> {
  if (program.module) return program.module;
  try {
    return await compile(program.wasm, program.packed, unpacked);
  } catch (e) {
    if (!program.script) throw e;
    scope.importScripts(program.script);
    const bytes = Uint8Array.from(atob(scope.burstscopeProgram ?? ""), (c) => c.charCodeAt(0));
    delete scope.burstscopeProgram;
    return compile(bytes, true, unpacked);
  }
}

// share hands the compiled program to the page, for a second engine.
function share(module: WebAssembly.Module): void {
  try {
    scope.postMessage({ type: "module", module }, []);
  } catch {
    // A browser that cannot pass programs on has one engine.
  }
}

async function start(program: GoProgram): Promise<void> {
  kernels = program.kernels;
  const store = new Store(program.build);
  scope.burstscopeRecall = (keys, asked, then) => void store.recall(keys).then((found) => then(asked, found));
  scope.burstscopeKeep = (key, data) => void store.keep(key, data);
  scope.burstscopeForget = (key) => void store.forget(key);
  const loading = load(program);
  if (program.exec) scope.importScripts(program.exec); // while the program comes
  const go = new scope.Go();
  let said = "";
  const { writeSync } = scope.fs;
  scope.fs.writeSync = (file, text) => {
    if (said.length < LAST_WORDS) said += new TextDecoder().decode(text);
    return writeSync(file, text);
  };
  // What calls a program that has ended throws, before the program's end is heard of.
  scope.addEventListener("error", (e) => {
    if (!NO_MEMORY.test(said)) return;
    e.preventDefault();
    noMemory();
  });
  const module = await loading;
  const instance: WebAssembly.Instance = await WebAssembly.instantiate(module, {
    ...go.importObject,
    "burstscope.modules": moduleHost(() => instance.exports["mem"] as WebAssembly.Memory),
  });
  if (program.shares) share(module);
  await go.run(instance);
  if (NO_MEMORY.test(said)) noMemory();
  else fail("The engine's program ended.", "Restart it.");
}
