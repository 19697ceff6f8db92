// A sweep in the page: the button, how far it is, how long it takes, and its end.

import { button, h, text } from "../lib/dom";
import { duration, percent, sentence } from "../lib/format";
import { say, type Messages } from "../state/messages";
import type { Fault } from "../protocol/protocol";
import type { Page } from "../state/page";
import { Pool, poolSize, type Job, type Outcome } from "./pool";
import type { Store } from "./store";

export interface RunnerHooks {
  // jobs to run now, without those that are known.
  jobs(): Job[];
  words(): string; // of the button
  came(job: Job, key: string, outcome: Outcome): void;
  failed?(job: Job, fault: Fault): void;
}

export class Runner {
  readonly box: HTMLElement;
  private run = button("Run it here", () => this.begin(), { class: "primary sweep-run" });
  private bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the sweep", hidden: true });
  private rest = button("Pause", () => void this.pause(), { class: "sweep-pause", hidden: true });
  private stop = button("Cancel", () => void this.cancel(), { class: "sweep-cancel", hidden: true });
  private words = h("span", { class: "sweep-words", "aria-live": "off" });
  private pool: Pool;
  private all = 0;
  private done = 0;
  private failures: Fault[] = [];
  private worked = 0; // milliseconds of the points that are done
  private computed = 0; // points that were computed, not found

  constructor(private page: Page, store: Store, private messages: Messages, private hooks: RunnerHooks) {
    this.box = h("div", { class: "tools sweep" }, this.run, this.bar, this.rest, this.stop, this.words);
    this.pool = new Pool({
      known: async (key) => {
        await store.read([key]);
        return store.get(key);
      },
      done: (job, key, outcome, milliseconds) => {
        store.put(key, outcome);
        this.done++;
        if (milliseconds > 0) this.computed++;
        this.worked += milliseconds;
        page.status.repro.done = this.done;
        hooks.came(job, key, outcome);
        this.draw();
      },
      failed: (job, fault) => {
        this.done++;
        this.failures.push(fault);
        hooks.failed?.(job, fault);
        this.draw();
      },
      progress: () => this.draw(),
      ended: () => this.over("done", this.failures.length > 0 ? `Done; ${this.failures.length} of ${this.all} points could not be run.` : `Done: ${this.all} points computed here.`),
      broken: (fault) => {
        this.over("cancelled", "The sweep ended: no engine works.");
        messages.show("sweep", { what: sentence(fault.what), ...(fault.where ? { where: `(${fault.where})` } : {}), mend: "Computed points are kept. Run it again to continue." });
      },
    });
  }

  get running(): boolean {
    const s = this.page.status.repro.sweep;
    return (s === "running" || s === "paused") && !this.stop.hidden;
  }

  // draw shows what the button would do, or how far the sweep is.
  draw(): void {
    if (!this.running) {
      const busy = ["running", "paused"].includes(this.page.status.repro.sweep); // another sweep
      this.run.disabled = busy || this.hooks.jobs().length === 0;
      return text(this.run, this.hooks.words());
    }
    const fraction = this.all > 0 ? (this.done + this.pool.underWay) / this.all : 0;
    this.bar.value = fraction;
    const paused = this.page.status.repro.sweep === "paused";
    const on = paused ? "paused" : `${this.pool.workers || "starting"} ${this.pool.workers === 1 ? "engine" : "engines"}`;
    text(this.words, `${this.done} of ${this.all} points, ${percent(fraction)}, ${on}${paused ? "" : this.estimate(fraction)}`);
  }

  // estimate goes by the points that are done: those of one sweep differ, but not
  // by magnitudes.
  private estimate(fraction: number): string {
    if (this.computed === 0) return "; no estimate before the first point is done";
    const left = this.all * (1 - fraction);
    const seconds = (this.worked / this.computed) * (left / Math.max(1, Math.min(poolSize(), left))) / 1000;
    return `; about ${duration(seconds)} left`;
  }

  begin(): void {
    const jobs = this.hooks.jobs();
    if (jobs.length === 0 || this.running) return;
    this.messages.clear("sweep");
    this.all = jobs.length;
    this.done = this.worked = this.computed = 0;
    this.failures = [];
    Object.assign(this.page.status.repro, { sweep: "running", points: jobs.length, done: 0 });
    this.show(true);
    text(this.rest, "Pause");
    this.pool.start(jobs);
    this.draw();
    say(`${jobs.length} points, ${poolSize()} engines.`);
  }

  private async pause(): Promise<void> {
    const t = this.page.status.repro;
    const to = t.sweep !== "paused";
    const asked = performance.now();
    t.sweep = to ? "paused" : "running";
    text(this.rest, to ? "Continue" : "Pause");
    this.draw();
    await this.pool.pause(to);
    t.cancelMilliseconds = performance.now() - asked;
  }

  private async cancel(): Promise<void> {
    const asked = performance.now();
    await this.pool.cancel();
    this.page.status.repro.cancelMilliseconds = performance.now() - asked;
    this.over("cancelled", `Cancelled; ${this.done} of ${this.all} points are kept.`);
  }

  private over(how: "done" | "cancelled", words: string): void {
    this.page.status.repro.sweep = how;
    const first = this.failures[0];
    this.show(false);
    text(this.words, first ? `${words} The first: ${[first.where, first.what, first.mend].filter(Boolean).join(": ")}.` : words);
    say(words);
    this.page.emit("repro");
  }

  private show(running: boolean): void {
    const focused = document.activeElement;
    this.run.hidden = running;
    this.bar.hidden = this.rest.hidden = this.stop.hidden = !running;
    if (focused === this.run) this.stop.focus();
    else if (!running && (focused === this.stop || focused === this.rest)) this.run.focus();
  }
}
