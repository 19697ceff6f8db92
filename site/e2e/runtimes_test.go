package e2e

import "testing"

const runtimesScript = `
import { startRuntimes, timeLeft } from "./page/runtimes";

const kept = new Map<string, string>();
let clock = 0;
Object.defineProperty(globalThis, "performance", { value: { now: () => clock } });
const storage = { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v) };
Object.defineProperty(globalThis, "localStorage", { value: storage });
const scenario = (size: number) => ({ workload: { name: "matmul", size }, machine: { preset: "mini" } });
let told = () => {};
const page = {
  on: (_: unknown, f: () => void) => (told = f), settings: { scenario: scenario(512) },
  run: { number: 0, phase: "loading", progress: { fraction: 0 } },
  data: { scenario: scenario(512), kept: [] as string[] },
} as any;
startRuntimes(page);
const run = (number: number, fraction: number, after: number, end: number) => {
  Object.assign(page.run, { number, phase: "running", progress: { fraction } });
  told();
  clock += after;
  const left = timeLeft(page);
  clock += end - after;
  page.run.phase = "done";
  told();
  clock += 60000;
  told(); // what comes after the end takes no part
  return left;
};
same("before the first run", page.runTakes(), "");
same("at once", run(1, 0.5, 1000, 2000), "");
same("a short run", page.runTakes(), "");
same("half way", run(2, 0.5, 20000, 41000), ", about 20 s left");
same("after a long run", page.runTakes(), ": some 41 s here");
page.settings.scenario = scenario(256);
same("of another size", page.runTakes(), "");
page.settings.scenario = scenario(512);
page.data.kept = ["A"];
same("little is done", run(3, 0.01, 20000, 21000), "");
same("a side was kept", page.runTakes(), ": some 41 s here");
Object.assign(page.run, { number: 4, phase: "running", progress: { fraction: 0.5 } });
startRuntimes(page);
clock += 20000;
page.run.progress = { fraction: 0.75 };
same("a run that was under way before", page.timeLeft(), ", about 20 s left");
`

// TestTimeOfRuns: the page says how long a run still takes, and what a long one took when its program is set again.
func TestTimeOfRuns(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, runtimesScript)
}
