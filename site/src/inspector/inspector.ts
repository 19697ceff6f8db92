// The inspector: one block, its symbols, the decision about it, and the path
// of the requests for it through the machine.

import { allocationOf, blockText, indexOf, modeText, sizeBytes } from "../protocol/blocks";
import { causeOf, effectOf, pickedBurst } from "./cause";
import { KIND } from "../protocol/events";
import { byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { openExplain } from "../explain/open";
import { count, hex, parseAddress, sentence } from "../lib/format";
import type { Inspection, Stored } from "../protocol/protocol";
import { PLUGIN, memoryOf, type Memory } from "../protocol/scenario";
import { follows } from "../state/owned";
import type { Page } from "../state/page";
import { trace } from "./trace";

const BLOCK_BYTES = 128;
const SYMBOLS = 64;
const SYMBOLS_PER_ROW = 8;

export function startInspector(page: Page, pick: (addr: number) => void): void {
  const field = byId<HTMLInputElement>("inspect-addr");
  const empty = [...byId("inspect-body").children];
  byId("inspect-form").addEventListener("submit", (e) => {
    e.preventDefault();
    const addr = parseAddress(field.value);
    if (addr === undefined) {
      byId("inspect-body").replaceChildren(
        h("p", { class: "bad" }, `“${field.value}” is not an address. Type a number such as 0xc0000000 or 3221225472.`),
      );
      return;
    }
    pick(addr);
  });
  // It is outside the part that is drawn again, so it keeps the focus.
  const open = h("button", { type: "button", id: "explain-open", title: "Shows what each bit of this block's code means", hidden: true }, "Encoded bits…");
  const failed = h("p", { class: "bad", role: "alert", hidden: true });
  open.addEventListener("click", () => void explain(page, failed));
  byId("inspect-body").before(open, failed);
  let of: number | undefined; // the block on show
  const draw = soon(() => {
    const { addr } = page.settings;
    if (addr !== undefined) drawInspector(page, addr);
    else if (of !== undefined) {
      field.value = "";
      byId("inspect-body").replaceChildren(...empty);
    }
    of = addr;
    follows(page, byId("inspector"));
    open.hidden = page.settings.addr === undefined || page.data.blocks[page.settings.side] === undefined;
  });
  const columns = matchMedia("(min-width: 68.75em)");
  page.on(["select"], () => page.settings.addr !== undefined && columns.matches && byId("inspector").scrollIntoView({ block: "start" }));
  page.on(["select", "inspected", "blocks", "tab", "run", "source", "scenario"], draw);
  draw();
}

function drawInspector(page: Page, addr: number): void {
  const { side } = page.settings;
  const field = byId<HTMLInputElement>("inspect-addr");
  if (document.activeElement !== field) field.value = hex(addr);
  const memory = memoryOf(page.data.scenario, side);
  const { inspected, refused } = page.data;
  const i = inspected && inspected.addr === addr && inspected.side === side ? inspected : undefined;
  const parts: (Node | undefined)[] = [];
  if (refused) parts.push(h("p", { class: "bad" }, `${sentence(refused.what)} ${sentence(refused.mend ?? "")}`));
  else {
    parts.push(h("p", {}, h("b", {}, hex(addr)), where(page, addr, i), `, ${side}${when(i)}: ${stored(page, addr, i, memory)}`));
    for (const words of [causeOf(page), i?.copied, effectOf(page, i)])
      if (words) parts.push(h("p", { class: "mono" }, words));
    if (i?.stored) parts.push(h("p", { class: "mono" }, decision(i, i.stored, memory)));
    if (i) parts.push(symbolGrid(i), h("p", { class: "note" }, place(i)));
    parts.push(asked(page, addr));
  }
  byId("inspect-body").replaceChildren(...parts.filter((n): n is Node => n !== undefined));
}

// explain opens the dialog of the selected block under its side's own codec.
async function explain(page: Page, failed: HTMLElement): Promise<void> {
  const { addr, side } = page.settings;
  if (addr === undefined) return;
  const memory = memoryOf(page.data.scenario, side);
  const blocks = page.data.blocks[side];
  const index = blocks && indexOf(blocks, addr);
  const allocation = blocks && index !== undefined ? allocationOf(blocks, index)?.name : undefined;
  const codec = memory.approximation !== "none" ? memory.approximation : memory.codec;
  failed.hidden = true;
  try {
    await openExplain({ codec, side, origin: { what: "burst", address: addr, ...(allocation ? { allocation } : {}) } });
  } catch (e) {
    failed.hidden = false;
    text(failed, `The dialog could not be opened: ${e instanceof Error ? e.message : String(e)}. Try again.`);
  }
}

// when says at which cycle the block is as shown.
function when(i: Inspection | undefined): string {
  return i?.cycle === undefined ? "" : ` at cycle ${count(i.cycle)}`;
}

function where(page: Page, addr: number, i: Inspection | undefined): string {
  const blocks = page.data.blocks[page.settings.side];
  const index = blocks && indexOf(blocks, addr);
  const name = i?.allocation ?? (blocks && index !== undefined ? allocationOf(blocks, index)?.name : undefined);
  return name ? ` in ${name}` : "";
}

// stored says how the block lies in DRAM, from the engine's answer or, when
// there is none, from the map of the run.
function stored(page: Page, addr: number, i: Inspection | undefined, memory: Memory): string {
  if (i?.stored) {
    const { bits, bursts, mode } = i.stored;
    const size = `${sizeBytes(bits)} B, ${pickedBurst(page)?.kind === KIND.write ? "written" : "fetched"} as ${bursts} burst${bursts === 1 ? "" : "s"} (${bursts * memory.mag} B)`;
    return `${size}, ${mode === "lossy" ? "approximated" : mode}`;
  }
  if (i) return "not in DRAM yet";
  const blocks = page.data.blocks[page.settings.side];
  const index = blocks && indexOf(blocks, addr);
  return blocks && index !== undefined ? blockText(blocks, index, memory.mag) : "waiting for the engine";
}

// decision says why the block is stored as it is: "71 B coded · budget 64 B ·
// 7 B over, threshold 16 B → symbols 36 to 39 cut, 63 B stored".
function decision(i: Inspection, s: Stored, memory: Memory): string {
  const coded = sizeBytes(s.losslessBits || s.bits);
  if (memory.codec === "none") return "This side does not compress: every block is 128 B.";
  if (coded >= BLOCK_BYTES && s.mode !== "lossy") return "No code is shorter than the block → stored raw.";
  const budget = Math.floor(coded / memory.mag) * memory.mag;
  const over = coded - budget;
  const said = [coded >= BLOCK_BYTES ? "no exact code" : `${coded} B coded`];
  if (budget > 0 && over > 0) said.push(`budget ${budget} B`, `${over} B over`);
  if (memory.approximation !== "none" && budget > 0 && over > 0) said.push(`threshold ${memory.threshold} B`);
  const cut = s.truncatedSymbols;
  const last = s.firstSymbol + cut - 1;
  const end =
    cut > 0
      ? `${cut === 1 ? `symbol ${last}` : `symbols ${s.firstSymbol} to ${last}`} ${memory.codec === PLUGIN ? "changed" : "cut"}, ${sizeBytes(s.bits)} B stored`
      : `stored ${modeText(s.mode)}`;
  const exact = i.safe === false && memory.approximation !== "none" ? " This allocation must stay exact." : "";
  return `${said.join(" · ")} → ${end}.${exact}`;
}

function place(i: Inspection): string {
  const at = i.channel === undefined ? "" : `Channel ${i.channel}, bank ${i.bank}, row ${i.row}. `;
  const cut = i.stored?.truncatedSymbols ?? 0;
  return `${at}64 symbols of 16 bits as a reader gets them${cut > 0 ? "; hatched: cut" : ""}${i.lengths ? "; the bar is the length of the code" : ""}.`;
}

// symbolGrid shows the block's 64 symbols with the length of their codes.
function symbolGrid(i: Inspection): HTMLElement {
  const first = i.stored?.firstSymbol ?? 0;
  const cut = i.stored?.truncatedSymbols ?? 0;
  // Only 16-bit symbols line up with the cells.
  const lengths = i.lengths?.length === SYMBOLS ? i.lengths : undefined;
  const most = Math.max(1, ...(lengths ?? []));
  const rows: HTMLElement[] = [];
  for (let s = 0; s < SYMBOLS; s += SYMBOLS_PER_ROW) {
    const row = h("div", {}, h("i", {}, String(s)));
    for (let n = s; n < s + SYMBOLS_PER_ROW; n++) {
      // Little-endian: the second byte is the high one.
      const word = i.bytes.slice(4 * n + 2, 4 * n + 4) + i.bytes.slice(4 * n, 4 * n + 2);
      const isCut = n >= first && n < first + cut;
      const bits = lengths?.[n];
      const code = bits === undefined ? "" : `, code of ${bits} bits`;
      const bar = bits === undefined ? undefined : `--w:${Math.round((100 * bits) / most)}%`;
      row.append(
        h("span", { class: isCut ? "cut" : undefined, style: bar, title: isCut ? `symbol ${n} was cut` : `symbol ${n}${code}` }, word),
      );
    }
    rows.push(row);
  }
  return h("div", { class: "bytes", role: "img", "aria-label": `The block's 64 symbols, ${cut} of them cut` }, ...rows);
}

function asked(page: Page, addr: number): HTMLElement {
  const { steps, more } = trace(page.data.events[page.settings.side], addr, page.settings.cycle);
  const box = h("details", { class: "asked" }, h("summary", {}, `Requests (${count(steps.length + more)} events)`));
  box.open = byId("inspect-body").querySelector("details")?.open ?? false;
  const list = h("ol", { tabindex: 0, "aria-label": "Requests in the order of their cycles" });
  for (const s of steps) list.append(h("li", { class: s.past ? "past" : undefined }, h("span", {}, count(s.cycle)), s.words));
  box.append(list);
  if (more > 0) box.append(h("p", { class: "note" }, `and ${count(more)} more`));
  if (steps.length === 0) text(box.querySelector("summary")!, "The recorded events hold no request for it");
  return box;
}
