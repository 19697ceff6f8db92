// What the engine and the site offer.

import type { CounterInfo } from "../protocol/protocol";
import { FIRST_LISTS, SHIPPED_DEFAULT, type Lists, type Shipped } from "../protocol/scenario";
import type { Metric } from "./metrics";

export class Catalogue {
  version = ""; // of the engine, once it is ready
  lists: Lists = FIRST_LISTS;
  counters: Record<string, CounterInfo> = {};
  // Figures that METRICS lacks, made from the values of a result.
  figures = new Map<string, Metric>();
  shipped: Shipped[] = [SHIPPED_DEFAULT];
  listed: { name: string; title: string }[] = []; // scenarios that the owner of the site adds
}
