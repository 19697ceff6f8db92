// Paints a described picture as SVG elements: the markup that the description writes,
// read by the browser's XML reader, which runs nothing.

import type { Scene } from "./described";
import type { Inks } from "./inks";

// svgOf returns the elements of a scene in a group; id begins the names they use.
export function svgOf(scene: Scene, id: string, inks: Inks): SVGGElement {
  const markup = `<svg xmlns="http://www.w3.org/2000/svg"><g>${scene.SVG(id, inks)}</g></svg>`;
  const read = new DOMParser().parseFromString(markup, "image/svg+xml");
  return document.importNode(read.documentElement.firstElementChild!, true) as unknown as SVGGElement;
}
