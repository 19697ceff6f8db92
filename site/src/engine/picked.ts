// The selected block. The engine is asked for it at the cycle of the burst that was
// clicked, or at the cursor if figures are shown up to the cursor. Otherwise it is shown
// as the run has left it, like the maps.

import type { Questions } from "./questions";
import type { PastOfRun } from "./past";
import type { Side } from "../protocol/protocol";
import type { Page } from "../state/page";
import type { PickedBurst } from "../state/settings";

// A request takes some hundred cycles, and some thousand if queues are full: the causes
// of a burst and its effects lie within these.
const CAUSE_CYCLES = 6144;
const EFFECT_CYCLES = 2048;
const SETTLED_MS = 120; // of the cursor, before the block is asked for again

export class Picked {
  private latest = 0;
  private timer = 0;
  private of: string; // what the selected block is of

  constructor(
    private page: Page,
    private engine: Questions,
    private past: PastOfRun,
    private pause: () => void,
  ) {
    this.of = page.subject;
    page.on(["scenario"], () => this.forget());
    page.on(["run"], () => {
      if (page.run.phase === "running") page.settings.addrLinked = false;
    });
    page.on(["tab", "figures"], () => void this.inspect());
    page.on(["cursor"], () => this.cursorMoved());
    // A link may name a block before there is a run.
    page.on(["results"], () => page.settings.addr !== undefined && page.data.inspected === undefined && void this.inspect());
  }

  pick(addr: number, side?: Side, burst?: PickedBurst): void {
    const { settings } = this.page;
    settings.addr = addr - (addr % 128);
    settings.burst = burst && { cycle: Math.floor(burst.cycle), req: burst.req };
    if (side) settings.side = side;
    if (burst && settings.playing) this.pause();
    this.page.emit("select");
    if (side) this.page.emit("tab");
    else void this.inspect();
  }

  // forget lets the block go with the program that it is of, unless the link to the new one selects it.
  private forget(): void {
    const { settings, subject } = this.page;
    if (this.of === subject) return;
    this.of = subject;
    this.latest++;
    if (settings.addrLinked) return;
    settings.addr = settings.burst = undefined;
    this.page.emit("select");
  }

  private cursorMoved(): void {
    const { addr, playing, burst, cycle } = this.page.settings;
    if (addr === undefined || playing || (!burst && !this.page.settings.figuresAtCursor)) return;
    if (burst && burst.seenAt !== undefined && burst.seenAt !== cycle) this.page.settings.burst = undefined;
    else if (burst) burst.seenAt = cycle;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.inspect(), SETTLED_MS);
  }

  // inspect asks for the block at its cycle, which is reached first.
  private async inspect(): Promise<void> {
    const { page, past } = this;
    const { settings, data } = page;
    if (settings.addr === undefined || page.run.number === 0) return;
    const turn = ++this.latest;
    const { addr, burst } = settings;
    if (burst) burst.seenAt ??= settings.cycle;
    const log = data.events[settings.side];
    const cycle = Math.floor(burst?.cycle ?? (settings.figuresAtCursor ? settings.cycle : Infinity));
    if (cycle === Infinity) return this.engine.inspect(settings.side, addr);
    if (burst) {
      const known = log.known(cycle);
      const from = Math.max(0, cycle - CAUSE_CYCLES);
      const until = Math.min(cycle + EFFECT_CYCLES, log.until);
      if (!known || known.from > from || known.until < until) {
        await past.to(until, until - from);
        if (turn !== this.latest) return;
        page.emit("select");
      }
    }
    const reached = (await past.to(cycle)) && data === page.data;
    if (turn !== this.latest) return;
    const at = data.past[settings.side]?.cycle;
    this.engine.inspect(settings.side, addr, reached ? at : undefined, burst?.req);
  }
}
