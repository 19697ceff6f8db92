// The engine as the page sees it: a worker that is started, asked, cancelled
// and, when it dies, started again. Everything it says ends up in page.data.

import { engineWorker } from "../lib/assets";
import type { Explained, ExplainQuestion } from "../protocol/explain";
import { count, percent, sentence } from "../lib/format";
import type { FromLab, ToLab } from "../protocol/lab";
import { say, type Messages } from "../state/messages";
import type { Described, ErrorMessage, Fault, FromWorker, Packed, SeekQuestion, Side, Sought, ToWorker, TraceDone, Unpacked } from "../protocol/protocol";
import { SIDES } from "../protocol/protocol";
import { labels, listsOf, sideScenario, workloadInfo, type Scenario } from "../protocol/scenario";
import { emptyRun, type Page } from "../state/state";

const CANCEL_PATIENCE_MS = 2000;
// Messages that would bring a cancelled run back to life.
const AFTER_CANCEL = new Set(["started", "progress", "events", "series", "result", "lines", "dram", "done", "error"]);

// What is drawn of a run under way is drawn this often: painting takes the run's time
// where there is no graphics hardware.
const DRAW_MS = 120;
type Paced = "progress" | "events" | "series";

// TraceListener is told how a trace that was asked for comes along.
export interface TraceListener {
  progress(fraction: number): void;
  done(trace: Blob, about: TraceDone): void;
  failed(fault: Fault): void;
}

interface Tracing {
  pieces: ArrayBuffer[];
  listener: TraceListener;
}

export class Engine {
  private worker: Worker | undefined;
  private nextQuestion = 1;
  private wantsRun = false;
  private cancelTimer = 0;
  private heard = false; // anything since the latest cancel
  private traces = new Map<number, Tracing>();
  private described = new Map<number, (d: Described) => void>();
  // labListener is told what the engine says of the data lab.
  labListener: ((m: FromLab) => void) | undefined;
  private soughtBy = new Map<number, (s: Sought) => void>();
  private explained = new Map<number, (e: Explained) => void>();
  private packing = new Map<number, (p: Packed | Unpacked) => void>();
  private told = new Map<Paced, number>(); // when, of what is paced
  private pending = new Map<Paced, number>();

  constructor(
    private page: Page,
    private messages: Messages,
    private hooks: { ready(wantsRun: boolean): void; runBegins(): void; runEnds(): void },
  ) {}

  start(): void {
    this.worker?.terminate();
    this.dropQuestions();
    this.dropSought();
    this.page.test.engineReady = false;
    let worker: Worker;
    try {
      worker = engineWorker();
    } catch (e) {
      this.crashed(`The engine cannot start: ${String(e)}`);
      return;
    }
    this.worker = worker;
    worker.onmessage = (e: MessageEvent<FromWorker>) => this.handle(e.data);
    worker.onerror = (e) => {
      e.preventDefault();
      this.crashed(`The engine stopped: ${e.message || "its program could not be loaded"}.`);
    };
    worker.onmessageerror = () => this.crashed("The engine sent something that cannot be read.");
  }

  // run starts the scenario of the knobs, on both sides, in place of any run
  // in progress.
  run(): void {
    const { page } = this;
    if (page.runHeld) return;
    if (!page.test.engineReady) {
      this.wantsRun = true;
      if (!this.worker) this.start();
      return;
    }
    const scenario = structuredClone(page.settings.scenario);
    const image = page.ownImage && workloadInfo(page.lists, scenario.workload.name)?.image ? page.ownImage : undefined;
    const t = page.test;
    t.run++;
    t.phase = "running";
    t.progress = { phase: "start", fraction: 0 };
    t.resultHashes = {};
    t.events = { A: { count: 0, dropped: 0 }, B: { count: 0, dropped: 0 } };
    t.blocks = { A: 0, B: 0 };
    t.outputs = { A: 0, B: 0 };
    t.dram = { A: false, B: false };
    this.dropTraces("A new run has taken the engine.");
    this.dropSought();
    if (page.resultsOf === "run") page.resultsOf = "before";
    page.data = emptyRun(scenario, labels(scenario));
    page.data.ownImage = image?.name;
    this.messages.clear("run");
    this.send({
      type: "run",
      run: t.run,
      sides: { A: sideScenario(scenario, "A"), B: sideScenario(scenario, "B") },
      ...(image ? { image } : {}),
    });
    this.hooks.runBegins();
    for (const topic of ["run", "progress", "events", "series", "blocks", "output", "source", "lines", "dram", "inspected", "results"] as const) {
      page.emit(topic);
    }
  }

  // cancel stops the run: at once for whoever watches, and as soon as the engine
  // looks at its messages. An engine that does not answer is replaced.
  cancel(): void {
    const t = this.page.test;
    if (t.phase !== "running") return;
    this.send({ type: "cancel", run: t.run });
    this.ended("cancelled");
    say("Cancelled.");
    this.heard = false;
    this.cancelTimer = setTimeout(() => {
      if (this.heard) return;
      this.wantsRun = t.phase === "running";
      this.start();
    }, CANCEL_PATIENCE_MS);
  }

  // inspect asks for a block, at a cycle that was sought, or as the run has it now.
  inspect(addr: number, cycle?: number): void {
    const { settings, test } = this.page;
    if (test.run === 0 || !test.engineReady) return;
    const at = cycle === undefined ? {} : { cycle };
    this.send({ type: "inspect", run: test.run, side: settings.side, addr: String(addr), id: this.nextQuestion++, ...at });
  }

  // seek asks for a cycle of the past. An earlier question that has not been answered
  // is given up, and its listener told so.
  seek(question: SeekQuestion, listener: (s: Sought) => void): void {
    this.dropSought();
    const id = this.nextQuestion++;
    if (this.page.test.run === 0 || !this.page.test.engineReady) return listener(unsought(id, "there is no run to look back on"));
    this.soughtBy.set(id, listener);
    this.send({ type: "seek", run: this.page.test.run, id, ...question });
  }

  // trace asks for the trace of a side of the finished run; the function it
  // returns gives it up.
  trace(side: Side, listener: TraceListener): () => void {
    const id = this.nextQuestion++;
    this.traces.set(id, { pieces: [], listener });
    this.send({ type: "trace", run: this.page.test.run, side, id });
    return () => {
      this.traces.delete(id);
      this.send({ type: "cancelTrace", id });
    };
  }

  private dropTraces(what: string): void {
    for (const { listener } of this.traces.values()) listener.failed({ what });
    this.traces.clear();
  }

  // describe asks for every value of the machine of a scenario.
  describe(scenario: Scenario): Promise<Described> {
    const id = this.nextQuestion++;
    return new Promise((resolve) => {
      this.described.set(id, resolve);
      this.send({ type: "describe", id, scenario });
    });
  }

  tellLab(m: ToLab): void {
    this.send(m);
  }

  // explain asks what every bit of a block's code is for.
  explain(question: Omit<ExplainQuestion, "type" | "id">): Promise<Explained> {
    const id = this.nextQuestion++;
    if (!this.page.test.engineReady) return Promise.resolve(unexplained(id));
    return new Promise((resolve) => {
      this.explained.set(id, resolve);
      this.send({ type: "explain", id, ...question });
    });
  }

  // pack and unpack are between a scenario and the form in which others keep it.
  pack(scenario: Scenario, image?: Uint8Array): Promise<Packed> {
    return this.askPacked({ type: "pack", id: this.nextQuestion++, scenario, ...(image ? { image } : {}) }) as Promise<Packed>;
  }

  unpack(packed: Uint8Array): Promise<Unpacked> {
    return this.askPacked({ type: "unpack", id: this.nextQuestion++, packed }) as Promise<Unpacked>;
  }

  private askPacked(m: Extract<ToWorker, { type: "pack" | "unpack" }>): Promise<Packed | Unpacked> {
    if (!this.page.test.engineReady) return Promise.resolve(unpacked(m.id));
    return new Promise((resolve) => {
      this.packing.set(m.id, resolve);
      this.send(m);
    });
  }

  // dropQuestions answers what an engine that stopped was asked.
  private dropQuestions(): void {
    for (const [id, resolve] of this.explained) resolve(unexplained(id));
    this.explained.clear();
    for (const [id, resolve] of this.packing) resolve(unpacked(id));
    this.packing.clear();
  }

  private dropSought(): void {
    const waiting = [...this.soughtBy];
    this.soughtBy.clear();
    for (const [id, listener] of waiting) listener(unsought(id, "something else was asked"));
  }

  private send(m: ToWorker): void {
    this.worker?.postMessage(m);
  }

  private ended(phase: "done" | "cancelled" | "error"): void {
    clearTimeout(this.cancelTimer);
    this.page.test.phase = phase;
    for (const topic of [...this.pending.keys()]) this.tell(topic);
    this.hooks.runEnds();
    this.page.emit("run");
    this.page.emit("results");
  }

  private crashed(what: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.page.test.engineReady = false;
    this.dropTraces("The engine stopped.");
    this.dropQuestions();
    this.labListener?.({ type: "labFailed", id: 0, what: "the engine stopped", mend: "restart it and choose the data again" });
    clearTimeout(this.cancelTimer);
    this.messages.show(
      "engine",
      { what, where: "Settings and results are kept.", mend: "" },
      {
        label: "Restart the engine",
        run: () => {
          this.wantsRun = true;
          this.start();
        },
      },
    );
    this.ended("error");
  }

  private handle(m: FromWorker): void {
    const { page } = this;
    const t = page.test;
    this.heard = true;
    // What a replaced or cancelled run still says is of no interest. Run 0: of none.
    if ("run" in m && m.run && (m.run !== t.run || (t.phase === "cancelled" && AFTER_CANCEL.has(m.type)))) return;
    switch (m.type) {
      case "ready":
        t.engineReady = true;
        page.version = m.version ?? "";
        page.lists = listsOf(m);
        page.counters = m.counters ?? {};
        this.messages.clear("engine");
        page.emit("lists");
        this.hooks.ready(this.wantsRun);
        this.wantsRun = false;
        return;
      case "started":
        Object.assign(page.data.topology, m.sides);
        return page.emit("run");
      case "progress":
        t.progress = { phase: m.phase, fraction: m.fraction };
        Object.assign(page.data.progress, m.sides);
        for (const side of SIDES) {
          const p = m.sides?.[side];
          if (p?.keptUntil === undefined) continue;
          const log = page.data.events[side];
          log.reached(p.cycle, p.keptUntil, p.dropped);
          t.events[side] = { count: log.count, dropped: log.dropped };
        }
        return this.paced("progress");
      case "events": {
        const log = page.data.events[m.side];
        log.add(m.buffer, m.count, m.dropped, m.untilCycle ?? 0, m.keptUntil);
        t.events[m.side] = { count: log.count, dropped: log.dropped };
        return this.paced("events");
      }
      case "series":
        page.data.series[m.side] = m;
        return this.paced("series");
      case "result":
        if (page.resultsOf !== "run") page.results = {};
        page.resultsOf = "run";
        page.resultScenario = page.data.scenario;
        page.results[m.side] = m.result;
        page.resultTopology = page.data.topology;
        t.results = { ...page.results };
        return page.emit("results");
      case "output": {
        const list = page.data.outputs[m.side];
        const old = list.findIndex((o) => o.name === m.name);
        if (old >= 0) list[old] = m;
        else list.push(m);
        t.outputs[m.side] = list.length;
        return page.emit("output");
      }
      case "blocks":
        page.data.blocks[m.side] = m;
        t.blocks[m.side] = m.count;
        return page.emit("blocks");
      case "inspected":
        page.data.inspected = m;
        page.data.refused = undefined;
        return page.emit("inspected");
      case "source":
        page.data.source = m;
        return page.emit("source");
      case "lines":
        page.data.lines[m.side] = m;
        return page.emit("lines");
      case "dram":
        page.data.dram[m.side] = m;
        t.dram[m.side] = true;
        return page.emit("dram");
      case "trace":
        this.traces.get(m.id)?.pieces.push(m.buffer);
        return;
      case "traceProgress":
        return this.traces.get(m.id)?.listener.progress(m.fraction);
      case "traceDone": {
        const trace = this.traces.get(m.id);
        this.traces.delete(m.id);
        return trace?.listener.done(new Blob(trace.pieces, { type: "application/json" }), m);
      }
      case "sought":
        this.soughtBy.get(m.id)?.(m);
        if (m.last) this.soughtBy.delete(m.id);
        return;
      case "described":
        this.described.get(m.id)?.(m);
        this.described.delete(m.id);
        return;
      case "packed":
      case "unpacked":
        this.packing.get(m.id)?.(m);
        this.packing.delete(m.id);
        return;
      case "explained":
        this.explained.get(m.id)?.(m);
        this.explained.delete(m.id);
        return;
      case "labProgress":
      case "labDone":
      case "labBlock":
      case "labFailed":
      case "labCancelled":
        return this.labListener?.(m);
      case "done":
        t.resultHashes = m.resultHashes;
        t.progress = { phase: "done", fraction: 1 };
        say("The run is done.");
        return this.ended("done");
      case "cancelled":
        return;
      case "error":
        return this.failed(m);
    }
  }

  // paced tells of what comes all the time, and of the last of it.
  private paced(topic: Paced): void {
    if (this.pending.has(topic)) return;
    const since = performance.now() - (this.told.get(topic) ?? -Infinity);
    if (since >= DRAW_MS) return this.tell(topic);
    this.pending.set(topic, setTimeout(() => this.tell(topic), DRAW_MS - since));
  }

  private tell(topic: Paced): void {
    clearTimeout(this.pending.get(topic));
    this.pending.delete(topic);
    this.told.set(topic, performance.now());
    this.page.emit(topic);
  }

  private failed(m: ErrorMessage): void {
    if (m.fatal) return this.crashed(m.what);
    const trace = m.id === undefined ? undefined : this.traces.get(m.id);
    if (m.id !== undefined && trace) {
      this.traces.delete(m.id);
      return trace.listener.failed(m);
    }
    if (m.id !== undefined) {
      this.page.data.refused = m;
      return this.page.emit("inspected");
    }
    const side = m.side ? `side ${m.side}, ` : "";
    this.messages.show("run", {
      what: sentence(m.what),
      ...(m.where ? { where: `(${side}${m.where})` } : {}),
      ...(m.mend ? { mend: sentence(m.mend) } : {}),
    });
    if (m.run && this.page.test.phase === "running") this.ended("error");
  }
}

function unsought(id: number, what: string): Sought {
  return { type: "sought", run: 0, id, ok: false, last: true, what };
}

function unexplained(id: number): Explained {
  return { type: "explained", id, ok: false, what: "The engine is not running", mend: "close this and start it again" };
}

function unpacked(id: number): Unpacked {
  return { type: "unpacked", id, ok: false, address: "", errors: [{ path: "", message: "the engine is not running", mend: "restart it and try again" }] };
}

const PHASES: Record<string, string> = {
  start: "starting",
  reference: "computing the exact output",
  profile: "counting symbols for the code tables",
  simulate: "simulating",
};

// progressText says in a sentence how far the run is.
export function progressText(page: Page): string {
  const { progress } = page.test;
  const sides = (["A", "B"] as const)
    .map((side) => {
      const p = page.data.progress[side];
      if (!p) return "";
      if (p.done) return `${side} done`;
      return p.cycle > 0 ? `${side} cycle ${count(p.cycle)}` : "";
    })
    .filter((x) => x !== "");
  const where = sides.length > 0 ? `: ${sides.join(", ")}` : "";
  return `Running, ${PHASES[progress.phase] ?? progress.phase}, ${percent(progress.fraction)}${where}`;
}
