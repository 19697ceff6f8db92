// Notices a worker that says nothing while it computes. A browser may kill a worker
// without an event, for example for its memory.

// While an engine computes it reports every 60 ms (wasm/engine/engine.go). The longest
// pause of a run, compiling the largest program the engine accepts, takes some seconds on
// a phone.
export const SILENCE_SECONDS = 30;
const TICK_MS = 1000;

export class Silence {
  private seconds = 0; // since the last message
  private told = false;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private silent: () => void) {}

  // watch begins or ends the count. Only ticks of a page on show count, each as one
  // second: timers and workers of a page in the background stand still, and a machine
  // that slept has not waited.
  watch(on: boolean): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.seconds = 0;
    this.told = false;
    if (!on) return;
    this.timer = setInterval(() => {
      if (document.hidden || this.told || ++this.seconds < SILENCE_SECONDS) return;
      this.told = true;
      this.silent();
    }, TICK_MS);
  }

  // heard starts the count again, and answers whether the silence had been reported.
  heard(): boolean {
    const { told } = this;
    this.told = false;
    this.seconds = 0;
    return told;
  }

  get over(): boolean {
    return this.told;
  }
}
