// One block of the data: its bytes, its sizes, and the way to the dialog that takes it
// apart.

import { openExplain } from "../explain/open";
import { byId, h } from "../lib/dom";
import { row } from "../lib/table";
import { count, visible } from "../lib/format";
import type { LabBlock, LabDone } from "../protocol/lab";
import type { Page } from "../state/page";
import { titleOf } from "./math";

const HEX_ROW = 8;

export interface BlockHooks {
  ask(block: number): void; // for the bytes of a block
  choose(cell: number): void; // on the map
  refuse(what: string, mend: string, where?: string): void;
}

export class BlockPanel {
  readonly box = h("div", { id: "lab-picked" });
  block: LabBlock | undefined; // on show

  constructor(
    private page: Page,
    private hooks: BlockHooks,
  ) {}

  draw(data: LabDone, name: string): void {
    const { block: b } = this;
    if (!b) {
      this.box.replaceChildren(h("p", { class: "note" }, "Pick a cell to see its bytes, its size under every codec, and its code."));
      return;
    }
    const go = (to: number): void => {
      this.hooks.choose(Math.floor(to / data.blocksPerCell));
      this.hooks.ask(to);
    };
    const step = (by: number, label: string): HTMLElement => {
      const to = b.block + by;
      return h("button", { type: "button", "aria-label": label, disabled: to < 0 || to >= data.blocks, onclick: () => go(to) }, by < 0 ? "‹" : "›");
    };
    const number = h("input", { type: "number", id: "lab-block", min: 0, max: data.blocks - 1, step: 1, value: b.block, "aria-label": "Block" });
    number.addEventListener("change", () => {
      const to = Number(number.value);
      if (Number.isInteger(to) && to >= 0 && to < data.blocks) go(to);
      else number.value = String(b.block);
    });
    const dump: string[] = [];
    for (let i = 0; i < b.bytes.length; i += HEX_ROW) {
      dump.push(`${(b.offset + i).toString(16).padStart(6, "0")}  ${[...b.bytes.subarray(i, i + HEX_ROW)].map((x) => x.toString(16).padStart(2, "0")).join(" ")}`);
    }
    const { codec } = this.page.settings.lab;
    const sizes = data.codecs.map(({ name }) => {
      const bits = b.sizes[name] ?? 0;
      return row({ class: name === codec ? "on" : undefined }, titleOf(name), `${count(bits)} bits`, bits >= 1024 ? "raw" : `${Math.ceil(bits / 8)} B`);
    });
    const focused = document.activeElement?.id;
    this.box.replaceChildren(
      h("div", { class: "tools" }, step(-1, "Block before"), h("label", {}, "block ", number), step(1, "Next block")),
      h("p", {}, `${b.array ? `${visible(b.array)}, ` : ""}${b.elements}, byte ${count(b.offset)} of the array`),
      h("pre", { class: "labhex", tabindex: 0, "aria-label": "Bytes of the block" }, dump.join("\n")),
      h("button", { type: "button", id: "lab-open", class: "primary", onclick: () => this.open(b, name) }, `Show its bits under ${titleOf(codec)}`),
      h("table", { class: "numbers" }, h("caption", {}, "Its size under every codec"), h("tbody", {}, ...sizes)),
    );
    if (focused === "lab-block" || focused === "lab-open") byId(focused).focus();
  }

  openShown(name: string): void {
    if (this.block) this.open(this.block, name);
  }

  // open hands the block to the inspector.
  private open(b: LabBlock, name: string): void {
    const { codec, mag, threshold } = this.page.settings.lab;
    const blockHex = [...b.bytes].map((x) => x.toString(16).padStart(2, "0")).join("");
    openExplain({
      blockHex, codec, table: "lab", lossy: { mag, threshold },
      origin: { what: "lab", file: name, offset: b.offset, ...(b.array ? { allocation: b.array } : {}) },
    }).catch((e: unknown) => this.hooks.refuse("The inspector could not be loaded:", "Try again.", `${String(e)}.`));
  }
}
