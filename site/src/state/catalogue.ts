// The lists that the engine and the site offer.

import type { CounterInfo } from "../protocol/protocol";
import { listsOf, SHIPPED_DEFAULT, type Lists, type Shipped } from "../protocol/scenario";
import type { Metric } from "./metrics";

export class Catalogue {
  version = ""; // of the engine, once it is ready
  lists: Lists = listsOf();
  counters: Record<string, CounterInfo> = {};
  // Figures beside the table of metrics, made from what a result holds.
  figures = new Map<string, Metric>();
  shipped: Shipped[] = [SHIPPED_DEFAULT];
  listed: { name: string; title: string }[] = []; // scenarios that the owner of the site adds
}
