// A scenario that this version does not have: the embed says so, and requests nothing for it.

import { OWN } from "../protocol/kernel";

// SCENARIOS are the names of the shipped scenarios (tools/build/bundle.go).
declare const SCENARIOS: readonly string[];

export const isShipped = (name: string): boolean => SCENARIOS.includes(name);

// unknownScenario is the error for a name of no scenario.
export function unknownScenario(name: string): { what: string; where: string; mend: string } | undefined {
  if (name === OWN || isShipped(name)) return undefined;
  return { what: `No scenario “${name.slice(0, 40)}”.`, where: "scenario", mend: `Use one of ${SCENARIOS.join(", ")}.` };
}
