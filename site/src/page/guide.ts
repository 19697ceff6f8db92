// The first run, explained in the picture: three marks in 20 seconds, with numbers of that run. They come once.

import { byId, h } from "../lib/dom";
import { keep, kept } from "../lib/keep";
import { count } from "../lib/format";
import { SIDES } from "../protocol/side";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";

const STORED = "burstscope.guided";
const MARK_MS = 20_000 / 3;

interface Mark {
  words: string;
  column: number; // of the picture (columnsOf)
}

const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));
const NARROW = 600; // narrowWidth of render/model/scene.go
const RIM = 3; // of a ring around its column, pixels

// columnsOf are the SMs, the controllers and the buses in a moving picture of a width, from and to in pixels, as
// render/model/frame.go lays them out.
export function columnsOf(width: number): [number, number][] {
  const edge = width < NARROW ? 6 : 10;
  const w = width - 2 * edge;
  const narrow = w < NARROW;
  const [gap, label] = narrow ? [5, 0] : [10, 22];
  const sms = narrow ? clamp(0.15 * w, 44, 90) : clamp(0.17 * w, 120, 240);
  const between = narrow ? 9 : clamp(0.05 * w, 30, 64) + gap + clamp(0.06 * w, 40, 64);
  const controller = edge + sms + gap + between + gap;
  const after = controller + (narrow ? clamp(0.2 * w, 62, 110) : clamp(0.19 * w, 150, 210));
  return [[edge, edge + sms], [controller, after], [after + gap + label, width - edge]];
}

function marksOf(page: Page): Mark[] {
  const sms = page.data.topology.B?.sms;
  return [
    {
      words: `${sms ? count(sms) : "The"} SMs run the program. A ring that leaves one asks memory for 128 bytes.`,
      column: 0,
    },
    { words: blockWords(page), column: 1 },
    {
      words: "Each cell on this bus is a burst. A pale one was saved: the next block comes sooner. Compare A with B.",
      column: 2,
    },
  ];
}

// blockWords tells of a block of the run that was stored in fewer bursts.
function blockWords(page: Page): string {
  for (const side of SIDES) {
    const b = page.data.blocks[side];
    if (!b) continue;
    const { mag } = memoryOf(page.data.scenario, side);
    const whole = b.lineBytes / mag;
    const at = b.bursts.findIndex((n, i) => n > 0 && n < whole && b.touches[i]! > 0 && b.bits[i]! > 8);
    if (at < 0) continue;
    const bursts = b.bursts[at]!;
    return (
      `A memory controller packs each block: one of ${b.lineBytes} bytes into ${Math.ceil(b.bits[at]! / 8)}. ` +
      `Memory moves whole bursts of ${mag} bytes, so ${bursts} of ${whole} are moved.`
    );
  }
  return "A memory controller stores each block, and moves it in whole bursts.";
}

export function startGuide(page: Page): void {
  const first = (): boolean => document.documentElement.dataset["depth"] === "simple" && kept(STORED) === null;
  if (!first()) return;
  let started = false;
  const look = (): void => {
    const { run, status } = page;
    const drawn = run.phase === "done" && status.picture === "moving" && status.view.run === run.number;
    if (started || !drawn || !first()) return;
    started = true;
    if (keep(STORED, "1")) show(page);
  };
  page.on(["cursor", "run", "watched"], look);
}

function show(page: Page): void {
  const marks = marksOf(page);
  const ring = h("div", { class: "ring" });
  const words = h("p", {});
  const step = h("span", { class: "note" });
  const skip = h("button", { type: "button", id: "guide-skip" }, "Skip");
  const card = h("div", { class: "words-of-mark", role: "note" }, words, h("div", {}, step, skip));
  const box = h("div", { id: "guide" }, ring, card);
  let at = -1;
  let timer = 0;
  const end = (): void => {
    clearTimeout(timer);
    box.remove();
  };
  const next = (): void => {
    const mark = marks[++at];
    if (!mark) return end();
    const [from, to] = columnsOf(box.clientWidth)[mark.column]!;
    const right = Math.min(to + RIM, box.clientWidth); // a phone would become wider than its window
    Object.assign(ring.style, { left: `${from - RIM}px`, width: `${right - from + RIM}px` });
    card.style.setProperty("--at", `${(from + to) / 2}px`);
    words.textContent = mark.words;
    step.textContent = `${at + 1} of ${marks.length}`;
    timer = window.setTimeout(next, MARK_MS);
  };
  skip.addEventListener("click", end);
  page.on(["tab", "run"], () => {
    if (page.tab !== "bursts" || page.run.phase === "running") end();
  });
  byId("depth").addEventListener("click", end);
  byId("stage").append(box);
  next();
}
