// The first run, explained in the picture: three marks in 20 seconds, with numbers of that run. They come once.

import { byId, h } from "../lib/dom";
import { count } from "../lib/format";
import { SIDES } from "../protocol/side";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";
import { BOTH_SIDES_FROM } from "../state/settings";

const STORED = "burstscope.guided";
const MARK_MS = 20_000 / 3;

interface Mark {
  words: string;
  at: [number, number]; // percent of the picture's width, from and to
  narrow: [number, number]; // where one side is shown
}

// The columns of the moving picture (render/model/columns.go).
function marksOf(page: Page): Mark[] {
  const sms = page.data.topology.B?.sms;
  return [
    {
      words: `${sms ? count(sms) : "The"} SMs run the program. A ring that leaves one asks memory for 128 bytes.`,
      at: [0, 18.2],
      narrow: [0, 17],
    },
    { words: blockWords(page), at: [31.5, 53], narrow: [20, 42] },
    {
      words: "Each cell on this bus is a burst. A pale one was saved: the next block comes sooner. Compare A with B.",
      at: [55, 100],
      narrow: [41, 100],
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
  const first = (): boolean => {
    try {
      return document.documentElement.dataset["depth"] === "simple" && localStorage.getItem(STORED) === null;
    } catch {
      return false;
    }
  };
  if (!first()) return;
  let started = false;
  const look = (): void => {
    const { run, status } = page;
    const drawn = run.phase === "done" && status.picture === "moving" && status.view.run === run.number;
    if (started || !drawn || !first()) return;
    started = true;
    localStorage.setItem(STORED, "1");
    show(page);
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
    const [from, to] = box.clientWidth < BOTH_SIDES_FROM ? mark.narrow : mark.at;
    Object.assign(ring.style, { left: `${from}%`, width: `${to - from}%` });
    card.style.setProperty("--at", `${(from + to) / 2}%`);
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
