package e2e

import "testing"

const runtimesScript = `
const kept = new Map<string, string>();
let clock = 0;
const table = {
  rows: [["matmul", 64, 1e6, 20, 140], ["matmul", 128, 8e6, 20, 140]], mb: { mini: [60, 70] },
};
const storage = { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v) };
const world = {
  performance: { now: () => clock }, localStorage: storage, document: { baseURI: "http://h/" },
  burstscopeAssets: { files: { "costs.json": "c" } }, fetch: async () => ({ ok: true, json: async () => table }),
};
for (const [name, value] of Object.entries(world)) Object.defineProperty(globalThis, name, { value });
const { startRuntimes, timeLeft } = require("./page/runtimes");
const scenario = (size: number) => ({ workload: { name: "matmul", size }, machine: { preset: "mini" } });
let told = () => {};
const page = {
  on: (_: unknown, f: () => void) => (told = f), emit: () => {}, settings: { scenario: scenario(512) },
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
same("before the costs are read", page.runTakes(), "");
setTimeout(() => {
  const memory = ", and 60 to 70 MB as shipped programs on this GPU";
  // 512 million warp instructions of 20 and twice 140 ns are 154 s, and 2.8 times that in WebAssembly.
  same("before any run", page.runTakes(), "perhaps 7 min on a server" + memory);
  same("of a short run", page.runTakes(scenario(64)), "");
  page.data.scenario = scenario(128);
  same("at once", run(1, 0.5, 1000, 2000), ", perhaps 7 s on a server" + memory);
  // That took 2 s, natively 2.4.
  same("after another run", page.runTakes(), "perhaps 2 min by the speed of earlier runs here" + memory);
  page.data.scenario = scenario(512);
  same("half way", run(2, 0.5, 20000, 41000), ", about 20 s left");
  same("after a long run", page.runTakes(), "some 41 s here");
  same("of a short run", page.runTakes(scenario(128)), "");
  page.data.kept = ["A"];
  same("little is done", run(3, 0.01, 20000, 21000), ", some 41 s here");
  same("a side was kept", page.runTakes(), "some 41 s here");
  Object.assign(page.run, { number: 4, phase: "running", progress: { fraction: 0.5 } });
  startRuntimes(page);
  clock += 20000;
  page.run.progress = { fraction: 0.75 };
  same("a run that was under way before", page.timeLeft(), ", about 20 s left");
});
`

// TestTimeOfRuns: the page says how long a run still takes, what a long one took when its program is set again, and
// what one may take that none here was like.
func TestTimeOfRuns(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, runtimesScript)
}
