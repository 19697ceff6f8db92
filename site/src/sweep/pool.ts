// Several engines that work through a list of points, each in a worker of its own.

import { engineWorker } from "../lib/assets";
import { SILENCE_SECONDS, Silence } from "../lib/silence";
import type { Fault, FromPoint, PointResult, ToPoint, Traffic } from "../protocol/protocol";
import type { Scenario } from "../protocol/scenario";

// Job is a run, or a measurement of traffic.
export interface Job {
  key: string; // hash of the scenario, with ".traffic" for one; "" = the engine is asked first
  scenario: Scenario;
  traffic: boolean;
}

// Outcome is the result of a job.
export interface Outcome {
  hash: string;
  result?: PointResult;
  traffic?: Traffic;
}

export interface PoolHooks {
  // known is asked before a job runs whose key was not known before.
  known(key: string): Promise<Outcome | undefined>;
  done(job: Job, key: string, outcome: Outcome, milliseconds: number): void;
  failed(job: Job, fault: Fault): void;
  progress(): void;
  // ended: every job is done or has failed. broken: no engine works.
  ended(): void;
  broken(fault: Fault): void;
}

const MOST_WORKERS = 8;
const WORKERS_IF_UNSAID = 2; // tablets do not say their memory, and have as many cores as desktops
// A worker that does not answer a cancel by then is ended; the whole may take 100 ms.
const CANCEL_PATIENCE_MS = 70;
// Engines are kept for the next sweep so long: each holds some 100 MB.
const KEEP_IDLE_MS = 30_000;

// poolSize leaves a core to the page, and memory to the machine: a gigabyte for each engine. Where the
// browser does not say how much there is (Firefox, WebKit), engines are few.
export function poolSize(): number {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1, Math.floor(deviceMemory ?? WORKERS_IF_UNSAID)));
}

interface Engine {
  worker: Worker;
  silence: Silence; // watched while it has a job and is not paused
  ready: boolean;
  job: Job | undefined;
  id: number; // of the point or the question under way
  program: string; // of the latest job
  fraction: number;
  stopped: (() => void) | undefined; // told when a cancel or a pause is answered
}

function programOf(j: Job): string {
  return JSON.stringify([j.scenario.machine, j.scenario.workload, j.scenario.seed]);
}

export class Pool {
  private engines: Engine[] = [];
  private waiting: Job[] = [];
  private nextId = 1;
  private paused = false;
  private idleTimer = 0;

  constructor(private hooks: PoolHooks) {}

  // start works through jobs. Those of one program follow each other in one worker,
  // where they share its exact output and its statistics.
  start(jobs: Job[]): void {
    clearTimeout(this.idleTimer);
    this.paused = false;
    this.waiting = [...jobs];
    const wanted = Math.min(poolSize(), jobs.length);
    while (this.engines.length < wanted) this.boot();
    for (const e of this.engines) this.feed(e);
  }

  // fraction is the sum of what is done of the points under way.
  get underWay(): number {
    return this.engines.reduce((sum, e) => sum + (e.job ? e.fraction : 0), 0);
  }

  get workers(): number {
    return this.engines.filter((e) => e.job).length;
  }

  // pause stops or resumes every engine; it resolves when all have confirmed.
  async pause(paused: boolean): Promise<void> {
    this.paused = paused;
    const busy = this.engines.filter((e) => e.job);
    const answers = busy.map((e) => new Promise<void>((resolve) => (e.stopped = resolve)));
    for (const e of busy) {
      e.worker.postMessage({ type: "pointPause", id: e.id, paused } satisfies ToPoint);
      e.silence.watch(!paused);
    }
    if (!paused) for (const e of this.engines) this.feed(e);
    await Promise.race([Promise.all(answers), after(CANCEL_PATIENCE_MS)]);
  }

  // cancel ends all work; it resolves when no engine works any more.
  async cancel(): Promise<void> {
    this.waiting = [];
    const busy = this.engines.filter((e) => e.job);
    const answers = busy.map((e) => new Promise<void>((resolve) => (e.stopped = resolve)));
    for (const e of busy) e.worker.postMessage({ type: "pointCancel", id: e.id } satisfies ToPoint);
    await Promise.race([Promise.all(answers), after(CANCEL_PATIENCE_MS)]);
    for (const e of busy) if (e.job) this.end(e);
    this.rest();
  }

  private rest(): void {
    this.idleTimer = setTimeout(() => {
      for (const e of [...this.engines]) this.end(e);
    }, KEEP_IDLE_MS);
  }

  private end(e: Engine): void {
    e.worker.terminate();
    e.silence.watch(false);
    e.job = undefined;
    this.engines = this.engines.filter((x) => x !== e);
  }

  private boot(): void {
    const worker = engineWorker();
    const silence = new Silence(() => this.died(e, { what: `An engine has not answered for ${SILENCE_SECONDS} seconds.` }));
    const e: Engine = { worker, silence, ready: false, job: undefined, id: 0, program: "", fraction: 0, stopped: undefined };
    this.engines.push(e);
    worker.onmessage = (m: MessageEvent<FromPoint>) => {
      silence.heard();
      this.heard(e, m.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.died(e, { what: `An engine stopped: ${event.message || "its program could not be loaded"}.` });
    };
  }

  // feed gives an idle engine its next job: one of its own program, or of one that
  // no other engine is at.
  private feed(e: Engine): void {
    if (!e.ready || e.job || this.paused || this.waiting.length === 0) return;
    const others = new Set(this.engines.filter((x) => x !== e && x.job).map((x) => x.program));
    let at = this.waiting.findIndex((j) => programOf(j) === e.program);
    if (at < 0) at = this.waiting.findIndex((j) => !others.has(programOf(j)));
    const job = this.waiting.splice(Math.max(0, at), 1)[0]!;
    Object.assign(e, { job, program: programOf(job), fraction: 0, id: this.nextId++ });
    e.silence.watch(true);
    if (job.key === "") e.worker.postMessage({ type: "check", id: e.id, scenario: job.scenario } satisfies ToPoint);
    else this.point(e, job);
  }

  private point(e: Engine, job: Job): void {
    e.worker.postMessage({ type: "point", id: e.id, scenario: job.scenario, traffic: job.traffic } satisfies ToPoint);
    if (this.paused) e.worker.postMessage({ type: "pointPause", id: e.id, paused: true } satisfies ToPoint);
  }

  private heard(e: Engine, m: FromPoint): void {
    if (m.type === "ready") {
      e.ready = true;
      return this.feed(e);
    }
    if (m.type === "error" && m.fatal) return this.died(e, m);
    const { job } = e;
    if (!job || !("id" in m) || m.id !== e.id) return;
    switch (m.type) {
      case "checked":
        if (!m.ok) return this.over(e, () => this.hooks.failed(job, faultOf(m.errors)));
        void this.checked(e, job, m.hash ?? "");
        return;
      case "pointProgress":
        e.fraction = m.fraction;
        return this.hooks.progress();
      case "pointDone":
        return this.over(e, () => this.hooks.done(job, job.traffic ? `${m.key}.traffic` : m.key, outcomeOf(m), m.milliseconds));
      case "pointCancelled":
        e.silence.watch(false);
        e.job = undefined;
        return e.stopped?.();
      case "pointPaused":
        return e.stopped?.();
      case "error":
        return this.over(e, () => this.hooks.failed(job, m));
    }
  }

  // checked runs a job whose key is now known, unless its outcome is.
  private async checked(e: Engine, job: Job, hash: string): Promise<void> {
    const key = job.traffic ? `${hash}.traffic` : hash;
    const outcome = await this.hooks.known(key);
    if (e.job !== job) return; // cancelled meanwhile
    if (outcome) this.over(e, () => this.hooks.done(job, key, outcome, 0));
    else this.point(e, job);
  }

  private over(e: Engine, tell: () => void): void {
    e.silence.watch(false);
    e.job = undefined;
    e.stopped?.();
    tell();
    this.feed(e);
    if (this.waiting.length > 0 || this.engines.some((x) => x.job)) return;
    this.hooks.ended();
    this.rest();
  }

  // died takes an engine out. The others go on with its job; without any, the sweep
  // is broken.
  private died(e: Engine, fault: Fault): void {
    const { job } = e;
    this.end(e);
    e.stopped?.();
    if (this.engines.length === 0) {
      this.waiting = [];
      return this.hooks.broken(fault);
    }
    if (job) this.waiting.push(job);
    for (const x of this.engines) this.feed(x);
  }
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function faultOf(errors: { path: string; message: string; mend: string }[] | undefined): Fault {
  const first = errors?.[0];
  return first ? { what: first.message, where: first.path, mend: first.mend } : { what: "the scenario cannot be run" };
}

// outcomeOf keeps the part of a result that figures need.
function outcomeOf(m: Extract<FromPoint, { type: "pointDone" }>): Outcome {
  if (m.traffic) return { hash: m.hash, traffic: m.traffic };
  const { launches: _, instructions: __, energy, ...rest } = m.result ?? {};
  const kept: PointResult = rest;
  if (energy) kept.energy = { joules: energy.joules, watts: energy.watts, edpJouleSeconds: energy.edpJouleSeconds };
  return { hash: m.hash, result: kept };
}
