// The cividis scale (readable with any colour vision), for style sheets and pixels.

import { Cividis } from "./described";

export function cividisRGB(x: number): [number, number, number] {
  const [r, g, b] = Cividis(x);
  return [Math.round(r), Math.round(g), Math.round(b)];
}

export function cividis(x: number): string {
  return `rgb(${cividisRGB(x).join(" ")})`;
}
