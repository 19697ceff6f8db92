// The channels' buses drawn by the page itself: what the moving picture shows
// of DRAM, for browsers without WebGL and for those who want it plain.

import { byId, fitCanvas, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { paintOn } from "../drawing/canvas";
import type * as described from "../drawing/described";
import { NewStripsSide, Scene, selection, Strips as Picture } from "../drawing/described";
import { inks } from "../drawing/inks";
import { textWidth } from "../drawing/text";
import type { Event } from "../protocol/events";
import { SIDES, type Side } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";
import { BOTH_SIDES_FROM, type PickedBurst } from "../state/settings";

const ROWS_BACK = 20_000; // cycles in which rows were opened that are still open
// Events shortly before the window still show in it; refreshes are the longest. A
// decompressor's event comes after its burst.
const BEFORE = 512;
const AFTER = 256;

export class Strips {
  private canvas = h("canvas", {
    class: "strips",
    role: "img",
    "aria-label": "Bursts on each channel's bus up to the cursor, A left, B right",
  });
  private readout = h("p", { class: "readout" });
  readonly draw = soon(() => this.paint());
  private picture = new Picture();
  private scene = new Scene();

  constructor(private page: Page, pick: (addr: number, side: Side, at: PickedBurst) => void) {
    byId("panel-strips").prepend(this.canvas, this.readout);
    this.canvas.addEventListener("click", (e) => {
      const r = this.canvas.getBoundingClientRect();
      const [target, hit] = this.scene.Hit(e.clientX - r.left, e.clientY - r.top);
      const side = this.picture.Sides.find((s) => hit && s.Side === target.Side);
      if (!side) return;
      const block = side.Block(target);
      pick(block.Addr, SIDES[target.Side]!, { cycle: block.Start, req: block.Req });
    });
    page.on(["cursor", "events", "tab", "run", "theme", "select"], this.draw);
    new ResizeObserver(this.draw).observe(byId("panel-strips"));
  }

  private paint(): void {
    if (byId("panel-strips").hidden) return;
    const { g, width, height } = fitCanvas(this.canvas);
    this.picture = this.at(this.page.settings.cycle, width);
    this.scene = sceneOf(this.picture, width, height);
    paintOn(g, this.scene, inks());
    text(this.readout, this.picture.Words(this.picture.Window(width)));
  }

  // figure is the picture in another size, at any cycle.
  figure(width: number, height: number, cycle = this.page.settings.cycle): Scene {
    return sceneOf(this.at(cycle, width), width, height);
  }

  // at gathers what a picture so wide shows at a cycle.
  private at(cycle: number, width: number): Picture {
    const { settings, data } = this.page;
    const picture = new Picture();
    picture.Cycle = cycle;
    picture.Banks = settings.tab === "dram";
    picture.Channel = settings.channel ?? 0;
    picture.Selected = new selection(settings.addr !== undefined, settings.addr ?? 0, settings.burst?.req ?? 0);
    const sides = SIDES.filter((s) => width >= BOTH_SIDES_FROM || s === settings.side);
    for (const side of sides) {
      const t = data.topology[side];
      if (!t?.channels) continue;
      const { mag } = memoryOf(data.scenario, side);
      picture.Sides.push(NewStripsSide(SIDES.indexOf(side), data.labels[side], t.channels, t.banks ?? 0, mag, t.peakBytesPerCycle ?? 0));
    }
    const from = cycle - picture.Window(width) - BEFORE;
    for (const side of picture.Sides) {
      const log = data.events[SIDES[side.Side]!];
      for (const e of log.records(picture.Banks ? from - ROWS_BACK : from, cycle, AFTER, picture.Banks)) {
        if (!picture.Banks || e.unit === picture.Channel) side.Add(record(e));
      }
    }
    return picture;
  }
}

// record is an event as the description names its parts.
function record(e: Event): described.Event {
  return { Cycle: e.cycle, Addr: e.addr, Req: e.req, A: e.a, B: e.b, Unit: e.unit, Kind: e.kind };
}

function sceneOf(picture: Picture, width: number, height: number): Scene {
  const scene = new Scene();
  scene.Measure = textWidth;
  picture.Draw(scene, width, height);
  return scene;
}
