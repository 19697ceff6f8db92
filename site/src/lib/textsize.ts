// The reader's size of text. Style sheets give sizes in rem, and widths of the window in em, so that a larger
// default size makes everything larger. A least size of text makes only letters larger, in boxes that stay as they
// were; so the whole page is then made larger until its smallest text has that size.

const SMALLEST_REM = 0.75; // text of all style sheets
const PROBE_PX = 12; // a least size below this changes nothing
const BY_ROUNDING = 1.05; // letters of a small font are not exactly as wide as those of a large one

export function startTextSize(): void {
  const root = document.documentElement;
  const probe = document.createElement("p");
  document.body.append(probe);
  const width = (px: number): number => {
    probe.style.cssText = `position:absolute;visibility:hidden;width:100ch;font:${px}px monospace`;
    return probe.getBoundingClientRect().width;
  };
  const least = (PROBE_PX * width(PROBE_PX) * 10) / width(PROBE_PX * 10);
  probe.remove();
  const px = least / SMALLEST_REM; // of a rem
  if (!(least > PROBE_PX * BY_ROUNDING && px > parseFloat(getComputedStyle(root).fontSize) * BY_ROUNDING)) return;
  root.style.fontSize = `${px}px`;
  const widened = new WeakSet<StyleSheet>();
  const widen = (): void => {
    for (const sheet of document.styleSheets) {
      if (widened.has(sheet)) continue;
      widened.add(sheet);
      try {
        for (const rule of sheet.cssRules) {
          if (rule instanceof CSSMediaRule) rule.media.mediaText = rule.media.mediaText.replace(/([\d.]+)em/g, (_, em: string) => `${Number(em) * px}px`);
        }
      } catch {
        // A sandboxed page may not read its style sheets.
      }
    }
  };
  widen();
  document.addEventListener("load", widen, true); // style sheets that come later
}
