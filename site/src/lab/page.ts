// The data lab: anyone's bytes, measured with every codec, in the page. The data are read
// once and kept as counts of sizes, so changes of codec, granularity and threshold show
// at once.

import "../../lab.css";
import { button, byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, count, percent, sentence, visible } from "../lib/format";
import { forWorker } from "../protocol/lentfile";
import type { LabHooks } from "./loader";
import { LAB_MAGS, LAB_QUESTIONS, type LabQuestion } from "../state/lab";
import type { FromLab, LabDone, LabSource } from "../protocol/lab";
import { AbovePlot, ClassPlot, type Chosen } from "./charts";
import { BlockPanel } from "./block";
import { csv, figure, json, stampLines, type Stamp } from "./export";
import { FitPanel } from "./fit";
import { LabMap } from "./map";
import { RealPanel } from "./real";
import { drawBounds, drawRatios } from "./tables";
import { titleOf } from "./math";
import { saveButton, say } from "../state/messages";
import { paletteOf } from "../state/theme";
import { SIDES } from "../protocol/protocol";
import { hereLink, png, save, type Picture } from "../lib/files";
import type { Page } from "../state/page";

// Formats and elements as core/codec/datafile names them.
const FORMATS = ["raw", "npy", "npz", "safetensors", "onnx", "tflite", "index", "pnm", "png"];
const INDEX = /\.safetensors\.index\.json$/i; // its shards come with it
const ELEMENTS = ["u8", "i8", "bool", "f8", "u16", "i16", "f16", "bf16", "u32", "i32", "f32", "u64", "i64", "f64", "c64", "c128"];
const PHASES: Record<string, string> = { hashing: "hashing", counting: "counting symbols", sizing: "sizing blocks" };
const SOME_ARRAYS = 6;
const READ_AS = "read as "; // the note that repeats the format

const QUESTIONS: Record<LabQuestion, { button: string; title: string }> = {
  compress: { button: "Do they compress?", title: "How well do your data compress, counted in bursts?" },
  fit: { button: "Do they fit?", title: "Will my model fit, and what does a slower neighbour cost?" },
};

window.burstscopeLab = (page, hooks) => new Lab(page, hooks);

class Lab {
  private data: LabDone | undefined;
  private waiting: (() => void) | undefined; // asked before there was an engine
  private name = ""; // of the data on show
  // A survey under way, and the shipped set that was on show before it.
  private asked: { id: number; name: string; set: string; before: string } | undefined;
  private nextId = 1;
  private cancelledAt = 0;
  private files: File[] = []; // the file, and the shards that an index reads
  private shippedSet = ""; // shipped data set on show or asked for, "" = none
  private loads: { before: string } | undefined; // a shipped array is on its way, and what was on show before
  private shownSet = ""; // shipped data set on show

  private input = h("input", { type: "file", class: "vh", id: "lab-file", multiple: true, tabindex: -1, "aria-label": "Choose a file" });
  private sets = h("select", { id: "lab-set", "aria-label": "Shipped data set" });
  private memory = h("select", { id: "lab-memory", "aria-label": "Allocation of the finished run" });
  private format = h("select", { id: "lab-format" });
  private elements = h("select", { id: "lab-elements" });
  private offset = h("input", { type: "number", id: "lab-offset", min: 0, step: 1, value: 0 });
  private array = h("input", { class: "wide", id: "lab-array", spellcheck: "false", autocomplete: "off", placeholder: "all" });
  private again = h("button", { type: "button", id: "lab-again", disabled: true }, "Decode again with these settings");
  private bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the survey", hidden: true });
  private cancel = button("Cancel", () => this.stop(), { id: "lab-cancel", hidden: true });
  private status = h("span", { id: "lab-status" });
  private about = h("p", { class: "words", id: "lab-about" });
  private example = h("p", { class: "labexample", id: "lab-example", hidden: true });
  private codec = h("select", { id: "lab-codec" });
  private mag = h("input", { type: "range", id: "lab-mag", min: 0, max: LAB_MAGS.length - 1, step: 1 });
  private magText = h("output", {});
  private threshold = h("input", { type: "range", id: "lab-threshold", min: 0, step: 1 });
  private thresholdText = h("output", {});
  private table = h("table", { class: "numbers", id: "lab-ratios" });
  private bounds = h("table", { class: "numbers", id: "lab-bounds" });
  private found = h("div", { id: "lab-found", hidden: true });
  private title = h("h1", {});
  private questions = h("div", { class: "ab", role: "radiogroup", "aria-label": "Question about the data" });
  private survey = h("div", { class: "labpage" }); // of the first question
  private fit: FitPanel;
  private real: RealPanel;
  private above: AbovePlot;
  private classes: ClassPlot;
  private map: LabMap;
  private block: BlockPanel;
  private readonly draw = soon(() => this.paint());

  constructor(private page: Page, private hooks: LabHooks) {
    const chosen = (): Chosen | undefined => this.chosen();
    this.above = new AbovePlot(page, chosen, (threshold) => this.set({ threshold }));
    this.classes = new ClassPlot(page, chosen);
    this.map = new LabMap(page, chosen, { pick: (cell) => this.pick(cell), open: () => this.block.openShown(this.name) });
    this.block = new BlockPanel(page, {
      ask: (block) => this.askBlock(block),
      choose: (cell) => this.map.choose(cell),
      refuse: (what, mend, where) => this.refuse(what, mend, where),
    });
    this.real = new RealPanel((id) => this.takeSet(id), () => page.emit("lab"));
    this.fit = new FitPanel(page, hooks, () => this.nextId++);
    byId("lab").append(this.build());
    hooks.listen((m) => this.heard(m));
    this.wire();
    page.on(["lab", "lists", "scenario"], () => this.shown());
    page.on(["run", "results", "blocks"], soon(() => this.listMemory()));
    page.on(["theme"], this.draw);
    this.listMemory();
  }

  // --- elements ---

  private build(): HTMLElement {
    for (const f of ["", ...FORMATS]) this.format.append(h("option", { value: f }, f || "what the file says"));
    for (const e of ["", ...ELEMENTS]) this.elements.append(h("option", { value: e }, e || "u8"));
    const choose = button("Choose a file…", () => this.input.click(), { class: "primary", id: "lab-choose" });
    const knob = (name: string, of: HTMLElement): HTMLElement => h("label", { class: "knob" }, h("span", {}, name), of);
    const plot = (title: string, p: { plot: SVGElement; words: HTMLElement }): HTMLElement =>
      h("section", { class: "labbox" }, h("h2", {}, title), p.plot, p.words);
    this.found.append(
      h("div", { class: "labcontrols" },
        knob("codec", this.codec),
        knob("MAG", h("span", { class: "slider" }, this.mag, this.magText)),
        knob("threshold", h("span", { class: "slider" }, this.threshold, this.thresholdText)),
      ),
      h("div", { class: "labgrid" },
        h("section", { class: "labbox" }, h("h2", {}, "Compression ratios"), h("div", { class: "scroller" }, this.table), this.bounds),
        h("div", { class: "labplots" }, plot("Bytes above a multiple of MAG", this.above), plot("Blocks in eight sizes", this.classes)),
      ),
      h("section", { class: "labbox" },
        h("h2", {}, "Map of the data, 64 cells a row"),
        h("div", { class: "labmapgrid" }, this.map.box, this.block.box),
        h("details", {}, h("summary", {}, "The map as a table"), h("div", { class: "scroller" }, this.map.regions)),
      ),
      this.exports(),
    );
    for (const q of LAB_QUESTIONS) this.questions.append(this.questionButton(q));
    this.survey.append(
      h("div", { class: "labsources" },
        h("div", { class: "labdrop" }, choose, this.input, h("span", {}, "or drop one here: .npy, .npz, .safetensors (of several, with their index), .onnx, .tflite, .pgm, .ppm, .png, or raw bytes (.bin)")),
        knob("shipped data", this.sets),
        knob("memory of the run", this.memory),
      ),
      h("details", { class: "laboptions" },
        h("summary", {}, "How to read the file"),
        h("div", { class: "labcontrols" }, knob("format", this.format), knob("elements (raw)", this.elements), knob("first byte (raw)", this.offset), knob("array", this.array), this.again),
      ),
      h("div", { class: "status" }, this.bar, this.status, this.cancel),
      this.example,
      this.about,
      this.found,
      this.real.box,
    );
    return h("div", { class: "labpage" },
      this.title,
      this.questions,
      h("p", { class: "note" }, "Nothing is uploaded. This page reads files on your machine, piece by piece."),
      this.survey,
      this.fit.box,
    );
  }

  private questionButton(question: LabQuestion): HTMLElement {
    const b = h("button", { type: "button", role: "radio", id: `lab-to-${question}`, "data-question": question }, QUESTIONS[question].button);
    const choose = (): void => {
      this.page.settings.lab.question = question;
      this.page.emit("lab");
    };
    b.addEventListener("click", choose);
    b.addEventListener("keydown", (e) => {
      if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(e.key)) return;
      e.preventDefault();
      const other = LAB_QUESTIONS.find((q) => q !== question)!;
      const next = byId(`lab-to-${other}`);
      next.click();
      next.focus();
    });
    return b;
  }

  private exports(): HTMLElement {
    const saver = (ending: string, label: string, make: (s: Stamp) => BlobPart | Promise<BlobPart>): HTMLElement =>
      saveButton(this.hooks.messages, `lab-${ending}`, label, async () => {
        const stamp = this.stamp();
        if (stamp) save(await make(stamp), `${this.name.replace(/[^\w.-]+/g, "-")}-burstscope.${ending}`);
      });
    const picture = (s: Stamp): Picture => figure([this.above.plot, this.classes.plot], s, paletteOf(this.page));
    return h("div", { class: "tools labexport" },
      h("span", {}, "Save"),
      saver("csv", "CSV", csv),
      saver("json", "JSON", json),
      saver("svg", "SVG", (s) => picture(s).svg),
      saver("png", "PNG", (s) => png(picture(s), stampLines(s))),
      h("span", { class: "note" }, "each with the version, the hash of the data, the settings, and a link back"),
    );
  }

  private stamp(): Stamp | undefined {
    if (!this.data) return undefined;
    return { version: this.page.catalogue.version, data: this.name, result: this.data, settings: this.page.settings.lab, link: hereLink() };
  }

  // --- input ---

  private wire(): void {
    this.input.addEventListener("change", () => {
      this.take([...(this.input.files ?? [])]);
      this.input.value = "";
    });
    this.sets.addEventListener("change", () => this.sets.value && this.takeSet(this.sets.value));
    this.memory.addEventListener("change", () => {
      const [side, ...rest] = this.memory.value.split("/");
      if (!side) return;
      const allocation = rest.join("/");
      const of = `run, side ${side}: ${allocation || "all allocations"}`;
      this.ask({ side, ...(allocation ? { allocation } : {}) }, of, "");
      this.memory.value = "";
    });
    this.again.addEventListener("click", () => this.take(this.files));
    this.codec.addEventListener("change", () => this.set({ codec: this.codec.value }));
    this.mag.addEventListener("input", () => this.set({ mag: LAB_MAGS[Number(this.mag.value)]! }));
    this.threshold.addEventListener("input", () => this.set({ threshold: Number(this.threshold.value) }));
    this.dropping();
  }

  private dropping(): void {
    const lab = byId("lab");
    const ours = (e: DragEvent): boolean => this.page.settings.lab.open && (e.dataTransfer?.types.includes("Files") ?? false);
    let depth = 0;
    const mark = (by: number): void => {
      depth = Math.max(0, depth + by);
      lab.classList.toggle("dropping", depth > 0);
    };
    addEventListener("dragenter", (e) => ours(e) && mark(1));
    addEventListener("dragleave", (e) => ours(e) && mark(-1));
    addEventListener("dragover", (e) => ours(e) && e.preventDefault());
    addEventListener("drop", (e) => {
      if (!ours(e)) return;
      e.preventDefault();
      mark(-depth);
      const files = [...(e.dataTransfer?.files ?? [])];
      if (this.page.settings.lab.question === "fit") return this.fit.take(files);
      this.take(files);
    });
  }

  private take(files: File[]): void {
    const file = files.find((f) => INDEX.test(f.name)) ?? files[0];
    if (!file) return;
    if (files.length > 1 && !INDEX.test(file.name)) return this.refuse(`${files.length} files were given at once.`, "Give one file, or an index (model.safetensors.index.json) with all its shards.");
    this.files = files;
    const { blobs, ports } = forWorker([file, ...(files.length > 1 ? files : [])]);
    this.again.disabled = false;
    const offset = Number(this.offset.value);
    if (!Number.isSafeInteger(offset) || offset < 0) return this.refuse(`“${this.offset.value}” is not a position in a file.`, "Type a whole number from 0.");
    this.ask(
      {
        blob: blobs[0]!,
        ports,
        ...(files.length > 1 ? { beside: blobs.slice(1) } : {}),
        ...(this.format.value ? { format: this.format.value } : {}),
        ...(this.elements.value ? { elements: this.elements.value } : {}),
        ...(offset > 0 ? { offset } : {}),
        ...(this.array.value.trim() ? { array: this.array.value.trim() } : {}),
      },
      visible(file.name) || "data",
      "",
    );
  }

  private takeSet(name: string): void {
    const shipped = this.page.catalogue.shipped.find((x) => x.name === name);
    if (shipped) return this.ask({ scenario: shipped.scenario }, `inputs of ${shipped.name}`, name);
    const before = this.loads?.before ?? this.shippedSet;
    const refuse = (what: string, mend: string): void => {
      this.loads = undefined;
      this.shippedSet = this.page.settings.lab.set = before;
      this.refuse(what, mend);
    };
    if (this.real.words(name) === "") {
      const names = [...this.page.catalogue.shipped.map((x) => x.name), ...this.real.arrays().map((x) => x.id)].join(", ");
      return refuse(`There is no data set “${name.slice(0, 40)}”.`, `Use one of ${names}.`);
    }
    this.shippedSet = name; // asked for
    const mine = (this.loads = { before }); // until something else is asked for
    this.real.file(name).then(
      (file) => {
        if (this.loads !== mine) return;
        const { blobs, ports } = forWorker([file]);
        this.ask({ blob: blobs[0]!, ports }, file.name, name);
      },
      (e: unknown) => {
        if (this.loads !== mine) return;
        refuse(`“${name}” could not be loaded: ${String(e)}.`, "Choose it again, or a file of your own.");
      },
    );
  }

  private ask(source: LabSource, name: string, set: string): void {
    if (!this.page.run.engineReady) {
      this.waiting = () => this.ask(source, name, set);
      return text(this.status, `${name}: waiting for the engine.`);
    }
    this.waiting = undefined;
    if (this.loads) this.shippedSet = this.loads.before;
    this.loads = undefined;
    if (this.asked) this.shippedSet = this.asked.before;
    this.hooks.messages.clear("lab");
    this.asked = { id: this.nextId++, name, set, before: this.shippedSet };
    this.shippedSet = this.page.settings.lab.set = set;
    const t = this.page.status.lab;
    Object.assign(t, { phase: "reading", progress: 0, error: "" });
    this.bar.value = 0;
    this.reading(true, `Reading ${name}.`);
    const { memory, compare } = this.page.settings.scenario;
    const module = memory.module ?? compare.memory.module;
    this.hooks.send({ type: "lab", id: this.asked.id, ...source, ...(module === undefined ? {} : { module }) });
  }

  private stop(): void {
    if (!this.asked) return;
    this.cancelledAt = performance.now();
    this.hooks.send({ type: "labCancel", id: this.asked.id });
  }

  private refuse(what: string, mend: string, where?: string): void {
    this.page.status.lab.error = what;
    this.hooks.messages.show("lab", { what, mend, ...(where ? { where } : {}) });
  }

  private set(to: Partial<{ codec: string; mag: number; threshold: number }>): void {
    const s = this.page.settings.lab;
    Object.assign(s, to);
    s.threshold = Math.min(s.threshold, s.mag);
    this.page.emit("lab");
  }

  // --- messages of the engine ---

  private heard(m: FromLab): void {
    if (this.fit.takes(m)) return;
    const t = this.page.status.lab;
    if (m.type === "labBlock") {
      if (m.ok) this.block.block = m;
      else this.refuse(sentence(m.what ?? "the block cannot be read"), "Choose the file again.");
      return this.data && this.block.draw(this.data, this.name);
    }
    // An engine that stopped ends the survey in progress.
    if (!this.asked || (m.id !== this.asked.id && m.id !== 0)) return;
    const { name, set, before } = this.asked;
    switch (m.type) {
      case "labProgress":
        t.progress = this.bar.value = m.fraction;
        return text(this.status, `${name}: ${PHASES[m.phase] ?? m.phase}, ${percent(m.fraction)}`);
      case "labCancelled":
        t.phase = "cancelled";
        t.cancelMilliseconds = performance.now() - this.cancelledAt;
        this.backTo(before);
        return this.reading(false, `Cancelled.${this.data ? ` The results of ${this.name} are still shown.` : ""}`);
      case "labFailed":
        t.phase = "failed";
        this.backTo(before);
        this.reading(false, this.data ? `The results of ${this.name} are still shown.` : "");
        this.refuse(`${name}:`, sentence(m.mend), sentence(m.what));
        t.error = m.what;
        return;
      case "labDone":
        this.asked = undefined;
        this.shownSet = set;
        this.done(m, name);
    }
  }

  // backTo keeps the shown results if a survey fails or is cancelled.
  private backTo(set: string): void {
    this.asked = undefined;
    this.shippedSet = this.page.settings.lab.set = set;
    this.page.emit("lab");
  }

  private reading(on: boolean, words: string): void {
    this.bar.hidden = this.cancel.hidden = !on;
    text(this.status, words);
    if (!on && words) say(words);
  }

  private done(m: LabDone, name: string): void {
    const { page } = this;
    this.data = m;
    this.name = name;
    this.block.block = undefined;
    if (!m.codecs.some((c) => c.name === page.settings.lab.codec)) page.settings.lab.codec = m.codecs[0]!.name;
    Object.assign(page.status.lab, { phase: "done", progress: 1, blocks: m.blocks });
    this.map.fresh();
    this.reading(false, `Done: ${count(m.blocks)} blocks of 128 B.`);
    page.emit("lab");
  }

  // --- drawing ---

  private chosen(): Chosen | undefined {
    const codec = this.data?.codecs.find((c) => c.name === this.page.settings.lab.codec);
    return this.data && codec ? { data: this.data, codec } : undefined;
  }

  private shown(): void {
    const { page } = this;
    const s = page.settings.lab;
    const arrays = this.real.arrays();
    if (this.sets.length !== page.catalogue.shipped.length + arrays.length + 1) {
      const option = (value: string, title: string): HTMLElement => h("option", { value }, title);
      this.sets.replaceChildren(
        option("", "–"),
        h("optgroup", { label: "real arrays" }, ...arrays.map((x) => option(x.id, x.title))),
        h("optgroup", { label: "drawn by programs" },
          ...page.catalogue.shipped.map((x) => option(x.name, `inputs of ${x.title}`)),
        ),
      );
    }
    this.sets.value = s.set;
    text(this.title, QUESTIONS[s.question].title);
    this.survey.hidden = s.question !== "compress";
    this.fit.box.hidden = s.question !== "fit";
    for (const b of this.questions.querySelectorAll<HTMLElement>("button")) {
      const on = b.dataset["question"] === s.question;
      b.setAttribute("aria-checked", String(on));
      b.tabIndex = on ? 0 : -1;
    }
    if (!s.open) return;
    if (page.run.engineReady) this.waiting?.();
    // A link's data are requested as soon as the engine is ready.
    if (s.set !== this.shippedSet && page.run.engineReady && page.catalogue.shipped.length > 1 && this.real.ready) {
      if (s.set !== "") this.takeSet(s.set);
      else s.set = this.shippedSet;
    }
    this.draw();
  }

  private listMemory(): void {
    const options: HTMLElement[] = [];
    for (const side of SIDES) {
      const allocations = this.page.run.phase === "done" ? (this.page.data.blocks[side]?.allocations ?? []) : [];
      if (allocations.length === 0) continue;
      const of = `${side}, ${this.page.data.labels[side]}`;
      options.push(h("option", { value: `${side}/` }, `${of}: all`), ...allocations.map((a) => h("option", { value: `${side}/${a.name}` }, `${of}: ${a.name}`)));
    }
    this.memory.replaceChildren(h("option", { value: "" }, options.length > 0 ? "–" : "no run has finished"), ...options);
    this.memory.disabled = options.length === 0;
  }

  private paint(): void {
    const c = this.chosen();
    this.found.hidden = !c;
    if (!c) return;
    const s = this.page.settings.lab;
    if (this.codec.length !== c.data.codecs.length) {
      this.codec.replaceChildren(...c.data.codecs.map((k) => h("option", { value: k.name }, titleOf(k.name))));
    }
    this.codec.value = s.codec;
    this.mag.value = String(LAB_MAGS.findIndex((m) => m === s.mag));
    this.mag.setAttribute("aria-valuetext", `${s.mag} bytes`);
    text(this.magText, `${s.mag} B`);
    this.threshold.max = String(s.mag);
    this.threshold.value = String(s.threshold);
    text(this.thresholdText, `${s.threshold} B`);
    this.paintAbout(c.data);
    drawRatios(this.table, c, s, (codec) => this.set({ codec }));
    drawBounds(this.bounds, c.data);
    this.above.draw();
    this.classes.draw();
    this.map.draw();
    this.block.draw(c.data, this.name);
  }

  private paintAbout(d: LabDone): void {
    const some = d.arrays.slice(0, SOME_ARRAYS).map((a) => `${a.name ? `${visible(a.name)}: ` : ""}${a.elements}[${a.shape.map(count).join(", ")}]`);
    const more = d.arrayCount > SOME_ARRAYS ? ` and ${count(d.arrayCount - SOME_ARRAYS)} more` : "";
    const v = d.values;
    const odd = v.nans + v.infinites > 0 ? `, ${count(v.nans)} are NaN and ${count(v.infinites)} infinite; their bits are measured like any others` : "";
    const notes = d.notes.filter((n) => !n.startsWith(READ_AS)).map((n) => ` ${sentence(n)}`).join("");
    const filled = d.paddedBytes > 0 ? `, with ${bytes(d.paddedBytes)} of zeros added to fill the last block of each array` : "";
    const example = this.page.catalogue.shipped.find((x) => x.name === this.shownSet);
    const drawn = `the inputs of the shipped scenario “${example?.title ?? ""}”, made by the program's own generator`;
    const words = example ? drawn : this.real.words(this.shownSet);
    this.example.hidden = words === "";
    text(this.example, `Example data: ${words}. Choose or drop a file to measure yours.`);
    text(
      this.about,
      `${this.name}: ${d.format}, ${bytes(d.bytes)}, ${some.join("; ")}${more}. ${count(d.blocks)} blocks of 128 B${filled}. ` +
        `${percent(v.zeros / v.elements)} of the elements are zero${odd}.${notes} SHA-256 ${d.sha256.slice(0, 16)}…`,
    );
    this.about.title = d.sha256;
  }

  private pick(cell: number): void {
    if (this.data) this.askBlock(cell * this.data.blocksPerCell);
  }

  private askBlock(block: number): void {
    this.hooks.send({ type: "labBlock", id: this.nextId++, block });
  }
}
