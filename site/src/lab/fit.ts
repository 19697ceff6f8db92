// Whether a reader's model fits into a GPU with Buddy Compression, and what the slower memory behind a link costs. The
// engine reads the files once; another GPU, size or threshold is answered from the profile.

import { button, h, text } from "../lib/dom";
import { fill, row } from "../lib/table";
import { bytes, count, percent, ratio, sentence, visible } from "../lib/format";
import { forWorker } from "../protocol/lentfile";
import type { FitAllocation, FitAnswer, FitMap, FitQuestion, FitRow, FromLab } from "../protocol/lab";
import { loadScript } from "../lib/script";
import { say } from "../state/messages";
import type { Page } from "../state/page";
import type { LabHooks } from "./loader";

// As core/system/buddy/fit names them.
const GPUS = ["p100", "v100", "a100", "h100"];
const MOST_ROWS = 200; // arrays that the table lists
const MOST_NOTES = 4; // about files
const OF_GB = 1e9;

// Targets from the one that keeps most in device memory to the one that keeps least.
const TARGETS = ["plain", "1", "4/3", "2", "4", "16"];

export class FitPanel {
  readonly box = h("div", { class: "labpage", id: "lab-fit", hidden: true });
  private input = h("input", { type: "file", class: "vh", id: "fit-file", multiple: true, tabindex: -1, "aria-label": "Choose files" });
  private gpu = h("select", { id: "fit-gpu" });
  private whole = h("input", { type: "number", id: "fit-whole", min: 0, step: "any", placeholder: "the files" });
  private threshold = h("input", { type: "number", id: "fit-threshold", min: 0, max: 100, step: 1, value: 30 });
  private judge = h("select", { id: "fit-judge" }, h("option", { value: "worst" }, "the worst snapshot"), h("option", { value: "mean" }, "all together"));
  private bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the profile", hidden: true });
  private cancel = h("button", { type: "button", id: "fit-cancel", hidden: true }, "Cancel");
  private status = h("span", { id: "fit-status" });
  private found = h("div", { class: "labpage", id: "fit-found", hidden: true });
  private verdict = h("p", { class: "words", id: "fit-verdict" });
  private notes = h("p", { class: "words", id: "fit-notes" });
  private gauge = h("div", { class: "fitgauge", id: "fit-gauge", role: "img" });
  private links = h("table", { class: "numbers", id: "fit-links" });
  private arrays = h("table", { class: "numbers", id: "fit-arrays" });
  private mapBox = h("section", { class: "labbox", id: "fit-maps" });
  private sources = h("p", { class: "note", id: "fit-sources" });
  private simulate = button("Simulate every link", () => this.simulateAll(), { id: "fit-simulate" });

  private asked = 0; // id of the question under way, 0 = none
  private name = ""; // of the files that are being read, or are on show
  private began = 0; // time of the question
  private data: FitAnswer | undefined;
  private simulated = new Map<string, number>(); // slowdown by link
  private map: FitMap | undefined; // of the files on show
  private mapAsked = 0; // id of the question for it
  private maps: Promise<((map: FitMap, list: { array: FitAllocation; at: number }[]) => void) | undefined> | undefined;
  private waiting: string[] = []; // links still to be simulated
  private early: File[] | undefined; // chosen before there was an engine

  constructor(private page: Page, private hooks: LabHooks, private nextId: () => number) {
    for (const g of GPUS) this.gpu.append(h("option", { value: g }, g));
    this.gpu.value = GPUS[GPUS.length - 1]!;
    this.build();
    this.input.addEventListener("change", () => {
      const files = [...(this.input.files ?? [])];
      if (files.length > 0) this.take(files);
      this.input.value = "";
    });
    for (const field of [this.gpu, this.whole, this.threshold, this.judge]) field.addEventListener("change", () => this.askAgain());
    this.cancel.addEventListener("click", () => this.hooks.send({ type: "labCancel", id: this.asked }));
    page.on(["lab"], () => {
      if (this.early && page.run.engineReady) this.take(this.early);
    });
  }

  private build(): void {
    const choose = button("Choose files…", () => this.input.click(), { class: "primary", id: "fit-choose" });
    const knob = (name: string, of: HTMLElement): HTMLElement => h("label", { class: "knob" }, h("span", {}, name), of);
    this.found.append(
      this.verdict,
      this.notes,
      this.gauge,
      h("section", { class: "labbox" },
        h("h2", {}, "One read of all data, by link"),
        this.links,
        h("div", { class: "tools" }, this.simulate, h("span", { class: "note" }, "The simulator reads a sample of the files once. A read without arithmetic is the worst case.")),
        this.sources,
      ),
      h("div", { class: "labgrid" }, h("section", { class: "labbox" }, h("h2", {}, "Arrays and their targets"), h("div", { class: "scroller" }, this.arrays)), this.mapBox),
    );
    this.box.append(
      h("div", { class: "labsources" },
        h("div", { class: "labdrop" }, choose, this.input, h("span", {}, "or drop them here: a model or activations (.safetensors, with its index and shards if it has several; .npy, .npz, or raw bytes). Files with the same arrays are snapshots at different times; other arrays are further parts of a model.")),
      ),
      h("div", { class: "labcontrols" },
        knob("GPU", this.gpu),
        knob("all data, GB", this.whole),
        knob("Buddy Threshold, %", this.threshold),
        knob("judged by", this.judge),
      ),
      h("div", { class: "status" }, this.bar, this.status, this.cancel),
      this.found,
    );
  }

  // take profiles files.
  take(files: File[]): void {
    this.name = files.length === 1 ? visible(files[0]!.name) : `${count(files.length)} files`;
    if (!this.page.run.engineReady) {
      this.early = files;
      return text(this.status, `${this.name}: waiting for the engine.`);
    }
    this.early = undefined;
    const question = this.question();
    if (!question) return;
    this.begin(`Reading ${this.name}.`);
    this.hooks.send({ type: "fit", id: this.asked, ...forWorker(files), names: files.map((f) => visible(f.name)), ...question });
  }

  private begin(words: string): void {
    this.hooks.messages.clear("lab");
    this.waiting = [];
    this.asked = this.nextId();
    this.began = performance.now();
    this.page.status.lab.fit = "reading";
    this.bar.value = 0;
    this.working(true, words);
  }

  // question reads the fields, or says which one is wrong.
  private question(): FitQuestion | undefined {
    const whole = this.whole.value.trim() === "" ? 0 : Number(this.whole.value);
    const threshold = Number(this.threshold.value);
    if (!(whole >= 0 && whole <= 1e6)) return this.refuse("The size of all data is not from 0 to 1,000,000 GB.", "Leave it empty if the files are all data.");
    if (!(Number.isInteger(threshold) && threshold >= 0 && threshold <= 100)) return this.refuse("The Buddy Threshold is not a whole number from 0 to 100.", "The paper has 30.");
    return { gpu: this.gpu.value, whole: Math.round(whole * OF_GB), threshold, judge: this.judge.value as FitQuestion["judge"] };
  }

  private refuse(what: string, mend: string, where?: string): undefined {
    this.page.status.lab.error = what;
    this.hooks.messages.show("lab", { what, mend, ...(where ? { where } : {}) });
    return undefined;
  }

  private askAgain(): void {
    const question = this.question();
    if (!question || !this.data || this.page.status.lab.fit === "reading") return;
    this.hooks.messages.clear("lab");
    this.asked = this.nextId();
    this.began = performance.now();
    this.hooks.send({ type: "fitAnswer", id: this.asked, ...question });
  }

  private simulateAll(): void {
    if (!this.data || this.asked) return;
    this.waiting = this.data.answer.rows.map((r) => r.link.name).filter((n) => !this.simulated.has(n));
    this.simulateNext();
  }

  private simulateNext(): void {
    const link = this.waiting.shift();
    if (!link || !this.data) {
      this.asked = 0;
      return this.working(false, "Every link has been simulated.");
    }
    const rows = this.data.answer.rows;
    this.asked = this.nextId();
    this.bar.value = this.simulated.size / rows.length;
    this.working(true, `Simulating ${rows.find((r) => r.link.name === link)!.link.title} on ${this.data.answer.gpu.name}.`);
    this.hooks.send({ type: "fitSimulate", id: this.asked, gpu: this.data.answer.gpu.name, link });
  }

  // takes handles a message that answers this panel, and reports whether it does.
  takes(m: FromLab): boolean {
    if (m.type === "fitMap") {
      if (m.id === this.mapAsked) this.map = m;
      void this.drawMaps();
      return true;
    }
    if (!this.asked || m.id !== this.asked) {
      if (m.id === 0 && this.asked) this.ended("failed", ""); // the engine stopped
      return false;
    }
    switch (m.type) {
      case "labProgress":
        if (m.phase === "simulating") return true;
        this.bar.value = m.fraction;
        text(this.status, `${this.name}: reading, ${percent(m.fraction)}`);
        return true;
      case "labCancelled":
        this.ended("cancelled", "Cancelled.");
        return true;
      case "labFailed":
        this.ended("failed", "");
        this.refuse("The files cannot be read.", m.missing ? sentence(m.mend) : "Choose other files.", `${m.what}.`);
        return true;
      case "fitAnswer":
        this.page.status.lab.fitMilliseconds = performance.now() - this.began;
        if (this.page.status.lab.fit === "reading") {
          this.map = undefined;
          this.mapAsked = this.nextId();
          this.hooks.send({ type: "fitMap", id: this.mapAsked });
        }
        this.data = m;
        this.simulated.clear();
        this.ended("done", `Done: ${m.profile.allocations.length === 1 ? "1 array" : `${count(m.profile.allocations.length)} arrays`}, ${bytes(m.profile.sizeBytes)}${m.profile.snapshots > 1 ? `, ${m.profile.snapshots} snapshots` : ""}.`);
        this.draw(m);
        return true;
      case "fitSimulated":
        this.simulated.set(m.link, m.slowdown);
        this.asked = 0;
        if (this.data) this.draw(this.data);
        this.simulateNext();
        return true;
    }
    return false;
  }

  private ended(as: "done" | "failed" | "cancelled", words: string): void {
    this.asked = 0;
    this.waiting = [];
    this.page.status.lab.fit = as;
    this.working(false, words + (as !== "done" && this.data ? " The last answer is still shown." : ""));
  }

  private working(on: boolean, words: string): void {
    this.bar.hidden = this.cancel.hidden = !on;
    this.simulate.disabled = on;
    text(this.status, words);
    if (!on && words) say(words);
  }

  private draw(m: FitAnswer): void {
    const { answer: a, profile: p } = m;
    this.found.hidden = false;
    const memory = bytes(a.gpu.memoryBytes);
    const end = a.fitsPlain
      ? `fit into the ${memory} of ${a.gpu.name} without compression`
      : a.fits
        ? `fit into the ${memory} of ${a.gpu.name} with Buddy Compression only`
        : `do not fit into the ${memory} of ${a.gpu.name}, even with Buddy Compression`;
    this.verdict.replaceChildren(
      h("strong", {}, `${bytes(a.wholeBytes)} ${end}.`),
      ` They take ${bytes(a.needBytes)} of device memory and ${bytes(a.linkedBytes)} behind the link: ${ratio(p.capacityRatio)} times the capacity. ${percent(p.buddyShare)} of the entries need the link.${a.fits || a.fitsPlain ? "" : " The slowdowns below are those of a GPU with enough memory."}`,
    );
    const more = m.notes.length - MOST_NOTES;
    text(this.notes, `${m.notes.slice(0, MOST_NOTES).map((n) => `${visible(n)}.`).join(" ")}${more > 0 ? ` And ${count(more)} more notes.` : ""}`);
    this.notes.hidden = m.notes.length === 0;
    this.drawGauge(m);
    this.drawLinks(a.rows);
    const unknown = a.gpu.public ? "" : " A value without a public source is marked [ours].";
    this.sources.replaceChildren(
      `${a.formula} Raw: without compression, what does not fit is read over the link. Here B is ${bytes(a.gpu.bytesPerSecond)}/s and X is ${bytes(a.gpu.l2BytesPerSecond)}/s. `,
      `Memory of ${a.gpu.name}: ${a.gpu.memorySource}. Its clock: ${a.gpu.clockSource}.${unknown} Latency: ${m.latencySource}. `,
      `The simulator reads ${bytes(m.sampleBytes)}, taken evenly from all arrays, and half of them; the column has the difference of the two, with GB/s rounded to whole numbers.`,
    );
    this.drawArrays(p.allocations);
    if (this.map) void this.drawMaps();
  }

  // drawGauge shows the memory of the GPU and what the data take of it, with and without compression.
  private drawGauge(m: FitAnswer): void {
    const { answer: a } = m;
    const most = Math.max(a.gpu.memoryBytes, a.wholeBytes, a.needBytes);
    const row = (name: string, size: number, of: string): HTMLElement =>
      h("div", { class: "fitrow" },
        h("span", {}, name),
        h("span", { class: "fitbar" }, h("i", { class: of, style: `width:${(100 * size) / most}%` }), h("b", { style: `left:${(100 * a.gpu.memoryBytes) / most}%` })),
        h("span", { class: "fitsize" }, bytes(size)),
      );
    this.gauge.setAttribute("aria-label", `Of ${bytes(a.gpu.memoryBytes)} of memory the data take ${bytes(a.wholeBytes)} without compression and ${bytes(a.needBytes)} with it.`);
    this.gauge.replaceChildren(row("uncompressed", a.wholeBytes, "plain"), row("compressed", a.needBytes, "buddy"), h("div", { class: "note" }, `The line marks the ${bytes(a.gpu.memoryBytes)} of ${a.gpu.name}.`));
  }

  private drawLinks(rows: FitRow[]): void {
    const number = (n: number | undefined): string => (n === undefined ? "–" : `${ratio(n)} ×`);
    const lines = rows.map((r) => {
      const source = `${r.link.bandwidthSource}. Header of ${r.link.headerBytes} B: ${r.link.headerSource}.`;
      const name = h("th", { scope: "row" }, r.link.title, h("span", { class: "note" }, source));
      const values = [r.slowdown, r.apart, this.simulated.get(r.link.name), r.plain].map(number);
      return row({ "data-link": r.link.name }, name, (r.link.mbPerSecond / 1000).toFixed(1), ...values);
    });
    const titles = ["link, and the source of its values", "GB/s", "formula", "apart", "simulated", "raw"];
    fill(this.links, titles, lines, h("caption", { class: "vh" }, "Slowdown over a GPU that holds all data"));
  }

  // drawMaps shows the maps of the arrays in the table.
  private async drawMaps(): Promise<void> {
    this.maps ??= loadScript("fitmap.js", "fitmap.css").then(
      () => window.burstscopeFitMaps?.(this.page, this.mapBox),
      () => {
        this.maps = undefined;
        this.hooks.messages.show("lab", { what: "The maps of the arrays could not be loaded:", where: "fitmap.js.", mend: "The tables hold without them." }, { label: "Try again", run: () => void this.drawMaps() });
        return undefined;
      },
    );
    const draw = await this.maps;
    if (this.map && this.data) draw?.(this.map, largest(this.data.profile.allocations));
  }

  private drawArrays(list: FitAnswer["profile"]["allocations"]): void {
    const shown = largest(list).map(({ array }) => array);
    const more = list.length - shown.length;
    const said = more > 0 ? `The ${MOST_ROWS} largest arrays; ${count(more)} more are counted.` : "Every array, the largest first.";
    const rows = shown.map((a) => {
      const target = TARGETS.includes(a.target) && a.target !== "plain" ? `${a.target} ×` : a.target;
      const level = h("span", { class: "fittarget", style: `--level:${TARGETS.indexOf(a.target)}` });
      return row({}, visible(a.name), bytes(a.bytes), a.zeroShare === 1 ? "zeros" : ratio(a.compressionRatio),
        h("td", {}, level, target), percent(a.overShare));
    });
    fill(this.arrays, ["array", "size", "ratio", "target", "to the link"], rows, h("caption", {}, said));
  }
}

// largest are the arrays that are shown, each with its place in the profile.
function largest(list: FitAllocation[]): { array: FitAllocation; at: number }[] {
  return list
    .map((array, at) => ({ array, at }))
    .sort((x, y) => y.array.bytes - x.array.bytes || (x.array.name < y.array.name ? -1 : 1))
    .slice(0, MOST_ROWS);
}
