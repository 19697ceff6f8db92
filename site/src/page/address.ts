// Applies the link in the address bar to the page, and writes the page's state back into
// it.

import { EMBED_PREFIX } from "../links/embedoptions";
import { unpack } from "../links/packed";
import { applyScenario, applyView, writeFragment } from "../links/permalink";
import { problemsOf, readFragment, type Read } from "../links/fragment";
import type { RemoteLinks } from "../links/remotelinks";
import { followVersion } from "../links/versions";
import { FIRST } from "../protocol/first";
import { complete } from "../protocol/scenario";
import { FIRST_KERNEL } from "../state/kernel";
import { FIRST_LAB } from "../state/lab";
import { NO_LESSON } from "../state/lesson";
import { FIXED, isLocked, lockedChange } from "../state/locks";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";
import { partOf } from "../state/parts";
import { FIRST_REPRO } from "../state/reproduction";
import { NO_LOCKS, firstSettings } from "../state/settings";

const WRITE_MS = 250;

export interface AddressHooks {
  run(): void;
  keepCursor(): void; // the link says where it is
  freeCursor(): void; // no link says it any more
  showPart(): void;
  showLesson(): Promise<void>; // the one of the settings, or none
}

export class Address {
  private link: Read;
  private written = location.hash;
  private at = ""; // the place that was written last
  private ready = false; // the link is applied; from then on the page writes
  private following = 0;
  private remote!: RemoteLinks;
  private hooks!: AddressHooks;

  // The view of the link is set at once, so that all parts of the page begin with it.
  constructor(
    private page: Page,
    private messages: Messages,
  ) {
    this.link = readFragment(location.hash);
    applyView(this.link, page.settings);
    page.linkWaits = this.waits;
  }

  private get waits(): boolean {
    return this.named !== undefined || this.setsMore;
  }

  // named is the scenario that the link names, if that is not the one the page begins with.
  get named(): string | undefined {
    const name = this.link.pairs.get("s");
    return name === FIRST ? undefined : name;
  }

  // setsMore tells whether the link asks for more than a view of a scenario.
  private get setsMore(): boolean {
    return this.page.settings.lesson.name !== "" || [...this.link.pairs.keys()].some((key) => key !== "s" && !key.startsWith(EMBED_PREFIX));
  }

  // listed is called when the scenarios are known: one that the link names is on show.
  listed(): void {
    this.page.linkWaits = this.setsMore && !this.ready;
    this.page.emit("scenario");
  }

  // connect begins to write the state into the address bar, and to read the links that
  // somebody puts there.
  connect(remote: RemoteLinks, hooks: AddressHooks): void {
    this.remote = remote;
    this.hooks = hooks;
    const { page } = this;
    let timer = 0;
    const write = (): void => {
      timer = 0;
      if (!this.ready) return;
      this.written = writeFragment(page, !page.settings.playing);
      const place = this.place();
      // Scenarios and parts are places to go Back to; inside an embed the history is its host's.
      const goes = place !== this.at && this.at !== "" && self === top;
      this.at = place;
      if (this.written !== location.hash) history[goes ? "pushState" : "replaceState"](null, "", this.written);
    };
    page.on(["scenario", "tab", "select", "theme", "cursor", "figures", "map", "kernel", "lab", "repro"], () => {
      if (page.settings.playing && timer !== 0) return;
      clearTimeout(timer);
      timer = setTimeout(write, WRITE_MS);
    });
    addEventListener("hashchange", (e) => {
      // The page may have written its own since.
      const { hash } = new URL(e.newURL);
      if (hash !== this.written) void this.follow(hash);
    });
  }

  // place tells the scenario and the part on show.
  private place(): string {
    const { settings } = this.page;
    return [partOf(settings), settings.lesson.name || (settings.shipped.id ?? settings.shipped.name)].join(" ");
  }

  // write puts all of the state into the address bar now.
  write(): void {
    history.replaceState(null, "", writeFragment(this.page, true));
  }

  // unpack takes what the first link holds in its packed part, and goes to its version.
  async unpack(): Promise<void> {
    if (this.link.pairs.has("z")) {
      await unpack(this.link);
      applyView(this.link, this.page.settings);
      if (this.page.settings.cycle > 0) this.hooks.keepCursor();
      this.hooks.showPart();
    }
    await followVersion(this.link, this.messages);
  }

  // apply applies the first link, once the engine has sent its lists.
  async apply(): Promise<void> {
    // While it waits for what a link names, another link may take its place.
    for (let latest: Read | undefined; latest !== this.link; ) {
      const link = (latest = this.link);
      const id = this.remote.wanted(link);
      const asked = location.hash;
      const found = id === undefined || (await this.remote.fetch(id, () => void this.follow(asked)));
      if (found) await this.hooks.showLesson();
      else if (this.link === link) this.link = readFragment("");
    }
    this.ready = true;
    this.applyScenario();
  }

  private applyScenario(): void {
    applyScenario(this.link, this.page);
    this.page.linkWaits = false;
    if (this.link.problems.length > 0) {
      this.messages.show("link", {
        what: "Part of this link could not be used:",
        where: problemsOf(this.link),
        mend: "The rest of the link was applied.",
      });
    } else this.messages.clear("link");
    this.emitLinked();
  }

  private emitLinked(): void {
    for (const topic of ["scenario", "tab", "cursor", "theme"] as const) this.page.emit(topic);
  }

  // follow applies a fragment, and runs its scenario if that is another one. A scenario
  // that the site keeps is fetched first; the page stays as it is until it is there, and
  // also if it cannot be fetched.
  private async follow(fragment: string): Promise<void> {
    const next = readFragment(fragment);
    const mine = ++this.following;
    if (next.pairs.has("z")) await unpack(next);
    const id = mine === this.following ? this.remote.wanted(next) : undefined;
    const found = id === undefined || (await this.remote.fetch(id, () => void this.follow(fragment)));
    if (mine !== this.following) return;
    if (found) this.become(next);
    else history.replaceState(null, "", this.written);
  }

  private become(next: Read): void {
    const { page } = this;
    const { settings } = page;
    this.link = next;
    this.written = location.hash; // or the way Forward, to what was written before, would be taken for the page's own
    void followVersion(next, this.messages);
    const before = JSON.stringify(settings.scenario);
    const image = page.ownImage;
    settings.scenario = complete(settings.shipped.scenario);
    settings.kernel = { ...FIRST_KERNEL };
    settings.lab = { ...FIRST_LAB };
    // A point of a sweep that is opened does not end it.
    const { vary, values, both, vary2, values2 } = settings.repro;
    settings.repro = { ...FIRST_REPRO, ...(next.given.has("repro") ? {} : { vary, values, both, vary2, values2 }) };
    settings.locks = { ...NO_LOCKS };
    settings.lesson = { ...NO_LESSON };
    const { tab, side, map, dram, channel, l1, phase, addr, addrLinked, burst, figuresAtCursor, mapRow, mapRows, speed, ownSpeed } = firstSettings();
    Object.assign(settings, { tab, side, map, dram, channel, l1, phase, addr, addrLinked, burst, figuresAtCursor, mapRow, mapRows });
    if (!settings.playing) Object.assign(settings, { speed, ownSpeed });
    applyView(next, settings);
    if (next.given.has("cycle")) {
      settings.playing = false;
      this.hooks.keepCursor();
    }
    // Names can be checked only when the engine has sent its lists. apply then takes the
    // latest link.
    if (!this.ready) {
      page.linkWaits = this.waits;
      this.emitLinked();
      return this.hooks.showPart();
    }
    void this.hooks.showLesson().then(() => {
      this.applyScenario();
      this.hooks.showPart();
      this.at = this.place();
      if (partOf(settings) !== "simulator") return;
      if (settings.lesson.name === "" && JSON.stringify(settings.scenario) === before && page.ownImage === image) return;
      if (!next.given.has("cycle")) this.hooks.freeCursor();
      const earlier = page.recall(settings.scenario, page.image);
      if (earlier) page.results.restore(earlier);
      this.hooks.run();
    });
  }

  // open goes to a fragment. The browser's Back button leads to the address before it.
  open(fragment: string): void {
    history.pushState(null, "", fragment);
    this.written = fragment;
    void this.follow(fragment);
  }
}

// applyFragment sets the values that a fragment names and leaves the rest. If there is any
// problem, it changes nothing and returns the problems.
export function applyFragment(page: Page, fragment: string, seek: (cycle: number) => void): string[] {
  const { shipped, locks } = page.settings;
  const before = structuredClone(page.settings);
  const read = readFragment(fragment);
  applyView(read, page.settings);
  applyScenario(read, page);
  const asked = page.settings.locks;
  page.settings.locks = locks;
  const fixed =
    page.settings.shipped !== shipped && isLocked(page, "scenario")
      ? "scenario"
      : lockedChange(before.scenario, page.settings.scenario, (path) => isLocked(page, path));
  if (fixed) read.problems.push(`${fixed} is ${FIXED}`);
  if (read.problems.length > 0) {
    Object.assign(page.settings, before, { shipped, locks });
    return read.problems;
  }
  page.settings.locks = asked;
  const cycle = read.given.has("cycle") ? page.settings.cycle : undefined;
  for (const topic of ["scenario", "tab", "theme"] as const) page.emit(topic);
  if (cycle !== undefined) seek(cycle);
  else page.emit("cursor");
  return [];
}
