// What a step must not show, because a later step asks for it: a lesson often looks at one run in
// several steps, and each asks for a figure of its own.

import type { Question, ShippedLesson } from "./lesson";
import { predicts } from "./question";
import type { LessonRecord } from "./record";
import { SIDES, type Side } from "../protocol/protocol";
import { complete, sideScenario, type Full } from "../protocol/scenario";

// Veil says which figures of a step's run may be shown while later steps still ask for others.
export interface Veil {
  steps: number[]; // that ask for figures of this run, from 1
  told: ReadonlySet<string>; // figures that this step or an earlier one asked for
}

// laterVeil is the veil of a step, counted from 0; undefined if no open step asks for its run.
export function laterVeil(lesson: ShippedLesson, record: LessonRecord, index: number): Veil | undefined {
  const { steps } = lesson.scenario.lesson;
  const shown = new Set(SIDES.map((side) => sideKey(complete(lesson.runs[index]!), side)));
  const later = steps.flatMap(({ question: q }, j) => {
    if (j <= index || !q || !predicts(q) || record.entries[j]!.answered > 0) return [];
    const run = complete(lesson.runs[j]!);
    const figures = figuresOf(q);
    return figures.length > 0 && figures.every(([side]) => shown.has(sideKey(run, side))) ? [{ step: j + 1, figures }] : [];
  });
  if (later.length === 0) return undefined;
  const hidden = new Set(later.flatMap((l) => l.figures.map(([, name]) => name)));
  const told = steps.slice(0, index + 1).flatMap(({ question: q }) => (q ? figuresOf(q).map(([, name]) => name) : []));
  return { steps: later.map((l) => l.step), told: new Set(told.filter((name) => !hidden.has(name))) };
}

// figuresOf are the figures that decide about the answer to a question.
function figuresOf(q: Question): [Side, string][] {
  const formulas = [q.answer ?? "", ...(q.choices ?? []).map((c) => c.when ?? "")].join(" ");
  return [...formulas.matchAll(/\b([AB])\.(\w+)/g)].map((m) => [m[1] as Side, m[2]!]);
}

// sideKey is equal for equal runs of one side, whichever side they are.
function sideKey(s: Full, side: Side): string {
  return JSON.stringify(sideScenario(s, side), (_, v: unknown) =>
    v !== null && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([x], [y]) => (x < y ? -1 : 1))) : v,
  );
}

// inWords names steps: "step 3", "steps 3 and 7".
export function inWords(steps: number[]): string {
  const last = steps[steps.length - 1];
  return steps.length === 1 ? `step ${last}` : `steps ${steps.slice(0, -1).join(", ")} and ${last}`;
}
