// Scripts of the page that are fetched when somebody first needs them.

import { asset } from "./assets";
import { h } from "./dom";

// loadScript fetches and runs a script of the build, with its style sheet. If a file does
// not arrive, nothing of it stays, so that a later call tries again.
export async function loadScript(name: string, style?: string): Promise<void> {
  const parts: HTMLElement[] = [h("script", { src: asset(name) })];
  if (style) parts.unshift(h("link", { rel: "stylesheet", href: asset(style) }));
  const loaded = parts.map((part) => new Promise<void>((resolve, reject) => {
    part.onload = () => resolve();
    part.onerror = () => reject(new Error(`${part.localName === "script" ? name : style} could not be loaded`));
  }));
  document.head.append(...parts);
  try {
    await Promise.all(loaded);
  } catch (e) {
    for (const part of parts) part.remove();
    throw e;
  }
}
