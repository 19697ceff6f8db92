// How wide a text of a picture is, and its lines.

export const FAMILY = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

let context: OffscreenCanvasRenderingContext2D | undefined;

export function fontOf(size: number, bold: boolean): string {
  return `${bold ? 600 : 400} ${size}px ${FAMILY}`;
}

export function textWidth(words: string, size: number, bold: boolean): number {
  context ??= new OffscreenCanvas(1, 1).getContext("2d")!;
  context.font = fontOf(size, bold);
  return context.measureText(words).width;
}

// wrapped is a text in lines of at most so many letters, but for longer words.
export function wrapped(words: string, most: number): string[] {
  const all = [""];
  for (const word of words.split(" ")) {
    const last = all[all.length - 1]!;
    if (last !== "" && last.length + 1 + word.length > most) all.push(word);
    else all[all.length - 1] = `${last} ${word}`.trim();
  }
  return all;
}
