// The way to the dialog that writes the code of an embed; its script is fetched
// when it is first opened.

import { inOneFile } from "../lib/assets";
import { loadScript } from "../lib/script";
import type { Page } from "../state/page";

export type Open = (title: string, ...body: (Node | string)[]) => void;

declare global {
  interface Window {
    burstscopeEmbedding?: (page: Page, open: Open) => void;
  }
}

export function openEmbedding(page: Page, open: Open): void {
  if (inOneFile || location.protocol === "file:") {
    return open("Embed this run", "This page was opened from a disk, and other pages cannot embed it. Put the site on a server (README, “build”) and open Embed there.");
  }
  if (window.burstscopeEmbedding) return window.burstscopeEmbedding(page, open);
  loadScript("embedding.js").then(
    () => window.burstscopeEmbedding?.(page, open),
    () => open("Embed this run", "A part of the page could not be loaded: embedding.js. Check the connection and try again."),
  );
}
