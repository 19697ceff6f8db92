// The status line: whether a run is in progress, how far it is, and how it ended.

import { byId, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { count, percent } from "../lib/format";
import { SIDES } from "../protocol/protocol";
import { drawResults, headlineOf, ofExample } from "../results/results";
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
  page.on(["results", "run", "lists", "figures", "past", "scenario"], soon(() => showResults(page)));
}

function showResults(page: Page): void {
  drawResults(page);
  if (ofExample(page)) text(byId("headline"), `The result appears here when ${page.linkWaits ? "the scenario of the link" : "this scenario"} has run.`);
  if (page.results.of !== "run") return;
  const sentence = headlineOf(page);
  if (sentence) text(byId("headline"), sentence);
}

function draw(page: Page): void {
  const { phase, progress, hashes } = page.run;
  const running = phase === "running";
  const bar = byId<HTMLProgressElement>("progress");
  bar.hidden = byId("cancel-status").hidden = !running;
  bar.value = progress.fraction;
  if (phase === "loading") {
    if (ofExample(page)) text(byId("status-text"), `${page.linkWaits ? "The scenario of the link" : "This scenario"} starts here as soon as the engine is loaded.`);
    return;
  }
  const { events } = page.data;
  const dropped = events.A.dropped + events.B.dropped;
  const more = dropped > 0 ? ` Cycles beyond ${count(Math.min(...SIDES.map((side) => events[side].keptUntil)))} are replayed when you look at them.` : "";
  const earlier = phase !== "done" && page.results.of === "run" && page.data.remembered.A;
  const before = earlier ? " The numbers shown are kept from an earlier visit." : page.results.of === "before" ? " The numbers shown are from the run before." : "";
  const words = {
    running: progressText(page) + (earlier ? `.${before}` : ""),
    done: `Done in your browser. Result A ${short(hashes.A)}, B ${short(hashes.B)}.${keptText(page)}${more}`,
    cancelled: `Cancelled.${before}`,
    error: `The run ended with an error.${before}`,
  }[phase];
  text(byId("status-text"), words);
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
  return `Running, ${PHASES[progress.phase] ?? progress.phase}, ${percent(progress.fraction)}${where}`;
}
