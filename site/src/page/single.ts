// The loader of the one-file form. Everything the page is made of stands in the
// document as text; from that it makes the list of files that lib/assets.ts reads,
// with blob URLs, and starts the page. Nothing is fetched: the document's own
// policy forbids it.

import type { Assets } from "../lib/assets";

const TYPES: Record<string, string> = {
  css: "text/css",
  js: "text/javascript",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
};

function fail(why: string): void {
  const place = document.getElementById("messages");
  const p = document.createElement("p");
  p.className = "message";
  p.textContent = `The file could not be unpacked: ${why}. Open it in Chromium 103, Firefox 113, Safari 16.4 or newer. The numbers shown were computed when it was made.`;
  (place ?? document.body).prepend(p);
}

// take returns the text of an element and removes the element, which is no longer needed.
function take(id: string): string {
  const e = document.getElementById(id);
  const text = e?.textContent ?? "";
  e?.remove();
  return text;
}

// UNFIT are the characters that the text of a script element cannot hold; from ESCAPE on, a
// character stands for one of them and the seven bits after it (tools/build/text7.go).
const UNFIT = [0, 10, 13, 60];
const ESCAPE = 0x100;

// bytes reads what tools/build/text7.go wrote: the number of bytes, then seven bits a character.
function bytes(text: string): Uint8Array<ArrayBuffer> {
  const begin = text.indexOf(" ") + 1;
  const data = new Uint8Array(Number(text.slice(0, begin)));
  let word = 0;
  let held = 0;
  for (let i = begin, at = 0; at < data.length; i++) {
    const c = text.charCodeAt(i);
    if (c < ESCAPE) {
      word = (word << 7) | c;
      held += 7;
    } else {
      word = (word << 14) | (UNFIT[(c - ESCAPE) >> 7]! << 7) | (c & 127);
      held += 14;
    }
    for (; held >= 8 && at < data.length; at++) {
      held -= 8;
      data[at] = word >> held;
    }
    word &= (1 << held) - 1;
  }
  return data;
}

async function unpack(): Promise<void> {
  const list = JSON.parse(take("assets")) as Assets;
  const packed = new Blob([bytes(take("texts"))]).stream().pipeThrough(new DecompressionStream("gzip"));
  const texts = JSON.parse(await new Response(packed).text()) as Record<string, string>;
  const { files } = list;
  const documents: Record<string, string> = {};
  const contents: Record<string, string | ArrayBuffer> = {};
  const add = (name: string, data: string | ArrayBuffer): void => {
    contents[name] = data;
    files[name] = URL.createObjectURL(new Blob([data], { type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream" }));
  };
  for (const [name, text] of Object.entries(texts)) {
    if (name.endsWith(".html")) documents[name] = text;
    else add(name, text);
  }
  for (const e of document.querySelectorAll<HTMLElement>("script[data-file]")) {
    add(e.dataset["file"]!, bytes(e.textContent ?? "").buffer);
    e.remove();
  }
  // An inner document names its scripts, and has the list for what they ask for.
  const inside = JSON.stringify(list).replace(/</g, "\\u003c");
  for (const [name, text] of Object.entries(documents)) {
    documents[name] = text
      .replace(/\b(href|src)="([^"#?:]+)"/g, (found, attribute: string, file: string) => (files[file] ? `${attribute}="${files[file]}"` : found))
      .replace("</head>", () => `<script type="application/json" id="assets">${inside}</script></head>`);
  }
  globalThis.burstscopeAssets = { ...list, documents, contents };
  for (const name of take("start").split(" ")) {
    const script = document.createElement("script");
    script.src = files[name]!;
    script.async = false;
    document.head.append(script);
  }
}

unpack().catch((e: unknown) => fail(e instanceof Error ? e.message : String(e)));
