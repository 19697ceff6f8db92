// Questions of lessons: how an answer is judged, and how it reads.

import { evaluate, slack } from "./formula";
import type { Question } from "./lesson";
import type { Entry } from "./record";
import type { PerSide, Result } from "../protocol/protocol";

export function predicts(q: Question): boolean {
  return q.kind !== "goal" && q.ask !== "observe";
}

// judge says whether an answer is right, and what is.
export function judge(q: Question, answer: string, results: PerSide<Result>): { right: boolean | undefined; truth: string } {
  switch (q.kind) {
    case "choice": {
      const right = q.choices!.findIndex((c) => c.when && evaluate(c.when, results) !== 0);
      if (right < 0) throw new Error("no choice is right");
      return { right: answer === String(right + 1), truth: q.choices![right]!.text };
    }
    case "number": {
      const want = evaluate(q.answer!, results);
      return { right: Math.abs(Number(answer) - want) <= slack(q.tolerance, want), truth: numberText(want, q.unit) };
    }
    case "goal":
      return { right: true, truth: "" };
  }
  return { right: undefined, truth: "" };
}

// answerText is an answer in words.
export function answerText(q: Question, answer: string): string {
  if (q.kind === "choice") return q.choices?.[Number(answer) - 1]?.text ?? answer;
  if (q.kind === "number") return numberText(Number(answer), q.unit);
  return answer;
}

export function numberText(v: number, unit = ""): string {
  const text = Number.isInteger(v) ? v.toLocaleString("en") : Number(v.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 });
  return unit ? `${text} ${unit}` : text;
}

export function goalText(e: Entry): string {
  const set = Object.entries(e.settings).map(([path, value]) => `${path} = ${value}`);
  return set.length > 0 ? `With ${set.join(", ")}.` : "";
}
