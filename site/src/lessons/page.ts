// The lesson on show: which step, what the student did, when a run is made.
// lessons/panel.ts draws it.

import "../../lesson.css";
import { evaluate, fill } from "./formula";
import { laterVeil, type Veil } from "./later";
import type { LessonHooks, LessonPart, Question, ShippedLesson, Step } from "./lesson";
import { LessonPanel } from "./panel";
import { printLesson } from "./print";
import { predicts, judge } from "./question";
import { emptyRecord, keepRecord, loadRecord, takeRun, type Entry, type LessonRecord } from "./record";
import { submission } from "./submission";
import { byId } from "../lib/dom";
import { save } from "../lib/files";
import { clip } from "../lib/format";
import { showFirst } from "../links/permalink";
import type { PerSide, Result } from "../protocol/protocol";
import { KNOBS, complete, partsOf, wholePaths, type Full } from "../protocol/scenario";
import { type LessonLink, NO_LESSON } from "../state/lesson";
import { covers, scenarioPath } from "../state/locks";
import { say } from "../state/messages";
import type { Page } from "../state/page";

export class LessonShow implements LessonPart {
  lesson: ShippedLesson | undefined;
  record!: LessonRecord;
  private panel: LessonPanel;

  constructor(
    readonly page: Page,
    readonly hooks: LessonHooks,
    readonly lessons: ShippedLesson[],
  ) {
    this.panel = new LessonPanel(this);
    page.on(["run"], () => this.runEnded());
    addEventListener("beforeprint", () => this.lesson && printLesson(this.lesson, this.record));
  }

  get index(): number {
    return this.page.settings.lesson.step - 1;
  }

  get step(): Step {
    return this.lesson!.scenario.lesson.steps[this.index]!;
  }

  get entry(): Entry {
    return this.record.entries[this.index]!;
  }

  // open shows the step that the settings name. The caller starts the run.
  open(link: LessonLink): void {
    const lesson = this.lessons.find((l) => l.name === link.name);
    if (!lesson) {
      const fault = {
        what: `There is no lesson “${clip(link.name, 40)}”.`,
        mend: `Press Lessons and choose one of ${this.lessons.map((l) => l.name).join(", ")}.`,
      };
      this.page.settings.lesson = { ...NO_LESSON };
      this.leave();
      this.hooks.messages.show("lesson", fault);
      return;
    }
    if (lesson !== this.lesson) {
      this.lesson = lesson;
      const { record, lost } = loadRecord(lesson);
      this.record = record;
      this.hooks.messages.clear("lesson");
      if (lost) this.hooks.messages.show("lesson", { what: lost }, undefined, true);
    }
    const steps = lesson.scenario.lesson.steps.length;
    this.page.settings.lesson = { name: lesson.name, step: Math.min(Math.max(1, link.step), steps) };
    this.setStep();
    this.panel.draw();
  }

  // veiled is true while a question waits for its answer, so results are hidden.
  get veiled(): boolean {
    const q = this.step.question;
    return q !== undefined && predicts(q) && this.entry.answered === 0;
  }

  // later is what the step must not show yet.
  get later(): Veil | undefined {
    return laterVeil(this.lesson!, this.record, this.index);
  }

  // setStep puts the scenario of the step into the settings, and its locks.
  private setStep(): void {
    const { page, lesson, step, entry } = this;
    const s = page.settings;
    s.shipped = { name: lesson!.name, title: lesson!.scenario.lesson.title, scenario: lesson!.runs[this.index]! };
    this.lock();
    s.scenario = complete(s.shipped.scenario);
    for (const [path, value] of Object.entries(entry.settings)) setPath(s.scenario, path, value);
    s.addr = undefined;
    s.cycle = 0;
    page.ownImage = undefined;
    showFirst(s);
    document.body.classList.add("lesson-on");
    page.status.lesson = { name: lesson!.name, step: s.lesson.step, steps: lesson!.scenario.lesson.steps.length, veiled: this.veiled, title: step.title };
  }

  // lock fixes every control that is not free now.
  private lock(): void {
    const { page, step } = this;
    const open = this.veiled || (step.question !== undefined && step.question.kind !== "goal" && this.entry.answered === 0) ? [] : (step.free ?? []);
    // Groups with nothing to set are not shown.
    const rows = wholePaths().map((path) => [path, `compare.${path}`]).filter((row) => !row.some((path) => covers(open, path))).flat();
    const closed = ["workload", "machine", "seed"].filter((group) => !open.some((path) => covers([group], path))).concat(rows);
    const run = this.lesson!.runs[this.index]!;
    const others = page.catalogue.lists.schemes.map((g) => g.group).filter((g) => !(g in run) && !(g in (run.compare ?? {})));
    closed.push(...others.flatMap((g) => [g, `compare.${g}`]).filter((g) => !open.some((path) => covers([g], path))));
    const view = { ...step.view, free: open, hidden: ["scenario", ...closed, ...(step.view?.hidden ?? [])] };
    page.settings.shipped = { ...page.settings.shipped, scenario: { ...page.settings.shipped.scenario, view } };
    page.run.held = this.veiled;
    document.body.classList.toggle("lesson-veiled", this.veiled);
    const { later } = this;
    page.run.told = later?.told;
    document.body.classList.toggle("lesson-later", later !== undefined);
    document.body.classList.toggle("lesson-free", open.length > 0);
    if (page.status.lesson) page.status.lesson.veiled = this.veiled;
  }

  go(step: number): void {
    this.open({ name: this.lesson!.name, step });
    this.hooks.shown();
    this.hooks.run();
    byId("result").scrollTop = 0;
    this.panel.focus();
    say(`Step ${this.index + 1} of ${this.lesson!.scenario.lesson.steps.length}: ${this.step.title}`);
  }

  start(name: string, step = 1): void {
    this.page.settings.lesson = { name, step };
    this.open(this.page.settings.lesson);
    if (this.lesson) this.go(this.page.settings.lesson.step);
  }

  // answer takes an answer once; a prediction cannot be changed.
  answer(text: string): void {
    const { entry } = this;
    if (entry.answered > 0) return;
    const held = this.veiled;
    entry.answer = text;
    entry.answered = ++this.record.events;
    this.lock();
    if (entry.ran > 0) this.reveal(entry);
    this.keep();
    this.panel.draw();
    this.page.emit("scenario");
    if (held) this.hooks.run();
    this.panel.focusReveal();
  }

  // runEnded takes the result of a finished run for the step.
  private runEnded(): void {
    const { page } = this;
    const { A, B } = page.results;
    if (!this.lesson || page.settings.lesson.name === "" || page.run.phase !== "done" || !A || !B || page.results.of !== "run") return;
    if (page.data.origin.image !== undefined) return;
    const results = { A, B };
    const own = complete(this.lesson.runs[this.index]!);
    const q = this.step.question;
    if (q?.kind === "goal") this.tried(q, results, own);
    else if (same(page.results.scenario, own)) this.saw(results);
    this.panel.draw();
  }

  private saw(results: PerSide<Result>): void {
    const { entry } = this;
    if (this.veiled) return;
    this.results = results;
    if (entry.ran === 0) {
      takeRun(entry, results, ++this.record.events);
      entry.figures = figures(results);
    }
    if (entry.answered > 0 && entry.reveal === "") {
      this.reveal(entry);
      this.panel.due = true;
    }
    this.keep();
  }

  // tried is a run towards a goal.
  private tried(q: Question, results: PerSide<Result>, own: Full): void {
    const { entry, page } = this;
    this.results = results;
    if (entry.answered > 0) return;
    const place = this.record.events + 1;
    let reached = false;
    try {
      reached = evaluate(q.answer ?? "", results) !== 0;
    } catch {
      return;
    }
    this.record.events = place;
    this.panel.attempted = !same(page.results.scenario, own);
    if (!reached) return this.keep();
    takeRun(entry, results, place);
    entry.settings = settingsOf(page.results.scenario, own);
    entry.answer = "reached";
    entry.answered = ++this.record.events;
    entry.figures = figures(results);
    this.reveal(entry);
    this.panel.due = true;
    this.keep();
  }

  // Results of the run of the step on show, for its reveal.
  private results: PerSide<Result> | undefined;

  private reveal(entry: Entry): void {
    const q = this.step.question;
    if (!q || !this.results) return;
    try {
      const { right, truth } = judge(q, entry.answer, this.results);
      entry.right = right;
      entry.truth = truth;
      entry.reveal = fill(q.reveal ?? "", this.results);
    } catch (e) {
      this.hooks.messages.show("lesson", { what: "The answer of this step cannot be computed:", where: `${e instanceof Error ? e.message : String(e)}.`, mend: "Tell the author of the lesson." });
    }
  }

  name(student: string): void {
    this.record.student = student;
    this.keep();
  }

  private keep(): void {
    if (keepRecord(this.lesson!, this.record)) return;
    this.hooks.messages.show(
      "lesson-store",
      { what: "This browser does not keep your answers,", where: "because its storage is full or closed to this page.", mend: "Export your submission before you close the page." },
      undefined,
      true,
    );
  }

  export(): void {
    const text = submission(this.lesson!, this.record, this.page.catalogue.version);
    const who = this.record.student.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    const name = `burstscope-${this.lesson!.name}${who ? `-${who.slice(0, 40)}` : ""}.json`;
    save(text, name);
    say("The submission is saved.");
  }

  print(): void {
    print();
  }

  restart(): void {
    const student = this.record.student;
    this.record = { ...emptyRecord(this.lesson!), student };
    this.keep();
    this.go(1);
  }

  choose(): void {
    this.panel.choose();
  }

  // leave gives the page back.
  leave(): void {
    if (!document.body.classList.contains("lesson-on")) return;
    const { page } = this;
    document.body.classList.remove("lesson-on", "lesson-veiled", "lesson-free", "lesson-later");
    page.run.held = false;
    page.run.told = undefined;
    page.settings.lesson = { ...NO_LESSON };
    delete page.status.lesson;
    page.settings.shipped = page.catalogue.shipped[0]!;
    page.settings.scenario = complete(page.settings.shipped.scenario);
    showFirst(page.settings);
    this.lesson = undefined;
    for (const key of ["lesson", "lesson-store"]) this.hooks.messages.clear(key);
    this.panel.close();
  }

  leaveByHand(): void {
    this.leave();
    this.hooks.shown();
    this.hooks.run();
    byId("lessons").focus();
  }
}

function same(a: Full, b: Full): boolean {
  const known = (s: Full): string => JSON.stringify([s.machine.preset, sorted(s.machine.overrides ?? {}), sorted(s.workload), sorted(s.memory), sorted(s.compare.memory), partsOf(s), partsOf(s.compare), s.seed]);
  return known(a) === known(b);
}

function sorted(o: object): [string, unknown][] {
  return Object.entries(o).sort(([x], [y]) => (x < y ? -1 : 1));
}

// settingsOf lists the differences from the scenario of the step.
function settingsOf(s: Full, own: Full): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const knob of KNOBS) if (knob.get(s) !== knob.get(own)) settings[scenarioPath(knob.path)] = knob.get(s);
  for (const [path, value] of Object.entries(s.machine.overrides ?? {})) {
    if (own.machine.overrides?.[path] !== value) settings[`machine.overrides.${path}`] = String(value);
  }
  return settings;
}

function setPath(s: Full, path: string, value: string): void {
  const knob = KNOBS.find((k) => scenarioPath(k.path) === path);
  if (knob) knob.set(s, value);
  else if (path.startsWith("machine.overrides.")) {
    s.machine.overrides = { ...s.machine.overrides, [path.slice("machine.overrides.".length)]: /^-?\d+$/.test(value) ? Number(value) : value };
  }
}

function figures(r: PerSide<Result>): [string, string, string][] {
  const rows: [string, (x: Result) => string][] = [
    ["cycles", (x) => (x.cycles ?? 0).toLocaleString("en")],
    ["bytes moved", (x) => ((x.dramReadBytes ?? 0) + (x.dramWriteBytes ?? 0)).toLocaleString("en")],
    ["raw ratio", (x) => (x.metrics?.["compressionRatioRaw"] ?? 0).toFixed(2)],
    ["effective ratio", (x) => (x.metrics?.["compressionRatioEffective"] ?? 0).toFixed(2)],
    ["bursts saved", (x) => (x.burstsSaved ?? 0).toLocaleString("en")],
    ["output error", (x) => (x.error ? `${(100 * x.error).toPrecision(3)} %` : "0")],
  ];
  return rows.map(([name, of]) => [name, of(r.A), of(r.B)]);
}

window.burstscopeLessons = (page, hooks, lessons) => new LessonShow(page, hooks, lessons);
