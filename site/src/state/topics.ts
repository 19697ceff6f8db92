// Topics tell the parts of the page what has changed.

export type Topic =
  | "scenario" // a knob or the chosen scenario changed
  | "lists" // the engine sent its lists
  | "run" // a run began or ended
  | "progress"
  | "results" // results to show changed
  | "events"
  | "series"
  | "blocks"
  | "output"
  | "source"
  | "lines"
  | "dram"
  | "phases"
  | "launches"
  | "inspected"
  | "past" // a cycle was reached by replay
  | "figures" // figures at the cursor, or at the end
  | "cursor" // cycle, speed or playing changed
  | "tab" // tab, side, picture or map colour changed
  | "select" // the selected block or phase changed
  | "map" // rows of the address map changed
  | "estimate" // an estimate came or went
  | "threshold" // the tried threshold changed
  | "theme"
  | "watched" // somebody is looking
  | "kernel" // the part of the reader's own kernel came on or went off
  | "lab" // the lab came on or went off, or its settings changed
  | "repro"; // the same of the reproduction

export class Topics {
  private listeners = new Map<Topic, (() => void)[]>();

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) {
      const list = this.listeners.get(topic) ?? [];
      list.push(listener);
      this.listeners.set(topic, list);
    }
  }

  emit(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }
}
