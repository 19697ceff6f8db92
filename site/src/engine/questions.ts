// Questions to the engine with one answer each, or an answer in pieces. They remember who
// asked, and tell them if the engine stops.

import type { EstimateAnswer, EstimateSides } from "../protocol/estimate";
import type { Elements } from "../protocol/elements";
import type { Explained, ExplainQuestion } from "../protocol/explain";
import type { Described, Excluded, ErrorMessage, Fault, FromWorker, Packed, SeekQuestion, Side, Sought, ToWorker, TraceDone, Unpacked } from "../protocol/protocol";
import type { Compiled, Contents } from "../protocol/kernel";
import type { Scenario } from "../protocol/scenario";
import type { Run } from "../state/run";

// TraceListener follows a trace that was asked for.
export interface TraceListener {
  progress(fraction: number): void;
  done(trace: Blob, about: TraceDone): void;
  failed(fault: Fault): void;
}

interface Tracing {
  pieces: ArrayBuffer[];
  listener: TraceListener;
}

// Asked is a question with one answer. Without an engine it is answered by none, if there is one.
interface Asked {
  resolve(answer: Answer): void;
  none?: Answer;
}

type Answer = Described | Excluded | Compiled | Contents | Elements | Explained | Packed | Unpacked;
type Question = Extract<ToWorker,
  { type: "describe" | "exclusions" | "compile" | "contents" | "elements" | "explain" | "pack" | "unpack" }>;

export class Questions {
  private nextId = 1;
  private traces = new Map<number, Tracing>();
  private asked = new Map<number, Asked>();
  private soughtBy = new Map<number, (s: Sought) => void>();
  private estimating: { id: number; listener: (a: EstimateAnswer) => void } | undefined;

  constructor(
    private run: Run,
    private send: (m: ToWorker) => void,
  ) {}

  // inspect asks for a block, at a cycle that was sought and with the request of a burst there, or as the run has it
  // now. Its answer is for whoever shows the block on the page.
  inspect(side: Side, addr: number, cycle?: number, req = 0): void {
    const { number: run, engineReady } = this.run;
    if (run === 0 || !engineReady) return;
    const at = cycle === undefined ? {} : { cycle, req };
    this.send({ type: "inspect", run, side, addr: String(addr), id: this.nextId++, ...at });
  }

  // l1Sets asks how the L1 of an SM is filled, at a cycle that was sought, or as the run has it now.
  l1Sets(side: Side, sm: number, cycle?: number): void {
    const { number: run, engineReady } = this.run;
    if (run === 0 || !engineReady) return;
    this.send({ type: "l1Sets", run, side, sm, id: this.nextId++, ...(cycle === undefined ? {} : { cycle }) });
  }

  // launches asks for the launches of a side of the finished run.
  launches(side: Side): void {
    this.send({ type: "launches", run: this.run.number, side, id: this.nextId++ });
  }

  // elements asks for the elements of an output of a side of the finished run.
  elements(side: Side, name: string): Promise<Elements> {
    const id = this.nextId++;
    const question = { type: "elements", id, side, name } as const;
    return this.ask(question, { ...question, what: "the engine is not running: try again when it is" });
  }

  // seek asks for a cycle of the past. An earlier question without an answer is given up,
  // and its listener told.
  seek(question: SeekQuestion, listener: (s: Sought) => void): void {
    this.dropSought();
    const id = this.nextId++;
    const { number: run, engineReady } = this.run;
    if (run === 0 || !engineReady) return listener(unsought(id, "no run has begun"));
    this.soughtBy.set(id, listener);
    this.send({ type: "seek", run, id, ...question });
  }

  // trace asks for the trace of a side of the finished run; the function it
  // returns gives it up.
  trace(side: Side, listener: TraceListener): () => void {
    const id = this.nextId++;
    this.traces.set(id, { pieces: [], listener });
    this.send({ type: "trace", run: this.run.number, side, id });
    return () => {
      this.traces.delete(id);
      this.send({ type: "cancelTrace", id });
    };
  }

  // describe asks for every value of the machine of a scenario.
  describe(scenario: Scenario): Promise<Described> {
    return this.ask({ type: "describe", id: this.nextId++, scenario });
  }

  // exclusions asks which choices of a scenario exclude each other; what begins with keep was chosen last.
  exclusions(scenario: Scenario, keep: string): Promise<Excluded> {
    return this.ask({ type: "exclusions", id: this.nextId++, scenario, keep });
  }

  // compile asks for the kernels and the faults of a program's text.
  compile(file: string, source: string): Promise<Compiled> {
    return this.ask({ type: "compile", id: this.nextId++, file, source });
  }

  // contents asks for the elements of a file, or of one of its arrays.
  contents(blob: Blob, array: string): Promise<Contents> {
    const id = this.nextId++;
    return this.ask({ type: "contents", id, blob, array }, { type: "contents", id, what: "the engine is not running: try again when it is" });
  }

  private ask<A extends Answer>(m: Question, none?: A): Promise<A> {
    if (none && !this.run.engineReady) return Promise.resolve(none);
    return new Promise((resolve) => {
      this.asked.set(m.id, { resolve: resolve as Asked["resolve"], ...(none && { none }) });
      this.send(m);
    });
  }

  // estimate asks what settings would do that were not run. A later question takes its place.
  estimate(sides: EstimateSides, listener: (a: EstimateAnswer) => void): void {
    this.estimating = { id: this.nextId++, listener };
    this.send({ type: "estimate", id: this.estimating.id, sides });
  }

  // explain asks what every bit of a block's code is for.
  explain(question: Omit<ExplainQuestion, "type" | "id">): Promise<Explained> {
    const id = this.nextId++;
    return this.ask({ type: "explain", id, ...question }, unexplained(id));
  }

  // pack and unpack convert between a scenario and its packed form.
  pack(scenario: Scenario, image?: Uint8Array): Promise<Packed> {
    const id = this.nextId++;
    return this.ask({ type: "pack", id, scenario, ...(image ? { image } : {}) }, unpacked(id) as Answer) as Promise<Packed>;
  }

  unpack(packed: Uint8Array): Promise<Unpacked> {
    const id = this.nextId++;
    return this.ask({ type: "unpack", id, packed }, unpacked(id));
  }

  // take hands an answer to whoever asked, and says whether it was one.
  take(m: FromWorker): boolean {
    switch (m.type) {
      case "trace":
        this.traces.get(m.id)?.pieces.push(m.buffer);
        return true;
      case "traceProgress":
        this.traces.get(m.id)?.listener.progress(m.fraction);
        return true;
      case "traceDone": {
        const trace = this.traces.get(m.id);
        this.traces.delete(m.id);
        trace?.listener.done(new Blob(trace.pieces, { type: "application/json" }), m);
        return true;
      }
      case "sought":
        this.soughtBy.get(m.id)?.(m);
        if (m.last) this.soughtBy.delete(m.id);
        return true;
      case "estimated":
        if (m.id === this.estimating?.id) this.estimating.listener(m);
        return true;
      case "excluded":
      case "described":
      case "compiled":
      case "contents":
      case "elements":
      case "packed":
      case "unpacked":
      case "explained":
        this.asked.get(m.id)?.resolve(m);
        this.asked.delete(m.id);
        return true;
      case "error":
        return this.refused(m);
    }
    return false;
  }

  // refused tells the listener of a trace that it failed.
  private refused(m: ErrorMessage): boolean {
    const trace = m.id === undefined || m.fatal ? undefined : this.traces.get(m.id);
    if (m.id === undefined || !trace) return false;
    this.traces.delete(m.id);
    trace.listener.failed(m);
    return true;
  }

  // stopped answers everything that a stopped engine was asked.
  stopped(): void {
    this.dropTraces("The engine stopped.");
    this.dropSought();
    for (const [id, { resolve, none }] of this.asked) {
      if (!none) continue; // it is asked again
      this.asked.delete(id);
      resolve(none);
    }
  }

  // runBegins gives up what was asked of the run before.
  runBegins(): void {
    this.dropTraces("A new run has started.");
    this.dropSought();
  }

  private dropTraces(what: string): void {
    for (const { listener } of this.traces.values()) listener.failed({ what });
    this.traces.clear();
  }

  private dropSought(): void {
    const waiting = [...this.soughtBy];
    this.soughtBy.clear();
    for (const [id, listener] of waiting) listener(unsought(id, "a later question replaced it"));
  }
}

function unsought(id: number, what: string): Sought {
  return { type: "sought", run: 0, id, ok: false, last: true, what };
}

function unexplained(id: number): Explained {
  return { type: "explained", id, ok: false, what: "The engine is not running", mend: "close this and restart the engine" };
}

function unpacked(id: number): Unpacked {
  return { type: "unpacked", id, ok: false, address: "", errors: [{ path: "", message: "the engine is not running", mend: "restart it and try again" }] };
}
