// The page's commands, a list under one button.

import { byId } from "./dom";

export function startMenu(): void {
  const opener = byId("menu-open");
  const menu = byId("menu");
  const show = (open: boolean): void => {
    menu.classList.toggle("open", open);
    opener.setAttribute("aria-expanded", String(open));
  };
  const isOpen = (): boolean => menu.classList.contains("open");
  opener.addEventListener("click", () => {
    show(!isOpen());
    if (isOpen()) menu.querySelector("button")?.focus();
  });
  menu.addEventListener("click", (e) => {
    // The theme turns while the list is open, so that one can look at each.
    if ((e.target as Element).closest("button")?.id !== "theme") show(false);
  });
  document.addEventListener("click", (e) => {
    const t = e.target as Element;
    if (isOpen() && !menu.contains(t) && !opener.contains(t)) show(false);
  });
  for (const e of [menu, opener]) {
    e.addEventListener("focusout", (f) => {
      const to = f.relatedTarget as Node | null;
      if (isOpen() && to && !menu.contains(to) && to !== opener) show(false);
    });
    e.addEventListener("keydown", (k) => {
      if (k.key !== "Escape" || !isOpen()) return;
      show(false);
      opener.focus();
      k.stopPropagation();
    });
  }
}
