// What a student did in a lesson: answers, the runs they saw, and in which order. It is
// kept in the browser's storage, so that a reload loses nothing.

import { keep, kept } from "../lib/keep";
import type { ShippedLesson } from "./lesson";
import type { PerSide, Result } from "../protocol/protocol";

export interface RanSide {
  scenario: string;
  result: string;
}

// Entry is one step. answered and ran are places in the order of everything the
// student did, from 1; 0 means never.
export interface Entry {
  answer: string;
  answered: number;
  ran: number;
  settings: Record<string, string>; // of a goal: what the student set
  a: RanSide;
  b: RanSide;
  reveal: string; // with the figures of the run
  right: boolean | undefined; // undefined: not judged, or not yet
  truth: string; // the right answer in words
  figures: [string, string, string][]; // for print: name, A, B
}

export interface LessonRecord {
  hash: string; // of the lesson it belongs to
  student: string;
  events: number; // the last place given
  entries: Entry[];
}

export function emptyEntry(): Entry {
  const none = { scenario: "", result: "" };
  return { answer: "", answered: 0, ran: 0, settings: {}, a: { ...none }, b: { ...none }, reveal: "", right: undefined, truth: "", figures: [] };
}

export function emptyRecord(lesson: ShippedLesson): LessonRecord {
  return { hash: lesson.hash, student: "", events: 0, entries: lesson.scenario.lesson.steps.map(emptyEntry) };
}

const keyOf = (name: string): string => `burstscope.lesson.${name}`;

// loadRecord reads the stored answers. Answers of another lesson, or in an unknown form,
// are reported as lost.
export function loadRecord(lesson: ShippedLesson): { record: LessonRecord; lost: string } {
  const fresh = emptyRecord(lesson);
  const stored = kept(keyOf(lesson.name));
  if (stored === null) return { record: fresh, lost: "" };
  try {
    const r = JSON.parse(stored) as LessonRecord;
    if (r.hash !== lesson.hash) return { record: fresh, lost: "The lesson has changed since you began it, so it starts again without your answers." };
    const usable =
      typeof r.student === "string" &&
      Number.isInteger(r.events) &&
      Array.isArray(r.entries) &&
      r.entries.length === fresh.entries.length &&
      r.entries.every((e) => typeof e.answer === "string" && Number.isInteger(e.answered) && Number.isInteger(e.ran) && Array.isArray(e.figures));
    if (!usable) throw new Error();
    return { record: { ...r, entries: r.entries.map((e) => ({ ...emptyEntry(), ...e })) }, lost: "" };
  } catch {
    return { record: fresh, lost: "The answers that the browser stored cannot be read, so the lesson starts again." };
  }
}

// keepRecord answers whether the browser kept it.
export function keepRecord(lesson: ShippedLesson, r: LessonRecord): boolean {
  return keep(keyOf(lesson.name), JSON.stringify(r));
}

// takeRun puts the hashes of a finished run into an entry.
export function takeRun(e: Entry, results: PerSide<Result>, place: number): void {
  e.ran = place;
  e.a = { scenario: results.A.scenarioHash ?? "", result: results.A.resultHash ?? "" };
  e.b = { scenario: results.B.scenarioHash ?? "", result: results.B.resultHash ?? "" };
}
