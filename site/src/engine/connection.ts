// The worker of the engine: started, listened to, and watched while it computes.

import { engineWorker } from "../lib/assets";
import { Silence } from "../lib/silence";
import type { FromWorker, ToWorker } from "../protocol/protocol";

export interface Listener {
  message(m: FromWorker): void;
  stopped(what: string): void; // the worker is gone
  silent(): void; // it has said nothing for long while it was watched
  heard(): void; // it speaks again
}

// Engines are the engines of the page: one, or two that look like one (engine/pair.ts).
export interface Engines {
  readonly silent: boolean;
  readonly open: boolean;
  readonly engines: number;
  start(): void;
  stopped(what: string): void;
  send(m: ToWorker): void;
  watch(on: boolean): void;
}

export class Connection implements Engines {
  readonly engines = 1;
  private worker: Worker | undefined;
  private silence: Silence;

  constructor(private listener: Listener) {
    this.silence = new Silence(() => this.listener.silent());
  }

  get silent(): boolean {
    return this.silence.over;
  }

  get open(): boolean {
    return this.worker !== undefined;
  }

  // start makes a worker in place of the one before.
  start(more: { module?: WebAssembly.Module; shares?: boolean } = {}): void {
    this.close();
    let worker: Worker;
    try {
      worker = engineWorker(more);
    } catch (e) {
      return this.listener.stopped(`The engine cannot start: ${String(e)}`);
    }
    this.worker = worker;
    worker.onmessage = (e: MessageEvent<FromWorker>) => {
      if (this.worker !== worker) return; // said before it was closed
      if (this.silence.heard()) this.listener.heard();
      this.listener.message(e.data);
    };
    worker.onerror = (e) => {
      e.preventDefault();
      this.stopped(`The engine stopped: ${e.message || "its program could not be loaded"}.`);
    };
    worker.onmessageerror = () => this.stopped("The page cannot read a message of the engine.");
  }

  close(): void {
    this.watch(false);
    this.worker?.terminate();
    this.worker = undefined;
  }

  send(m: ToWorker): void {
    this.worker?.postMessage(m, "ports" in m && m.ports ? m.ports : []);
  }

  stopped(what: string): void {
    this.close();
    this.listener.stopped(what);
  }

  watch(on: boolean): void {
    this.silence.watch(on);
  }
}
