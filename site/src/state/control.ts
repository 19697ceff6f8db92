// Control is what others than a person at the controls may do with the page: the
// embed's messages, and scripts. The shell sets window.burstscopeControl.

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
  // apply sets what a fragment names and leaves the rest; on any problem nothing
  // is changed and the problems are answered.
  apply(fragment: string): string[];
  // say puts a message up, as for a link that could not be used whole.
  say(key: string, what: string, where: string): void;
  // fragment is that of the state now.
  fragment(): string;
}

declare global {
  interface Window {
    burstscopeControl?: Control;
  }
}
