// The timeline: one cursor over both sides. Play, pause, step, step back,
// speed, scrub. The cursor moves with the animation frames; under reduced
// motion it steps instead of gliding.

import { byId, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { count, short } from "../lib/format";
import { BIN_CYCLES } from "../protocol/events";
import type { PastOfRun } from "../engine/past";
import { SIDES, type Side } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import { follows } from "../state/owned";
import type { Page } from "../state/page";
import { SPEED } from "../state/settings";

const STEP_SECONDS = 0.7; // between two states under reduced motion
const SLIDER = 100;

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

function speedOfSlider(x: number): number {
  return Math.round(SPEED.least * (SPEED.most / SPEED.least) ** (x / SLIDER));
}

function sliderOfSpeed(speed: number): number {
  return (SLIDER * Math.log(speed / SPEED.least)) / Math.log(SPEED.most / SPEED.least);
}

const WATCH_SECONDS = 40; // long enough to follow, short enough to see the end
const BUSY_SHARE = 0.25; // of the busiest stretch
const SHOWN_CYCLES = 96; // about what the plain picture shows
export const BEFORE_BURST = 8; // cycles by which the picture begins before its first burst
const PATIENCE_MS = 3000; // a run that takes longer is watched while it goes on
const FIRST_REACH = 2048; // cycles searched for a burst that the page does not hold
const MOST_REPLACED = 3; // requests of a step
const MOST_REACH = 16_384;
const AHEAD = 256; // bursts are announced by less than this before they are on the bus

export class Timeline {
  past: PastOfRun | undefined;
  beyond: ((asked: number, end: number) => void) | undefined; // is told what bound does
  private steps = 0;
  private last = 0;
  private waited = 0;
  private awaitingFirst = false;
  private touched = false; // a person or a link has put the cursor somewhere
  private kept = false; // by a link, for the next run
  private of: string | undefined; // what the latest run is of
  private began = 0; // when the run did
  private paced = 0; // number of the run that the speed was last fitted to

  constructor(private page: Page) {
    const { settings } = page;
    byId("to-start").onclick = () => this.seek(0);
    byId("step").onclick = () => void this.step(1);
    byId("step-back").onclick = () => void this.step(-1);
    byId("play").onclick = () => this.toggle();
    byId<HTMLInputElement>("speed").oninput = (e) =>
      this.choose(speedOfSlider(Number((e.target as HTMLInputElement).value)));
    const scrub = byId<HTMLInputElement>("scrub");
    scrub.oninput = () => this.seek(Number(scrub.value), settings.playing);
    const draw = soon(() => this.draw());
    page.on(["cursor", "progress", "events", "run", "scenario"], draw);
    page.on(["events", "series", "run", "scenario"], soon(() => this.drawSparks()));
    page.on(["events", "watched", "run"], () => this.startOnFirstBurst());
    page.on(["progress", "run"], () => {
      this.bound();
      this.pace();
    });
    this.draw();
  }

  // prepare readies the cursor for a new run: it plays from the first burst,
  // unless somebody has put it where they want to look.
  prepare(): void {
    const { settings: s, subject } = this.page;
    // Of another program, the run opens where it is busy, unless a link says where.
    if (this.of !== undefined && this.of !== subject && !this.kept) this.free();
    this.of = subject;
    this.kept = false;
    if (this.touched && !s.playing) return;
    this.awaitingFirst = true;
    this.began = performance.now();
  }

  // pace chooses a speed that shows the run in WATCH_SECONDS, once its end is known.
  private pace(): void {
    const { settings, run } = this.page;
    if (settings.ownSpeed || run.phase !== "done" || this.paced === run.number) return;
    this.paced = run.number;
    this.setSpeed((this.end() - this.busyFrom()) / WATCH_SECONDS);
    // Until somebody looks, the picture shows the machine at work.
    if (this.awaitingFirst && settings.cycle === 0) this.place(Math.min(this.end(), this.busyFrom() + SHOWN_CYCLES));
  }

  // place puts the cursor where nobody asked for it.
  private place(cycle: number): void {
    Object.assign(this.page.settings, { cycle, placed: true });
    this.page.emit("cursor");
  }

  // busyFrom is the first burst of the first stretch in which the buses of a side carry at least a
  // BUSY_SHARE of what they carry at most.
  private busyFrom(): number {
    const { events } = this.page.data;
    const starts = SIDES.map((side) => {
      const log = events[side];
      const least = BUSY_SHARE * log.bins.reduce((most, x) => Math.max(most, x), 0);
      const bin = log.bins.findIndex((x) => x > 0 && x >= least);
      return bin < 0 ? undefined : log.nextBurst(bin * BIN_CYCLES - 1);
    }).filter((c) => c !== undefined);
    return starts.length === 0 ? 0 : Math.max(0, Math.min(...starts) - BEFORE_BURST);
  }

  // keep leaves the cursor where a link put it; free lets the next run choose.
  keep(): void {
    this.touched = this.kept = true;
    this.awaitingFirst = false;
  }

  free(): void {
    this.touched = document.documentElement.dataset["autoplay"] === "no";
    this.page.settings.cycle = this.page.settings.shipped.scenario.view?.cycle ?? 0;
  }

  // bound brings a cursor that a link put beyond the end of the run to that end.
  private bound(): void {
    const { settings, run } = this.page;
    const end = this.end();
    if (run.phase !== "done" || settings.cycle <= end || end === 0) return;
    this.beyond?.(settings.cycle, end);
    settings.cycle = end;
    this.page.emit("cursor");
  }

  end(): number {
    if (this.page.run.number > 0 && !this.page.hasRun) return 0;
    return Math.max(...SIDES.map((side) => this.endOf(side)));
  }

  // endOf is the end of a side. It grows until the side has finished.
  private endOf(side: Side): number {
    const { data, run } = this.page;
    const log = data.events[side];
    const done = run.phase === "done" ? data.results[side]?.cycles : undefined;
    return Math.max(done ?? Math.max(data.progress[side]?.cycle ?? 0, log.until), log.last);
  }

  toggle(): void {
    const s = this.page.settings;
    this.awaitingFirst = false;
    this.touched = true;
    s.placed = false;
    if (!s.playing && (s.cycle === 0 || s.cycle >= this.end())) s.cycle = this.busyFrom();
    this.play(!s.playing);
  }

  seek(cycle: number, playing = false): void {
    const s = this.page.settings;
    this.awaitingFirst = false;
    this.touched = true;
    s.placed = false;
    s.cycle = Math.max(0, Math.min(cycle, this.end()));
    this.play(playing);
  }

  // step goes to the next or the previous burst of either side.
  // Cycles that the page does not hold are requested piece by piece, and again if a later request
  // for something else took the place of one.
  async step(direction: 1 | -1): Promise<void> {
    const turn = ++this.steps;
    const { settings } = this.page;
    const { cycle } = settings;
    if (settings.playing) this.play(false);
    let replaced = 0;
    for (let reach = FIRST_REACH; turn === this.steps && settings.cycle === cycle; reach = Math.min(2 * reach, MOST_REACH)) {
      const found = this.nearest(cycle, direction);
      const edge = this.past ? (direction > 0 ? this.past.knownUntil(cycle) : this.past.knownFrom(cycle)) : Infinity;
      const whole = direction > 0 ? edge === Infinity : edge === 0;
      if (whole || !this.past) return this.seek(found ?? (direction > 0 ? this.end() : 0));
      if (found !== undefined && (direction > 0 ? found + AHEAD <= edge : found - AHEAD >= edge)) return this.seek(found);
      const to = direction > 0 ? Math.min(edge + reach, this.end()) : edge;
      if (!(await this.past.to(to, Math.min(reach, to))) && ++replaced > MOST_REPLACED) return;
    }
  }

  // nearest is the next or the previous burst of either side as far as they are at hand.
  private nearest(cycle: number, direction: 1 | -1): number | undefined {
    const found = SIDES.map((side) => {
      const log = this.page.data.events[side];
      return direction > 0 ? log.nextBurst(cycle) : log.previousBurst(cycle);
    }).filter((c) => c !== undefined);
    if (found.length === 0) return undefined;
    return direction > 0 ? Math.min(...found) : Math.max(...found);
  }

  faster(factor: number): void {
    this.choose(this.page.settings.speed * factor);
  }

  private choose(speed: number): void {
    this.page.settings.ownSpeed = true;
    this.setSpeed(speed);
  }

  private setSpeed(speed: number): void {
    this.page.settings.speed = Math.max(SPEED.least, Math.min(SPEED.most, Math.round(speed)));
    this.page.emit("cursor");
  }

  private play(on: boolean): void {
    const s = this.page.settings;
    const was = s.playing;
    s.playing = on;
    if (on && !was) {
      this.last = performance.now();
      this.waited = 0;
      requestAnimationFrame(this.frame);
    }
    this.page.emit("cursor");
  }

  private frame = (now: number): void => {
    const s = this.page.settings;
    if (!s.playing) return;
    const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    let advance = seconds * s.speed;
    if (reducedMotion.matches) {
      this.waited += seconds;
      advance = this.waited < STEP_SECONDS ? 0 : STEP_SECONDS * s.speed;
      if (advance > 0) this.waited = 0;
    }
    const end = this.end();
    // If the engine must replay the next cycles, playing waits for it.
    const limit = this.past?.knownUntil(s.cycle) ?? Infinity;
    s.cycle = Math.min(s.cycle + advance, end, Math.max(limit, s.cycle));
    if (s.cycle >= end && this.page.run.phase !== "running") s.playing = false;
    if (advance > 0 || !s.playing) this.page.emit("cursor");
    if (s.playing) requestAnimationFrame(this.frame);
  };

  private startOnFirstBurst(): void {
    if (!this.awaitingFirst || !this.page.watched) return;
    // A long run is watched from its first burst while it goes on; others when they are done, since
    // their busy parts are known only then.
    const { run, data } = this.page;
    const first = SIDES.map((side) => data.events[side].nextBurst(-1)).filter((c) => c !== undefined);
    if (first.length === 0 || (run.phase === "running" && performance.now() - this.began < PATIENCE_MS)) return;
    this.awaitingFirst = false;
    this.pace();
    const begins = this.page.settings.shipped.scenario.view?.cycle; // as the author of the scenario says
    this.place(begins ? Math.min(begins, this.end()) : run.phase === "done" ? this.busyFrom() : Math.max(0, Math.min(...first) - BEFORE_BURST));
    this.play(!reducedMotion.matches);
  }

  private draw(): void {
    const { settings: s } = this.page;
    const end = this.end();
    this.page.cycles = end;
    follows(this.page, byId("time"));
    const play = byId("play");
    play.classList.toggle("playing", s.playing);
    play.setAttribute("aria-label", s.playing ? "Pause" : "Play");
    for (const id of ["play", "step", "step-back", "to-start"]) byId<HTMLButtonElement>(id).disabled = end === 0;
    const scrub = byId<HTMLInputElement>("scrub");
    scrub.disabled = end === 0;
    scrub.max = String(Math.max(1, Math.round(end)));
    scrub.value = String(Math.round(s.cycle));
    const where = end === 0 ? "cycle –" : `cycle ${count(s.cycle)} of ${count(end)}`;
    text(byId("cycle-text"), where);
    scrub.setAttribute("aria-valuetext", where);
    const speed = byId<HTMLInputElement>("speed");
    const slider = String(Math.round(sliderOfSpeed(s.speed)));
    if (speed.value !== slider) speed.value = slider;
    const words = `${short(s.speed)} cycles/s`;
    text(byId("speed-text"), words);
    speed.setAttribute("aria-valuetext", words);
    const x = end === 0 ? 0 : (1000 * s.cycle) / end;
    byId("spark-now").setAttribute("d", `M${x.toFixed(1)} 0v40`);
  }

  private drawSparks(): void {
    const end = this.end();
    const both = SIDES.map((side) => this.bandwidth(side));
    const peak = Math.max(1e-9, ...both.flatMap((b) => b.points));
    SIDES.forEach((side, i) => byId(`spark-${side.toLowerCase()}`).setAttribute("d", sparkPath(both[i]!, end, peak)));
  }

  // bandwidth of a side over the timeline, in bytes a cycle: from the events, as
  // they come; from the engine's coarser series where not all events were kept.
  private bandwidth(side: Side): Curve {
    const { events, series, scenario } = this.page.data;
    const log = events[side];
    const coarse = series[side];
    if (log.dropped > 0 && coarse) return curve(coarse.bytes, coarse.cyclesPerPoint, 1);
    const bins = new Uint32Array(Math.ceil(this.endOf(side) / BIN_CYCLES));
    bins.set(log.bins.subarray(0, bins.length));
    return curve(bins, BIN_CYCLES, memoryOf(scenario, side).mag);
  }
}

interface Curve {
  points: number[];
  cyclesPerPoint: number;
}

const MOST_POINTS = 250;

// curve reduces values to at most MOST_POINTS rates, each a mean.
function curve(values: ArrayLike<number>, cyclesPerValue: number, scale: number): Curve {
  const group = Math.max(1, Math.ceil(values.length / MOST_POINTS));
  const points: number[] = [];
  for (let i = 0; i < values.length; i += group) {
    const stop = Math.min(values.length, i + group);
    let total = 0;
    for (let j = i; j < stop; j++) total += values[j]!;
    points.push((total * scale) / ((stop - i) * cyclesPerValue));
  }
  return { points, cyclesPerPoint: group * cyclesPerValue };
}

function sparkPath(c: Curve, end: number, peak: number): string {
  if (end === 0) return "";
  const at = c.points.map((v, i) => {
    const x = Math.min(1000, (1000 * (i + 0.5) * c.cyclesPerPoint) / end);
    return `${x.toFixed(1)} ${(38 - (36 * v) / peak).toFixed(1)}`;
  });
  return at.length > 0 ? `M${at.join("L")}` : "";
}
