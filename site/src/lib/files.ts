// Files that leave the page: how they are saved, and the forms that more than one
// part of the page writes.

import { assets } from "./assets";

const TYPES: Record<string, string> = { csv: "text/csv", json: "application/json", svg: "image/svg+xml" };

// save hands a file to the reader.
export function save(content: BlobPart, name: string): void {
  const given = content instanceof Blob ? content.type : "";
  const type = given || TYPES[name.slice(name.lastIndexOf(".") + 1)] || "application/octet-stream";
  const url = URL.createObjectURL(new Blob([content], { type }));
  const a = document.createElement("a");
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// field is one of CSV. What a spreadsheet would take for a formula is made a text.
export function field(x: unknown): string {
  const s = x === undefined || x === null ? "" : String(x);
  const safe = /^[=+@\t\r]|^-[^\d.]/.test(s) ? `'${s}` : s;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csvOf(comments: string[], head: string[], rows: unknown[][]): string {
  const lines = comments.map((c) => `# ${c.replace(/[\r\n]+/g, " ")}`);
  return [...lines, head.join(","), ...rows.map((r) => r.map(field).join(","))].join("\n") + "\n";
}

// hereLink is a link to the page as its address has it, with the version: of files that the parts beside the simulator make.
export function hereLink(): string {
  return `${location.href}${location.hash === "" ? "#v=1" : ""}&version=${assets.version}`;
}

// Picture is an SVG file and its size.
export interface Picture {
  svg: string;
  width: number;
  height: number;
}

const PNG_SCALE = 2;

// png draws a picture at twice its size. Its words, where given, also stand in the
// file's own text chunk.
export async function png(of: Picture, words: string[] = []): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([of.svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = PNG_SCALE * of.width;
    canvas.height = PNG_SCALE * of.height;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const plain = await new Promise<Blob>((resolve, reject) =>
      canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("this browser cannot make a PNG"))), "image/png"),
    );
    if (words.length === 0) return plain;
    return new Blob([withText(new Uint8Array(await plain.arrayBuffer()), words.join("\n"))], { type: "image/png" });
  } finally {
    URL.revokeObjectURL(url);
  }
}

// withText puts an iTXt chunk "Description" behind a PNG's header (PNG, section
// 11.3.3.4: keyword, zero, no compression, no language, UTF-8).
function withText(data: Uint8Array, words: string): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(`iTXtDescription\0\0\0\0\0${words}`);
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  const header = 8 + 25; // signature and IHDR
  const out = new Uint8Array(data.length + chunk.length);
  out.set(data.subarray(0, header));
  out.set(chunk, header);
  out.set(data.subarray(header), header + chunk.length);
  return out;
}

// crc32 is that of PNG (ISO 3309, polynomial 0xedb88320 reflected).
function crc32(data: Uint8Array): number {
  let c = ~0;
  for (const b of data) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  }
  return ~c >>> 0;
}
