// The worker of the engine: started, listened to, and watched while it computes.

import { engineWorker } from "../lib/assets";
import type { FromWorker, ToWorker } from "../protocol/protocol";

// While the engine computes it reports every 60 ms (wasm/engine/engine.go). The longest
// pause of a run, compiling the largest program the engine accepts, takes some seconds on
// a phone.
export const SILENCE_SECONDS = 30;
const TICK_MS = 1000;

export interface Listener {
  message(m: FromWorker): void;
  stopped(what: string): void; // the worker is gone
  silent(): void; // it has said nothing for SILENCE_SECONDS while it was watched
  heard(): void; // it speaks again
}

export class Connection {
  private worker: Worker | undefined;
  private ticks = 0; // since the last message
  private timer: ReturnType<typeof setInterval> | undefined;
  silent = false;

  constructor(private listener: Listener) {}

  get open(): boolean {
    return this.worker !== undefined;
  }

  // start makes a worker in place of the one before.
  start(): void {
    this.close();
    let worker: Worker;
    try {
      worker = engineWorker();
    } catch (e) {
      return this.listener.stopped(`The engine cannot start: ${String(e)}`);
    }
    this.worker = worker;
    worker.onmessage = (e: MessageEvent<FromWorker>) => {
      this.ticks = 0;
      if (this.silent) {
        this.silent = false;
        this.listener.heard();
      }
      this.listener.message(e.data);
    };
    worker.onerror = (e) => {
      e.preventDefault();
      this.stopped(`The engine stopped: ${e.message || "its program could not be loaded"}.`);
    };
    worker.onmessageerror = () => this.stopped("The engine sent a message that the page cannot read.");
  }

  close(): void {
    this.watch(false);
    this.worker?.terminate();
    this.worker = undefined;
    this.silent = false;
  }

  send(m: ToWorker): void {
    this.worker?.postMessage(m);
  }

  stopped(what: string): void {
    this.close();
    this.listener.stopped(what);
  }

  // watch begins or ends the count of seconds without a word. A browser may kill a worker
  // without an event, for example for its memory. Only ticks of a page on show count, each
  // as one second: timers and workers of a page in the background stand still, and a
  // machine that slept has not waited.
  watch(on: boolean): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.ticks = 0;
    if (!on) return;
    this.timer = setInterval(() => {
      if (document.hidden || this.silent || ++this.ticks * TICK_MS < SILENCE_SECONDS * 1000) return;
      this.silent = true;
      this.listener.silent();
    }, TICK_MS);
  }
}
