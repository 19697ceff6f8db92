// Puts the engine's messages about a run where the page keeps them.

import type { FromWorker } from "../protocol/protocol";
import { SIDES, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";

// Without graphics hardware, painting slows the run down. Values that change all the time
// are therefore drawn at most this often.
const DRAW_MS = 120;
// What a side that did not run again has at once.
const KEPT = ["run", "events", "series", "source", "results", "blocks", "output", "lines", "dram", "phases"] as const;
type Paced = "progress" | "events" | "series";

export class Intake {
  private told = new Map<Paced, number>(); // when
  private pending = new Map<Paced, number>(); // timers

  constructor(private page: Page) {}

  take(m: FromWorker): void {
    const { page } = this;
    const { data } = page;
    switch (m.type) {
      case "begun":
        page.run.keep(m.kept, m.given === undefined);
        for (const { side } of m.kept) page.results.take(side, data.results[side]!, data);
        if (m.kept.length > 0) KEPT.forEach((topic) => page.emit(topic));
        return;
      case "started":
        Object.assign(data.topology, m.sides);
        return page.emit("run");
      case "progress":
        page.run.progress = { phase: m.phase, fraction: m.fraction };
        Object.assign(data.progress, m.sides);
        for (const side of SIDES) {
          const p = m.sides?.[side];
          if (p?.keptUntil !== undefined) data.events[side].reached(p.cycle, p.keptUntil, p.dropped);
        }
        return this.paced("progress");
      case "events":
        data.events[m.side].add(m.buffer, m.count, m.dropped, m.untilCycle ?? 0, m.keptUntil);
        return this.paced("events");
      case "series":
        data.series[m.side] = m;
        return this.paced("series");
      case "remembered":
        data.remembered[m.side] = m.result;
        if (SIDES.some((side) => !data.remembered[side] && !data.kept.includes(side))) return;
        for (const [side, result] of Object.entries(data.remembered)) page.results.take(side as Side, result, data);
        return page.emit("results");
      case "result":
        data.results[m.side] = m.result;
        page.results.take(m.side, m.result, data);
        return page.emit("results");
      case "output": {
        const list = data.outputs[m.side];
        const old = list.findIndex((o) => o.name === m.name);
        if (old >= 0) list[old] = m;
        else list.push(m);
        return page.emit("output");
      }
      case "errors":
        data.errors[m.side].push(m);
        return page.emit("output");
      case "blocks":
        data.blocks[m.side] = m;
        return page.emit("blocks");
      case "inspected":
        data.inspected = m;
        data.refused = undefined;
        return page.emit("inspected");
      case "source":
        data.source = m;
        return page.emit("source");
      case "lines":
      case "dram":
      case "phases":
      case "launches":
        Object.assign(data[m.type], { [m.side]: m });
        return page.emit(m.type);
      case "l1Sets":
        data.l1Sets = m;
        return page.emit("phases");
    }
  }

  // flush draws every value that still waits.
  flush(): void {
    for (const topic of [...this.pending.keys()]) this.tell(topic);
  }

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
}
