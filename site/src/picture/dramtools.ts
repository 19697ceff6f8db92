// The row above the tab DRAM: what it shows, of which channel, and the trace.

import { button, byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { controllerOf } from "./dramrows";
import type { Page } from "../state/page";
import { DRAM_SHOWS, type DramShow } from "../state/settings";

const WORDS: Record<DramShow, string> = {
  banks: "banks, command by command",
  bandwidth: "bandwidth over time",
  queues: "queues over time",
  "row-hits": "row hits over time",
  "bank-hits": "row hits by bank and channel",
};

export function startDramTools(page: Page, saveTrace: () => void): void {
  const shows = h("select", { "aria-label": "What the tab shows" }, ...DRAM_SHOWS.map((s) => h("option", { value: s }, WORDS[s])));
  const channel = h("select", { "aria-label": "Channel" });
  const label = h("label", {}, "of", channel);
  shows.addEventListener("change", () => {
    page.settings.dram = shows.value as DramShow;
    page.emit("tab");
  });
  channel.addEventListener("change", () => {
    page.settings.channel = channel.value === "" ? undefined : Number(channel.value);
    page.emit("tab");
  });
  const save = button("Save a trace…", saveTrace, { id: "save-trace", title: "Every event of a side as a file for ui.perfetto.dev or chrome://tracing" });
  byId("dram-tools").append(h("label", {}, "show", shows), label, h("span", { class: "grow" }), save);

  const draw = soon(() => {
    const { dram } = page.settings;
    const t = page.data.topology.B ?? page.data.topology.A;
    const channels = t?.channels ?? 0;
    label.hidden = dram === "bank-hits" || channels === 0;
    // One channel's banks fill the picture, so there is no "all" for them.
    const options = Array.from({ length: channels }, (_, c) => ({ value: String(c), words: `channel ${c}, controller ${controllerOf(t!, c)}` }));
    if (dram !== "banks") options.unshift({ value: "", words: "all channels" });
    const signature = options.map((o) => o.words).join();
    if (channel.dataset["filled"] !== signature) {
      channel.dataset["filled"] = signature;
      channel.replaceChildren(...options.map((o) => h("option", { value: o.value }, o.words)));
    }
    shows.value = dram;
    const chosen = page.settings.channel;
    channel.value = chosen !== undefined && chosen < channels ? String(chosen) : (options[0]?.value ?? "");
    save.disabled = page.run.phase !== "done";
    text(save, "Save a trace…");
  });
  page.on(["tab", "run", "lists"], draw);
  draw();
}
