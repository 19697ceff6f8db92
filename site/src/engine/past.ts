// The past of a run. The engine replays cycles that the page does not hold. One question
// is in flight at a time, and only the latest request waits behind it. While somebody
// drags the cursor, each answer is shown, and the last one stays.

import type { Questions } from "./questions";
import { SIDES, type Side, type Sought } from "../protocol/protocol";
import type { Page } from "../state/page";

// The page holds this many cycles before the cursor: those that strips show, and those of
// the requests in flight there.
const BACK = 1536;
// A window is at most this long; the engine's own bound is above it.
const MOST_WINDOW = 16_384;
// Playing waits until it holds this many seconds ahead.
const AHEAD_SECONDS = 0.5;
// A strip shows the last 1.5 seconds of playing (render/model/view.go).
const STRIP_SECONDS = 1.5;
// Figures at the cursor follow it this often while it plays.
const FIGURES_MS = 250;

interface Wish {
  cycle: number;
  window: number;
  sides: string;
  done: ((reached: boolean) => void)[];
}

export class PastOfRun {
  private underWay: Wish | undefined;
  private next: Wish | undefined;
  private lastFigures = 0;
  private run = 0; // the one that the requests are about

  constructor(
    private page: Page,
    private engine: Questions,
  ) {
    page.on(["cursor", "figures", "tab"], () => this.follow());
    page.on(["run"], () => {
      if (this.run !== page.run.number) {
        this.run = page.run.number;
        for (const w of [this.underWay, this.next]) for (const done of w?.done ?? []) done(false);
        this.underWay = this.next = undefined;
      }
      this.follow();
    });
  }

  // to goes to a cycle: its events, its counters and its memory. It answers false if a
  // later request replaced it or the cycle cannot be reached.
  to(cycle: number, window = 0): Promise<boolean> {
    return new Promise((resolve) => this.wish(cycle, window, resolve));
  }

  // knownUntil is the cycle up to which the cursor can play from where it stands.
  knownUntil(cycle: number): number {
    let least = Infinity;
    for (const side of SIDES) {
      if (cycle >= this.endOf(side)) continue;
      const log = this.page.data.events[side];
      let until = cycle;
      for (let k = log.known(cycle); k && k.until > until; k = log.known(until + 1)) until = k.until;
      if (until < this.endOf(side)) least = Math.min(least, until);
    }
    return least;
  }

  // knownFrom is the cycle from which on everything is at hand up to another one.
  knownFrom(cycle: number): number {
    return Math.max(
      ...SIDES.map((side) => {
        const log = this.page.data.events[side];
        let from = Math.min(cycle, this.endOf(side));
        for (let k = log.known(from); k && k.from < from; k = log.known(from)) from = k.from;
        return from;
      }),
    );
  }

  // ahead asks for the cycles that playing needs next.
  ahead(): void {
    const { cycle, speed } = this.page.settings;
    const until = this.knownUntil(cycle);
    if (until === Infinity || until - cycle > AHEAD_SECONDS * speed + 256 || this.underWay) return;
    const to = Math.min(until + Math.max(1024, Math.min(MOST_WINDOW, Math.round(speed))), this.end());
    this.wish(to, to - until + BACK);
  }

  // endOf is the end of a side as far as the page knows: the run's present, or its end.
  private endOf(side: Side): number {
    const log = this.page.data.events[side];
    return log.complete ? log.keptUntil : log.until;
  }

  private end(): number {
    return Math.max(...SIDES.map((side) => this.endOf(side)));
  }

  // follow asks for the cursor's surroundings if they are not at hand, and for the
  // figures there if they are shown.
  private follow(): void {
    const { settings: s, data, run } = this.page;
    if (run.number === 0) return;
    const cycle = Math.floor(s.cycle);
    if (s.playing) this.ahead();
    else if (this.missing(cycle)) return this.wish(cycle, this.back());
    if (!s.figuresAtCursor) return;
    const shown = SIDES.every((side) => data.past[side] === undefined || data.past[side]!.cycle === Math.min(cycle, this.endOf(side)));
    const now = performance.now();
    if (shown && data.past.A) return;
    if (s.playing && (this.underWay || now - this.lastFigures < FIGURES_MS)) return;
    this.lastFigures = now;
    this.wish(cycle, 0);
  }

  private missing(cycle: number): boolean {
    return SIDES.some((side) => {
      const at = Math.min(cycle, this.endOf(side));
      const known = this.page.data.events[side].known(at);
      return at > 0 && (!known || known.from > Math.max(0, at - BACK / 2));
    });
  }

  private back(): number {
    return Math.max(BACK, Math.min(MOST_WINDOW, Math.round(STRIP_SECONDS * this.page.settings.speed)));
  }

  private wish(cycle: number, window: number, done?: (reached: boolean) => void): void {
    const first = this.page.settings.side;
    const wish: Wish = { cycle: Math.floor(cycle), window, sides: first === "A" ? "AB" : "BA", done: done ? [done] : [] };
    const u = this.underWay;
    if (u && u.cycle === wish.cycle && u.window >= wish.window) {
      u.done.push(...wish.done);
      for (const f of this.next?.done ?? []) f(false);
      this.next = undefined;
      return;
    }
    if (u) {
      for (const f of this.next?.done ?? []) f(false);
      this.next = wish;
      return;
    }
    this.ask(wish);
  }

  private ask(wish: Wish): void {
    const t = this.page.status.sought;
    const since = performance.now();
    this.underWay = wish;
    t.pending = true;
    t.error = "";
    this.engine.seek({ cycle: wish.cycle, window: this.trimmed(wish), sides: wish.sides }, (answer) => {
      if (this.underWay !== wish) return; // it was of an earlier run
      t.milliseconds = performance.now() - since;
      this.heard(answer);
      if (!answer.last) return;
      this.underWay = undefined;
      t.pending = this.next !== undefined;
      for (const f of wish.done) f(answer.ok);
      const next = this.next;
      this.next = undefined;
      if (next) this.ask(next);
      else if (this.page.settings.playing) this.ahead();
    });
  }

  // trimmed is a window without the cycles that the latest windows hold, if it starts
  // where they end.
  private trimmed(wish: Wish): number {
    const from = wish.cycle - wish.window;
    const { A, B } = this.page.data.windows;
    if (!A || !B || A.until !== B.until || A.until < from || A.until >= wish.cycle) return wish.window;
    return wish.cycle - A.until;
  }

  private heard(a: Sought): void {
    const { page } = this;
    const t = page.status.sought;
    if (!a.ok || !a.side || !a.buffer || !a.result) {
      t.error = a.what ?? "no answer";
      return;
    }
    const { side, cycle = 0, from = 0, buffer, count = 0, opening = 0 } = a;
    t.answers++;
    t.cycle = a.asked ?? cycle;
    if (a.digest) t.digests[side] = a.digest;
    t.work[side] = a.work ?? 0;
    t.every[side] = a.every ?? 0;
    t.replayedFrom[side] = a.replayedFrom ?? 0;
    t.states[side] = a.states ?? 0;
    t.stateBytes[side] = a.stateBytes ?? 0;
    page.data.past[side] = { cycle, result: a.result };
    if (from < cycle) {
      page.data.events[side].addWindow(from, cycle, buffer, count, opening);
      page.data.windows[side] = { side, from, until: cycle, buffer, opening, result: a.result };
      page.emit("events");
    }
    page.emit("past");
  }
}
