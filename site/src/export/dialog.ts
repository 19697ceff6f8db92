// The dialog that writes files: results, figures, the animation, traces, the
// scenario. Each file carries the stamp. Nothing is sent anywhere.

import { MOST_SECONDS, canEncode, film, record, recordedType, type Filming } from "./animation";
import { button, h, text } from "../lib/dom";
import type { ExportHooks } from "./export";
import { resultsCSV, resultsJSON, scenarioJSON, scenarioPacked } from "./data";
import { FIGURES, drawFigure } from "./figures";
import { png, save } from "../lib/files";
import { percent } from "../lib/format";
import { stampLines, stampOf } from "../links/stamp";
import type { Page } from "../state/page";
import { traceDialog } from "./tracedialog";

window.burstscopeExport = (page, hooks) => {
  const said = h("p", { "aria-live": "polite", id: "export-said" });
  const tell = (s: string): void => text(said, s);
  // A button says which file it has made, or why there is none.
  const saver: Saver = (id, label, make) => {
    const failed = (e: unknown): void => tell(`The file could not be made: ${e instanceof Error ? e.message : String(e)}.`);
    const done = (file: Made | undefined): void => {
      if (!file) return;
      save(file.content, file.name);
      tell(`Saved ${file.name}${file.about ?? ""}.`);
    };
    return button(label, () => Promise.resolve().then(make).then(done).catch(failed), { id });
  };
  const name = `burstscope-${page.results.origin.shipped.name.replace(/[^\w.-]/g, "_")}`;
  const some = page.results.A !== undefined || page.results.B !== undefined;
  return [
    h("p", { class: "note" }, "Every file names the version, the hashes of the scenario and result, and a link back to this page. Files are made on this machine."),
    h("div", { class: "exports" },
      h("h3", {}, "Results"),
      h("div", { class: "tools" },
        saver("export-csv", "CSV", () => ({ content: resultsCSV(page, stampOf(page)), name: `${name}.csv` })),
        saver("export-json", "JSON", () => ({ content: resultsJSON(page, stampOf(page)), name: `${name}.json` })),
        some ? h("span", { class: "note" }, "figures and counters of A and B") : h("span", { class: "note" }, "no run has finished yet"),
      ),
      h("h3", {}, "Figure"),
      figures(page, hooks, name, saver, tell),
      h("h3", {}, "Animation"),
      animation(page, hooks, name, saver, tell),
      h("h3", {}, "Scenario"),
      h("div", { class: "tools" },
        saver("export-scenario-json", "JSON", () => ({ content: scenarioJSON(page, stampOf(page)), name: `${name}.scenario.json` })),
        saver("export-scenario-msgpack", "msgpack", () => ({ content: scenarioPacked(page, stampOf(page)), name: `${name}.msgpack` })),
        h("span", { class: "note" }, "burstscope run FILE repeats it natively"),
      ),
      h("h3", {}, "Trace"),
      h("div", {}, ...traceDialog(page, hooks.trace, hooks.dialog)),
    ),
    said,
  ];
};

interface Made {
  content: BlobPart;
  name: string;
  about?: string;
}

type Saver = (id: string, label: string, make: () => Made | undefined | Promise<Made | undefined>) => HTMLButtonElement;

function figures(page: Page, hooks: ExportHooks, name: string, saver: Saver, tell: (s: string) => void): HTMLElement {
  const which = h("select", { id: "export-figure", "aria-label": "Figure" }, ...FIGURES.map((f) => h("option", { value: f.key }, f.title)));
  const colours = h("select", { id: "export-colours", "aria-label": "Colours" }, h("option", { value: "light" }, "light, for paper"), h("option", { value: "dark" }, "dark"));
  const draw = () => {
    const kind = FIGURES.find((f) => f.key === which.value)!;
    const picture = drawFigure(kind, page, hooks.pictures, stampOf(page), colours.value === "dark");
    if (!picture) tell(`“${kind.title}” cannot be drawn yet. Wait until a run has finished, and choose a side that compresses.`);
    return picture && { picture, file: `${name}-${kind.key}` };
  };
  return h("div", { class: "tools" },
    which,
    colours,
    saver("export-svg", "SVG", () => {
      const made = draw();
      return made && { content: made.picture.svg, name: `${made.file}.svg` };
    }),
    saver("export-png", "PNG, 2×", async () => {
      const made = draw();
      return made && { content: await png(made.picture, stampLines(stampOf(page))), name: `${made.file}.png` };
    }),
  );
}

function animation(page: Page, hooks: ExportHooks, name: string, saver: Saver, tell: (s: string) => void): HTMLElement {
  const seconds = h("input", { type: "number", id: "export-seconds", min: 1, max: MOST_SECONDS, step: 1, value: 5, "aria-label": "Seconds" });
  const which = h("select", { id: "export-picture", "aria-label": "Picture" },
    page.status.picture === "moving" && recordedType() && h("option", { value: "moving" }, "moving picture, as it plays"),
  );
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress of the animation" });
  let stop = false;
  const cancel = button("Cancel", () => (stop = true), { hidden: true });
  hooks.dialog.addEventListener("close", () => (stop = true), { once: true });
  const start = saver("export-webm", "Record WebM", async () => {
    const length = Math.max(1, Math.min(MOST_SECONDS, Math.round(Number(seconds.value)) || 1));
    seconds.value = String(length);
    stop = false;
    bar.hidden = cancel.hidden = false;
    start.disabled = true;
    const f: Filming = {
      page,
      pictures: hooks.pictures,
      stamp: stampOf(page),
      seconds: length,
      progress: (share) => {
        bar.value = share;
        tell(`Recording: ${percent(share)}.`);
      },
      cancelled: () => stop,
    };
    try {
      const made = await (which.value === "moving" ? record(f) : film(f));
      if (!made) return void tell("The recording was cancelled. Nothing was saved.");
      if (made.size === 0) throw new Error("the browser recorded nothing");
      return { content: made, name: `${name}.${made.type.slice("video/".length)}`, about: `, ${length} s` };
    } finally {
      bar.hidden = cancel.hidden = true;
      start.disabled = false;
    }
  });
  const why = h("span", { class: "note" });
  const offer = (): void => {
    which.hidden = which.options.length === 0;
    start.disabled = which.hidden || page.cycles === 0;
    text(start, which.value === "moving" && recordedType() === "video/mp4" ? "Record MP4" : "Record WebM");
    text(
      why,
      !start.disabled
        ? "starts at the cursor, at the timeline's speed, 30 frames per second"
        : which.hidden
          ? "this browser cannot encode video"
          : "no run to play yet",
    );
  };
  which.addEventListener("change", offer);
  offer();
  void canEncode().then((can) => {
    if (!can) return;
    which.prepend(h("option", { value: "plain", selected: true }, "plain picture, exact frames"));
    offer();
  });
  return h("div", { class: "tools" }, which, h("label", {}, "seconds", seconds), start, cancel, bar, why);
}
