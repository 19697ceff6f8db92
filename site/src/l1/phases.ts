// The table of phases that the engine sends, by SM and time.

import type { Phases } from "../protocol/l1";
import type { Side } from "../protocol/protocol";
import type { Page } from "../state/page";

export const MODES = ["None", "Low", "High"] as const; // as the columns end

export class PhaseTable {
  readonly rows: number;
  private at: Map<string, number>;
  private starts: number[]; // first row of each SM, and the end

  constructor(readonly of: Phases) {
    const width = of.columns.length;
    this.at = new Map(of.columns.map((name, i) => [name, i]));
    this.rows = of.values.length / width;
    this.starts = Array.from({ length: of.sms + 1 }, () => this.rows);
    for (let r = this.rows - 1; r >= 0; r--) this.starts[this.value(r, "sm")] = r;
    for (let sm = of.sms - 1; sm >= 0; sm--) this.starts[sm] = Math.min(this.starts[sm]!, this.starts[sm + 1]!);
  }

  value(row: number, column: string): number {
    return this.of.values[row * this.of.columns.length + (this.at.get(column) ?? NaN)] ?? NaN;
  }

  // span is the rows of an SM, without the last.
  span(sm: number): [number, number] {
    return [this.starts[sm] ?? this.rows, this.starts[sm + 1] ?? this.rows];
  }

  mode(row: number): number {
    return this.value(row, "mode");
  }

  // until is the cycle up to which a row stands for its SM: that of the next row. Where not every
  // phase is kept, it is later than the end of the row's own phase.
  until(row: number): number {
    const [, end] = this.span(this.value(row, "sm"));
    return row + 1 < end ? this.value(row + 1, "began") : this.value(row, "ended");
  }

  // every is how many phases lie from one row of an SM to the next.
  every(sm: number): number {
    const [from, to] = this.span(sm);
    return to - from > 1 ? this.value(from + 1, "phase") - this.value(from, "phase") : 1;
  }

  // rowOf is the row of a phase: the last one of its SM that is not later.
  rowOf(sm: number, phase: number): number | undefined {
    const [from, to] = this.span(sm);
    for (let r = to - 1; r >= from; r--) if (this.value(r, "phase") <= phase) return r;
    return undefined;
  }

  // find is the row of an SM at a cycle, its last one after that, or nothing.
  find(sm: number, cycle: number): number | undefined {
    const [from, to] = this.span(sm);
    for (let r = from; r < to; r++) if (cycle < this.until(r)) return r;
    return to > from ? to - 1 : undefined;
  }

  // queue is how many lines stood in front of a line in the decompressors, on average.
  queue(row: number): number {
    let [lines, positions] = [0, 0];
    for (const m of MODES) {
      lines += this.value(row, `lines${m}`);
      positions += this.value(row, `lines${m}`) * this.value(row, `queue${m}`);
    }
    return lines === 0 ? NaN : positions / lines;
  }

  // name is what people call a mode.
  name(mode: number): string {
    const codec = this.of.codecs[mode] ?? "";
    return codec === "" ? "no compression" : codec;
  }

  // used are the modes that the policy has.
  get used(): number[] {
    return [0, 1, 2].filter((m) => m === 0 || this.of.codecs[m] !== "");
  }
}

// plainTable is that of an L1 without a policy: it has no phases and no codes.
export function plainTable(side: Side, sms: number): PhaseTable {
  const nothing = { policy: "", sampled: false, planned: false, decompress: [0, 0, 0], hitCycles: 0, accesses: 0, period: 0, sets: 0, dedicated: 0, columns: ["sm"], values: new Float64Array() };
  return new PhaseTable({ type: "phases", run: 0, side, sms, codecs: ["", "", ""], ...nothing });
}

const made = new WeakMap<Phases, PhaseTable>();

// tableOf is the table of a side, if its L1s have a policy and it has come.
export function tableOf(page: Page, side: Side): PhaseTable | undefined {
  const phases = page.data.phases[side];
  if (!phases) return undefined;
  let table = made.get(phases);
  if (!table) made.set(phases, (table = new PhaseTable(phases)));
  return table;
}
