// The editor of the reader's own kernel before it is opened: its script is fetched when it is
// first needed.

import { latePart } from "../engine/lateparts";
import type { Elements } from "../protocol/elements";
import type { Compiled, Contents } from "../protocol/kernel";
import type { Side } from "../protocol/side";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

export interface KernelHooks {
  messages: Messages;
  compile(file: string, source: string): Promise<Compiled>;
  contents(file: File, array: string): Promise<Contents>;
  elements(side: Side, name: string): Promise<Elements>;
  run(): void; // shows the simulator and runs the settings
}

declare global {
  interface Window {
    burstscopeKernel?: (page: Page, hooks: KernelHooks) => { take(file: File): void };
    burstscopeKernelFile?: File; // dropped before the editor was there
  }
}

// kernelLoader fetches the editor's script, once.
export function kernelLoader(page: Page, hooks: KernelHooks): () => void {
  return latePart(hooks.messages, "kernel", "The editor", "The simulator works without it.", () => {
    window.burstscopeKernel?.(page, hooks);
    page.emit("kernel");
  });
}
