// Maps of blocks: how many cells a row has, how keys move among them, and which rows are on show.

export const COLUMNS = 64;

export const CELL_STEPS: Record<string, number> = {
  ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS, PageUp: -16 * COLUMNS, PageDown: 16 * COLUMNS,
};

// firstRow is the first of so many rows on show if a row is to be among them, and the present first row if it is.
export function firstRow(row: number, first: number, rows: number): number {
  return Math.max(row - rows + 1, Math.min(first, row));
}

export const LEAST_ROWS = 4; // on show
const OVERVIEW_ROW = 4; // most CSS pixels of a row of the overview

// chooseRows lets a drag over the overview choose the rows on show. A press without one asks for as many as fit (0),
// around a row.
export function chooseRows(
  overview: HTMLElement, total: () => number, show: (row: number, rows: number, around: boolean) => void,
): void {
  let from = 0;
  const rowAt = (e: PointerEvent): number => {
    const r = overview.getBoundingClientRect();
    const used = Math.min(r.height, total() * OVERVIEW_ROW);
    return Math.max(0, Math.min(total(), Math.round(((e.clientY - r.top) / used) * total())));
  };
  dragged(overview, (e, begins) => {
    const row = rowAt(e);
    if (begins) from = row;
    const span = Math.abs(row - from);
    if (!begins) show(Math.min(row, from), span < LEAST_ROWS ? 0 : span, false);
  });
  overview.addEventListener("pointerup", (e) => {
    const row = rowAt(e);
    if (Math.abs(row - from) < LEAST_ROWS) show(row, 0, true);
  });
}

// hovered tells of the cell under the pointer, and of a press on one.
export function hovered(
  canvas: HTMLElement, hit: (e: MouseEvent) => number | undefined,
  over: (cell: number | undefined) => void, pick: (cell: number) => void,
): void {
  canvas.addEventListener("pointermove", (e) => over(hit(e)));
  canvas.addEventListener("pointerleave", () => over(undefined));
  canvas.addEventListener("click", (e) => {
    const cell = hit(e);
    if (cell !== undefined) pick(cell);
  });
}

// dragged follows the pointer from where it is pressed.
export function dragged(e: HTMLElement | SVGElement, move: (e: PointerEvent, begins: boolean) => void): void {
  const on = (name: string, then: (p: PointerEvent) => void): void => e.addEventListener(name, then as EventListener);
  on("pointerdown", (down) => {
    e.setPointerCapture(down.pointerId);
    move(down, true);
    down.preventDefault();
  });
  on("pointermove", (p) => {
    if (e.hasPointerCapture(p.pointerId)) move(p, false);
  });
}
