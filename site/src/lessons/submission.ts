// A submission: what a student hands in, as core/lesson/submission.go reads it. The
// digest shows a change made by accident or in an editor; it has no secret, so somebody
// who changes the file on purpose can compute it again. `burstscope grade` therefore
// repeats every run.

import type { ShippedLesson } from "./lesson";
import type { LessonRecord } from "./record";
import { sha256 } from "../lib/sha256";

type Json = string | number | Json[] | { [key: string]: Json };

export function submission(lesson: ShippedLesson, r: LessonRecord, program: string): string {
  const body: Record<string, Json> = {
    schema: "burstscope-submission",
    version: 1,
    program,
    lesson: { name: lesson.name, hash: lesson.hash },
    student: clean(r.student),
    steps: r.entries.map((e, i) => ({
      step: i + 1,
      answer: clean(e.answer),
      answered: e.answered,
      ran: e.ran,
      settings: e.settings,
      a: { ...e.a },
      b: { ...e.b },
    })),
  };
  return `${JSON.stringify({ ...body, digest: sha256(canonical(body)) }, null, 1)}\n`;
}

// clean keeps what the reader takes: text without control characters and halves of
// characters.
function clean(s: string): string {
  return s.replace(/[\0-\x08\x0b-\x1f\x7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");
}

function canonical(v: Json): string {
  if (Array.isArray(v)) return `[${v.map(canonical).join(",")}]`;
  if (typeof v !== "object") return JSON.stringify(v);
  const keys = Object.keys(v).sort();
  return `{${keys.map((k) => `${JSON.stringify(k)}:${canonical(v[k]!)}`).join(",")}}`;
}
