// The page. It owns all state, starts the engine, and connects the parts.

import { startAnswers } from "../results/answer";
import { asset } from "../lib/assets";
import { startChart } from "../results/chart";
import { byId, soon, text } from "../lib/dom";
import { Engine, progressText } from "../engine/engine";
import { count } from "../lib/format";
import { startKeyboard } from "./keyboard";
import { startKnobs } from "../settings/knobs";
import { labLoader } from "../lab/loader";
import { FIRST_LAB } from "../state/lab";
import type { FromLab, ToLab } from "../protocol/lab";
import { startLessons } from "../lessons/lesson";
import { NO_LESSON } from "../state/lesson";
import { FIXED, NO_LOCKS, isLocked, lockedChange } from "../state/locks";
import { startMenu } from "../lib/menu";
import { Messages } from "../state/messages";
import type { PanelHooks } from "./panels";
import { applyScenario, applyView, problemsOf, readFragment, showFirst, writeFragment, type Read } from "../links/permalink";
import { unpack } from "../links/packed";
import { partOf, startParts } from "../state/parts";
import { reproLoader } from "../reproduction/loader";
import { FIRST_REPRO } from "../state/reproduction";
import { startOffline } from "./offline";
import { PastOfRun } from "../engine/past";
import { Picked } from "../engine/picked";
import { RemoteLinks } from "../links/remotelinks";
import { drawResults, given, headlineOf, startFigures } from "../results/results";
import type { PerSide, Result, SeekQuestion, Side, Sought, Topology } from "../protocol/protocol";
import { SIDES } from "../protocol/protocol";
import { complete, type Scenario, type Shipped } from "../protocol/scenario";
import { startSides } from "../picture/sides";
import { Stage } from "../picture/stage";
import { Page, type PickedBurst, type TestState } from "../state/state";
import { startTheme } from "../state/theme";
import { Timeline } from "../timeline/timeline";
import { followVersion } from "../links/versions";
import { startWatched } from "./watched";

declare global {
  interface Window {
    // For tests and scripts: what the page knows, and the engine's version
    // ("" until it is ready). See TestState for every field.
    burstscope: { readonly state: TestState; readonly version: string; seek(question: SeekQuestion): Promise<Sought[]> };
    // Shipped scenarios, where they come with the markup (the embed).
    burstscopeShipped?: Shipped[];
    burstscopePanels?: (page: Page, hooks: PanelHooks) => void;
  }
}

const WRITE_FRAGMENT_MS = 250;

interface Poster {
  version?: string;
  hashes?: PerSide<string>;
  results?: PerSide<Result>;
  topology?: Topology;
}

const page = new Page();
window.burstscope = {
  get state() {
    return page.test;
  },
  get version() {
    return page.version;
  },
  // seek asks the engine for a cycle; the answers of the sides.
  seek: (question) =>
    new Promise((resolve) => {
      const answers: Sought[] = [];
      engine.seek(question, (a) => {
        answers.push(a);
        if (a.last) resolve(answers);
      });
    }),
};

const messages = new Messages(page);
let link: Read = readFragment(location.hash);
let written = location.hash;
applyView(link, page.settings);

const timeline = new Timeline(page);
if (page.settings.cycle > 0 || document.documentElement.dataset["autoplay"] === "no") timeline.keep();
const engine: Engine = new Engine(page, messages, {
  ready: (wantsRun) => void engineReady(wantsRun),
  runBegins: () => timeline.prepare(),
  runEnds: () => page.emit("progress"),
});
const run = (): void => engine.run();
const remote = new RemoteLinks(page, engine, messages);
window.burstscopeAsk = async (question) => {
  const { inspected } = page.data;
  const { burst, figuresAtCursor } = page.settings;
  if (!(burst || figuresAtCursor) || question.addr === undefined || inspected?.cycle === undefined || Number(question.addr) !== inspected.addr) return engine.explain(question);
  await past.to(inspected.cycle);
  return engine.explain({ ...question, cycle: inspected.cycle });
};
const key = startKeyboard(page, timeline, () => stage, run);

const past = new PastOfRun(page, engine);
timeline.past = past;
const picked = new Picked(page, engine, past, () => timeline.toggle());
const pick = (addr: number, side?: Side, burst?: PickedBurst): void => picked.pick(addr, side, burst);

page.on(["run", "scenario"], () => {
  page.triedThreshold = undefined;
});
startTheme(page);
startMenu();
startWatched(page);
loadPoster();
startChart(page);
startSides(page);
startFigures(page);
startAnswers(page, () => given(page));
const stage: Stage = new Stage(page, messages, { pick, key });
startKnobs(page, run, chooseScenario);
byId("cancel").addEventListener("click", () => engine.cancel());
byId("cancel-status").addEventListener("click", () => engine.cancel());

const drawStatus = soon(() => status());
page.on(["progress", "run", "results"], drawStatus);
page.on(["results", "run", "lists", "figures", "past"], soon(() => showResults()));
const labHooks = {
  send: (m: ToLab) => engine.tellLab(m),
  listen: (listener: (m: FromLab) => void) => {
    engine.labListener = listener;
  },
  messages,
};
const reproHooks = { messages, describe: (scenario: Scenario) => engine.describe(scenario), openPoint };
const parts = startParts(page, { lab: labLoader(page, labHooks), repro: reproLoader(page, reproHooks) }, partShown);
const lessons = startLessons(page, {
  messages,
  run,
  shown: () => {
    for (const topic of ["scenario", "select", "tab", "cursor"] as const) page.emit(topic);
  },
});
keepFragment();
page.emit("results");
page.emit("tab");

const unpacked = unpackLink();
const shippedRead = readShipped();
if (typeof WebAssembly === "undefined") {
  messages.show("engine", {
    what: "This browser has no WebAssembly, so the engine cannot run.",
    mend: "The numbers shown were computed when the page was built.",
  });
} else {
  engine.start();
}
loadPanels();
parts.apply();
startOffline(page, messages, () => history.replaceState(null, "", writeFragment(page, true)));
window.burstscopeControl = {
  page,
  run,
  play: (on) => {
    if (page.settings.playing !== on) timeline.toggle();
  },
  seek: (cycle) => timeline.seek(cycle),
  end: () => timeline.end(),
  leaveView: () => stage.leave(),
  apply: applyFragment,
  say: (name, what, where) => messages.show(name, { what, where, mend: "Everything else was applied." }),
  fragment: () => writeFragment(page, true),
};

// partShown: the simulator starts with the first look at it, and stands still
// while another part is looked at.
function partShown(): void {
  if (partOf(page.settings) !== "simulator") {
    if (page.settings.playing) timeline.toggle();
  } else if (page.test.engineReady && page.test.run === 0) engine.run();
}

// loadPanels fetches the rest of the page, after what the first second needs.
function loadPanels(): void {
  const script = document.createElement("script");
  script.src = asset("panels.js");
  script.onload = () => window.burstscopePanels?.(page, {
      pick,
      run,
      messages,
      trace: (side, listener) => engine.trace(side, listener),
      describe: (scenario) => engine.describe(scenario),
      remote,
    });
  script.onerror = () =>
    messages.show(
      "panels",
      { what: "A part of the page could not be loaded:", where: "panels.js.", mend: "Maps, output, inspector and dialogs are missing." },
      { label: "Try again", run: loadPanels },
    );
  document.head.append(script);
}

// engineReady applies the link, now that all names are known, before the first run.
let applied = false;
let linkRead = false; // also what the link names
async function engineReady(wantsRun: boolean): Promise<void> {
  if (applied) {
    if (wantsRun) engine.run();
    return;
  }
  applied = true;
  await shippedRead;
  await unpacked;
  // While it waits for what a link names, another link may take its place.
  for (let latest: Read | undefined; latest !== link; ) {
    latest = link;
    const id = remote.wanted(link);
    const asked = location.hash;
    if (id !== undefined && !(await remote.fetch(id, () => void follow(asked))) && link === latest) link = readFragment("");
    else await lessons.apply();
  }
  linkRead = true;
  applyLink();
  if (partOf(page.settings) === "simulator") engine.run();
}

// unpackLink takes what a link holds in its packed part, and goes to its version.
async function unpackLink(): Promise<void> {
  if (link.pairs.has("z")) {
    await unpack(link, readFragment);
    applyView(link, page.settings);
    if (page.settings.cycle > 0) timeline.keep();
    parts.apply();
  }
  await followVersion(link, messages);
}

function applyLink(): void {
  applyScenario(link, page);
  if (link.problems.length > 0) {
    messages.show("link", {
      what: "Part of this link could not be used:",
      where: problemsOf(link),
      mend: "What could be used was applied.",
    });
  } else messages.clear("link");
  emitLinked();
}

function emitLinked(): void {
  for (const topic of ["scenario", "tab", "cursor", "theme"] as const) page.emit(topic);
}

// applyFragment sets what a message names. What it leaves out stays; on any problem
// everything does.
function applyFragment(fragment: string): string[] {
  const { shipped, locks } = page.settings;
  const before = structuredClone(page.settings);
  const read = readFragment(fragment);
  applyView(read, page.settings);
  applyScenario(read, page);
  const asked = page.settings.locks;
  page.settings.locks = locks;
  const fixed = page.settings.shipped !== shipped && isLocked(page, "scenario")
    ? "scenario"
    : lockedChange(before.scenario, page.settings.scenario, (path) => isLocked(page, path));
  if (fixed) read.problems.push(`${fixed} is ${FIXED}`);
  if (read.problems.length > 0) {
    Object.assign(page.settings, before, { shipped, locks });
    return read.problems;
  }
  page.settings.locks = asked;
  const cycle = read.given.has("cycle") ? page.settings.cycle : undefined;
  for (const topic of ["scenario", "tab", "theme"] as const) page.emit(topic);
  if (cycle !== undefined) timeline.seek(cycle);
  else page.emit("cursor");
  return [];
}

async function readShipped(): Promise<void> {
  try {
    const list = window.burstscopeShipped ?? (await fetchShipped());
    const usable = list.filter((x) => x.name && x.scenario);
    if (usable.length === 0) throw new Error("it is empty");
    page.shipped = usable.map((x) => ({ ...x, title: x.title || x.name }));
    page.settings.shipped = page.shipped.find((x) => x.name === "dct") ?? page.shipped[0]!;
    page.settings.scenario = complete(page.settings.shipped.scenario);
  } catch (e) {
    messages.show(
      "scenarios",
      {
        what: "The list of scenarios could not be read,",
        where: `scenarios/index.json: ${e instanceof Error ? e.message : String(e)}.`,
        mend: "Only the first scenario is offered; reload the page to try again.",
      },
      undefined,
      true,
    );
  }
  page.emit("scenario");
}

async function fetchShipped(): Promise<Shipped[]> {
  const answer = await fetch(asset("scenarios/index.json"));
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return (await answer.json()) as Shipped[];
}

function chooseScenario(name: string): void {
  const shipped = page.shipped.find((x) => x.name === name);
  if (isLocked(page, "scenario")) return;
  if (!shipped) {
    const id = /^id:(.*)$/.exec(name)?.[1] ?? "";
    void remote.fetch(id, () => chooseScenario(name)).then((found) => (found ? chooseScenario(name) : page.emit("scenario")));
    return;
  }
  page.settings.shipped = shipped;
  page.settings.scenario = complete(shipped.scenario);
  if (shipped.image) page.ownImage = shipped.image;
  page.settings.addr = undefined;
  showFirst(page.settings);
  page.emit("scenario");
  page.emit("tab");
  run();
}

// loadPoster takes the results computed when the page was built, so that
// every number opens before the engine is there.
function loadPoster(): void {
  const data = document.getElementById("poster")?.textContent;
  if (!data) return;
  let poster: Poster;
  try {
    poster = JSON.parse(data) as Poster;
  } catch {
    return; // the page shows its neutral text and runs as without a poster
  }
  if (!poster.results?.A || !poster.results.B) return;
  page.results = { A: poster.results.A, B: poster.results.B };
  if (poster.topology) page.resultTopology = { A: poster.topology, B: poster.topology };
  page.resultsOf = "poster";
}

function showResults(): void {
  drawResults(page);
  if (page.resultsOf !== "run") return;
  const sentence = headlineOf(page);
  if (sentence) text(byId("headline"), sentence);
}

function status(): void {
  const { phase, progress, resultHashes } = page.test;
  const running = phase === "running";
  const bar = byId<HTMLProgressElement>("progress");
  bar.hidden = byId("cancel-status").hidden = !running;
  bar.value = progress.fraction;
  if (phase === "loading") return;
  const dropped = page.data.events.A.dropped + page.data.events.B.dropped;
  const more = dropped > 0 ? ` Cycles beyond ${count(Math.min(...SIDES.map((side) => page.data.events[side].keptUntil)))} are replayed when they are looked at.` : "";
  const before = page.resultsOf === "before" ? " The numbers shown are of the run before." : "";
  const words = {
    running: progressText(page),
    done: `Done in your browser. Result A ${short(resultHashes.A)}, B ${short(resultHashes.B)}.${more}`,
    cancelled: `Cancelled.${before}`,
    error: `The run ended with an error.${before}`,
  }[phase];
  text(byId("status-text"), words);
}

function short(hash: string | undefined): string {
  return hash ? hash.slice(0, 12) : "–";
}

// keepFragment writes the state into the address bar, and reads it when
// somebody puts another link there.
function keepFragment(): void {
  let timer = 0;
  const write = (): void => {
    timer = 0;
    if (!linkRead) return;
    written = writeFragment(page, !page.settings.playing);
    if (written !== location.hash) history.replaceState(null, "", written);
  };
  page.on(["scenario", "tab", "select", "theme", "cursor", "figures", "map", "lab", "repro"], () => {
    if (page.settings.playing && timer !== 0) return;
    clearTimeout(timer);
    timer = setTimeout(write, WRITE_FRAGMENT_MS);
  });
  addEventListener("hashchange", (e) => {
    // The page may have written its own since.
    const { hash } = new URL(e.newURL);
    if (hash !== written) void follow(hash);
  });
}

// follow makes the page what a fragment says, and runs a scenario that is another.
// What the fragment names and the site keeps is fetched first; until it is there, and
// if it does not come, the page stays as it is.
let following = 0;
async function follow(fragment: string): Promise<void> {
  const next = readFragment(fragment);
  const mine = ++following;
  if (next.pairs.has("z")) {
    await unpack(next, readFragment);
    if (mine !== following) return;
  }
  const id = remote.wanted(next);
  if (id === undefined) return become(next);
  void remote.fetch(id, () => void follow(fragment)).then((found) => {
    if (mine !== following) return;
    if (found) become(next);
    else history.replaceState(null, "", written);
  });
}

function become(next: Read): void {
  link = next;
  void followVersion(link, messages);
  const before = JSON.stringify(page.settings.scenario);
  const image = page.ownImage;
  page.settings.scenario = complete(page.settings.shipped.scenario);
  page.settings.lab = { ...FIRST_LAB };
  page.settings.repro = { ...FIRST_REPRO };
  page.settings.locks = { ...NO_LOCKS };
  page.settings.lesson = { ...NO_LESSON };
  Object.assign(page.settings, { burst: undefined, figuresAtCursor: false, mapRow: 0, mapRows: 0 });
  applyView(link, page.settings);
  // Until the engine has said what there is, a name cannot be told from a mistake;
  // engineReady then applies the latest link.
  if (!linkRead) {
    emitLinked();
    return parts.apply();
  }
  void lessons.apply().then(() => {
    applyLink();
    parts.apply();
    if (partOf(page.settings) !== "simulator") return;
    if (page.settings.lesson.name !== "" || JSON.stringify(page.settings.scenario) !== before || page.ownImage !== image) run();
  });
}

// openPoint leaves the address it came from behind, so that the way back leads there.
function openPoint(fragment: string): void {
  history.pushState(null, "", fragment);
  written = fragment;
  void follow(fragment);
}
