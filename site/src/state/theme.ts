// Light, dark, or as the system has it.

import { DARK, LIGHT, type Palette } from "../drawing/plot";
import { byId, text } from "../lib/dom";
import type { Page } from "./page";
import type { ThemeChoice } from "./settings";

const dark = matchMedia("(prefers-color-scheme: dark)");
const NEXT: Record<ThemeChoice, ThemeChoice> = { auto: "light", light: "dark", dark: "auto" };

export function isDark(page: Page): boolean {
  const t = page.settings.theme;
  return t === "dark" || (t === "auto" && dark.matches);
}

export const paletteOf = (page: Page): Palette => (isDark(page) ? DARK : LIGHT);

export function startTheme(page: Page): void {
  const apply = (): void => {
    document.documentElement.dataset["theme"] = isDark(page) ? "dark" : "light";
    text(byId("theme-name"), page.settings.theme);
  };
  byId("theme").addEventListener("click", () => {
    page.settings.theme = NEXT[page.settings.theme];
    page.emit("theme");
  });
  page.on(["theme"], apply);
  dark.addEventListener("change", () => page.emit("theme"));
  apply();
}
