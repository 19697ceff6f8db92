// The choice of a file that fills a buffer or a texture, or that an output should equal. The engine
// reads it, as the command does.

import { choice, picker } from "./controls";
import { clip, visible } from "../lib/format";
import { ELEMENTS, type Contents } from "../protocol/kernel";

// Chosen are the elements of a file.
export interface Chosen {
  data: Uint8Array;
  element: string; // "" if the file does not tell
  name: string;
  note: string; // "" if there is nothing to say
}

export type ReadContents = (file: File, array: string) => Promise<Contents>;

// KINDS says which files are read.
export const KINDS = ".npy, .npz, .safetensors, a picture, or raw bytes";

// contentsPicker is a button that asks for a file, and for one of its arrays if it has several.
export function contentsPicker(label: string, words: string, read: ReadContents, take: (c: Chosen) => void, refuse: (why: string) => void): HTMLElement {
  const get = async (file: File, array: string): Promise<void> => {
    const name = visible(file.name);
    const c = await read(file, array);
    if (c.what !== "") return refuse(`“${name}”: ${c.what}.`);
    if (c.arrays) return ask(file, c.arrays);
    const note = c.raw ? `“${name}” is read as raw bytes.` : "";
    take({ data: c.data!, element: c.element ?? "", name: array ? `${name}, ${visible(array)}` : name, note });
  };
  const box = picker(label, words, (file) => void get(file, ""));
  const ask = (file: File, names: string[]): void => {
    box.querySelector("select")?.remove();
    const list = choice(`${label}, array`, [["", `${clip(file.name, 30)}: choose one of ${names.length} arrays`], ...names.map((n) => [n, visible(n)] as const)], "", (v) => v && void get(file, v));
    box.append(" ", list);
    list.focus();
  };
  return box;
}

// SAME_BITS are the types of the table for types that it does not have.
const SAME_BITS: Record<string, string> = { f16: "u16", bf16: "u16" };

// bufferElement is the type of the table for elements of a file, and what to say of it.
export function bufferElement(element: string): { element?: string; note: string } {
  if (ELEMENTS.includes(element)) return { element, note: "" };
  const same = SAME_BITS[element];
  return same ? { element: same, note: ` Its elements are ${element}: the buffer holds their bits, as ${same}.` } : { note: "" };
}
