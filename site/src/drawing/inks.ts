// What the colours of the described pictures look like: the tokens of style.css, as
// the theme has them now.

import { cividis } from "./cividis";
import { Magnitude, type Colour } from "./described";
import { ink } from "../lib/dom";

// In the order of the colours of render/model.
export const TOKENS = ["paper", "ink", "muted", "rule", "panel", "accent", "fetched", "approx", "meta", "raw", "buddy"] as const;

export type Inks = (colour: Colour, level: number) => string;

// inks reads the tokens once; a picture asks for hundreds.
export function inks(): Inks {
  const known = TOKENS.map((name) => ink(name));
  return (colour, level) => (colour === Magnitude ? cividis(level) : known[colour]!);
}
