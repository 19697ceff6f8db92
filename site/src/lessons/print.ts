// The lesson on paper: every step with the student's answer or room for one, what the run said,
// and its figures. It is made when the browser prints, and shown nowhere else.

import { laterVeil } from "./later";
import type { Question, ShippedLesson } from "./lesson";
import { predicts, answerText, goalText } from "./question";
import type { Entry, LessonRecord } from "./record";
import { inline, prose } from "./text";
import { h, svg } from "../lib/dom";
import { makeTable, row } from "../lib/table";

export function printLesson(lesson: ShippedLesson, r: LessonRecord): void {
  document.getElementById("lesson-print")?.remove();
  const l = lesson.scenario.lesson;
  const steps = l.steps.map((step, i) => {
    const e = r.entries[i]!;
    const q = step.question;
    const answer = !q
      ? []
      : [
          h("p", { class: "asked-prompt" }, ...inline(q.prompt)),
          e.answered === 0
            ? room(q)
            : h("p", { class: "yours" }, h("b", {}, q.kind === "goal" ? "Reached. " : predicts(q) ? "Predicted: " : "Answered: "), q.kind === "goal" ? goalText(e) : answerText(q, e.answer)),
          ...(e.right === undefined || q.kind === "goal" ? [] : [h("p", {}, h("b", {}, e.right ? "✓ The run agrees: " : "✗ The run says: "), ...inline(e.truth), ".")]),
          ...prose(e.reveal),
        ];
    return h("section", {}, h("h2", {}, `${i + 1}. ${step.title}`), ...prose(step.text), ...answer, ...(laterVeil(lesson, r, i) ? [] : figuresOf(e)));
  });
  document.body.append(
    h("article", { id: "lesson-print" },
      h("h1", {}, l.title),
      h("p", { class: "note" }, `Burstscope · lesson ${lesson.name}, ${lesson.hash.slice(0, 12)}${r.student ? ` · ${r.student}` : ""}`),
      ...steps,
    ),
  );
}

// room is where an answer can be written by hand.
function room(q: Question): HTMLElement {
  if (q.kind === "choice") return h("ul", { class: "room" }, ...q.choices!.map((c) => h("li", {}, ...inline(c.text))));
  return h("p", { class: q.kind === "number" ? "room line" : "room lines" }, q.unit ?? "");
}

// figuresOf is the table of a run and the bytes of both sides as bars.
function figuresOf(e: Entry): Element[] {
  if (e.figures.length === 0) return [];
  const rows = e.figures.map(([name, a, b]) => row({}, name, a, b));
  const bytes = e.figures.find(([name]) => name === "bytes moved");
  const [a, b] = (bytes ?? ["", "0", "0"]).slice(1).map((t) => Number(t.replace(/,/g, ""))) as [number, number];
  const bar = (y: number, name: string, v: number, fill: string): SVGElement[] => [
    svg("text", { x: 0, y: y + 11, "font-size": 12 }, name),
    svg("rect", { x: 18, y, width: (240 * v) / Math.max(a, b, 1), height: 14, fill, stroke: "#1b1f24" }),
    svg("text", { x: 24 + (240 * v) / Math.max(a, b, 1), y: y + 11, "font-size": 12 }, `${v.toLocaleString("en")} B`),
  ];
  return [
    h("figure", {},
      makeTable({}, ["", "A", "B"], rows),
      svg("svg", { viewBox: "0 0 380 44", width: 380, height: 44, role: "img", "aria-label": `bytes moved: A ${a}, B ${b}` }, ...bar(4, "A", a, "#fff"), ...bar(26, "B", b, "#0072b2")) as unknown as HTMLElement,
    ),
  ];
}
