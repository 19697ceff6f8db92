// One engine or two that look like one. The first has everything; where cores and memory allow, side B
// of a run gets an engine of its own. Both sides then run at once, with the same bits: what both need,
// one engine makes and the other gets.

import type { EstimateAnswer } from "../protocol/estimate";
import type { Begun, FromWorker, Progress, RunMessage, Side, ToWorker } from "../protocol/protocol";
import type { Connection, Engines, Listener } from "./connection";

declare global {
  interface Window {
    burstscopePair?: (listener: Listener, connect: (listener: Listener) => Connection) => Engines;
  }
}

// A second engine takes some 50 MB. Where a browser does not say how much memory there is, it is
// allowed if there are cores as in a machine with enough of it.
const LEAST_GIGABYTES = 4;
const CORES_IF_UNSAID = 4;

function roomForTwo(): boolean {
  const cores = navigator.hardwareConcurrency || 1;
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return deviceMemory === undefined ? cores >= CORES_IF_UNSAID : cores >= 2 && deviceMemory >= LEAST_GIGABYTES;
}

const PHASES = ["reference", "profile", "simulate", "done"];

class Pair implements Engines {
  private readonly first: Connection;
  private readonly second: Connection;
  private both = false; // side B of the run is in the second engine
  private module: WebAssembly.Module | undefined;
  private alone = !roomForTwo();
  private running: RunMessage | undefined; // the latest run
  private live = 0; // its number, until it is cancelled or has ended
  private failed = 0; // number of a run that one of two engines has ended with an error
  private progress: Partial<Record<"first" | "second", Progress>> = {};
  private hashes: Partial<Record<Side, string>> = {};
  private seeking = { id: 0, engines: 0 }; // those that have not yet come to the cycle sought last
  private estimated: EstimateAnswer | undefined; // by one of two engines
  private lab: Connection;

  constructor(
    private listener: Listener,
    connect: (listener: Listener) => Connection,
  ) {
    // One engine that speaks again is not both.
    const both = { ...listener, heard: () => this.silent || listener.heard() };
    this.first = connect({ ...both, message: (m) => this.heard(m, "first") });
    this.second = connect({
      ...both,
      message: (m) => this.heard(m, "second"),
      stopped: (what) => {
        this.alone = true; // what does not work here is not tried again
        this.both ? this.stopped(what) : this.second.close();
      },
    });
    this.lab = this.first;
  }

  get silent(): boolean {
    return this.first.silent || this.second.silent;
  }

  get open(): boolean {
    return this.first.open;
  }

  // engines is how many the latest run has.
  get engines(): number {
    return this.both ? 2 : 1;
  }

  start(): void {
    this.leave();
    this.first.start(this.module ? { module: this.module } : { shares: !this.alone });
  }

  stopped(what: string): void {
    this.leave();
    this.first.close();
    this.listener.stopped(what);
  }

  watch(on: boolean): void {
    this.first.watch(on);
    this.second.watch(on && this.both);
  }

  send(m: ToWorker): void {
    switch (m.type) {
      case "run":
        // The second engine does not hear of every run: it ends the one before now.
        if (this.both && this.live) this.second.send({ type: "cancel", run: this.live });
        this.running = m;
        this.live = m.run;
        this.progress = {};
        this.hashes = {};
        return this.first.send(this.alone || !this.module ? m : { ...m, split: true });
      case "cancel":
        if (m.run === this.live) this.live = 0;
        if (this.both) this.second.send(m);
        return this.first.send(m);
      case "cancelTrace":
        if (this.both) this.second.send(m);
        return this.first.send(m);
      case "seek":
        this.seeking = { id: m.id, engines: 0 };
        for (const [engine, side] of this.both ? ([[this.first, "A"], [this.second, "B"]] as const) : [[this.first, m.sides] as const]) {
          if (this.both && !m.sides.includes(side)) continue;
          this.seeking.engines++;
          engine.send({ ...m, sides: side });
        }
        return;
      case "estimate": {
        const { A, B } = m.sides;
        this.estimated = undefined;
        if (!this.both || !A || !B) return this.of(B ? "B" : "A").send(m);
        this.first.send({ ...m, sides: { A } });
        this.estimated = { type: "estimated", id: m.id, sides: {} };
        return this.second.send({ ...m, sides: { B } });
      }
      case "lab":
        this.lab = this.of("side" in m ? (m.side as Side) : undefined);
        return this.lab.send(m);
      case "labBlock":
      case "labCancel":
        return this.lab.send(m);
      case "explain":
        return (m.side ? this.of(m.side) : this.lab).send(m);
      default:
        return this.of("side" in m ? m.side : undefined).send(m);
    }
  }

  // of is the engine that has a side.
  private of(side: Side | undefined): Connection {
    return this.both && side === "B" ? this.second : this.first;
  }

  private leave(): void {
    this.second.close();
    this.both = false;
    this.lab = this.first;
  }

  private heard(m: FromWorker, from: "first" | "second"): void {
    const other = from === "first" ? this.second : this.first;
    const run = this.running?.run;
    // What is left of an earlier run, or of one that failed, is of no use. That a run was cancelled is.
    if ("run" in m && m.run && m.type !== "cancelled" && (m.run !== run || run === this.failed)) return;
    switch (m.type) {
      case "module":
        this.module = m.module;
        return;
      case "ready":
        if (from === "second") return;
        break;
      case "wants":
      case "shared":
        return other.send(m);
      case "begun":
        if (from === "first" && m.run === this.live) this.give(m);
        break;
      case "progress":
        if (!this.both) break;
        this.progress[from] = m;
        return this.listener.message(this.together());
      case "done":
        if (!this.both) {
          this.live = 0;
          break;
        }
        this[from].watch(false); // it has nothing more to say
        Object.assign(this.hashes, m.resultHashes);
        if (!this.hashes.A || !this.hashes.B) return;
        this.live = 0;
        return this.listener.message({ ...m, resultHashes: { A: this.hashes.A, B: this.hashes.B } });
      case "estimated": {
        const { estimated } = this;
        if (!estimated || estimated.id !== m.id) break;
        Object.assign(estimated.sides, m.sides);
        if (!estimated.sides.A || !estimated.sides.B) return;
        return this.listener.message(estimated);
      }
      case "sought":
        if (m.last && m.id === this.seeking.id && --this.seeking.engines > 0) m.last = false;
        break;
      case "error":
        if (from === "second" && m.fatal) this.alone = true;
        if (!this.both || m.id !== undefined || m.fatal || m.run !== run || !m.run) break;
        this.failed = m.run;
        this.live = 0;
        other.send({ type: "cancel", run: m.run });
        break;
    }
    this.listener.message(m);
  }

  // give starts side B in the second engine, if the first has left it, and closes that engine if not.
  private give(m: Begun): void {
    this.both = m.given !== undefined;
    if (!m.given) return this.leave();
    if (!this.second.open) this.second.start(this.module ? { module: this.module } : {});
    if (!this.second.open) return; // it cannot start, and the page has been told
    this.second.send({ ...this.running!, only: "B", budget: m.given, ...(m.tables ? { tables: m.tables } : {}) });
    this.second.watch(true);
  }

  private together(): Progress {
    const { first, second } = this.progress;
    const one = (first ?? second)!;
    if (!first || !second) return { ...one, fraction: one.fraction / 2 };
    const behind = PHASES.indexOf(first.phase) <= PHASES.indexOf(second.phase) ? first : second;
    return { ...behind, fraction: (first.fraction + second.fraction) / 2, sides: { ...first.sides, ...second.sides } };
  }
}

window.burstscopePair = (listener, connect) => new Pair(listener, connect);
