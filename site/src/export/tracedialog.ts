// Saving a trace: a side is run once more and every event of it written to a file
// that trace viewers open.

import { h, text } from "../lib/dom";
import { save } from "../lib/files";
import { bytes, count, percent, significant } from "../lib/format";
import type { TraceListener } from "../engine/questions";
import { SIDES, type Side, type TraceDone } from "../protocol/protocol";
import { linkOf } from "../links/stamp";
import type { Page } from "../state/page";

export type AskTrace = (side: Side, listener: TraceListener) => () => void;

// traceDialog builds the body of the dialog. Closing it gives a trace up.
export function traceDialog(page: Page, ask: AskTrace, dialog: HTMLDialogElement): HTMLElement[] {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the trace", hidden: true });
  const said = h("p", { "aria-live": "polite", id: "trace-said" });
  let giveUp: (() => void) | undefined;
  const buttons = SIDES.map((side) => h("button", { type: "button", "data-side": side }, `Save ${side}: ${page.data.labels[side]}`));
  const idle = (on: boolean): void => {
    bar.hidden = on;
    for (const b of buttons) b.disabled = !on;
  };
  const start = (side: Side): void => {
    idle(false);
    bar.value = 0;
    text(said, `Running side ${side} again to record every event.`);
    giveUp = ask(side, {
      progress: (fraction) => {
        bar.value = fraction;
        text(said, `Running side ${side} again: ${percent(fraction)}.`);
      },
      done: (trace, about) => {
        giveUp = undefined;
        idle(true);
        const name = `${about.name}-${side}.trace.json`;
        // The trace is one object of JSON: its first key is the link back.
        save(new Blob([`{"link":${JSON.stringify(linkOf(page))},`, trace.slice(1)]), name);
        text(said, words(name, about));
      },
      failed: (fault) => {
        giveUp = undefined;
        idle(true);
        text(said, [fault.what, fault.mend].filter(Boolean).join(" "));
      },
    });
  };
  buttons.forEach((b, i) => b.addEventListener("click", () => start(SIDES[i]!)));
  dialog.addEventListener("close", () => giveUp?.(), { once: true });
  return [
    h("p", {},
      "A trace lists the machine's events: CTAs and warps of each SM, requests in the crossbar, L2 lookups, queues, the codec, every DRAM command and burst. " +
        "It is Chrome trace-event JSON. Open it in ui.perfetto.dev or chrome://tracing. It ends at 64 MB and says how many events are missing.",
    ),
    h("div", { class: "buttons" }, ...buttons),
    bar,
    said,
  ];
}

function words(name: string, t: TraceDone): string {
  const whole = `Saved ${name}: ${count(t.events)} entries, ${bytes(t.bytes)}.`;
  if (t.leftOut === 0) return `${whole} It covers the whole run.`;
  return `${whole} It is complete up to ${significant(t.microseconds)} µs; ${count(t.leftOut)} later events did not fit.`;
}
