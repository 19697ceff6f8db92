// The state of the page. Each part owns its state and the functions that change it; Page
// joins them.

import { Catalogue } from "./catalogue";
import type { Estimated } from "../protocol/estimate";
import { Results, type Earlier } from "./results";
import { Run, subjectOf, type Origin, type OwnImage, type RunData } from "./run";
import { SIDES, type Side } from "../protocol/protocol";
import { valueOf, workloadInfo, type Full } from "../protocol/scenario";
import { LATE_TABS, firstSettings, type Settings, type Tab } from "./settings";
import { firstStatus, type Status } from "./status";
import { Topics } from "./topics";

export class Page extends Topics {
  settings: Settings = firstSettings();
  // moduleHashes holds the beginning of the SHA-256 of each module that was given here, by its base64: a
  // link names a module by it that it cannot hold.
  readonly moduleHashes = new Map<string, string>();
  readonly catalogue = new Catalogue();
  terms: ReadonlyMap<string, string> = new Map(); // the glossary, once the panels are there
  readonly run = new Run(structuredClone(this.settings.scenario), this.origin);
  readonly results = new Results(this.run.data.scenario, this.run.data.origin);
  readonly status: Status = firstStatus();
  ownImage: OwnImage | undefined;
  // The threshold somebody is trying on the histogram, before it is run.
  triedThreshold: number | undefined;
  // estimate is what the changed settings would do (settings/estimate.ts). It is no result.
  estimate: Partial<Record<Side, Estimated>> | undefined;
  // Whether somebody is looking, as far as the page can tell (page/watched.ts).
  watched = false;
  // recall finds the results of an earlier run of this visit by its settings (results/kept.ts).
  recall: (scenario: Full, image: OwnImage | undefined) => Earlier | undefined = () => undefined;
  // runTakes says what a run of the settings took before or may take, if that is long (page/runtimes.ts).
  runTakes: (s?: Full) => string = () => "";
  // timeLeft says how long the run in progress still takes (page/runtimes.ts).
  timeLeft: () => string = () => "";
  cycles = 0; // end of the timeline
  // Whether the address names another scenario or other settings, which wait for the engine:
  // only the engine knows all names.
  linkWaits = false;

  // has tells whether a side of the run or of the settings has something to show on a tab: phases of an L1 or predicted lines in it, or a link.
  has(tab: Tab): boolean {
    const paths = LATE_TABS[tab];
    return !paths || paths.some((path) => SIDES.some((side) => this.valueOf(side, path) ?? valueOf(this.settings.scenario, side, path)));
  }

  // valueOf is the value of a setting of the run, if the side's scheme has the setting.
  valueOf(side: Side, path: string): string | undefined {
    return valueOf(this.data.scenario, side, path);
  }

  // tab is the tab on show, if there is something to show.
  get tab(): Tab {
    return this.has(this.settings.tab) ? this.settings.tab : "bursts";
  }

  // image is the reader's own image, if the program of the settings takes one.
  get image(): OwnImage | undefined {
    return workloadInfo(this.catalogue.lists, this.settings.scenario.workload.name)?.image ? this.ownImage : undefined;
  }

  // origin is that of the settings.
  get origin(): Origin {
    return { shipped: this.settings.shipped, lesson: { ...this.settings.lesson }, image: this.image };
  }

  // changed tells whether the settings differ from those of the results on show.
  get changed(): boolean {
    const other = JSON.stringify(this.settings.scenario) !== JSON.stringify(this.results.scenario);
    return other || this.image !== this.results.origin.image;
  }

  // shows tells whether the results may stand under the name that the page shows: those of other settings only if they
  // are of a run of the same program.
  get shows(): boolean {
    const { results } = this;
    if (results.of === "nothing") return false;
    if (!this.changed) return results.ran || !this.linkWaits;
    return results.ran && subjectOf(results) === this.subject;
  }

  // subject is what the page names: that of the settings.
  get subject(): string {
    return subjectOf({ scenario: this.settings.scenario, origin: this.origin });
  }

  // hasRun tells whether the latest run is of what the page names.
  get hasRun(): boolean {
    return this.run.number > 0 && subjectOf(this.data) === this.subject;
  }

  // data holds the engine's messages about the latest run.
  get data(): RunData {
    return this.run.data;
  }
}
