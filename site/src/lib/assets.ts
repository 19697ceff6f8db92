// The files of the page under the names the build gave them. Sources name a file
// as it is called in the tree ("engine.wasm"); the build publishes it under a name
// with the hash of what it holds, and writes the list of all names into every
// document. The one-file form has the same list with blob URLs in it.

export interface Assets {
  version: string;
  build: string; // hash over all files: two builds differ in it
  home: string; // relative URL of the site's root, where versions.json lies; "" in one file
  files: Record<string, string>; // name in the tree -> URL, relative to the document
  packed?: boolean; // files ending in .wasm are gzip: no server unpacks them
  documents?: Record<string, string>; // HTML for inner frames, where no URL can hold it
  contents?: Record<string, string | ArrayBuffer>; // of files, for workers: in WebKit those of a page from a disk can read no Blob
}

declare global {
  // Set by the loader of the one-file form, which makes the URLs when it runs.
  var burstscopeAssets: Assets | undefined;
}

export const assets: Assets = read();

function read(): Assets {
  if (globalThis.burstscopeAssets) return globalThis.burstscopeAssets;
  const data = document.getElementById("assets")?.textContent;
  if (!data) throw new Error("the document has no list of files; open a page that tools/build made");
  return JSON.parse(data) as Assets;
}

// inOneFile tells whether the page is the file that holds everything.
export const inOneFile = assets.packed === true;

// asset is the absolute URL of a file of this build.
export function asset(name: string): string {
  const url = assets.files[name];
  if (url === undefined) throw new Error(`the build has no file ${name}`);
  return new URL(url, document.baseURI).href;
}

// GoProgram is what loads a Go program; postMessage can carry it.
export interface GoProgram {
  exec: string; // URL of wasm_exec.js; "" if it is there already
  wasm: string | ArrayBuffer; // a URL, or what it holds
  packed: boolean; // the program is gzip
  script?: string; // URL of the same program as a script, for where files cannot be read
  build: string; // of the page
  module?: WebAssembly.Module; // the program, if another engine has compiled it
  shares?: boolean; // the worker sends its compiled program
  kernels?: Record<string, string>; // for the engine: scripts with the kernels of each shipped program, as URLs or as wasm is
}

export function goProgram(name: string): GoProgram {
  return { exec: asset("wasm_exec.js"), wasm: asset(name), packed: inOneFile, build: assets.build };
}

// engineWorker starts a worker with the engine in it. Its first message holds the places
// of the engine's files; the worker does not pass it on. With shares it sends its compiled program,
// which saves another worker the download and the compilation.
export function engineWorker(more: { module?: WebAssembly.Module; shares?: boolean } = {}): Worker {
  const { contents } = assets;
  if (contents) {
    const script = new Blob([contents["wasm_exec.js"]!, "\n", contents["engine-worker.js"]!], { type: "text/javascript" });
    const wasm = more.module ? "" : contents["engine.wasm"]!;
    return booted(new Worker(URL.createObjectURL(script)), { exec: "", wasm, packed: inOneFile, build: assets.build, ...more, kernels: kernels((name) => contents[name] as string) });
  }
  let url = asset("engine-worker.js");
  // A sandboxed page has no origin, so no file is of its origin; a script of one
  // line that imports the worker is.
  if (self.origin === "null") {
    url = URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(url)})`], { type: "text/javascript" }));
  }
  const script = self.origin === "null" && assets.files["engine.wasm.js"] ? { script: asset("engine.wasm.js") } : {};
  return booted(new Worker(url), { ...goProgram("engine.wasm"), ...script, ...more, kernels: kernels(asset) });
}

// kernels lists the files of the folder kernels by the name of their program.
function kernels(place: (name: string) => string): Record<string, string> {
  const files = Object.keys(assets.files).filter((name) => name.startsWith("kernels/"));
  return Object.fromEntries(files.map((name) => [name.slice("kernels/".length, -".js".length), place(name)]));
}

function booted(worker: Worker, program: GoProgram): Worker {
  worker.postMessage({ type: "boot", ...program });
  return worker;
}

// loadInto loads an HTML file of the build into an inner frame.
export function loadInto(frame: HTMLIFrameElement, name: string): void {
  const text = assets.documents?.[name];
  if (text === undefined) frame.src = asset(name);
  else frame.srcdoc = text;
}
