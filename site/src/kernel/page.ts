// The reader's own kernel: its text, its arguments, its launch, and the way into the simulator.

import "../../kernel.css";
import { ArgumentTable } from "./arguments";
import { commands } from "./commands";
import { draftOf, fit, keepDraft, keptDraft, keptWords, programOf, type Draft } from "./draft";
import { Editor } from "./editor";
import { compared } from "./expected";
import { suggestedGrid } from "./grid";
import { HostPart, hosted, withArguments } from "./host";
import type { KernelHooks } from "./loader";
import { movedOf } from "./moved";
import { TextureTable } from "./textures";
import { read } from "./yaml";
import { assets } from "../lib/assets";
import { button, byId, h, text } from "../lib/dom";
import { count, visible } from "../lib/format";
import { loadScript } from "../lib/script";
import { soon } from "../lib/turns";
import { OWN, STARTER_PROGRAM, type Compiled, type Contents, type Mark, type OwnProgram } from "../protocol/kernel";
import { SIDES } from "../protocol/protocol";
import { OWN_PROGRAM, OWN_WARP_LIMIT, complete, type Scenario } from "../protocol/scenario";
import { FIXED, isLocked } from "../state/locks";
import type { Page } from "../state/page";

const CHECK_MS = 300; // from the last key to the check of the text
const MOST_SOURCE = 4 << 20; // bytes of a dropped file

window.burstscopeKernel = (page, hooks) => new KernelPage(page, hooks);

class KernelPage {
  private draft: Draft;
  private editor = new Editor(() => this.typed());
  private readContents = (file: File, array: string): Promise<Contents> => this.hooks.contents(file, array);
  private table = new ArgumentTable(() => {
    this.edited();
    this.textures.show((this.draft.textures ??= []), this.draft.rows); // it offers the buffers
  }, this.readContents);
  private textures = new TextureTable(() => this.edited(), () => this.editor.value, this.readContents);
  private host = new HostPart(() => this.edited());
  private launch = h("div", { class: "klaunch" });
  private several = button("Several launches…", () => this.toHost(), { id: "kernel-several" });
  private keptSettings = h("p", { class: "note", id: "kernel-kept" });
  private entry = h("select", { id: "kernel-entry", "aria-label": "Kernel" });
  private grid = this.field("kernel-grid", "grid, CTAs");
  private block = this.field("kernel-block", "block, threads");
  private suggest = h("button", { type: "button", class: "plain", id: "kernel-suggest", hidden: true });
  private shared = this.field("kernel-shared", "dynamic shared memory, bytes");
  private said = h("p", { id: "kernel-said", role: "status" });
  private keptSaid = h("span", { class: "note" });
  private runs = button("Run it", () => this.run(), { class: "primary", id: "kernel-run" });
  private shipped = h("select", { "aria-label": "Start from a shipped source", id: "kernel-shipped" });
  private timer = 0;
  private check = 0; // number of the latest check
  private verdict = ""; // of the latest check, in words
  private refusal = ""; // what the last action was refused for; it stands until an edit may have mended it
  private compiled: Compiled | undefined;
  private from: OwnProgram | undefined; // the settings' program that the draft was made of

  constructor(
    private page: Page,
    private hooks: KernelHooks,
  ) {
    const own = page.settings.scenario.workload.ptx;
    this.from = own;
    this.draft = own && !page.settings.kernel.absent ? draftOf(own) : (keptDraft() ?? draftOf(STARTER_PROGRAM));
    const file = h("input", { type: "file", class: "vh", tabindex: -1, accept: ".ptx,.json,.yaml,.yml", "aria-label": "Choose a PTX file or a scenario" });
    file.addEventListener("change", () => {
      if (file.files?.[0]) this.take(file.files[0]);
      file.value = "";
    });
    const open = h("button", { type: "button", onclick: () => file.click() }, "Open a file…");
    this.shipped.append(h("option", { value: "" }, "shipped source…"), ...Object.keys(assets.files).filter((n) => n.startsWith("kernels/")).map((n) => h("option", { value: n }, n.slice("kernels/".length, -".js".length))));
    this.shipped.addEventListener("change", () => void this.start(this.shipped.value));
    const empty = button("Start again", () => this.show(draftOf(STARTER_PROGRAM)), { id: "kernel-new" });
    this.entry.addEventListener("change", () => {
      this.refuse("");
      this.chosen();
    });
    byId("kernel").append(
      h("div", { class: "kpage" },
        h("h1", {}, "Your kernel"),
        h("p", {}, "Write PTX, or drop a file here. It runs on the simulated GPU under both schemes, in this browser. Nothing leaves your machine unless you share a link."),
        h("div", { class: "tools" }, open, file, h("label", {}, "start from ", this.shipped), empty, this.keptSaid),
        h("div", { class: "kgrid" },
          h("div", {}, this.editor.element, this.said),
          h("div", { class: "kside" },
            this.launch,
            this.host.element,
            this.table.element,
            this.textures.element,
            this.keptSettings,
            h("div", { class: "buttons" }, this.runs),
            h("p", { class: "note" }, `A kernel is stopped when a warp has executed ${count(OWN_WARP_LIMIT)} instructions. The value sm.warpInstructionLimit of the machine sets another limit.`),
            commands()))),
    );
    this.launch.append(h("label", { class: "knob" }, h("span", {}, "kernel"), this.entry),
      ...[this.grid, this.block, this.shared].map((f) => f.parentElement!), this.several, this.suggest);
    this.suggest.addEventListener("click", () => {
      this.grid.value = this.suggest.dataset["grid"]!;
      this.edited();
    });
    for (const f of [this.grid, this.block, this.shared]) f.addEventListener("input", () => this.edited());
    const part = byId("kernel");
    part.addEventListener("dragover", (e) => e.preventDefault());
    part.addEventListener("drop", (e) => {
      e.preventDefault();
      if (e.dataTransfer?.files[0]) this.take(e.dataTransfer.files[0]);
    });
    this.show(this.draft);
    page.on(["kernel", "lists"], () => this.opened());
    page.on(["run"], () => {
      void this.compare();
      this.place();
    });
    page.on(["run", "lines", "kernel", "tab"], this.moved);
    this.opened();
  }

  // moved shows what each line moved on the side on show, while the editor is open.
  private readonly moved = soon(() => {
    const { page } = this;
    if (page.settings.kernel.open) this.editor.ran(movedOf(page, this.editor.value, page.settings.side));
  });

  // compare says how the outputs of a run of this program differ from the expected ones.
  private async compare(): Promise<void> {
    const { run, data } = this.page;
    const wanted = this.draft.rows.filter((r) => r.kind === "buffer" && r.output && r.expected);
    this.hooks.messages.clear("expected");
    if (run.phase !== "done" || wanted.length === 0 || JSON.stringify(data.scenario.workload.ptx) !== JSON.stringify(this.from)) return;
    const said: string[] = [];
    const mine = run.number;
    let ok = true;
    for (const r of wanted) {
      const expected = Uint8Array.from(atob(r.expected!), (c) => c.charCodeAt(0));
      for (const side of SIDES) {
        const { got, what } = await this.hooks.elements(side, r.name);
        if (run.number !== mine) return;
        const found = got ? compared(r.element, expected, got) : { ok: false, words: `cannot be compared: ${what}` };
        ok &&= found.ok;
        said.push(`${side}: ${r.name} ${found.words}.`);
      }
    }
    this.hooks.messages.show("expected", { what: ok ? "The outputs are as expected." : "Outputs differ from what you expect.", where: said.join(" ") }, undefined, true);
  }

  // place shows a fault of the host part at its line.
  private place(): void {
    const { run, data } = this.page;
    const { fault } = data;
    if (run.phase !== "error" || !fault?.where) return;
    const same = JSON.stringify(data.scenario.workload.ptx) === JSON.stringify(this.from);
    if (same) this.host.fault(fault.where, fault.what);
  }

  // toHost makes the one launch of the form a list, which the reader extends as text.
  private toHost(): void {
    try {
      const program = hosted(programOf(this.draft));
      this.show({ ...draftOf(program), source: this.draft.source });
    } catch (e) {
      this.refuse(`${e instanceof Error ? e.message : String(e)}.`);
    }
  }

  private field(id: string, words: string): HTMLInputElement {
    const input = h("input", { id, autocomplete: "off", inputmode: "numeric" });
    h("label", { class: "knob" }, h("span", {}, words), input);
    return input;
  }

  // opened shows the program of the settings, if a link brought another, and the faults of its run.
  private opened(): void {
    if (!this.page.settings.kernel.open) return;
    const own = this.page.settings.scenario.workload.ptx;
    if (own && own !== this.from && JSON.stringify(own) !== JSON.stringify(this.from)) {
      this.from = own;
      if (!this.page.settings.kernel.absent) this.show(draftOf(own));
    }
    const { from } = this.page.settings.kernel;
    delete this.page.settings.kernel.from;
    if (from) return void this.start(`kernels/${from}.js`);
    const dropped = window.burstscopeKernelFile;
    delete window.burstscopeKernelFile;
    if (dropped) return this.take(dropped);
    this.soon(0);
  }

  private show(d: Draft): void {
    this.refuse("");
    this.draft = d;
    this.editor.value = d.source;
    this.grid.value = d.grid;
    this.block.value = d.block;
    this.shared.value = d.shared;
    this.fillEntries([d.entry]);
    this.host.show(d.host);
    for (const e of [this.launch, this.table.element, this.textures.element]) e.hidden = d.host !== undefined;
    this.table.show(d.rows);
    this.textures.show((d.textures ??= []), d.rows);
    const also = keptWords(d);
    text(this.keptSettings, also && `The scenario also sets: ${also}.`);
    this.soon(0);
  }

  private fillEntries(names: readonly string[]): void {
    this.entry.replaceChildren(...names.map((n) => h("option", { value: n }, n)));
    if (names.includes(this.draft.entry)) this.entry.value = this.draft.entry;
  }

  private typed(): void {
    this.page.status.kernel.ready = false;
    this.draft.source = this.editor.value;
    this.edited();
    this.soon(CHECK_MS);
  }

  // edited follows each change by the reader.
  private edited(): void {
    this.refuse("");
    this.changed();
  }

  // refuse says why an action did nothing. The answer of a check does not replace it.
  private refuse(why: string): void {
    this.refusal = why.charAt(0).toUpperCase() + why.slice(1);
    this.said.classList.toggle("refused", why !== "");
    this.speak();
  }

  private speak(): void {
    const faults = this.page.status.kernel.marks.length > 0;
    text(this.said, this.refusal && !faults ? this.refusal : `${this.refusal} ${this.verdict}`.trim());
  }

  private changed(): void {
    Object.assign(this.draft, { grid: this.grid.value, block: this.block.value, shared: this.shared.value });
    this.drawSuggestion();
    text(this.keptSaid, keepDraft(this.draft) ? "Kept in this browser." : "Too large to keep in this browser: export the scenario.");
  }

  // drawSuggestion offers the grid that the text and the arguments suggest, if it is another.
  private drawSuggestion(): void {
    const { draft } = this;
    const kernel = this.compiled?.kernels.find((k) => k.name === draft.entry);
    const s = kernel && !draft.host &&
      suggestedGrid(draft.source, draft.entry, kernel.params ?? [], draft.rows, draft.block);
    this.suggest.hidden = !s || s.grid === draft.grid.replace(/\s*,\s*/g, ", ").trim();
    if (!s) return;
    this.suggest.dataset["grid"] = s.grid;
    text(this.suggest, `Use a grid of ${s.grid}: ${s.why}`);
  }

  private soon(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.checkText(), ms);
  }

  private async checkText(): Promise<void> {
    if (!this.page.run.engineReady) return this.judge("The engine is loading; then it checks the text."); // the lists wake this up
    const mine = ++this.check;
    const answer = await this.hooks.compile(this.draft.file, this.editor.value);
    if (mine !== this.check) return;
    this.compiled = answer;
    this.editor.hints.help = answer.help;
    const ran = this.page.data.scenario.workload.ptx?.source === this.editor.value ? this.page.data.marks : [];
    this.mark(answer.marks.length > 0 ? answer.marks : ran, answer.what);
    this.page.status.kernel.kernels = answer.kernels.map((k) => k.name);
    this.page.status.kernel.ready = true;
    if (answer.kernels.length === 0) return;
    this.fillEntries(answer.kernels.map((k) => k.name));
    this.chosen();
  }

  private mark(marks: readonly Mark[], what: string): void {
    this.editor.show(marks);
    this.page.status.kernel.marks = marks.map(({ line, column }) => ({ line, column }));
    const none = this.compiled && this.compiled.kernels.length === 0 ? "The text has no kernel: write a .visible .entry." : "The text has no fault.";
    this.judge(marks.length > 0 ? `${marks.length} ${marks.length === 1 ? "fault" : "faults"} in the text.` : what || none);
  }

  private judge(verdict: string): void {
    this.verdict = verdict;
    this.speak();
  }

  // chosen takes the kernel of the list, and makes a row for each of its parameters.
  private chosen(): void {
    if (this.draft.host) return; // its launches name their kernels
    this.draft.entry = this.entry.value;
    const kernel = this.compiled?.kernels.find((k) => k.name === this.draft.entry);
    if (!kernel) return;
    this.draft.rows = fit(this.draft.rows, kernel.params ?? [], this.draft.textures, kernel.stores);
    this.table.show(this.draft.rows, kernel.params ?? []);
    this.textures.show((this.draft.textures ??= []), this.draft.rows);
    this.changed();
  }

  // start takes the text of a program that comes with the page.
  private async start(name: string): Promise<void> {
    this.shipped.value = "";
    if (name === "") return;
    const scope = window as unknown as { burstscopeLoaded?: { ptx?: string } };
    try {
      await loadScript(name);
    } catch {
      return this.refuse(`The source could not be loaded: ${name}. Check the connection and choose it again.`);
    }
    const source = scope.burstscopeLoaded?.ptx;
    delete scope.burstscopeLoaded;
    if (source) this.show({ ...draftOf(STARTER_PROGRAM), file: `${name.slice("kernels/".length, -".js".length)}.ptx`, source, entry: "", rows: [] });
  }

  // take reads a dropped or chosen file: PTX, or a scenario with a program.
  take(file: File): void {
    const refuse = (why: string, mend: string): void => this.refuse(`“${visible(file.name)}” ${why}. ${mend}`);
    if (file.size > MOST_SOURCE) return refuse("is larger than 4 MiB", "Choose a PTX file or an exported scenario.");
    file.text().then(
      (content) => {
        const yaml = /\.ya?ml$/i.test(file.name);
        if (!yaml && !/^\s*\{/.test(content)) {
          if (content.includes("\0") || !/\.version\b/.test(content)) return refuse("is no PTX", "Choose the text that clang, nvcc or Triton wrote.");
          return this.show({ ...this.draft, file: file.name, source: content, entry: "" });
        }
        let scenario: Partial<Scenario> | undefined;
        try {
          scenario = (yaml ? read(content).value : JSON.parse(content)) as Partial<Scenario>;
        } catch (e) {
          if (yaml) return refuse(`is no YAML: ${e instanceof Error ? e.message : String(e)}`, "Correct it.");
          return refuse("is cut off", "Export the scenario again.");
        }
        const own = scenario?.workload?.ptx;
        if (typeof own?.file === "string" && own.source === undefined) {
          return refuse(`names the file “${visible(own.file)}”, which a page cannot read`, "Write its text as source.");
        }
        if (typeof own?.source !== "string") return refuse("holds no program", "Choose a scenario that was exported with your kernel.");
        scenario.workload!.ptx = withArguments(own);
        this.adopt(scenario);
      },
      () => refuse("cannot be read", "Choose a file that still exists."),
    );
  }

  // adopt takes all of an exported scenario.
  private adopt(scenario: Partial<Scenario>): void {
    const { settings } = this.page;
    if (isLocked(this.page, "workload.name")) return this.refuse(`The program is ${FIXED}.`);
    settings.shipped = OWN_PROGRAM;
    const { title: _title, notes: _notes, view: _view, ...rest } = scenario;
    settings.scenario = complete(rest);
    this.from = settings.scenario.workload.ptx;
    this.show(draftOf(this.from!));
    this.page.emit("scenario");
  }

  private run(): void {
    const { page } = this;
    if (isLocked(page, "workload.name")) return this.refuse(`The program is ${FIXED}.`);
    let program: OwnProgram;
    try {
      program = this.draft.host ? this.host.program(this.draft.source, this.draft.file) : programOf(this.draft);
    } catch (e) {
      this.refuse(`${e instanceof Error ? e.message : String(e)}.`);
      return this.said.scrollIntoView({ block: "nearest" });
    }
    this.refuse("");
    const { settings } = page;
    // The schemes stay if the program only changed.
    if (settings.shipped.name !== OWN) {
      settings.shipped = OWN_PROGRAM;
      settings.scenario = complete(OWN_PROGRAM.scenario);
    }
    settings.scenario = { ...settings.scenario, workload: { name: "", ptx: program } };
    settings.addr = undefined;
    this.from = program;
    if (this.draft.host) this.draft.host = program;
    page.emit("scenario");
    this.hooks.run();
  }
}
