// The page's first script: makes the parts of the page and connects them.

import "../protocol/firsttables";
import { Engine } from "../engine/engine";
import { latePart } from "../engine/lateparts";
import { PastOfRun } from "../engine/past";
import { Picked } from "../engine/picked";
import { kernelLoader } from "../kernel/loader";
import { labLoader } from "../lab/loader";
import { startLessons } from "../lessons/lesson";
import { afterPaint, byId } from "../lib/dom";
import { count } from "../lib/format";
import { writeFragment } from "../links/permalink";
import { RemoteLinks } from "../links/remotelinks";
import { Stage } from "../picture/stage";
import { startSides } from "../picture/sides";
import type { SeekQuestion, Side, Sought } from "../protocol/protocol";
import { reproLoader } from "../reproduction/loader";
import { startAnswers } from "../results/answer";
import { startChart } from "../results/chart";
import { startOthers } from "../results/others";
import { startOwned } from "../state/owned";
import { onShow, startFigures } from "../results/results";
import { setLoads, startKnobs, turnKnob } from "../settings/knobs";
import { Messages } from "../state/messages";
import { Page } from "../state/page";
import { partOf, startParts } from "../state/parts";
import type { PickedBurst } from "../state/settings";
import { testState, type TestState } from "../state/teststate";
import { startTheme } from "../state/theme";
import { Timeline } from "../timeline/timeline";
import { Address, applyFragment } from "./address";
import { startBuilt, startBuiltPicture } from "./built";
import { startDepth } from "./depth";
import { startKeyboard } from "./keyboard";
import { startMenu } from "../lib/menu";
import { startOffline } from "./offline";
import type { PanelHooks } from "./panels";
import { chooseScenario, readShipped } from "./scenarios";
import { startStatus } from "./status";
import { startWatched } from "./watched";

declare global {
  interface Window {
    // For tests and scripts: what the page knows, and the engine's version
    // ("" until it is ready). See TestState for every field.
    burstscope: { readonly state: TestState; readonly version: string; seek(question: SeekQuestion): Promise<Sought[]> };
    burstscopePanels?: (page: Page, hooks: PanelHooks) => void;
  }
}

const page = new Page();
const messages = new Messages(page);
const address = new Address(page, messages);
const timeline = new Timeline(page);
if (page.settings.cycle > 0 || document.documentElement.dataset["autoplay"] === "no") timeline.keep();
const engine: Engine = new Engine(page, messages, {
  ready: (wantsRun) => void engineReady(wantsRun),
  runBegins: () => {
    messages.clear("cycle");
    timeline.prepare();
  },
  runEnds: () => page.emit("progress"),
  edit: () => parts.turn("kernel"),
});
const { questions } = engine;
const run = (): void => engine.run();
const remote = new RemoteLinks(page, questions, messages);
const key = startKeyboard(page, timeline, () => stage, run);

window.burstscope = {
  get state() {
    return testState(page);
  },
  get version() {
    return page.catalogue.version;
  },
  // seek asks the engine for a cycle; the answers of the sides.
  seek: (question) =>
    new Promise((resolve) => {
      const answers: Sought[] = [];
      questions.seek(question, (a) => {
        answers.push(a);
        if (a.last) resolve(answers);
      });
    }),
};

const past = new PastOfRun(page, questions);
timeline.past = past;
timeline.beyond = (asked, end) => messages.show("cycle", { what: `Cycle ${count(asked)} of the link is beyond the end of the run.`, where: `The end, cycle ${count(end)}, is shown.` }, undefined, true);
const picked = new Picked(page, questions, past, () => timeline.toggle());
const pick = (addr: number, side?: Side, burst?: PickedBurst): void => picked.pick(addr, side, burst);
window.burstscopeAsk = async (question) => {
  const { inspected } = page.data;
  const { burst, figuresAtCursor } = page.settings;
  if (!(burst || figuresAtCursor) || question.addr === undefined || inspected?.cycle === undefined || Number(question.addr) !== inspected.addr) return questions.explain(question);
  await past.to(inspected.cycle);
  return questions.explain({ ...question, cycle: inspected.cycle });
};

page.on(["run", "scenario"], () => {
  page.triedThreshold = undefined;
});
startTheme(page);
startMenu();
startDepth(page);
startWatched(page);
startOwned(page);
startBuilt(page, address.named);
startChart(page);
startSides(page);
startFigures(page);
startOthers(page);
startAnswers(page, () => onShow(page));
startBuiltPicture(page); // before the stage, which shows what is built
const stage: Stage = new Stage(page, messages, { pick, key, seek: (cycle) => timeline.seek(cycle) });
startKnobs(page, run, (name) => void chooseScenario(page, remote, run, name, () => parts.turn("kernel")));
byId("own-kernel").addEventListener("click", () => parts.turn("kernel"));
startStatus(page, () => engine.cancel());
const parts = startParts(
  page,
  {
    lab: labLoader(page, {
      send: (m) => engine.tellLab(m),
      listen: (listener) => {
        engine.labListener = listener;
      },
      messages,
    }),
    kernel: kernelLoader(page, {
      messages,
      compile: (file, source) => questions.compile(file, source),
      contents: (file, array) => questions.contents(file, array),
      elements: (side, name) => questions.elements(side, name),
      run: () => {
        parts.turn("simulator");
        run();
      },
    }),
    repro: reproLoader(page, { messages, describe: (scenario) => questions.describe(scenario), openPoint: (fragment) => address.open(fragment) }),
  },
  partShown,
);
const lessons = startLessons(page, {
  messages,
  run,
  shown: () => {
    for (const topic of ["scenario", "select", "tab", "cursor"] as const) page.emit(topic);
  },
});
address.connect(remote, {
  run,
  keepCursor: () => timeline.keep(),
  freeCursor: () => timeline.free(),
  showPart: () => parts.apply(),
  showLesson: () => lessons.apply(),
});
page.emit("results");
page.emit("tab");

const unpacked = address.unpack();
const shippedRead = readShipped(page, messages, address.named).then(() => address.listed());
if (typeof WebAssembly === "undefined") {
  messages.show("engine", {
    what: "This browser has no WebAssembly, so the engine cannot run.",
    mend: "The numbers shown were computed when the page was built.",
  });
} else if (location.hash.length > 1) {
  void engine.boot(); // a link may ask the engine at once
} else {
  afterPaint(() => void engine.boot()); // what was built into the page shows first
}
afterPaint(loadPanels);
parts.apply();
startOffline(page, messages, () => address.write());
window.burstscopeControl = {
  page,
  run,
  play: (on) => {
    if (page.settings.playing !== on) timeline.toggle();
  },
  seek: (cycle) => timeline.seek(cycle),
  end: () => timeline.end(),
  leaveView: () => stage.leave(),
  apply: (fragment) => applyFragment(page, fragment, (cycle) => timeline.seek(cycle)),
  say: (name, what, where) => messages.show(name, { what, where, mend: "Everything else was applied." }),
  fragment: () => writeFragment(page, true),
};

// partShown starts the simulator when it is first shown, and stops its cursor while
// another part is shown.
function partShown(): void {
  if (partOf(page.settings) !== "simulator") {
    if (page.settings.playing) timeline.toggle();
  } else if (page.run.engineReady && page.run.number === 0) run();
}

// engineReady applies the link, now that all names are known, before the first run.
let applied = false;
async function engineReady(wantsRun: boolean): Promise<void> {
  if (applied) {
    if (wantsRun) run();
    return;
  }
  applied = true;
  await shippedRead;
  await unpacked;
  await address.apply();
  if (partOf(page.settings) === "simulator") run();
}

function part(name: string, mend: string, start: () => void, styled = true): void {
  latePart(messages, name, "A part of the page", mend, start, styled)();
}

// loadPanels fetches the rest of the page; the first second does not need it.
function loadPanels(): void {
  const start = (): void =>
    window.burstscopePanels?.(page, {
      pick,
      run,
      edit: (file) => {
        window.burstscopeKernelFile = file;
        parts.turn("kernel");
      },
      messages,
      trace: (side, listener) => questions.trace(side, listener),
      describe: (scenario) => questions.describe(scenario),
      exclusions: (scenario, keep) => questions.exclusions(scenario, keep),
      setLoads: (side, which) => setLoads(page, side, which),
      estimate: (sides, listener) => questions.estimate(sides, listener),
      turn: (path, value) => turnKnob(page, path, value),
      unpack: (packed) => questions.unpack(packed),
      l1Sets: (side, sm, cycle) => questions.l1Sets(side, sm, cycle),
      launches: (side) => questions.launches(side),
      elements: (side, name) => questions.elements(side, name),
      remote,
      part,
    });
  part("panels", "Maps, output, inspector and dialogs are missing.", start, false);
}
