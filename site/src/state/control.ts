// Control is the way in which scripts and the embed's messages use the page. The shell
// sets window.burstscopeControl.

import type { Page } from "./page";

export interface Control {
  readonly page: Page;
  run(): void;
  play(on: boolean): void;
  seek(cycle: number): void;
  // end is the last cycle of the timeline, 0 before a run.
  end(): number;
  // leaveView takes pointer and keys from the moving picture, if it has them.
  leaveView(): boolean;
  // apply sets the values that a fragment names and leaves the rest. If there is any
  // problem, it changes nothing and returns the problems.
  apply(fragment: string): string[];
  // say shows a message, as for a link that was used in part.
  say(key: string, what: string, where: string): void;
  // fragment is that of the state now.
  fragment(): string;
}

declare global {
  interface Window {
    burstscopeControl?: Control;
  }
}
