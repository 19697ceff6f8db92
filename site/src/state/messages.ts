// Messages: one clear sentence for each fault. It stands where the user looks, says how to
// mend the fault, and can be dismissed.

import { button, byId, h } from "../lib/dom";
import type { Fault } from "../protocol/protocol";
import type { Page } from "./page";

export interface Remedy {
  label: string;
  run(): void;
}

export class Messages {
  private shown = new Map<string, { fault: Fault; element: HTMLElement }>();

  constructor(private page: Page) {}

  // show puts a message up. A message with the same key replaces the one
  // before, so that a fault that recurs stays one message.
  show(key: string, fault: Fault, remedy?: Remedy, mild = false): void {
    this.clear(key);
    const element = h("div", { class: mild ? "message mild" : "message", "data-key": key },
      h("p", {},
        h("b", {}, fault.what),
        fault.where ? h("span", { class: "where" }, ` ${fault.where}`) : undefined,
        fault.mend ? h("span", {}, ` ${fault.mend}`) : undefined,
      ),
      remedy && button(remedy.label, () => {
        this.clear(key);
        remedy.run();
      }),
      button("×", () => this.clear(key), { class: "plain", "aria-label": "Dismiss" }),
    );
    byId("messages").append(element);
    this.shown.set(key, { fault, element });
    if (!mild) this.page.status.error = fault;
    this.list();
  }

  clear(key: string): void {
    const m = this.shown.get(key);
    if (!m) return;
    m.element.remove();
    this.shown.delete(key);
    if (this.page.status.error === m.fault) this.page.status.error = null;
    this.list();
  }

  private list(): void {
    this.page.status.messages = [...this.shown.values()].map((m) => m.fault);
  }
}

// saveButton makes a file, or says why there is none.
export function saveButton(messages: Messages, id: string, label: string, make: () => unknown): HTMLButtonElement {
  const what = "The file could not be made:";
  const failed = (e: unknown): void =>
    messages.show("file", { what, where: `${String(e)}.`, mend: "Choose another file type." });
  return button(label, () => Promise.resolve().then(make).catch(failed), { id });
}

// say tells assistive technology something that sighted users see anyway.
export function say(sentence: string): void {
  byId("live").textContent = sentence;
}
