// The marks of legends that are elements of the page. What means the same has the same colour, shape and
// words on every tab: a mark of the described pictures is that of render/model/legend.go.

import { cutMark, droppedMark, fetchedMark, lossyMark, metadataMark, savedMark, writeMark, type mark } from "./described";
import { TOKENS } from "./inks";
import { h } from "../lib/dom";

export interface Mark {
  name: string;
  shape: string; // a rule of style.css, or of l1.css
  ink: (typeof TOKENS)[number];
  words: string;
}

const KINDS = ["fill", "outline", "dashed", "hatch", "dots", "split"]; // in the order of the kinds of render/model
const SHAPES: Record<number, string> = { 8: "slash", 10: "cross" }; // of glyphs, as its legend numbers them

function pictured(name: string, m: mark): Mark {
  return { name, shape: SHAPES[m.glyph] ?? KINDS[m.kind]!, ink: TOKENS[m.colour]!, words: m.short || m.text };
}

// Each is separate, so that a script holds only those of its tabs.
export const FETCHED = /* @__PURE__ */ pictured("fetched", fetchedMark);
export const SAVED = /* @__PURE__ */ pictured("saved", savedMark);
export const APPROXIMATED = /* @__PURE__ */ pictured("approximated", lossyMark);
export const METADATA = /* @__PURE__ */ pictured("metadata", metadataMark);
export const WRITE = /* @__PURE__ */ pictured("write", writeMark);
export const CUT = /* @__PURE__ */ pictured("cut", cutMark);
export const DROPPED = /* @__PURE__ */ pictured("dropped", droppedMark);
export const RIGHT: Mark = { name: "right", shape: "ring", ink: "approx", words: "predicted, as memory held it" };
export const DEVICE: Mark = { name: "device", shape: "fill", ink: "fetched", words: "in device memory" };
export const ROOM: Mark = { name: "room", shape: "fill", ink: "rule", words: "room in device memory that is not used" };
export const LINKED: Mark = { name: "link", shape: "stripes", ink: "buddy", words: "behind the link" };
export const IDLE: Mark = { name: "idle", shape: "fill", ink: "rule", words: "no hit on a code" };

// legendMark is an entry of a legend; words replace those of the mark where the tab must say more.
export function legendMark(m: Mark, words = m.words): HTMLElement {
  return h("span", { "data-mark": m.name }, h("i", { class: `k ${m.shape}`, style: `--mark: var(--${m.ink})` }), words);
}
