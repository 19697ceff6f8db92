// The switches between side A and side B, beside the chart and the picture.

import { text } from "../lib/dom";
import { SIDES, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";

export function startSides(page: Page): void {
  const choose = (side: Side): void => {
    page.settings.side = side;
    page.emit("tab");
  };
  const groups = [...document.querySelectorAll<HTMLElement>(".ab")];
  const button = (group: HTMLElement, side: Side): HTMLElement => group.querySelector(`[data-pick=${side}]`)!;
  for (const group of groups) {
    for (const side of SIDES) button(group, side).addEventListener("click", () => choose(side));
    group.addEventListener("keydown", (e) => {
      if (!/^Arrow/.test(e.key)) return;
      const side = page.settings.side === "A" ? "B" : "A";
      choose(side);
      button(group, side).focus();
      e.stopPropagation();
      e.preventDefault();
    });
  }
  const draw = (): void => {
    for (const group of groups) {
      for (const side of SIDES) {
        const b = button(group, side);
        const on = side === page.settings.side;
        b.setAttribute("aria-checked", String(on));
        b.tabIndex = on ? 0 : -1;
        b.title = page.data.labels[side];
        text(b, side);
      }
    }
  };
  page.on(["tab", "run"], draw);
  draw();
}
