// The stage: tabs, and what each shows. The moving picture is an inner page
// with the ebiten canvas, loaded when it is in view; what it shows has a plain
// counterpart, drawn by this page, for every tab.

import { loadInto } from "../lib/assets";
import { byId, h, stepped, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { isDark } from "../state/theme";
import type { Messages } from "../state/messages";
import { SIDES, type FromView, type PerSide, type Side, type ToView } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import { RECORD_WORDS } from "../protocol/events";
import { follows } from "../state/owned";
import type { Page } from "../state/page";
import { subjectOf, type EventWindow } from "../state/run";
import { BOTH_SIDES_FROM, MAP_COLOURS, TABS, type PickedBurst, type Tab } from "../state/settings";
import { BEFORE_BURST, reducedMotion } from "../timeline/timeline";

type ViewWindow = Window & { burstscopeView?: { receive(m: ToView): void } };

// Tabs the moving picture can show, and whether it is the first choice there.
// Maps are first shown plain: they stand still, and are read and searched.
const MOVING: Partial<Record<Tab, boolean>> = { bursts: true, dram: true, address: false, mag: false };
const PANELS: Record<Tab, string> = {
  bursts: "panel-strips",
  dram: "panel-dram",
  address: "panel-address",
  mag: "panel-mag",
  output: "panel-output",
  source: "panel-source",
  launches: "panel-launches",
  l1: "panel-l1",
  buddy: "panel-buddy",
};
// Tabs that show one side at a time; the others do so where there is no room.
const ONE_SIDE = new Set<Tab>(["mag", "output", "source", "launches"]);
const CORES_FOR_ALL = 4;
const NO_SIDE = new Set<Tab>(["address", "buddy"]);

export class Stage {
  private frame: HTMLIFrameElement | undefined;
  private inView = false;
  private width = BOTH_SIDES_FROM; // of the stage
  private told: unknown; // machines that the view knows: those of a run, which has its own
  private toldOf = { run: 0, subject: "" }; // the run that the view was last told of
  private drawnOf = ""; // the subject of the run that the view draws: it learns of a run some frames later
  private sent: PerSide<number> = { A: 0, B: 0 };
  private sentBlocks: Partial<PerSide<unknown>> = {};
  private sentWindows: Partial<PerSide<EventWindow>> = {};
  private interactive = false;

  constructor(
    private page: Page,
    private messages: Messages,
    private hooks: {
      pick(addr: number, side: Side | undefined, burst?: PickedBurst): void;
      key(key: string): void;
      seek(cycle: number): void;
    },
  ) {
    this.wireTabs();
    byId("plain-switch").addEventListener("click", () => {
      page.settings.picture = this.moving() ? "plain" : "moving";
      page.emit("tab");
    });
    byId("interact").addEventListener("click", () => (this.interactive ? this.leave() : this.enter()));
    byId("view-holder").addEventListener("click", () => this.enter());
    addEventListener("message", (e: MessageEvent<FromView>) => {
      if (this.frame && e.source === this.frame.contentWindow && e.data) this.heard(e.data);
    });
    new IntersectionObserver((entries) => {
      this.inView = entries.some((e) => e.isIntersecting);
      this.show();
    }).observe(byId("stage"));
    const show = soon(() => this.show());
    // The observer tells the width; to ask for it here would lay out the page twice. Where it
    // decides what is shown, that is shown in the same frame.
    new ResizeObserver((entries) => {
      const was = this.width < BOTH_SIDES_FROM;
      this.width = entries.at(-1)!.contentRect.width;
      if (was === this.width < BOTH_SIDES_FROM) show();
      else this.show();
    }).observe(byId("stage"));
    page.on(["tab", "lists", "scenario", "blocks", "output", "phases", "watched"], show);
    // A picture of another program is gone before its name changes; all else may come with the next frame.
    page.on(["scenario", "lists", "run"], () => {
      if (page.status.picture === "moving" && this.drawnOf !== page.subject) this.show();
    });
    page.on(["run"], () => {
      show();
      this.tellYield();
      this.scene();
    });
    page.on(["events", "progress", "cursor"], () => this.scene());
    page.on(["events"], () => this.forwardEvents());
    page.on(["blocks"], () => this.forwardBlocks());
    page.on(["cursor"], () => this.tellCursor());
    page.on(["theme"], () => this.tellTheme());
    page.on(["select"], () => this.tellSelect());
    page.on(["threshold", "scenario"], () => this.tellThreshold());
    page.on(["results"], () => this.tellFinished());
    this.show();
  }

  // leave returns whether the picture had the pointer and keys.
  leave(): boolean {
    if (!this.interactive) return false;
    this.interactive = false;
    byId("view-holder").classList.remove("live");
    this.tell({ type: "pointer", interactive: false });
    text(byId("interact"), "Interact");
    byId("interact").focus();
    return true;
  }

  private enter(): void {
    if (!this.frame || !this.page.status.view.ready) return;
    this.interactive = true;
    byId("view-holder").classList.add("live");
    text(byId("interact"), "Esc exits");
    this.frame.focus(); // before the view focuses its canvas, which this would undo
    this.tell({ type: "pointer", interactive: true });
  }

  // moving tells whether the moving picture is wanted and possible.
  private moving(): boolean {
    const { tab, settings: { picture } } = this.page;
    const first = this.movable() ? MOVING[tab] : undefined;
    if (first === undefined || this.page.status.view.failed) return false;
    return picture === "moving" || (picture === "auto" && first);
  }

  // movable tells whether the tab has a moving picture. That of DRAM shows banks.
  private movable(): boolean {
    const { tab, settings: { dram } } = this.page;
    return MOVING[tab] !== undefined && (tab !== "dram" || dram === "banks");
  }

  private panel(): string {
    const { tab, settings: { dram } } = this.page;
    return tab === "dram" && dram === "banks" ? "panel-strips" : PANELS[tab];
  }

  private show(): void {
    const { tab: now, status, run } = this.page;
    const moving = this.moving();
    for (const tab of TABS) {
      const button = byId(`tab-${tab}`);
      button.setAttribute("aria-selected", String(tab === now));
      button.tabIndex = tab === now ? 0 : -1;
      button.hidden = !this.page.has(tab);
    }
    byId("stage").setAttribute("aria-labelledby", `tab-${now}`);
    byId("stage").dataset["tab"] = now;
    follows(this.page, byId("stage"));
    if (moving && this.inView && run.engineReady && this.page.watched && !this.frame) this.load();
    // Until the moving picture shows the run, the built picture of its scenario stays; without one,
    // that of the run before.
    const holder = byId("poster-figures");
    const figures = now === "bursts" && holder.childElementCount > 0;
    const built = figures && holder.querySelector(".words") === null;
    const { view } = status;
    const known = run.number === 0 || (this.page.hasRun && (run.phase === "running" || run.data.topology.A !== undefined));
    const before = view.run > 0 && !built && known && this.drawnOf === this.page.subject;
    const live = moving && view.ready && known && (view.run === run.number || before);
    // What has not run, or ended before it began, has no panels: the words say why.
    const poster = !known || (moving && !live && figures);
    byId("poster-figures").hidden = !poster;
    byId("view-holder").hidden = !this.frame || !moving;
    byId("view-holder").classList.toggle("waiting", !live);
    for (const id of new Set(Object.values(PANELS))) byId(id).hidden = live || poster || this.panel() !== id;
    byId("dram-tools").hidden = now !== "dram";
    byId("interact").hidden = !live;
    const plain = byId<HTMLButtonElement>("plain-switch");
    plain.hidden = !this.movable() || status.view.failed;
    plain.setAttribute("aria-pressed", String(!moving));
    const narrow = this.width < BOTH_SIDES_FROM && !NO_SIDE.has(now);
    const alone = now === "l1" && SIDES.filter((side) => this.page.data.phases[side]).length < 2;
    byId("stage-side").hidden = alone || ((moving || !ONE_SIDE.has(now)) && !narrow);
    status.picture = live ? "moving" : moving ? "page" : "plain";
    this.tellShow();
    // Panels that were hidden while their data changed draw now.
    requestAnimationFrame(() => this.page.emit("cursor"));
  }

  private load(): void {
    this.frame = h("iframe", { title: "Bursts in motion", tabindex: -1 });
    loadInto(this.frame, "view.html");
    byId("view-holder").replaceChildren(this.frame);
  }

  private heard(m: FromView): void {
    const v = this.page.status.view;
    switch (m.type) {
      case "viewReady":
        v.ready = true;
        this.replay();
        this.show();
        return;
      case "viewFailed":
        return this.failed(m.message);
      case "viewState":
        v.tick = m.tick;
        if (v.run !== m.run) {
          v.run = m.run;
          this.drawnOf = m.run === this.toldOf.run ? this.toldOf.subject : "";
          this.show();
        }
        v.cycle = m.cycle;
        v.window = m.window;
        v.burstsDrawn = m.burstsDrawn;
        v.savedDrawn = m.savedDrawn;
        v.approximatedDrawn = m.approximatedDrawn;
        v.fps = m.fps;
        return;
      case "pick":
        return this.hooks.pick(Number(m.addr), m.side, m.cycle === undefined ? undefined : { cycle: m.cycle, req: m.req ?? 0 });
      case "threshold":
        this.page.triedThreshold = m.bytes;
        return this.page.emit("threshold");
      case "mapColour": {
        const colour = MAP_COLOURS.find((c) => c === m.colour);
        if (!colour) return;
        this.page.settings.map = colour;
        return this.page.emit("tab");
      }
      case "leave":
        this.leave();
        return;
      case "seek":
        return this.hooks.seek(m.cycle);
      case "key":
        return this.hooks.key(m.key);
    }
  }

  private failed(why: string): void {
    const v = this.page.status.view;
    v.ready = false;
    v.failed = true;
    v.run = 0;
    this.interactive = false;
    this.frame?.remove();
    this.frame = undefined;
    byId("view-holder").classList.remove("live");
    this.messages.show(
      "view",
      {
        what: "The moving picture is off:",
        where: `${why.replace(/\.$/, "")}.`,
        mend: "The page draws the plain picture instead. Results stay.",
      },
      {
        label: "Try again",
        run: () => {
          v.failed = false;
          this.show();
        },
      },
      true,
    );
    this.show();
  }

  private tell(m: ToView): void {
    if (!this.page.status.view.ready) return;
    const frame = this.frame?.contentWindow;
    if (!frame) return;
    const view = viewIn(frame);
    if (view) view.receive(m);
    else frame.postMessage(m, "*");
  }

  private replay(): void {
    this.told = undefined;
    this.tellYield();
    this.tellTheme();
    this.scene();
    this.tellSelect();
  }

  // begun tells whether every side of the run is at work at the cursor. Before, the picture would
  // be of an idle machine, or of one beside another that has finished.
  private begun(): boolean {
    const { data, run, settings: { cycle } } = this.page;
    if (run.phase !== "running") return true;
    const firsts = SIDES.map((side) => data.events[side].nextBurst(-1) ?? Infinity);
    return cycle >= Math.min(...firsts) - BEFORE_BURST && SIDES.every((side, i) => firsts[i]! < Infinity && data.events[side].until >= cycle);
  }

  // knows tells whether the view was told of the machines of the run.
  private knows(): boolean {
    const { A, B } = this.page.data.topology;
    return this.page.status.view.ready && this.told === (B ?? A);
  }

  // scene tells the view what machine the coming events are of, once for a run, or for each side.
  private scene(): void {
    const { A, B } = this.page.data.topology;
    if (!this.page.status.view.ready || this.knows() || !this.begun()) return;
    this.sent = { A: 0, B: 0 };
    this.sentBlocks = {};
    this.sentWindows = {};
    if (!A) return;
    this.told = B ?? A;
    this.toldOf = { run: this.page.run.number, subject: subjectOf(this.page.data) };
    this.tell({ type: "scene", run: this.page.run.number, sides: { A, B: B ?? null }, labels: this.page.data.labels });
    this.tellShow();
    this.tellCursor();
    this.forwardEvents();
    this.forwardBlocks();
    this.tellFinished();
    this.tellThreshold();
  }

  // tellFinished says where a side's timeline ends.
  private tellFinished(): void {
    if (!this.knows()) return;
    for (const side of SIDES) {
      const cycle = this.page.data.results[side]?.cycles;
      if (cycle !== undefined) this.tell({ type: "finished", side, cycle });
    }
  }

  private tellThreshold(): void {
    const { triedThreshold, data, settings } = this.page;
    this.tell({ type: "threshold", bytes: triedThreshold ?? memoryOf(data.scenario, settings.side).threshold });
  }

  private forwardEvents(): void {
    if (!this.knows()) return;
    for (const side of SIDES) {
      const { batches } = this.page.data.events[side];
      for (; this.sent[side] < batches.length; this.sent[side]++) {
        const { buffer, count } = batches[this.sent[side]]!;
        this.tell({ type: "events", side, buffer, count });
      }
    }
    this.forwardWindows();
  }

  // forwardWindows passes on the parts of a run that the engine sent as windows.
  private forwardWindows(): void {
    for (const side of SIDES) {
      const w = this.page.data.windows[side];
      if (!w || this.sentWindows[side] === w) continue;
      const goesOn = this.sentWindows[side]?.until === w.from;
      this.sentWindows[side] = w;
      const stats = w.result.stats ?? {};
      this.tell({
        type: "window",
        side,
        from: w.from,
        until: w.until,
        kept: this.page.data.events[side].keptUntil,
        buffer: goesOn ? w.buffer.slice(w.opening * RECORD_WORDS * 4) : w.buffer,
        data: (stats["burstsRead"] ?? 0) + (stats["burstsWritten"] ?? 0),
        metadata: stats["burstsMetadata"] ?? 0,
        saved: stats["burstsSaved"] ?? 0,
      });
    }
  }

  private forwardBlocks(): void {
    if (!this.knows()) return;
    for (const side of SIDES) {
      const b = this.page.data.blocks[side];
      if (!b || this.sentBlocks[side] === b) continue;
      this.sentBlocks[side] = b;
      this.tell(b);
    }
  }

  private tellShow(): void {
    const { tab, settings: { side, map: colour, channel = 0 } } = this.page;
    if (!this.movable()) return;
    const wide = this.width >= BOTH_SIDES_FROM;
    this.tell({ type: "show", tab, side: wide ? "both" : side, colour, channel });
  }

  private tellCursor(): void {
    const { cycle, playing, speed } = this.page.settings;
    if (this.knows()) this.tell({ type: "cursor", cycle, playing, cyclesPerSecond: speed });
  }

  private tellTheme(): void {
    this.tell({ type: "theme", dark: isDark(this.page), reducedMotion: reducedMotion.matches });
  }

  // tellYield lets the picture give way to a run where there is no core for each of the two engines, the page and the
  // graphics.
  private tellYield(): void {
    this.tell({ type: "yield", on: this.page.run.phase === "running" && navigator.hardwareConcurrency < CORES_FOR_ALL });
  }

  private tellSelect(): void {
    const { addr } = this.page.settings;
    if (addr !== undefined) this.tell({ type: "select", addr });
  }

  private wireTabs(): void {
    const list = byId("tabs");
    list.addEventListener("click", (e) => {
      const tab = (e.target as Element).closest<HTMLElement>("[data-tab]")?.dataset["tab"];
      if (tab) this.choose(tab as Tab);
    });
    const tabs = (): Tab[] => TABS.filter((t) => !byId(`tab-${t}`).hidden);
    const at = (): number => tabs().indexOf(this.page.tab);
    stepped(list, () => ({ ArrowLeft: at() - 1, ArrowRight: at() + 1, Home: 0, End: -1 }), (to) => {
      const tab = tabs().at(to % tabs().length)!;
      this.choose(tab);
      byId(`tab-${tab}`).focus();
    });
  }

  choose(tab: Tab): void {
    this.leave();
    this.page.settings.tab = tab;
    this.page.emit("tab");
  }
}

// viewIn is the view in a frame, unless the frame has an origin of its own, as in a
// sandbox; then only messages pass.
function viewIn(frame: Window): ViewWindow["burstscopeView"] {
  try {
    return (frame as ViewWindow).burstscopeView;
  } catch {
    return undefined;
  }
}
