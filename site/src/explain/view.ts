// The dialog of one block: its bytes and values, its code bit by bit, and what the
// codec makes of it. The selected part lights up in all three.

import "../../explain.css";
import { VALUE_TYPES, difference, likelyType, valueText, valuesOf, bytesOf, type ValueType } from "./blockvalues";
import { h, text } from "../lib/dom";
import { PLUGIN } from "../protocol/scenario";
import { tables, type CodecInfo } from "../protocol/tables";
import type { ExplainOrigin, ExplainRequest } from "./open";
import type { BurstCount, Explained, Explanation, Loss } from "../protocol/explain";
import { bitFlow, bitKey, fieldWords, itemWords, valueGrid } from "./bits";
import { Selection } from "./select";
import { structureSection } from "./structure";
import { adderTree } from "./tree";
import { hex, percent, significant, sentence } from "../lib/format";

// codecGroups are the codecs that may be chosen, under headings. The reader's own is one of them where the
// block was asked for under it: then the engine has its module.
function codecGroups(own: boolean): [string, CodecInfo[]][] {
  return [
    ["lossless", tables.codecs.filter((c) => !c.over && !c.reading && (own || c.name !== PLUGIN))],
    ["selective loss on E2MC-16", tables.codecs.filter((c) => c.over)],
    ["other readings", tables.codecs.filter((c) => c.reading)],
  ];
}

const TABLE_WORDS: Record<string, string> = {
  run: "Code table of the run.",
  image: "Code table made from blocks all over device memory.",
  lab: "Code table of the file in the data lab.",
  block: "Code table made from this block alone.",
};

const BASIS_WORDS: Record<string, string> = {
  original: "These are the bytes before symbols were cut.",
  stored: "These are the bytes that a reader gets. Cut symbols are lost.",
};

let dialog: HTMLDialogElement;
let type: ValueType = "f32";
let chosenType = false; // by the reader
let asked = 0;

window.burstscopeExplain = (request) => {
  dialog ??= makeDialog();
  show(request);
  if (!dialog.open) dialog.showModal();
};

function makeDialog(): HTMLDialogElement {
  const d = h("dialog", { id: "explain", "aria-labelledby": "explain-title" });
  // The page's shortcuts do not act in this dialog.
  d.addEventListener("keydown", (e) => e.stopPropagation());
  d.addEventListener("click", (e) => {
    if (e.target === d) d.close();
  });
  document.body.append(d);
  return d;
}

function titleOf(o: ExplainOrigin, request: ExplainRequest): string {
  const at = o.address !== undefined ? ` ${hex(o.address)}` : "";
  const offset = o.address === undefined && o.offset !== undefined ? ` at byte ${o.offset.toLocaleString("en")}` : "";
  const of = o.file ?? o.allocation;
  const side = request.side && o.what !== "lab" ? `, side ${request.side}` : "";
  return `Block${at}${offset}${of ? ` of ${of}` : ""}${side}`;
}

function show(request: ExplainRequest): void {
  const select = h("select", { id: "explain-codec", "aria-label": "Codec" },
    ...codecGroups(request.codec === PLUGIN).map(([group, list]) => h("optgroup", { label: group }, ...list.map((c) => h("option", { value: c.name }, c.title)))),
  );
  select.value = request.codec;
  if (select.selectedIndex < 0) select.value = request.codec = "bdi";
  const loss: Loss = { ...request.lossy };
  const mag = h("select", { id: "explain-mag" }, ...[16, 32, 64].map((m) => h("option", { value: m }, `${m} B`)));
  const threshold = h("input", { id: "explain-threshold", type: "number", min: 1, max: 64, step: 1 });
  const accounting = h("select", { id: "explain-accounting" },
    ...[
      ["fixed32", "always 32 bits"],
      ["variable", "22 or 32 bits"],
      ["literal", "not counted"],
    ].map(([value, name]) => h("option", { value }, name)),
  );
  if (loss.accounting) accounting.value = loss.accounting;
  const lossy = h("span", { class: "lossy" }, label("threshold, B", threshold), label("header", accounting));
  const body = h("div", { id: "explain-body" });
  const close = h("button", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "×");
  dialog.replaceChildren(
    h("div", { class: "boxhead" }, h("h2", { id: "explain-title" }, titleOf(request.origin, request)), close),
    h("div", { class: "tools" }, label("codec", select), label("MAG", mag), lossy),
    body,
  );

  let answer: Explained | undefined;
  let selection: Selection | undefined;
  const ask = async (): Promise<void> => {
    const mine = ++asked;
    body.setAttribute("aria-busy", "true");
    const got = await window.burstscopeAsk!({
      codec: select.value,
      ...(request.blockHex ? { block: request.blockHex } : {}),
      ...(request.side ? { side: request.side } : {}),
      ...(request.blockHex || request.origin.address === undefined ? {} : { addr: String(request.origin.address) }),
      ...(request.table ? { table: request.table } : {}),
      ...(Object.keys(loss).length > 0 ? { lossy: loss } : {}),
    });
    if (mine !== asked) return;
    body.removeAttribute("aria-busy");
    answer = got;
    selection = undefined;
    if (!chosenType && got.explanation) type = request.type ?? likelyType(bytesOf(got.explanation.original));
    draw();
  };
  const draw = (): void => {
    if (!answer) return;
    lossy.hidden = !select.value.startsWith("tslc");
    if (answer.mag) mag.value = String(loss.mag ?? answer.mag);
    if (answer.threshold && document.activeElement !== threshold) threshold.value = String(loss.threshold ?? answer.threshold);
    if (!answer.explanation) {
      body.replaceChildren(h("p", { class: "bad" }, `${sentence(answer.what ?? "The engine does not answer")} ${sentence(answer.mend ?? "")}`));
      return;
    }
    const before = selection;
    selection = new Selection(answer.explanation);
    body.replaceChildren(...explained(answer, answer.explanation, selection, Number(mag.value), draw));
    if (before && before.items.size > 0) selection.choose(before.items, before.field, before.bytes);
  };
  select.addEventListener("change", () => {
    request.codec = select.value;
    void ask();
  });
  mag.addEventListener("change", () => {
    loss.mag = Number(mag.value);
    if (select.value.startsWith("tslc")) void ask();
    else draw();
  });
  threshold.addEventListener("change", () => {
    loss.threshold = Math.max(1, Math.min(64, Math.round(Number(threshold.value)) || 1));
    threshold.value = String(loss.threshold);
    void ask();
  });
  accounting.addEventListener("change", () => {
    loss.accounting = accounting.value;
    void ask();
  });
  void ask();
}

function label(words: string, control: HTMLElement): HTMLElement {
  return h("label", {}, h("span", {}, words), control);
}

function explained(answer: Explained, e: Explanation, selection: Selection, mag: number, again: () => void): HTMLElement[] {
  const at = e.bursts.find((b) => b.mag === mag) ?? e.bursts[0]!;
  const said = h("p", { id: "explain-said", class: "said", "aria-live": "polite" }, "Point at a value, a field or a row, or move with Tab and the arrow keys.");
  selection.on(() => {
    const { field, items } = selection;
    // A field that has the focus says this itself.
    said.setAttribute("aria-live", field === undefined ? "polite" : "off");
    const first = [...items][0];
    const more = items.size > 1 ? `; ${items.size} items in all` : "";
    if (field !== undefined) text(said, fieldWords(e, e.fields![field]!));
    else if (first !== undefined) text(said, itemWords(e, first) + more);
    else if (selection.bytes && planes) text(said, `Word ${Math.floor(selection.bytes.from / 4)} has no field of its own. Its bits are the marked column of the planes.`);
    else text(said, "No single field stands for this.");
  });
  const planes = e.structures?.some((s) => s.kind === "planes") ?? false;
  const types = h("select", { id: "explain-type", "aria-label": "Values as" }, ...VALUE_TYPES.map((t) => h("option", { value: t }, t)));
  types.value = type;
  types.addEventListener("change", () => {
    type = types.value as ValueType;
    chosenType = true;
    again();
    document.getElementById("explain-type")?.focus();
  });
  const notes = [answer.table ? TABLE_WORDS[answer.table] : "", answer.basis ? BASIS_WORDS[answer.basis] : "", ...(e.notes ?? [])].filter(Boolean);
  const symbolItems = (first: number, count: number): number[] =>
    (e.items ?? []).flatMap((it, i) => (it.bytes === 2 && it.byte >= 2 * first && it.byte < 2 * (first + count) ? [i] : []));
  const structures = [
    ...(e.decision ? [adderTree(e.decision, selection, symbolItems)] : []),
    ...(e.structures ?? []).map((s) => structureSection(s, e, selection)),
  ];
  const summary = h("div", { class: "summary" }, h("p", { id: "explain-size" }, sizeWords(e, at)), ...e.bursts.map((b) => burstCells(b, b.mag === mag)));
  const left = h("div", { class: "pane" }, h("div", { class: "boxhead" }, h("h3", {}, "Bytes and values"), label("as", types)), valueGrid(e, selection, type), error(e));
  const tag = e.tag ?? [];
  const middle = h("div", { class: "pane" },
    h("h3", {}, e.mode === "raw" ? "Stored bits" : "Encoded bits"),
    bitKey(e),
    (e.fields ?? []).length > 0 ? bitFlow(e, selection, mag) : h("p", {}, "The block takes no bits at all."),
    tag.length > 0
      ? h("div", { class: "tag" }, h("h3", {}, "Beside the block, not counted in its size"), h("dl", {}, ...tag.flatMap((f) => [h("dt", {}, `${f.name}, ${f.count} bits`), h("dd", {}, h("code", {}, f.value), ` ${f.meaning}`)])))
      : "",
  );
  const right = h("div", { class: "pane" }, ...(structures.length > 0 ? structures : [h("p", { class: "note" }, e.mode === "raw" ? "A block that is stored raw has no structure." : "")]));
  return [summary, h("p", { class: "note" }, notes.join(" ")), said, h("div", { class: planes ? "panes wide" : "panes" }, left, middle, right)];
}

// sizeWords: "71 B, fetched as 3 bursts (96 B)".
function sizeWords(e: Explanation, at: BurstCount): string {
  const bursts = `fetched as ${at.bursts} burst${at.bursts === 1 ? "" : "s"} (${at.bytes} B)`;
  const size = (bits: number): string => `${Math.ceil(bits / 8)} B (${bits} bits)`;
  if (e.mode === "raw") return `No code is shorter than the block${e.codeBits > e.bits ? `: it would take ${size(e.codeBits)}` : ""}. Stored raw, ${bursts}.`;
  const raw = at.mode === "raw" ? ", stored raw because compression saves no burst" : at.mode === "lossy" ? ", approximated" : "";
  return `${size(at.mode === "raw" ? e.bits : at.bits)}, ${bursts} at MAG ${at.mag}${raw}.`;
}

function burstCells(b: BurstCount, now: boolean): HTMLElement {
  const cells = Array.from({ length: 128 / b.mag }, (_, i) => h("i", { class: i >= b.bursts ? "saved" : b.mode === "lossy" ? "approx" : b.mode === "raw" ? "raw" : "fetched" }));
  return h("span", { class: now ? "bursts now" : "bursts", role: "img", "aria-label": `MAG ${b.mag}: ${b.bursts} bursts, ${b.bytes} B, ${b.mode}` }, h("b", {}, `MAG ${b.mag}`), ...cells, h("small", {}, `${b.bytes} B`));
}

// error says how far the bytes that a reader gets differ from the written ones.
function error(e: Explanation): HTMLElement {
  const exact = valuesOf(bytesOf(e.original), type);
  const got = valuesOf(bytesOf(e.decoded), type);
  const d = difference(exact, got);
  const words =
    d.changed === 0
      ? e.mode === "lossy"
        ? "A reader gets the same values."
        : "Lossless: a reader gets the same bytes."
      : `${d.changed} of ${d.of} values change as ${type}. Largest error ${Number.isFinite(d.largest) ? significant(d.largest) : "not a number"} (value ${d.worst}: ${valueText(exact[d.worst]!, type)} → ${valueText(got[d.worst]!, type)}). Mean relative error ${percent(d.relative)}.`;
  return h("p", { id: "explain-error" }, words);
}
