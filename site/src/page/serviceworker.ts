// The service worker: keeps one build of the page whole, so that it opens without
// a network, and never mixes two builds.
//
// All files of a build are stored before the worker counts as installed, each
// checked against the hash the build gave it; if one is missing, nothing is kept.
// Documents come from that store, so the page is of one build until the reader
// agrees to a newer one; what a document asks for has its hash in its name.

// BUILD is written before this script by tools/build.
declare const BUILD: {
  version: string;
  build: string;
  files: [path: string, integrity: string][]; // relative to this script; documents have no integrity
};

interface Extendable extends Event {
  waitUntil(p: Promise<unknown>): void;
}
interface Fetched extends Extendable {
  readonly request: Request;
  respondWith(r: Promise<Response>): void;
}
interface Told extends Extendable {
  readonly data: unknown;
}
interface Client {
  postMessage(m: unknown): void;
}
interface Scope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void>; matchAll(o: { includeUncontrolled: boolean }): Promise<readonly Client[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", f: (e: Extendable) => void): void;
  addEventListener(type: "fetch", f: (e: Fetched) => void): void;
  addEventListener(type: "message", f: (e: Told) => void): void;
}

const scope = self as unknown as Scope;
const HOME = new URL("./", scope.location.href).href;
// Stores of all builds at this place; another copy of the page elsewhere on the
// origin has its own.
const PREFIX = `burstscope ${HOME} `;
const STORE = PREFIX + BUILD.build;
const files = new Map(BUILD.files);
// After a file the worker rests twice as long as the file took, up to so many milliseconds: the page plays its picture
// meanwhile, and storing everything at once takes two cores for more than a second. It also waits as long as a page
// says that it is busy.
const REST_MS = 400;
const LOOK_MS = 100;
let busyUntil = 0;

scope.addEventListener("install", (e) => e.waitUntil(install()));
scope.addEventListener("activate", (e) => e.waitUntil(activate()));
scope.addEventListener("message", (e) => {
  const m = e.data as { type?: unknown; build?: unknown; ms?: unknown } | null;
  if (m?.type === "busy" && typeof m.ms === "number") busyUntil = performance.now() + m.ms;
  if (m?.type === "activate") e.waitUntil(scope.skipWaiting());
  if (m?.type === "tidy" && m.build === BUILD.build) e.waitUntil(tidy());
});
scope.addEventListener("fetch", (e) => {
  const answer = answerTo(e.request);
  if (answer) e.respondWith(answer);
});

async function install(): Promise<void> {
  try {
    await caches.delete(STORE); // of an attempt that was cut off
    const store = await caches.open(STORE);
    for (const file of files) {
      const since = performance.now();
      await keep(store, ...file);
      const took = performance.now() - since;
      await rest(Math.min(2 * took, REST_MS));
      while (performance.now() < busyUntil) await rest(LOOK_MS);
    }
    await tell({ type: "kept", build: BUILD.build });
  } catch (e) {
    await caches.delete(STORE);
    await tell({ type: "notKept", full: e instanceof DOMException && e.name === "QuotaExceededError" });
    throw e;
  }
}

function rest(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

// keep stores a file. What an older build kept under the same name is the same.
async function keep(store: Cache, path: string, integrity: string): Promise<void> {
  const url = HOME + path;
  const named = path.includes("/assets/") || path.startsWith("assets/");
  const known = named ? await caches.match(url) : undefined;
  const answer = known ?? (await fetch(new Request(url, { ...(integrity ? { integrity } : {}), cache: named ? "default" : "no-cache" })));
  if (!answer.ok) throw new Error(`the server answered ${answer.status} for ${url}`);
  const body = await answer.blob();
  // Some hosts put a line of their own into documents, so those have no integrity;
  // they name their build.
  if (!integrity && !(await body.text()).includes(BUILD.build)) throw new Error(`${url} belongs to another build`);
  const headers = new Headers(answer.headers);
  for (const ofTheTransfer of ["Content-Encoding", "Content-Length"]) headers.delete(ofTheTransfer);
  // A response that was redirected cannot answer a navigation; its copy can.
  await store.put(url, new Response(body, { headers }));
}

// activate leaves the store before this one: pages of that build may still be open. It does not wait until all pages
// are claimed: their requests wait for its end, and in Firefox an engine that loads a program in the middle of its
// work can be claimed only after that. Both would stand still for half a minute.
async function activate(): Promise<void> {
  await Promise.all((await older()).slice(0, -1).map((key) => caches.delete(key)));
  void scope.clients.claim();
}

// older are the stores made before this build's. One made after it belongs to a
// newer worker that is still at work.
async function older(): Promise<string[]> {
  const keys = (await caches.keys()).filter((key) => key.startsWith(PREFIX));
  return keys.slice(0, Math.max(0, keys.indexOf(STORE)));
}

// tidy is asked for by a page of this build; if it is the only one, no page is left
// that needs an older store.
async function tidy(): Promise<void> {
  if ((await scope.clients.matchAll({ includeUncontrolled: true })).length > 1) return;
  await Promise.all((await older()).map((key) => caches.delete(key)));
}

async function tell(m: unknown): Promise<void> {
  for (const client of await scope.clients.matchAll({ includeUncontrolled: true })) client.postMessage(m);
}

// answerTo is undefined for requests that go to the network.
function answerTo(request: Request): Promise<Response> | undefined {
  if (request.method !== "GET" || !request.url.startsWith(HOME)) return undefined;
  const path = request.url.slice(HOME.length).replace(/[?#].*$/, "");
  const name = [path, `${path}index.html`, `${path}.html`].find((n) => files.has(n));
  if (name !== undefined) return kept(name, request);
  if (path === "versions.json") return fetch(request).catch(() => ownVersion());
  if (/^(v\/[^/]+\/)?assets\//.test(path)) return ofAnotherBuild(request);
  if (request.mode === "navigate") return fetch(request).catch(() => notHere(path));
  return undefined;
}

async function kept(name: string, request: Request): Promise<Response> {
  const store = await caches.open(STORE);
  return (await store.match(HOME + name)) ?? fetch(request);
}

// ofAnotherBuild serves a page that is still open from before an update.
async function ofAnotherBuild(request: Request): Promise<Response> {
  return (await caches.match(request.url)) ?? fetch(request);
}

function ownVersion(): Response {
  return Response.json({ newest: BUILD.version, versions: [BUILD.version] });
}

// notHere is a page that says more than the browser's own error page.
function notHere(path: string): Response {
  const version = /^v\/(\d[\d.]*)\//.exec(path)?.[1];
  const what = version ? `Version ${version} of Burstscope is not stored on this machine` : "This page is not stored on this machine";
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Burstscope: no network</title><body style="font:1rem/1.5 system-ui,sans-serif;max-width:36em;margin:4em auto;padding:0 1em"><h1>No network</h1>
<p>${what}, and the site cannot be reached. <a href="${HOME}">Version ${BUILD.version}</a> is here.</p></body></html>`;
  return new Response(html, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

export {};
