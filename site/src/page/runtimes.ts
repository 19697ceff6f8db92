// How long runs take on this machine: what is left of the one in progress, what a run before took, and what the first
// run of a program may take, by measured costs of programs and the speed of other runs here.

import { asset } from "../lib/assets";
import { keep, keptValue } from "../lib/keep";
import { duration } from "../lib/format";
import type { Full } from "../protocol/scenario";
import type { Page } from "../state/page";

const STORED = "burstscope.times";
const SPEED = "burstscope.speed";
const MOST = 60; // programs that are remembered
const FIRST_MS = 1500; // before that the share that is done says little
const LEAST = 0.04; // share
const SHORT_MS = 3000; // runs that nobody waits for
const SLOWER = 2.8; // a run in WebAssembly over a native one: 2.4 to 2.9 (core/BENCHMARKS.md)

// Costs are costs.json of the build: measured costs of programs on one core of a server, and the least and the most
// memory of the page's engines on a machine, in MB.
interface Costs {
  // program, size, warp instructions, and nanoseconds for each: of the exact output, of a run without compression
  rows: [string, number, number, number, number][];
  mb: Record<string, [number, number]>;
}

let began = 0;
let from = 0; // share of the run that was done then
let of = 0; // number of the run that began then
let told = true; // its time is remembered
let costs: Costs | undefined;
let asked = false;

// keyOf is what a run's time hangs on most. Schemes change it by some percent.
function keyOf({ workload, machine }: Full): string {
  const own = workload.ptx ? `own ${workload.ptx.source.length} ${String(workload.ptx.grid)}` : "";
  return [workload.name, workload.size, machine.preset, own].join(" ");
}

const stored = <T>(key: string, none: T): T => (keptValue(key) as T | null) ?? none;
const store = (key: string, value: unknown): boolean => keep(key, JSON.stringify(value));

export function startRuntimes(page: Page): void {
  page.runTakes = (s = page.settings.scenario) => {
    const known = stored<Record<string, number>>(STORED, {})[keyOf(s)];
    if (known === undefined) return firstTime(page, s);
    return known > SHORT_MS ? `some ${duration(known / 1000)} here` : "";
  };
  page.timeLeft = () => timeLeft(page);
  // A run may be under way already.
  [of, began, from] = [page.run.number, performance.now(), page.run.progress.fraction];
  page.on(["run"], () => {
    const { number, phase } = page.run;
    if (number !== of) [of, began, from, told] = [number, performance.now(), 0, false];
    // A side that was kept made the run shorter.
    if (phase !== "done" || told || page.data.kept.length > 0) return;
    told = true;
    const { scenario } = page.data;
    const ms = Math.round(performance.now() - began);
    const { [keyOf(scenario)]: _, ...others } = stored<Record<string, number>>(STORED, {});
    store(STORED, Object.fromEntries([...Object.entries(others).slice(1 - MOST), [keyOf(scenario), ms]]));
    // Of a longer run less is the start of the engine.
    const speed = stored(SPEED, { ms: 0, over: 0 });
    const native = nativeSeconds(scenario);
    if (native && ms >= speed.ms / 2) store(SPEED, { ms, over: ms / 1000 / native });
  });
}

// timeLeft says in words how long the run in progress still takes, by its share that is done; before that, how long all
// of it may take.
export function timeLeft(page: Page): string {
  const { fraction } = page.run.progress;
  const [worked, done] = [performance.now() - began, fraction - from];
  if (page.run.number === of && worked >= FIRST_MS && done >= LEAST) {
    return `, about ${duration((worked * (1 - fraction)) / done / 1000)} left`;
  }
  const all = page.runTakes(page.data.scenario);
  return all && `, ${all}`;
}

// firstTime says what a run may take that none here was like.
function firstTime(page: Page, s: Full): string {
  if (!asked) {
    asked = true;
    const read = async (): Promise<void> => {
      const answer = await fetch(asset("costs.json"));
      if (answer.ok) costs = (await answer.json()) as Costs;
      page.emit("figures");
    };
    void read().catch(() => undefined); // then nothing is said
  }
  const native = nativeSeconds(s);
  const { over } = stored(SPEED, { over: 0 });
  const seconds = (native ?? 0) * (over || SLOWER);
  if (seconds * 1000 <= SHORT_MS) return "";
  const mb = costs?.mb[s.machine.preset];
  const memory = mb ? `, and ${mb[0]} to ${mb[1]} MB as shipped programs on this GPU` : "";
  return `perhaps ${duration(seconds)} ${over ? "by the speed of earlier runs here" : "on a server"}${memory}`;
}

// nativeSeconds is the time of both sides on one core of a server. Instructions follow a power of the size through the
// two measured sizes of the program; the rest is that of the nearer one.
function nativeSeconds({ workload }: Full): number | undefined {
  const size = workload.size ?? 0;
  const apart = (other: number): number => Math.abs(Math.log(other / size));
  const rows = workload.ptx || !size ? [] : (costs?.rows ?? []).filter((row) => row[0] === workload.name);
  const [near, other] = rows.sort((a, b) => apart(a[1]) - apart(b[1]));
  if (!near) return undefined;
  const power = other ? Math.log(near[2] / other[2]) / Math.log(near[1] / other[1]) : 1;
  return near[2] * (size / near[1]) ** power * (near[3] + 2 * near[4]) * 1e-9;
}
