// The inner page around the ebiten canvas. It checks for WebGL 2 before anything
// is loaded, passes the shell's messages on, and keeps the keys that belong to
// the page.

import { goProgram } from "../lib/assets";
import { compile } from "../lib/instantiate";

interface GoRuntime {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface Scope {
  Go: new () => GoRuntime;
  // Set by the Go program when it can take messages.
  burstscopeViewReceive?: (m: unknown) => void;
  // Functions that the shell calls; state is the Go program's last report.
  burstscopeView: { receive(m: unknown): void; state: unknown };
}

const scope = globalThis as unknown as Scope & typeof globalThis;
const PAGE_KEYS = new Set([" ", "[", "]", "1", "2", "3", "4", "5", "6", "7", "8", "9", "e", "?"]);
const waiting: unknown[] = [];
let failed = false;

function post(m: { type: string; [key: string]: unknown }): void {
  if (parent !== window) parent.postMessage(m, self.origin === "null" ? "*" : self.origin);
}

function fail(message: string): void {
  if (failed) return;
  failed = true;
  post({ type: "viewFailed", message });
}

function drain(): boolean {
  if (!scope.burstscopeViewReceive) return false;
  while (waiting.length > 0) scope.burstscopeViewReceive(waiting.shift());
  return true;
}

scope.burstscopeView = {
  receive(m) {
    if (failed) return;
    waiting.push(m);
    drain();
    // Ebiten hears the keys of its canvas alone. It takes no focus that the frame does not have.
    const { type, interactive } = m as { type?: string; interactive?: boolean };
    if (type === "pointer" && interactive && document.hasFocus()) document.querySelector("canvas")?.focus();
  },
  state: null,
};

addEventListener("message", (e: MessageEvent) => {
  if (e.source === parent && parent !== window) scope.burstscopeView.receive(e.data);
});

// A lost context makes ebiten reload its page. The shell is told instead, and
// decides.
addEventListener(
  "webglcontextlost",
  (e) => {
    e.stopImmediatePropagation();
    e.preventDefault();
    fail("the browser took the WebGL context away");
  },
  true,
);

addEventListener(
  "keydown",
  (e) => {
    if (e.key === "Escape") post({ type: "leave" });
    else if (PAGE_KEYS.has(e.key) && !e.ctrlKey && !e.metaKey && !e.altKey) post({ type: "key", key: e.key });
    else return;
    e.stopImmediatePropagation();
    e.preventDefault();
  },
  true,
);

function hasWebGL2(): boolean {
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2"); // ebiten draws with nothing older
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return gl !== null;
}

const READY_POLL_MS = 20;

function whenReady(): void {
  if (failed) return;
  if (drain()) {
    name();
    post({ type: "viewReady" });
  }
  else setTimeout(whenReady, READY_POLL_MS);
}

// name labels the canvas that ebiten made and puts it in the tab order.
function name(): void {
  const canvas = document.querySelector("canvas");
  canvas?.setAttribute("role", "img");
  canvas?.setAttribute("aria-label", "Bursts in motion; the page says the same in words");
  canvas?.setAttribute("tabindex", "0");
}

async function start(): Promise<void> {
  if (!hasWebGL2()) return fail("this browser has no WebGL 2");
  const go = new scope.Go();
  const { wasm, packed } = goProgram("view.wasm");
  const instance = await WebAssembly.instantiate(await compile(wasm, packed), go.importObject);
  whenReady();
  await go.run(instance);
  fail("its program ended");
}

start().catch((e: unknown) => fail(e instanceof Error ? e.message : String(e)));
