// The engine as the page sees it: runs begin and end here, and an engine that stops is
// started again.

import { sentence } from "../lib/format";
import { loadScript } from "../lib/script";
import { SILENCE_SECONDS } from "../lib/silence";
import type { FromLab, ToLab } from "../protocol/lab";
import type { ErrorMessage, FromWorker } from "../protocol/protocol";
import { listsOf, sideScenario } from "../protocol/scenario";
import { say, type Messages } from "../state/messages";
import type { Page } from "../state/page";
import { learn } from "../protocol/tables";
import { Connection, type Engines, type Listener } from "./connection";
import { Intake } from "./intake";
import { Questions } from "./questions";

const CANCEL_PATIENCE_MS = 2000;
// Messages that would revive a cancelled run.
const AFTER_CANCEL = new Set(["begun", "remembered", "started", "progress", "events", "series", "result", "lines", "dram", "done", "error"]);

export interface EngineHooks {
  ready(wantsRun: boolean): void;
  runBegins(): void;
  runEnds(): void;
  edit(): void; // shows the program of the reader's own
}

export class Engine {
  readonly questions: Questions;
  // labListener takes the engine's messages for the data lab.
  labListener: ((m: FromLab) => void) | undefined;
  private connection: Engines;
  private readonly listener: Listener;
  private intake: Intake;
  private wantsRun = false;
  private cancelTimer: ReturnType<typeof setTimeout> | undefined;
  private heard = false; // the engine sent a message since the latest cancel

  constructor(
    private page: Page,
    private messages: Messages,
    private hooks: EngineHooks,
  ) {
    this.intake = new Intake(page);
    this.listener = {
      message: (m) => this.handle(m),
      stopped: (what) => this.stopped(what),
      silent: () => this.silent(),
      heard: () => this.resumed(),
    };
    this.connection = new Connection(this.listener);
    this.questions = new Questions(page.run, (m) => this.connection.send(m));
  }

  // boot starts the engine for the first time, with the part that can have two of them.
  async boot(): Promise<void> {
    await loadScript("pair.js").catch(() => undefined); // one engine does everything, too
    if (this.connection.open) return;
    this.connection = window.burstscopePair?.(this.listener, (l) => new Connection(l)) ?? this.connection;
    this.start();
  }

  start(): void {
    this.page.run.engineReady = false;
    this.messages.clear("silent");
    this.questions.stopped();
    this.connection.start();
  }

  // run starts the scenario of the knobs, on both sides, in place of any run in progress. A side
  // that did not change is kept; where nothing changed, somebody wants to see both run.
  run(): void {
    const { page } = this;
    const { run } = page;
    if (run.held) return;
    if (!run.engineReady || this.connection.silent) {
      this.wantsRun = true;
      if (!this.connection.open || this.connection.silent) this.start();
      return;
    }
    const scenario = structuredClone(page.settings.scenario);
    const { image } = page;
    const fresh = run.repeats(scenario, page.origin);
    const keep = run.phase === "done" && !fresh ? { keep: run.number } : {};
    this.questions.runBegins();
    page.results.supersede();
    run.begin(scenario, page.origin);
    this.messages.clear("run");
    this.connection.send({
      type: "run",
      run: run.number,
      sides: { A: sideScenario(scenario, "A"), B: sideScenario(scenario, "B") },
      ...(image ? { image } : {}),
      ...keep,
      ...(fresh ? { fresh } : {}),
    });
    this.connection.watch(true);
    this.hooks.runBegins();
    for (const topic of ["run", "progress", "events", "series", "blocks", "output", "source", "lines", "dram", "inspected", "results"] as const) {
      page.emit(topic);
    }
  }

  // cancel ends the run on the page at once. The engine stops when it reads the message;
  // an engine that does not answer is replaced.
  cancel(): void {
    const { run } = this.page;
    if (run.phase !== "running") return;
    this.connection.send({ type: "cancel", run: run.number });
    this.ended("cancelled");
    say("Cancelled.");
    this.heard = false;
    this.cancelTimer = setTimeout(() => {
      if (this.heard) return;
      this.wantsRun = run.phase === "running";
      this.start();
    }, CANCEL_PATIENCE_MS);
  }

  tellLab(m: ToLab): void {
    this.connection.send(m);
  }

  private ended(phase: "done" | "cancelled" | "error"): void {
    clearTimeout(this.cancelTimer);
    this.connection.watch(false);
    this.page.run.phase = phase;
    this.intake.flush();
    this.page.results.runEnded();
    this.hooks.runEnds();
    this.page.emit("run");
    this.page.emit("results");
  }

  private stopped(what: string): void {
    this.page.run.engineReady = false;
    this.messages.clear("silent");
    this.questions.stopped();
    this.labListener?.({ type: "labFailed", id: 0, what: "the engine stopped", mend: "restart it and choose the data again" });
    this.messages.show("engine", { what, where: "Settings and results are kept.", mend: "" }, { label: "Restart the engine", run: () => this.restart() });
    this.page.data.fault = { what };
    this.ended("error");
  }

  // silent ends a run that sends no messages. The worker is kept: if it was only slow, its
  // next message continues the run.
  private silent(): void {
    this.messages.show(
      "silent",
      { what: `The engine has not answered for ${SILENCE_SECONDS} seconds.`, where: "Settings and results are kept." },
      { label: "Restart the engine", run: () => this.restart() },
    );
    this.page.run.phase = "error";
    this.intake.flush();
    this.page.emit("run");
    this.page.emit("results");
  }

  private resumed(): void {
    this.messages.clear("silent");
    this.page.run.phase = "running";
    this.page.emit("run");
  }

  private restart(): void {
    this.wantsRun = true;
    this.start();
  }

  private handle(m: FromWorker): void {
    const { page } = this;
    const { run } = page;
    this.heard = true;
    // Late messages of a replaced or cancelled run are dropped. Run 0 stands for no run.
    if ("run" in m && m.run && (m.run !== run.number || (run.phase === "cancelled" && AFTER_CANCEL.has(m.type)))) return;
    if (this.questions.take(m)) return;
    switch (m.type) {
      case "ready":
        run.engineReady = true;
        page.catalogue.version = m.version ?? "";
        learn(m.lists ?? {});
        page.catalogue.lists = listsOf();
        page.catalogue.counters = m.lists?.counters ?? {};
        this.messages.clear("engine");
        page.emit("lists");
        this.hooks.ready(this.wantsRun);
        this.wantsRun = false;
        return;
      case "labProgress":
      case "labDone":
      case "labBlock":
      case "labFailed":
      case "labCancelled":
      case "fitAnswer":
      case "fitMap":
      case "fitSimulated":
        return this.labListener?.(m);
      case "done":
        run.finish(m.resultHashes);
        say("The run is finished.");
        return this.ended("done");
      case "begun":
        page.status.engines = this.connection.engines;
        return this.intake.take(m);
      case "error":
        return this.failed(m);
      default:
        return this.intake.take(m);
    }
  }

  private failed(m: ErrorMessage): void {
    if (m.fatal) return this.connection.stopped(m.what);
    if (m.id !== undefined) {
      this.page.data.refused = m;
      return this.page.emit("inspected");
    }
    const side = m.side ? `side ${m.side}, ` : "";
    Object.assign(this.page.data, { marks: m.marks ?? [], fault: m });
    const own = this.page.data.scenario.workload.ptx !== undefined;
    this.messages.show("run", {
      what: sentence(m.what),
      ...(m.where ? { where: `(${side}${m.where})` } : {}),
      ...(m.mend ? { mend: sentence(m.mend) } : {}),
    }, own ? { label: "Show in the editor", run: () => this.hooks.edit() } : undefined);
    if (m.run && this.page.run.phase === "running") this.ended("error");
  }
}
