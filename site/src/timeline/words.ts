// The events at the cursor in words, for readers who do not see the picture. They are
// announced when the cursor rests, and now and then while it moves.

import { byId, text } from "../lib/dom";
import { count, hex } from "../lib/format";
import { KIND, type BusEvent } from "../protocol/events";
import { SIDES, type Side } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";

const BACK_CYCLES = 160; // about as many cycles as the strips show
const MODE_LOSSY = 2;
const REST_MS = 400;
const PLAYING_MS = 4000;

export function startCursorWords(page: Page): void {
  let timer = 0;
  const say = (): void => {
    timer = 0;
    text(byId("now"), cursorWords(page));
  };
  page.on(["cursor", "run"], () => {
    if (page.settings.playing) {
      timer ||= setTimeout(say, PLAYING_MS);
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(say, REST_MS);
  });
}

// cursorWords is the latest burst of either side up to the cursor.
export function cursorWords(page: Page): string {
  const { cycle } = page.settings;
  if (page.cycles === 0) return "";
  const sides = SIDES.filter((side) => page.data.topology[side]).map((side) => `${side}: ${sideWords(page, side, cycle)}`);
  return `Cycle ${count(Math.round(cycle))}. ${sides.join(". ")}.`;
}

function sideWords(page: Page, side: Side, cycle: number): string {
  let last: BusEvent | undefined;
  for (const e of page.data.events[side].bursts(cycle - BACK_CYCLES, cycle + 1)) {
    if (e.cycle <= cycle) last = e;
  }
  if (!last) return "no burst on the buses";
  const does = last.kind === KIND.read ? "reads" : "writes";
  const where = `channel ${last.channel} ${does}`;
  if (last.metadata) return `${where} metadata`;
  const most = 128 / memoryOf(page.data.scenario, side).mag;
  const saved = most - last.bursts;
  return (
    `${where} block ${hex(last.addr)}, burst ${last.index + 1} of ${last.bursts}` +
    (saved > 0 ? `, ${saved} saved` : "") +
    (last.mode === MODE_LOSSY ? ", with approximated symbols" : "")
  );
}
