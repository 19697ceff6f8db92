// Scenarios that the site keeps. Behind a Worker (wasm/edge) each has an address, which is
// the hash of its bytes. On a host of files the page works without them. The site is asked
// only when somebody wants a kept scenario.

import { assets, inOneFile } from "../lib/assets";
import { clip, bytes, sentence } from "../lib/format";
import type { Fault, Packed, Unpacked } from "../protocol/protocol";
import type { Full, Scenario, Shipped } from "../protocol/scenario";

const PATIENCE_MS = 30_000;
const TRIES = 3;
const LONGEST_WAIT_SECONDS = 5;
// As core/scenario/msgpack.go has it.
const MOST_BYTES = 16 << 20;

// ADDRESS is the form of a hash.
export const ADDRESS = /^[0-9a-f]{64}$/;

// Packer is the part of the engine that knows the packed form.
export interface Packer {
  pack(scenario: Scenario, image?: Uint8Array): Promise<Packed>;
  unpack(packed: Uint8Array): Promise<Unpacked>;
}

// Refusal is an error with the message for the reader.
export class Refusal extends Error {
  constructor(readonly fault: Fault) {
    super(fault.what);
  }
}

let known: string | undefined;

// store is the URL of the site's collection of scenarios, or undefined if there is none.
// A site of files says so in a file, so that the question succeeds on every host.
export async function store(): Promise<string | undefined> {
  known ??= await ask();
  return known;
}

async function ask(): Promise<string | undefined> {
  if (inOneFile || location.protocol === "file:") return undefined;
  if (!navigator.onLine) throw unreachable();
  const answer = await send(new URL(`${assets.home}store.json`, location.href).href, {});
  const { scenarios } = (await answer.json().catch(() => ({}))) as { scenarios?: unknown };
  if (typeof scenarios !== "string" || scenarios === "") return undefined;
  const url = new URL(scenarios, answer.url);
  // Shared scenarios go only to this site.
  return url.origin === location.origin ? url.href : undefined;
}

function unreachable(): Refusal {
  return new Refusal({ what: "The site's store of scenarios cannot be reached.", mend: "Try again when you are online; everything else works without it." });
}

// send asks a site that is busy and says when it will not be (503 with Retry-After) again: whatever is
// asked here may be asked twice.
async function send(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    let answer: Response;
    try {
      answer = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    } catch {
      throw unreachable();
    }
    if (answer.ok) return answer;
    const seconds = answer.status === 503 ? Number(answer.headers.get("Retry-After") ?? NaN) : NaN;
    if (!(seconds <= LONGEST_WAIT_SECONDS) || tries === TRIES) throw new Refusal(await refused(answer));
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}

// refused reads problem+json, in which the Worker says what, where and how to mend it.
async function refused(answer: Response): Promise<Fault> {
  const said: Record<string, unknown> = await answer.json().catch(() => ({}));
  const words = (key: string): string => (typeof said[key] === "string" ? clip(said[key], 300) : "");
  return {
    what: `The site's store refused: ${words("detail") || `it answered ${answer.status}`}.`,
    ...(words("where") ? { where: `(${clip(words("where"), 24)})` } : {}),
    mend: words("mend") ? sentence(words("mend")) : "Try again later.",
  };
}

// nameOf is how a kept scenario is called among the shipped ones.
export function nameOf(address: string): string {
  return `id:${address}`;
}

// openKept fetches the scenario with an address and checks that it is the one.
export async function openKept(address: string, engine: Packer): Promise<Shipped> {
  const url = await store();
  if (!url) {
    throw new Refusal({
      what: "The link names a scenario in a site's store, and this page has no store.",
      where: `(id ${address.slice(0, 12)}…)`,
      mend: "Open the link on the site where it was made.",
    });
  }
  const answer = await send(`${url}/${address}`, { headers: { Accept: "application/msgpack" } });
  if (Number(answer.headers.get("Content-Length") ?? 0) > MOST_BYTES) throw tooLarge();
  const packed = new Uint8Array(await answer.arrayBuffer());
  if (packed.length > MOST_BYTES) throw tooLarge();
  const said = await engine.unpack(packed);
  if (said.address !== "" && said.address !== address) {
    throw new Refusal({
      what: "The site sent a different scenario from the one that the link names, so it was not opened:",
      where: `its hash is ${said.address.slice(0, 12)}…, the link names ${address.slice(0, 12)}….`,
      mend: "Tell the owner of the site.",
    });
  }
  if (!said.ok || !said.scenario) {
    const first = said.errors?.[0];
    throw new Refusal({
      what: "The scenario of the link cannot be read:",
      where: first ? `${[first.path, first.message].filter((x) => x).join(": ")}.` : "",
      mend: first?.mend ? `${first.mend}.` : "",
    });
  }
  const { scenario, image } = said;
  return {
    name: nameOf(address),
    id: address,
    title: scenario.title || `kept here as ${address.slice(0, 12)}…`,
    ...(scenario.notes ? { notes: scenario.notes } : {}),
    scenario,
    ...(image ? { image: { png: image, name: "the image of the link" } } : {}),
  };
}

function tooLarge(): Refusal {
  return new Refusal({ what: `The scenario of the link was not opened, because it has more than ${bytes(MOST_BYTES)}.`, mend: "Ask its author for a smaller one." });
}

// Kept is the site's answer about a scenario that it keeps.
export interface Kept {
  hash: string;
  short: string; // absolute
  secret?: string; // deletes it; only whoever shared it first gets one
}

// keep sends a scenario to the site, with the title, notes and view of the shipped one.
export async function keep(s: Full, from: Shipped, image: Uint8Array | undefined, engine: Packer): Promise<Kept> {
  const { title, notes, view } = from.scenario;
  const whole: Scenario = { ...s, ...(title ? { title } : {}), ...(notes ? { notes } : {}), ...(view ? { view } : {}) };
  const packed = await engine.pack(whole, image);
  if (!packed.ok || !packed.packed) {
    const first = packed.errors?.[0];
    throw new Refusal({ what: "This scenario cannot be kept:", where: first ? `${first.path}: ${first.message}.` : "", mend: first?.mend ?? "" });
  }
  const url = await store();
  if (!url) throw new Refusal({ what: "This site keeps no scenarios.", mend: "Use the long link instead." });
  const answer = await send(url, { method: "POST", headers: { "Content-Type": "application/msgpack" }, body: packed.packed as Uint8Array<ArrayBuffer> });
  const said = (await answer.json().catch(() => ({}))) as { hash?: unknown; short?: unknown; secret?: unknown };
  if (said.hash !== packed.address || typeof said.short !== "string") {
    throw new Refusal({ what: "The site stored a different scenario from the one that this page sent.", mend: "Use the long link and tell the owner of the site." });
  }
  return { hash: packed.address!, short: new URL(said.short, url).href, ...(typeof said.secret === "string" ? { secret: said.secret } : {}) };
}

// forget deletes a scenario that the site keeps.
export async function forget(address: string, secret: string): Promise<void> {
  const url = await store();
  if (url) await send(`${url}/${address}`, { method: "DELETE", headers: { Authorization: `Bearer ${secret}` } });
}

// Listed is a scenario that the site's owner offers to everybody.
export interface Listed {
  name: string;
  title: string;
}

// listed are those, for the choice of scenarios.
export async function listed(): Promise<Listed[]> {
  const url = await store();
  if (!url) return [];
  const list: unknown = await (await send(url, { headers: { Accept: "application/json" } })).json().catch(() => []);
  return (Array.isArray(list) ? (list as Record<string, unknown>[]) : [])
    .filter((x) => x && !x["name"] && typeof x["title"] === "string" && ADDRESS.test(String(x["hash"])))
    .map((x) => ({ name: nameOf(String(x["hash"])), title: clip(String(x["title"]), 200) }));
}
