// How much of the page is on show: at a first visit one question (simple), and everything to whoever asked for it or
// came by a link, which may name any setting. The first script of the document decides it before the first paint
// (tools/build/policy.go), because nothing may move later.

import { byId, text } from "../lib/dom";
import { keep } from "../lib/keep";
import { partOf } from "../state/parts";
import type { Page } from "../state/page";

const STORED = "burstscope.depth";

export function startDepth(page: Page): void {
  const root = document.documentElement;
  if (root.classList.contains("embed")) return void (root.dataset["depth"] = "all"); // its host chose what it shows
  const button = byId("depth");
  const part = byId("part");
  const place = part.nextElementSibling!;
  const draw = (): void => {
    if (page.settings.lesson.name) root.dataset["depth"] = "all"; // its steps name settings and tabs
    const simple = root.dataset["depth"] === "simple";
    text(button, simple ? "All settings" : "Simple");
    button.setAttribute("aria-expanded", String(!simple));
    // A stranger finds the other parts in the menu.
    const inMenu = simple && partOf(page.settings) === "simulator";
    if (inMenu === (part.parentElement!.id === "menu")) return;
    if (inMenu) byId("menu").prepend(part);
    else place.before(part);
  };
  const store = (): boolean => keep(STORED, root.dataset["depth"] ?? "all");
  button.addEventListener("click", () => {
    root.dataset["depth"] = root.dataset["depth"] === "simple" ? "all" : "simple";
    store();
    draw();
  });
  if (root.dataset["depth"] === "simple") store(); // the address soon holds the state, and is nobody's link
  page.on(["kernel", "tab"], draw);
  draw();
}
