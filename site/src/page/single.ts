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

// bytes reads what tools/build/text85.go wrote: five characters for four bytes, after
// the number of bytes.
function bytes(text: string): Uint8Array<ArrayBuffer> {
  const begin = text.indexOf(" ") + 1;
  const count = Number(text.slice(0, begin));
  const data = new Uint8Array(Math.ceil(count / 4) * 4);
  const words = new DataView(data.buffer);
  for (let i = begin, at = 0; at < count; at += 4) {
    let word = 0;
    for (const end = i + 5; i < end; i++) {
      const c = text.charCodeAt(i);
      word = word * 85 + (c > 60 ? c - 41 : c - 40);
    }
    words.setUint32(at, word);
  }
  return data.subarray(0, count);
}

async function unpack(): Promise<void> {
  const list = JSON.parse(take("assets")) as Assets;
  const packed = new Blob([bytes(take("texts"))]).stream().pipeThrough(new DecompressionStream("gzip"));
  const texts = JSON.parse(await new Response(packed).text()) as Record<string, string>;
  const { files } = list;
  const documents: Record<string, string> = {};
  const blobs: Record<string, Blob> = {};
  const add = (name: string, data: BlobPart): void => {
    blobs[name] = new Blob([data], { type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream" });
    files[name] = URL.createObjectURL(blobs[name]);
  };
  for (const [name, text] of Object.entries(texts)) {
    if (name.endsWith(".html")) documents[name] = text;
    else add(name, text);
  }
  for (const e of document.querySelectorAll<HTMLElement>("script[data-file]")) {
    add(e.dataset["file"]!, bytes(e.textContent ?? ""));
    e.remove();
  }
  // An inner document names its scripts, and has the list for what they ask for.
  const inside = JSON.stringify(list).replace(/</g, "\\u003c");
  for (const [name, text] of Object.entries(documents)) {
    documents[name] = text
      .replace(/\b(href|src)="([^"#?:]+)"/g, (found, attribute: string, file: string) => (files[file] ? `${attribute}="${files[file]}"` : found))
      .replace("</head>", () => `<script type="application/json" id="assets">${inside}</script></head>`);
  }
  globalThis.burstscopeAssets = { ...list, documents, blobs };
  for (const name of take("start").split(" ")) {
    const script = document.createElement("script");
    script.src = files[name]!;
    script.async = false;
    document.head.append(script);
  }
}

unpack().catch((e: unknown) => fail(e instanceof Error ? e.message : String(e)));
