// The status line: whether a run is in progress, how far it is, and how it ended.

import { byId, text, unbroken } from "../lib/dom";
import { soon } from "../lib/turns";
import { count, percent } from "../lib/format";
import { SIDES } from "../protocol/protocol";
import { owns } from "../state/owned";
import { intervalWords } from "../results/interval";
import { drawResults, headlineOf } from "../results/results";
import type { Page } from "../state/page";

const PHASES: Record<string, string> = {
  start: "starting",
  reference: "computing the exact output",
  profile: "counting symbols for the code tables",
  simulate: "simulating",
};

export function startStatus(page: Page, cancel: () => void): void {
  byId("cancel").addEventListener("click", cancel);
  byId("cancel-status").addEventListener("click", cancel);
  page.on(["progress", "run", "results", "scenario"], soon(() => draw(page)));
  const results = (): void => showResults(page);
  page.on(["results", "lists", "figures", "past"], soon(results));
  page.on(["scenario", "run"], results); // at once: numbers that are not of the settings say so
  results(); // what was built is shown with the first paint
  draw(page);
}

function showResults(page: Page): void {
  drawResults(page);
  const h1 = byId("headline");
  owns(page, h1);
  const interval = byId("interval");
  owns(page, interval);
  text(interval, intervalWords(page));
  unbroken(h1, headlineOf(page) || (page.shows ? "Only one side has a result." : noResult(page)));
}

// noResult says why there is no headline.
function noResult(page: Page): string {
  const { run, linkWaits } = page;
  if (run.number > 0 && !page.hasRun) return "This has not run yet.";
  if (run.phase === "error" || run.phase === "cancelled") return `No result: the run ${run.phase === "error" ? "ended with an error" : "was cancelled"}.`;
  return `The result appears here when ${linkWaits ? "the scenario of the link" : "this scenario"} has run.`;
}

function draw(page: Page): void {
  const { phase, progress, hashes } = page.run;
  const running = phase === "running";
  const bar = byId<HTMLProgressElement>("progress");
  bar.hidden = byId("cancel-status").hidden = !running;
  bar.value = progress.fraction;
  const status = byId("status-text");
  owns(page, status);
  if (phase === "loading") return text(status, loadingText(page));
  if (!page.hasRun) return text(status, "Not run yet.");
  const { events } = page.data;
  const dropped = events.A.dropped + events.B.dropped;
  const more = dropped > 0 ? ` Cycles beyond ${count(Math.min(...SIDES.map((side) => events[side].keptUntil)))} are replayed when you look at them.` : "";
  const earlier = phase !== "done" && page.results.of === "run" && page.data.remembered.A;
  const words = {
    running: progressText(page) + (earlier ? `.${shownText(page)}` : ""),
    done: `Done in your browser. Result A ${short(hashes.A)}, B ${short(hashes.B)}.${keptText(page)}${more}`,
    cancelled: `Cancelled.${shownText(page)}`,
    error: `The run ended with an error.${shownText(page)}`,
  }[phase];
  text(status, words);
}

// loadingText says of what the numbers are before the first run, and what begins.
function loadingText(page: Page): string {
  const { A, B } = page.results;
  const starts = "as soon as the engine is loaded.";
  if (page.shows) return `Numbers of a run made when this page was built (results ${short(A?.resultHash)} and ${short(B?.resultHash)}). The same run starts here ${starts}`;
  return `${page.linkWaits ? "The scenario of the link" : "This scenario"} starts here ${starts}`;
}

// shownText says of which run the numbers are while the latest one has none.
function shownText(page: Page): string {
  const { results, data } = page;
  if (!page.shows) return "";
  if (results.of === "built") return " The numbers shown were computed when this page was built.";
  if (results.of === "before") return " The numbers shown are from the run before.";
  return data.remembered.A ? " The numbers shown are kept from an earlier visit." : "";
}

// keptText names the sides that did not run again.
function keptText(page: Page): string {
  const { kept } = page.data;
  if (kept.length === 0) return "";
  return ` ${kept.join(", ")} kept from the run before; Run computes both again.`;
}

function short(hash: string | undefined): string {
  return hash ? hash.slice(0, 12) : "–";
}

// progressText says in a sentence how far the run is.
function progressText(page: Page): string {
  const { progress } = page.run;
  const sides = SIDES.map((side) => {
    const p = page.data.progress[side];
    if (!p) return "";
    if (p.done) return `${side} done`;
    return p.cycle > 0 ? `${side} cycle ${count(p.cycle)}` : "";
  }).filter((x) => x !== "");
  const where = sides.length > 0 ? `: ${sides.join(", ")}` : "";
  const phase = PHASES[progress.phase] ?? progress.phase;
  return `Running, ${phase}, ${percent(progress.fraction)}${page.timeLeft()}${where}`;
}
