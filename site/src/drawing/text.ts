// How wide a text of a picture is.

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
