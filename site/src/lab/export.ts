// Files that leave the lab. Each says which version made it, of which data (by
// their hash), and with which settings.

import { type LabSettings, LAB_MAGS } from "../state/lab";
import type { LabDone } from "../protocol/lab";
import { CLASSES, aboveMAG, classRatio, effectiveRatio, inClasses, rawRatio } from "./math";
import { figureFile } from "../drawing/figurefile";
import type { Palette } from "../drawing/plot";
import { svg } from "../lib/dom";
import { csvOf, type Picture } from "../lib/files";

export interface Stamp {
  version: string;
  data: string; // name of the file or of the data set
  result: LabDone;
  settings: LabSettings;
  link: string;
}

export function stampLines(s: Stamp): string[] {
  const { codec, mag, threshold } = s.settings;
  return [
    `Burstscope ${s.version}, data lab`,
    `${s.data}, ${s.result.bytes} bytes as ${s.result.format}, SHA-256 ${s.result.sha256}`,
    `codec ${codec}, MAG ${mag} B, threshold ${threshold} B`,
    s.link,
  ];
}

// csv has a row for each codec, the stamp in comment lines before.
export function csv(s: Stamp): string {
  const { result, settings } = s;
  const head = ["codec", "blocks", "bits", "ratio", ...LAB_MAGS.map((m) => `ratioMAG${m}`), `ratioCutMAG${settings.mag}T${settings.threshold}`];
  const sizes = Array.from({ length: 129 }, (_, i) => `bytes${i}`);
  const rows = result.codecs.map((c) => [
    c.name,
    result.blocks,
    c.bits,
    rawRatio(c, result.blocks).toFixed(4),
    ...LAB_MAGS.map((m) => effectiveRatio(c, result.blocks, m).toFixed(4)),
    effectiveRatio(c, result.blocks, settings.mag, settings.threshold).toFixed(4),
    ...c.bytes,
  ]);
  return csvOf(stampLines(s), [...head, ...sizes], rows);
}

export function json(s: Stamp): string {
  const { result, settings } = s;
  return JSON.stringify(
    {
      version: s.version,
      link: s.link,
      data: { name: s.data, sha256: result.sha256, bytes: result.bytes, format: result.format, arrays: result.arrays, arrayCount: result.arrayCount },
      settings: { codec: settings.codec, magBytes: settings.mag, thresholdBytes: settings.threshold },
      blocks: result.blocks,
      paddedBytes: result.paddedBytes,
      values: result.values,
      entropy: result.bounds,
      codecs: result.codecs.map((c) => ({
        name: c.name,
        bits: c.bits,
        ratio: rawRatio(c, result.blocks),
        effectiveRatio: Object.fromEntries(LAB_MAGS.map((m) => [m, effectiveRatio(c, result.blocks, m)])),
        effectiveRatioCut: effectiveRatio(c, result.blocks, settings.mag, settings.threshold),
        classBytes: CLASSES,
        classBlocks: inClasses(c),
        classRatio: classRatio(c, result.blocks),
        aboveMAG: aboveMAG(c, settings.mag, settings.threshold),
        blocksByBytes: [...c.bytes],
      })),
    },
    null,
    1,
  );
}

// figure is charts of the page as a file of their own; their styles are attributes.
export function figure(plots: SVGSVGElement[], s: Stamp, colours: Palette): Picture {
  const pieces = plots.map((p) =>
    ({ content: svg("g", {}, ...[...p.cloneNode(true).childNodes]), width: p.clientWidth, height: p.clientHeight }));
  const lines = stampLines(s);
  return figureFile("", pieces, lines.slice(0, -1), lines, colours);
}
