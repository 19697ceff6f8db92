// The answer to why a value of the output is wrong, and its sentences.

import { count, percent, significant } from "../lib/format";

// Cause and Why are those of core/system/rfvp/study/why.go.
export interface Cause {
  number: number;
  cycle: number;
  sm: number;
  warp: number;
  launch: number;
  kernel: string;
  line: number;
  file: string;
  fileLine: number;
  text: string;
  buffer: string;
  offset: number;
  lanes: number;
  wrong: number;
  lane: number;
  value: number;
  held: number;
  before: number;
  after: number;
}

export interface Why {
  output: string;
  element: number;
  exact: number;
  got: number;
  within: number;
  predicted: number;
  wrongLines: number;
  allExact: number;
  causes: Cause[] | null;
  complete: boolean;
  replays: number;
  moved: boolean;
}

// Place is what is asked about: elements of an output, of which the one with the largest error is taken.
export interface Place {
  output: string;
  first: number; // below 0: all
  count: number;
}

// wordsOfPlace names the elements.
export function wordsOfPlace(p: Place): string {
  const of = p.output === "" ? "the output" : p.output;
  if (p.first < 0) return `the element of ${of} with the largest error`;
  if (p.count === 1) return `element ${count(p.first)} of ${of}`;
  return `of elements ${count(p.first)} to ${count(p.first + p.count - 1)} of ${of} the one with the largest error`;
}

// verdictOf says in a sentence what the causes come to.
export function verdictOf(w: Why): string {
  const causes = w.causes?.length ?? 0;
  if (w.exact === w.got) return "This element is exact.";
  if (causes === 0) return `Predicted lines are not the reason: with all of them exact the element is ${significant(w.allExact)}.`;
  const these = causes === 1 ? "this line" : `these ${causes} lines`;
  const right = w.within === 0 ? "right" : `right within ${percent(w.within)} of its error`;
  const moved = w.moved ? " Some replays took another number of cycles, because a branch depends on predicted values." : "";
  if (w.complete) return `With ${these} exact and all others as predicted the element is ${right}.${moved}`;
  return `With ${these} exact the element is not yet right: more lines take part.${moved}`;
}
