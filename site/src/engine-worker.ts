// The worker around the engine: loads Go's runtime and engine.wasm, and passes
// messages on. The engine is burstscopeEngine, set by the Go program.

interface GoRuntime {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface Scope {
  Go: new () => GoRuntime;
  burstscopeEngine?: { handle(m: unknown): void };
  burstscopePost(m: unknown, transfer?: Transferable[]): void;
  burstscopeYield(callback: () => void): void;
  postMessage(m: unknown, transfer: Transferable[]): void;
  importScripts(...urls: string[]): void;
  onmessage: ((e: MessageEvent) => void) | null;
}

const scope = globalThis as unknown as Scope;
const waiting: unknown[] = [];

function pass(m: unknown): void {
  if (scope.burstscopeEngine) scope.burstscopeEngine.handle(m);
  else waiting.push(m);
}

scope.onmessage = (e: MessageEvent) => pass(e.data);

scope.burstscopePost = (m, transfer = []) => {
  scope.postMessage(m, transfer);
  // The engine announces itself with its first message; it is then set.
  while (scope.burstscopeEngine && waiting.length > 0) scope.burstscopeEngine.handle(waiting.shift());
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

function fail(what: string, mend: string): void {
  scope.postMessage({ type: "error", fatal: true, what, where: "engine.wasm", mend }, []);
}

async function start(): Promise<void> {
  scope.importScripts("wasm_exec.js");
  const go = new scope.Go();
  const { instance } = await instantiate("engine.wasm", go.importObject);
  await go.run(instance);
  fail("The engine's program ended.", "Restart it.");
}

async function instantiate(url: string, imports: WebAssembly.Imports): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the server answered ${answer.status} for ${url}`);
  // Servers that do not know the type application/wasm cannot be streamed from.
  if (answer.headers.get("Content-Type")?.startsWith("application/wasm")) {
    return WebAssembly.instantiateStreaming(answer, imports);
  }
  return WebAssembly.instantiate(await answer.arrayBuffer(), imports);
}

start().catch((e: unknown) => {
  const why = e instanceof Error ? e.message : String(e);
  fail(`The engine could not be loaded: ${why}.`, "Check the connection and try again.");
});

export {}; // a module of its own, so that its names are not those of the other scripts
