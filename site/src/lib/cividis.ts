// The cividis scale (readable with any colour vision), as a table of points of
// the published colour map, interpolated.

const POINTS: readonly [number, number, number][] = [
  [0, 34, 78],
  [18, 53, 112],
  [59, 73, 108],
  [87, 93, 109],
  [112, 113, 115],
  [138, 134, 120],
  [165, 156, 116],
  [195, 179, 105],
  [225, 204, 85],
  [254, 232, 56],
];

export function cividisRGB(x: number): [number, number, number] {
  const t = Math.min(1, Math.max(0, x)) * (POINTS.length - 1);
  const i = Math.min(POINTS.length - 2, Math.floor(t));
  const f = t - i;
  const at = (c: 0 | 1 | 2): number => Math.round(POINTS[i]![c] * (1 - f) + POINTS[i + 1]![c] * f);
  return [at(0), at(1), at(2)];
}

export function cividis(x: number): string {
  return `rgb(${cividisRGB(x).join(" ")})`;
}
