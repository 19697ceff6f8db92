// The line under the editor: what the instruction under the pointer, or at the caret, does, and what its line moved in
// the run on show.

import { bytes, count } from "../lib/format";
import { coloursOf } from "./colours";

// Moved is what a line of the program moved in a run.
export interface Moved {
  bytes: number; // between L1 and L2
  bursts: number; // on the buses of DRAM, requested by it
}

// instructionOf is the name of a line's instruction, without its modifiers; "" if it has none. Of several statements on
// a line it is that at the column, from 0.
export function instructionOf(line: string, column: number): string {
  let at = 0;
  let name = "";
  for (const [kind, words] of coloursOf(line)) {
    if (at > column && name !== "") break;
    if (kind === "o") name = words;
    at += words.length;
  }
  return name;
}

// Hints holds the table of instructions that the engine sends.
export class Hints {
  private table = new Map<string, string>(); // the line of each instruction

  set help(all: string) {
    if (this.table.size === 0 && all) for (const line of all.split("\n")) this.table.set(/^\w+/.exec(line)![0], line);
  }

  // words are those of a line; "" if nothing is known about it.
  words(line: string, column: number, moved: Moved | undefined): string {
    const name = instructionOf(line, column);
    const does = this.table.get(name) ?? "";
    return [does, movedWords(moved)].filter(Boolean).join(" · ");
  }
}

// movedWords says in full what a line moved.
export function movedWords(m: Moved | undefined): string {
  if (!m) return "";
  return `this line: ${bytes(m.bytes)} between L1 and L2, ${count(m.bursts)} bursts of DRAM`;
}
