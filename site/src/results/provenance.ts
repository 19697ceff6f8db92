// Why a value of the output is wrong: the predicted lines that made it so. An engine of its own finds them by replays
// with some predicted lines exact (core/system/rfvp/study/why.go), so the page's engine stays free, and to stop is to
// end it.

import { engineWorker } from "../lib/assets";
import { button, byId, h, text } from "../lib/dom";
import { count, significant } from "../lib/format";
import type { Side } from "../protocol/side";
import { sideScenario } from "../protocol/scenario";
import type { Page } from "../state/page";
import { verdictOf, wordsOfPlace, type Cause, type Place, type Why } from "./provenancewords";

// As `burstscope why` takes them.
const MOST_LINES = 3;
const WITHIN = 0.1;

type Answer = { type: "whyProgress"; replays: number; expected: number } | { type: "why"; why: Why } | { type: "error"; what: string; where?: string; mend?: string };

export function startProvenance(page: Page, show: (file: string, line: number) => void): void {
  new Provenance(page, show);
}

class Provenance {
  private words = h("p", { class: "words" });
  private button = button("Find the predicted lines", () => (this.worker ? this.stop("Stopped.") : this.ask()));
  private bar = h("progress", { max: 1, hidden: true, "aria-label": "Replays" });
  private said = h("p", { class: "note", "aria-live": "polite" });
  private list = h("ol", {});
  private box = h("section", { class: "whybox", "aria-label": "Why a value is wrong", hidden: true }, h("div", { class: "tools" }, this.words, this.bar, this.button), this.said, this.list);
  private place: Place = { output: "", first: -1, count: 1 };
  private worker: Worker | undefined;
  private run = 0; // that the answer is about
  private side: Side = "B";

  constructor(
    private page: Page,
    private show: (file: string, line: number) => void,
  ) {
    const panel = byId("panel-output");
    panel.append(this.box);
    const choose = (e: Event): void => {
      const canvas = (e.target as Element).closest<HTMLElement>("canvas, button[data-from]");
      const strip = canvas?.closest(".errorstrip, .workbench") ? canvas.dataset : undefined;
      const all = panel.querySelector<HTMLElement>(".errorstrip canvas")?.dataset;
      if (strip?.["from"]) {
        this.take({ output: strip["name"]!, first: Number(strip["from"]), count: Number(strip["each"]) });
        if (canvas!.localName === "button") this.box.scrollIntoView({ block: "nearest" });
      }
      else if (canvas && !strip && all?.["name"]) this.take({ output: all["name"], first: Number(panel.dataset["pixel"]), count: 1 });
    };
    panel.addEventListener("click", choose);
    panel.addEventListener("keydown", (e) => {
      if (e.key === "Enter") choose(e);
    });
    page.on(["results", "run", "tab", "output"], () => this.draw());
    this.draw();
  }

  private draw(): void {
    const { page } = this;
    const side = page.settings.side;
    const result = page.results.of === "run" ? page.results[side] : undefined;
    this.box.hidden = !result?.predicted || !result.loss;
    if (page.run.number !== this.run || side !== this.side) {
      this.run = page.run.number;
      this.side = side;
      this.stop("");
      this.place = { output: "", first: -1, count: 1 };
      this.list.replaceChildren();
    }
    const how = this.place.first < 0 ? " A press on a pixel or a column above, or Enter, chooses another." : "";
    text(this.words, `Why is ${wordsOfPlace(this.place)} wrong?${how}`);
  }

  private take(place: Place): void {
    if (this.box.hidden) return;
    this.stop("");
    this.list.replaceChildren();
    this.place = place;
    this.draw();
  }

  private stop(words: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.bar.hidden = true;
    text(this.button, "Find the predicted lines");
    text(this.said, words);
  }

  private ask(): void {
    const { page, place } = this;
    this.list.replaceChildren();
    const worker = engineWorker();
    this.worker = worker;
    this.bar.hidden = false;
    this.bar.removeAttribute("value");
    text(this.button, "Stop");
    text(this.said, "");
    worker.onmessage = (e: MessageEvent<Answer>) => {
      const m = e.data;
      if (m.type === "whyProgress") {
        this.bar.value = Math.min(1, m.replays / m.expected);
        text(this.said, `Replay ${count(m.replays + 1)} of about ${count(Math.max(m.expected, m.replays + 1))}.`);
      } else if (m.type === "error") {
        this.stop([m.what, m.where, m.mend].filter((x) => x).join(": ") + ".");
      } else if (m.type === "why") {
        this.stop("");
        this.tell(m.why);
      }
    };
    worker.onerror = (e) => {
      e.preventDefault();
      this.stop(`The engine stopped: ${e.message}.`);
    };
    const image = page.results.origin.image?.png;
    worker.postMessage({
      type: "why", scenario: sideScenario(page.results.scenario, this.side), output: place.output, element: place.first, count: place.count, most: MOST_LINES, within: WITHIN,
      ...(image ? { image } : {}),
    });
  }

  private tell(w: Why): void {
    text(
      this.said,
      `Element ${count(w.element)} of ${w.output} is ${significant(w.got, 4)}, exactly ${significant(w.exact, 4)}. Of ${count(w.predicted)} predicted lines ${count(w.wrongLines)} gave a thread a wrong value. ${verdictOf(w)}`,
    );
    this.list.replaceChildren(...(w.causes ?? []).map((c) => this.row(c)));
  }

  private row(c: Cause): HTMLElement {
    const files = this.page.data.source?.files ?? [];
    const file = files.find((f) => f.name === c.file.replace(/^.*\//, "") && f.language !== "ptx") ?? files.find((f) => f.language === "ptx");
    const line = file?.language === "ptx" ? c.line : c.fileLine;
    const place = file ? h("button", { type: "button", class: "to", onclick: () => this.show(file.name, line) }, `${file.name}:${line}`) : `line ${c.line} of the PTX`;
    return h("li", {},
      `Predicted line ${count(c.number)}, cycle ${count(c.cycle)}: ${c.kernel} at `,
      place,
      `, SM ${c.sm}, warp slot ${c.warp}, the line at byte ${count(c.offset)} of ${c.buffer}. ${c.wrong} of ${c.lanes} threads got wrong values: thread ${c.lane} of the warp ${significant(c.value, 4)}, memory held ${significant(c.held, 4)}. ` +
        `With it the element goes from ${significant(c.before, 4)} to ${significant(c.after, 4)}.`,
    );
  }
}
