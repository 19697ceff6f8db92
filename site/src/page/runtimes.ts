// How long runs take on this machine: what is left of the one in progress, and what a run before took.

import { duration } from "../lib/format";
import type { Full } from "../protocol/scenario";
import type { Page } from "../state/page";

const STORED = "burstscope.times";
const MOST = 60; // programs that are remembered
const FIRST_MS = 1500; // before that the share that is done says little
const LEAST = 0.04; // share
const SHORT_MS = 3000; // runs that nobody waits for

let began = 0;
let from = 0; // share of the run that was done then
let of = 0; // number of the run that began then
let told = true; // its time is remembered

// keyOf is what a run's time hangs on most. Schemes change it by some percent.
function keyOf({ workload, machine }: Full): string {
  const own = workload.ptx ? `own ${workload.ptx.source.length} ${String(workload.ptx.grid)}` : "";
  return [workload.name, workload.size, machine.preset, own].join(" ");
}

function remembered(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

export function startRuntimes(page: Page): void {
  page.runTakes = () => {
    const ms = Number(remembered()[keyOf(page.settings.scenario)]);
    return ms > SHORT_MS ? `: some ${duration(ms / 1000)} here` : "";
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
    const key = keyOf(page.data.scenario);
    const { [key]: _, ...others } = remembered();
    const list = [...Object.entries(others).slice(1 - MOST), [key, Math.round(performance.now() - began)]];
    try {
      localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(list)));
    } catch {
      // Nothing is kept here.
    }
  });
}

// timeLeft says in words how long the run in progress still takes, by its share that is done.
export function timeLeft(page: Page): string {
  const { fraction } = page.run.progress;
  const [worked, done] = [performance.now() - began, fraction - from];
  if (page.run.number !== of || worked < FIRST_MS || done < LEAST) return "";
  return `, about ${duration((worked * (1 - fraction)) / done / 1000)} left`;
}
