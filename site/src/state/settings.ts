// The settings. The fragment of the address holds them.

import type { Side } from "../protocol/protocol";
import { SHIPPED_DEFAULT, complete, type Full, type Shipped } from "../protocol/scenario";
import { FIRST_KERNEL, type KernelSettings } from "./kernel";
import { FIRST_LAB, type LabSettings } from "./lab";
import { NO_LESSON, type LessonLink } from "./lesson";
import { FIRST_REPRO, type ReproSettings } from "./reproduction";

// Locks hold paths of a scenario (core/scenario/view.go); a path stands for all below it.
export interface Locks {
  locked: string[];
  hidden: string[];
  free?: string[]; // of a lesson's step: everything else is locked, whatever there is
}

export const NO_LOCKS: Readonly<Locks> = { locked: [], hidden: [] };

export const TABS = ["bursts", "address", "mag", "dram", "output", "source", "l1", "buddy", "launches"] as const;
export type Tab = (typeof TABS)[number];

// Tabs that only some schemes have, with the setting that those schemes have.
export const LATE_TABS: Partial<Record<Tab, string[]>> = { l1: ["l1.phase", "loads.drop"], buddy: ["backing.gbPerSecond"] };

// Width of the picture, in CSS pixels, from which both sides fit beside each other.
export const BOTH_SIDES_FROM = 560;

export const MAP_COLOURS = ["bursts", "size", "touches", "mode"] as const;
export type MapColour = (typeof MAP_COLOURS)[number];

// What the tab DRAM shows.
export const DRAM_SHOWS = ["banks", "bandwidth", "queues", "row-hits", "bank-hits"] as const;

export type DramShow = (typeof DRAM_SHOWS)[number];

// What the tab L1 shows.
export const L1_SHOWS = ["modes", "tolerance", "capacity", "queue", "sets"] as const;

export type L1Show = (typeof L1_SHOWS)[number];

// PhasePlace is a phase of an SM of a side.
export interface PhasePlace {
  side: Side;
  sm: number;
  phase: number;
}

// Base cycles per second. At the first speed a burst crosses the picture's
// bus in about 0.7 s.
export const SPEED = { least: 1, most: 5_000_000, first: 64 };

export type ThemeChoice = "auto" | "light" | "dark";
export type Picture = "auto" | "moving" | "plain";

export interface PickedBurst {
  cycle: number;
  req: number;
  seenAt?: number; // the cursor's cycle then; where it moves, the burst is let go
}

export interface Settings {
  shipped: Shipped; // the scenario the knobs started from
  scenario: Full; // with the knobs applied
  tab: Tab;
  side: Side; // side shown where only one fits
  picture: Picture;
  cycle: number; // the cursor, in base cycles
  placed: boolean; // the page put the cursor there; a link does not name such a place
  speed: number; // base cycles per second
  ownSpeed: boolean; // somebody or a link chose it; else it shows the run in WATCH_SECONDS
  playing: boolean;
  figuresAtCursor: boolean; // results and chart as far as the cursor; else of the whole run
  addr: number | undefined; // selected block
  addrLinked: boolean; // a link selected it, for the next run
  burst: PickedBurst | undefined; // of it, if one was clicked
  map: MapColour;
  mapRow: number; // of the address map: the first shown in detail
  mapRows: number; // how many are, 0 = as many as can be read
  dram: DramShow;
  channel: number | undefined; // of DRAM; undefined = all, where all can be shown
  l1: L1Show;
  phase: PhasePlace | undefined; // explained on the tab L1
  theme: ThemeChoice;
  kernel: KernelSettings;
  modules: Partial<Record<Side, string>>; // hashes of the modules that the link could not hold
  lab: LabSettings;
  locks: Locks; // of the link
  repro: ReproSettings;
  lesson: LessonLink;
}

// firstSettings are those of a page without a link.
export function firstSettings(): Settings {
  return {
    shipped: SHIPPED_DEFAULT,
    scenario: complete(SHIPPED_DEFAULT.scenario),
    tab: "bursts",
    side: "B",
    picture: "auto",
    cycle: 0,
    placed: false,
    speed: SPEED.first,
    ownSpeed: false,
    playing: false,
    figuresAtCursor: false,
    addr: undefined,
    addrLinked: false,
    burst: undefined,
    map: "bursts",
    mapRow: 0,
    mapRows: 0,
    dram: "banks",
    channel: undefined,
    l1: "modes",
    phase: undefined,
    theme: "auto",
    kernel: { ...FIRST_KERNEL },
    modules: {},
    lab: { ...FIRST_LAB },
    locks: { ...NO_LOCKS },
    repro: { ...FIRST_REPRO },
    lesson: { ...NO_LESSON },
  };
}
