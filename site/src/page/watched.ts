// Whether somebody is looking. The moving picture costs megabytes and most of a core
// where there is no graphics hardware, so it waits for a pointer, a touch, a key or a
// scroll; focus alone may be the browser's doing. After a while it starts anyway, since
// some people only watch. Until then the built picture and the live numbers stand.

import type { Page } from "../state/page";

// After this time from the first run, a page counts as watched in any case. The page has
// long settled by then, whatever the machine.
const PATIENCE_MS = 8000;

const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "scroll"] as const;

export function startWatched(page: Page): void {
  let timer = 0;
  // The browser also tells of a scroll where it fits the page into a window, with the page at its top; and of a pointer
  // that rests, where the page moves below it.
  const unasked = ({ type, movementX, movementY }: PointerEvent): boolean =>
    (type === "scroll" && scrollY === 0) || (type === "pointermove" && !movementX && !movementY);
  const yes = (e?: Event): void => {
    if (page.watched || (e && unasked(e as PointerEvent))) return;
    page.watched = true;
    clearTimeout(timer);
    for (const sign of SIGNS) removeEventListener(sign, yes, true);
    page.emit("watched");
  };
  for (const sign of SIGNS) addEventListener(sign, yes, { capture: true, passive: true });
  page.on(["run"], () => {
    if (page.watched || timer !== 0 || page.run.phase !== "done") return;
    timer = setTimeout(yes, PATIENCE_MS);
  });
}
