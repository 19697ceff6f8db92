// What a person may trip over on the page as it stands: text below 12 px, targets
// below a finger on phones, sideways scrolling. Answers a list of sentences.
(fingers) => {
  const found = new Map();
  const note = (what, e) => {
    const name = e.id ? "#" + e.id : `${e.tagName.toLowerCase()}${e.getAttribute("class") ? "." + e.getAttribute("class").trim().replace(/\s+/g, ".") : ""}`;
    const home = e.id ? "" : ` in #${e.closest("[id]")?.id ?? "?"}`;
    const key = `${what} at ${name}${home}`;
    if (!found.has(key)) found.set(key, (e.textContent || e.value || "").trim().slice(0, 30));
  };
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  // Text only a screen reader meets is clipped to a pixel.
  const clipped = (e) => e.closest(".vh, .skip:not(:focus)") !== null;

  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const e = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || e.closest("script, style, noscript, option") || clipped(e) || !shown(e)) continue;
    let px = parseFloat(getComputedStyle(e).fontSize);
    if (e instanceof SVGElement) {
      const m = e.getScreenCTM?.();
      if (m) px *= Math.min(Math.hypot(m.a, m.b), Math.hypot(m.c, m.d));
    }
    if (px < 11.95) note(`text of ${px.toFixed(1)} px`, e);
  }
  for (const e of document.querySelectorAll("select, input")) {
    if (shown(e) && !clipped(e) && parseFloat(getComputedStyle(e).fontSize) < 11.95) note("a field's text below 12 px", e);
  }
  for (const [what, px] of Object.entries(window.smallCanvasText ?? {})) {
    found.set(`canvas text of ${px.toFixed(1)} px`, what);
  }

  if (fingers) {
    const targets = "a[href], button, select, summary, input:not([type=hidden]), [role=button], [role=tab], [role=radio], [role=checkbox], [role=slider]";
    for (const e of document.querySelectorAll(targets)) {
      if (!shown(e) || clipped(e) || e.disabled) continue;
      // A link in running text is as tall as its line; the figures beside the lines of
      // the chart stand in the table below it too.
      if (e.matches("p a, dd a, li a, #chart text")) continue;
      const own = e.getBoundingClientRect();
      if (own.width === 0 || own.bottom < 0) continue;
      const home = (e.closest("td, th") ?? (e.matches("input") ? e.closest("label") : null))?.getBoundingClientRect() ?? own;
      const [width, height] = [Math.max(own.width, home.width), Math.max(own.height, home.height)];
      if (height < 43.5 || width < 43.5) note(`target of ${Math.round(width)} × ${Math.round(height)} px`, e);
    }
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.set(`the page is ${wide} px too wide`, "");
  return [...found].map(([what, text]) => (text ? `${what}: “${text}”` : what));
}
