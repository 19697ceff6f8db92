// What a lesson looks like: the panel beside the picture, and the list of lessons.

import type { Question, ShippedLesson, Step } from "./lesson";
import { inWords, type Veil } from "./later";
import { predicts, answerText, goalText } from "./question";
import { loadRecord, type Entry, type LessonRecord } from "./record";
import { inline, prose } from "./text";
import { openDialog } from "../lib/dialog";
import { byId, h } from "../lib/dom";
import { labels, complete } from "../protocol/scenario";

const MAX_ANSWER = 1000; // characters; 4000 bytes are read

// Shown is the lesson on show, and what its controls do (lessons/page.ts).
export interface Shown {
  readonly lessons: ShippedLesson[];
  readonly lesson: ShippedLesson | undefined;
  readonly record: LessonRecord;
  readonly index: number;
  readonly step: Step;
  readonly entry: Entry;
  readonly later: Veil | undefined;
  answer(text: string): void;
  go(step: number): void;
  start(name: string, step: number): void;
  name(student: string): void;
  export(): void;
  print(): void;
  restart(): void;
  leaveByHand(): void;
}

export class LessonPanel {
  private section = h("section", { id: "lesson", "aria-labelledby": "lesson-step", hidden: true });
  // One column, which scrolls as a whole: the text, the task, and below them the free controls and Run.
  private column = h("div", { id: "lesson-column" }, this.section);
  private knobs = byId("knobs");
  private place = this.knobs.nextSibling; // outside of lessons
  private veil = h("div", { id: "veil", role: "note" });
  due = false; // the reveal is new and has not been shown yet
  attempted = false; // a goal was tried with settings of the student's and missed

  constructor(private show: Shown) {
    document.querySelector("main")!.prepend(this.column);
    byId("centre").append(this.veil);
  }

  draw(): void {
    const { show } = this;
    const lesson = show.lesson?.scenario.lesson;
    if (!lesson) return this.close();
    const { step, entry } = show;
    const draft = this.draft();
    const active = document.activeElement;
    const focused = active && this.section.contains(active) ? active.id : "";
    this.section.hidden = false;
    if (this.knobs.parentElement !== this.column) this.column.append(this.knobs);
    this.section.replaceChildren(
      h("h1", { class: "lesson-name" }, lesson.title, h("span", { class: "note" }, ` · ${lesson.minutes} minutes`)),
      this.navigation(),
      h("h2", { id: "lesson-step", tabindex: -1 }, `${show.index + 1}. ${step.title}`),
      h("div", { class: "prose" }, ...prose(step.text)),
      ...(step.question ? this.question(step.question, step, entry) : []),
      ...(show.later && entry.ran > 0 ? [h("p", { class: "note" }, `Other figures of this run appear later, because ${inWords(show.later.steps)} asks for them.`)] : []),
      this.ahead(),
      this.tools(),
    );
    if (draft) this.restore(draft);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    this.drawVeil();
    if (this.due) this.bringReveal();
    this.due = false;
  }

  // A half-written answer survives drawing.
  private draft(): { at: string; value: string; focused: boolean } | undefined {
    const field = this.section.querySelector<HTMLInputElement | HTMLTextAreaElement>("#lesson-answer");
    const chosen = this.section.querySelector<HTMLInputElement>("input[type=radio]:checked");
    const at = this.section.dataset["at"] ?? "";
    if (chosen) return { at, value: chosen.value, focused: document.activeElement === chosen };
    return field ? { at, value: field.value, focused: document.activeElement === field } : undefined;
  }

  private restore(draft: { at: string; value: string; focused: boolean }): void {
    if (draft.at !== this.stepOnShow()) return;
    const field = this.section.querySelector<HTMLInputElement>("#lesson-answer");
    const choice = [...this.section.querySelectorAll<HTMLInputElement>("input[type=radio]")].find((r) => r.value === draft.value);
    if (choice) choice.checked = true;
    else if (field) field.value = draft.value;
    if (draft.focused) (choice ?? field)?.focus();
  }

  private stepOnShow(): string {
    return `${this.show.lesson?.name} ${this.show.index}`;
  }

  private navigation(): HTMLElement {
    const { show } = this;
    const steps = show.lesson!.scenario.lesson.steps;
    const done = (i: number): string => {
      const e = show.record.entries[i]!;
      return steps[i]!.question ? (e.answered > 0 ? " ✓" : "") : e.ran > 0 ? " ✓" : "";
    };
    // The title of a step to come may answer the question on show.
    const name = (s: Step, i: number): string => (i > show.index && done(i) === "" ? `${i + 1} of ${steps.length}` : `${i + 1} of ${steps.length}: ${s.title}${done(i)}`);
    const select = h("select", { "aria-label": "Step", id: "lesson-steps" }, ...steps.map((s, i) => h("option", { value: String(i + 1) }, name(s, i))));
    select.value = String(show.index + 1);
    select.addEventListener("change", () => show.go(Number(select.value)));
    const asked = steps.filter((s) => s.question).length;
    const answered = steps.filter((s, i) => s.question && show.record.entries[i]!.answered > 0).length;
    this.section.dataset["at"] = this.stepOnShow();
    return h("div", { class: "lesson-nav" },
      h("progress", { max: asked, value: answered, "aria-label": `${answered} of ${asked} questions answered`, title: `${answered} of ${asked} questions answered` }),
      select,
    );
  }

  private question(q: Question, step: Step, e: Entry): HTMLElement[] {
    if (q.kind === "goal") return this.goal(q, e);
    if (e.answered > 0) return this.answered(q, e);
    const button = predicts(q) && q.kind !== "text" ? "Predict, then run" : predicts(q) ? "Answer, then run" : "Answer";
    const said = h("p", { class: "note", role: "alert" });
    const form = h("form", { class: "question", novalidate: true },
      h("fieldset", {}, h("legend", {}, h("b", {}, predicts(q) ? "Before it runs: " : "Look, then answer: "), ...inline(q.prompt.replace(/\s+/g, " ").trim())), ...fields(q)),
      said,
      h("button", { type: "submit", class: "primary" }, button),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = given(form, q);
      if (value === undefined) {
        said.textContent = q.kind === "choice" ? "Choose one. A guess is better than no answer." : q.kind === "number" ? "Write a number, such as 12.5." : "Write a sentence.";
        return;
      }
      this.show.answer(value);
    });
    return [form, ...(step.free?.length ? [h("p", { class: "note" }, "After your answer you can change some settings.")] : [])];
  }

  private answered(q: Question, e: Entry): HTMLElement[] {
    const waits = e.reveal === "" && e.right === undefined && e.truth === "" && q.kind !== "text";
    const yours = h("p", { class: "yours" }, h("b", {}, predicts(q) && q.kind !== "text" ? "You predicted: " : "You answered: "), answerText(q, e.answer));
    const verdict =
      e.right === undefined
        ? undefined
        : h("p", { class: e.right ? "verdict right" : "verdict wrong" }, h("b", {}, e.right ? "✓ The run agrees: " : "✗ The run says: "), ...inline(e.truth), ".");
    return [
      h("p", { class: "asked-prompt" }, ...inline(q.prompt.replace(/\s+/g, " ").trim())),
      h("div", { class: "reveal", id: "lesson-reveal", tabindex: -1 }, yours, ...(waits ? [h("p", { class: "note" }, "Running…")] : [verdict, ...prose(e.reveal)].filter((x) => x !== undefined))),
      ...(this.show.step.free?.length ? [h("p", { class: "note" }, "You can now change the settings that are not dashed. Your answer stays.")] : []),
    ];
  }

  private goal(q: Question, e: Entry): HTMLElement[] {
    const reached = e.answered > 0;
    const state = reached ? "✓ Reached." : this.attempted ? "Not reached yet. Change the free settings and run again." : "Change the free settings and run.";
    return [
      h("div", { class: "question" }, h("p", {}, h("b", {}, "Your turn: "), ...inline(q.prompt.replace(/\s+/g, " ").trim()))),
      h("div", { class: reached ? "reveal" : "reveal open", id: "lesson-reveal", tabindex: -1, role: "status" }, h("p", { class: reached ? "verdict right" : "verdict" }, h("b", {}, state)), ...(reached ? [h("p", { class: "yours" }, goalText(e)), ...prose(e.reveal)] : [])),
    ];
  }

  private ahead(): HTMLElement {
    const { show } = this;
    const last = show.index + 1 === show.lesson!.scenario.lesson.steps.length;
    const back = h("button", { type: "button", id: "lesson-back", disabled: show.index === 0, onclick: () => show.go(show.index) }, "‹ Back");
    const next = h("button", { type: "button", id: "lesson-next", class: "primary", hidden: last, onclick: () => show.go(show.index + 2) }, "Next ›");
    return h("div", { class: "buttons" }, back, next);
  }

  private tools(): HTMLElement {
    const { show } = this;
    const name = h("input", { id: "lesson-student", maxlength: 60, autocomplete: "off", spellcheck: "false", value: show.record.student });
    name.addEventListener("change", () => show.name(name.value));
    const last = show.index + 1 === show.lesson!.scenario.lesson.steps.length;
    const again = h("button", { type: "button", class: "plain" }, "Start over");
    again.addEventListener("click", () =>
      openDialog(
        "Start over?",
        h("p", {}, "Your answers in this lesson will be deleted. Exported files stay."),
        h("button", { type: "button", id: "lesson-forget", onclick: () => (byId<HTMLDialogElement>("dialog").close(), show.restart()) }, "Delete and start over"),
      ),
    );
    return h("details", { class: "lesson-tools", open: last },
      h("summary", {}, last ? "Hand in" : "Hand in, print, leave"),
      h("label", { class: "knob" }, h("span", {}, "your name or number, for the lecturer"), name),
      h("p", { class: "note" }, "The file holds your answers, and hashes of what you ran. It is saved on this machine; nothing is sent."),
      h("div", { class: "buttons" },
        h("button", { type: "button", id: "lesson-export", onclick: () => (show.name(name.value), show.export()) }, "Export submission"),
        h("button", { type: "button", id: "lesson-paper", onclick: () => show.print() }, "Print"),
        again,
        h("button", { type: "button", class: "plain", id: "lesson-leave", onclick: () => show.leaveByHand() }, "Leave the lesson"),
      ),
    );
  }

  private drawVeil(): void {
    const { show } = this;
    const s = complete(show.lesson!.runs[show.index]!);
    const names = labels(s);
    const size = s.workload.size === undefined ? "" : `, size ${s.workload.size.toLocaleString("en")}`;
    this.veil.replaceChildren(
      h("h2", {}, "Predict first"),
      h("p", {}, "The run starts and its numbers appear when you have answered."),
      h("dl", {}, ...[["program", `${s.workload.name}${size}`], ["side A", names.A], ["side B", names.B], ["machine", s.machine.preset]].flatMap(([k, v]) => [h("dt", {}, k), h("dd", {}, v)])),
    );
  }

  focus(): void {
    this.attempted = false;
    const heading = byId("lesson-step");
    this.column.scrollTop = 0;
    heading.focus({ preventScroll: true });
    if (matchMedia("(max-width: 68.74em)").matches) this.section.scrollIntoView({ block: "start" });
  }

  focusReveal(): void {
    document.getElementById("lesson-reveal")?.focus({ preventScroll: true });
    this.bringReveal();
  }

  private bringReveal(): void {
    document.getElementById("lesson-reveal")?.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    this.section.hidden = true;
    this.section.replaceChildren();
    document.querySelector("main")!.insertBefore(this.knobs, this.place);
    this.veil.replaceChildren();
  }

  // choose is the list of lessons.
  choose(): void {
    const { show } = this;
    const rows = show.lessons.map((l) => {
      const { record } = l === show.lesson ? show : loadRecord(l);
      const steps = l.scenario.lesson.steps;
      const asked = steps.filter((s) => s.question).length;
      const answered = record.entries.filter((e, i) => steps[i]!.question && e.answered > 0).length;
      const first = steps.findIndex((s, i) => s.question && record.entries[i]!.answered === 0);
      const begin = (): void => {
        byId<HTMLDialogElement>("dialog").close();
        show.start(l.name, answered === 0 ? 1 : Math.max(0, first) + 1);
      };
      return h("li", {},
        h("h3", {}, l.scenario.lesson.title),
        h("p", { class: "note" }, `${steps.length} steps, about ${l.scenario.lesson.minutes} minutes${answered > 0 ? `, ${answered} of ${asked} questions answered` : ""}`),
        ...prose(l.scenario.lesson.about ?? ""),
        h("button", { type: "button", class: "primary", "data-lesson": l.name, onclick: begin }, answered === 0 ? "Start" : answered === asked ? "Look again" : "Continue"),
      );
    });
    openDialog("Lessons", h("p", {}, "Predict, run, see why. Each lesson takes about half an hour. Answers stay in this browser until you export them."), h("ol", { class: "lesson-list" }, ...rows));
  }
}

function fields(q: Question): HTMLElement[] {
  switch (q.kind) {
    case "choice":
      return q.choices!.map((c, i) => h("label", { class: "choice" }, h("input", { type: "radio", name: "lesson-choice", value: String(i + 1) }), h("span", {}, ...inline(c.text))));
    case "number":
      return [h("label", { class: "number" }, h("span", { class: "vh" }, "Your answer"), h("input", { id: "lesson-answer", inputmode: "decimal", autocomplete: "off", maxlength: 30 }), h("span", {}, ` ${q.unit ?? ""}`))];
  }
  return [h("label", {}, h("span", { class: "vh" }, "Your answer"), h("textarea", { id: "lesson-answer", rows: 4, maxlength: MAX_ANSWER }))];
}

// given is the answer in the form, or undefined without one.
function given(form: HTMLFormElement, q: Question): string | undefined {
  if (q.kind === "choice") return form.querySelector<HTMLInputElement>("input:checked")?.value;
  const value = form.querySelector<HTMLInputElement>("#lesson-answer")!.value.trim();
  if (q.kind === "text") return value === "" ? undefined : value;
  return readNumber(value, q.unit);
}

// readNumber takes 1234.5, 1,234.5, 1 234.5 and 2,5, with the unit behind or without.
export function readNumber(text: string, unit = ""): string | undefined {
  let t = text.trim();
  if (unit && t.endsWith(unit)) t = t.slice(0, -unit.length).trim();
  if (/^[-+]?\d{1,3}([,\s]\d{3})+(\.\d+)?$/.test(t)) t = t.replace(/[,\s]/g, "");
  else if (/^[-+]?\d+,\d+$/.test(t)) t = t.replace(",", ".");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(t)) return undefined;
  return String(Number(t));
}

