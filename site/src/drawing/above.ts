// The described histogram of bytes above a multiple of MAG: its picture, its threshold, and why it has no bars.

import { count } from "../lib/format";
import { dragged } from "./cells";
import { Scene, type Above, type AboveChart } from "./described";
import { textWidth } from "./text";

// nothingAbove says it in a sentence; "" if there are bars.
export function nothingAbove(counts: Above): string {
  const [whole = 0, ...above] = counts.Bytes;
  if (above.some((n) => n > 0)) return "";
  const where = [`${count(counts.OneMAG)} fit in one burst`, `${count(whole)} fill whole bursts`, `${count(counts.Raw)} are stored raw`];
  return `No block ends above a multiple of ${counts.MAGBytes} B: of ${count(counts.All)} blocks ${where.join(", ")}. No threshold saves a burst here.`;
}

export function sceneOf(chart: AboveChart, width: number, height: number): Scene {
  const scene = new Scene();
  scene.Measure = textWidth;
  chart.AboveScene(scene, width, height);
  return scene;
}

// dragThreshold lets the pointer move the threshold.
export function dragThreshold(plot: SVGSVGElement, chart: AboveChart, set: (threshold: number) => void): void {
  dragged(plot, (e) => {
    const [threshold, ok] = chart.ThresholdAt(e.clientX - plot.getBoundingClientRect().left);
    if (ok) set(threshold);
  });
}
