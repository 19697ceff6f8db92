package main

// script is one file that bundle makes of TypeScript or CSS.
type script struct{ from, to string } // below site/; without the ending

// scripts are the entry points of the page. A new one is a line here; the page
// gets its URL by asset("NAME.js"), or by src="NAME.js" in an HTML file.
var scripts = []script{
	{"src/page/shell.ts", "shell"},
	{"src/page/panels.ts", "panels"},
	{"src/page/later.ts", "later"},
	{"src/kernel/page.ts", "kernel"},
	{"src/lab/page.ts", "lab"},
	{"src/lab/fitmap.ts", "fitmap"},
	{"src/lessons/page.ts", "lesson"},
	{"src/l1/page.ts", "l1"},
	{"src/picture/dramcharts.ts", "dram"},
	{"src/buddy/page.ts", "buddy"},
	{"src/launches/page.ts", "launches"},
	{"src/output/page.ts", "output"},
	{"src/engine/worker.ts", "engine-worker"},
	{"src/engine/pair.ts", "pair"},
	{"src/explain/view.ts", "explain"},
	{"src/reproduction/page.ts", "repro"},
	{"src/export/dialog.ts", "export"},
	{"src/picture/view.ts", "view"},
	{"src/page/single.ts", "single"},
	{"src/page/serviceworker.ts", "sw"},
	{"style.css", "style"},
	{"src/embed/element.ts", "burst-scope"},
	{"src/embed/embed.ts", "embed"},
	{"src/embed/live.ts", "embed-live"},
	{"src/embed/dialog.ts", "embedding"},
	{"embed.css", "embed"},
}

// forms are the parts of the page that arrive separately, with what each may
// weigh compressed (design: shell 100 kB, engine 900 kB, view 2.8 MB).
// The engine's 900 kB were measured on an engine of 3.5 MB without the PTX front
// end. Go's runtime and fmt alone take about 560 kB; the instruction set with its
// matrix instructions some 300 kB, the readers, survey and explanations of data about
// 150 kB, and inlining with a profile 20 kB for a sixth more speed. LATTE-CC, RFVP and the seventeen
// programs of their papers came with some 80 kB, and Buddy Compression with its profile, link and proxies some 25.
// Textures, stored runs, loop perforation (13 kB) and the search for the predicted lines behind a wrong value
// brought it from 1,592 to 1,645 kB; packing (pack.go) took it from 1,641 to 1,210 kB. Direct
// jumps (flow) take some 12 kB, modules of codecs, programs on short formats and blocks of 64 bytes some 30.
// Without inlined calls in the table of functions (inlined.go) it is 71 kB smaller, with fewer instructions (peephole) 13. What excludes
// what, with the nearest legal settings, takes 3. The figures of launches, in traces too, and power over time take 13.
// Lanes that run apart, hints to the caches, video instructions, bulk copies, the reasons of refusals, and own programs
// with a host part take 66. wgmma, mma.sp, tensor maps, clusters, and printf, assert and malloc take 50,
// the sanitizer, setmaxnreg and hoppergemm 12. Three presets, streams, and five programs whose threads wait for each
// other take 19; the end of a wait for a stale line, and names of deadlocks over CTAs, some 3; the list scheduler and
// words about each instruction some 8; intervals, readings and rooms of systems some 5. A profile of more
// samples inlines more: 14, and up to 5 % faster. Rates of RFVP for launches, sets of E2MC's c-LUT, scalar loads, more
// forms of Hopper's copies and more of ONNX and TensorFlow Lite take 5. The ledger's data have intervals, too, and the
// two hashes of each run of other readings, 64 bytes.
// Kept tensor maps, copies told that store or reduce, and jobs of a millisecond take 3.
// Of the programs' kernels the form holds those of the default scenario. The budget here is an upper limit.
// The output comes later than the shell, with the cards of the systems and the guide of a first run.
var forms = []struct {
	name        string
	files       []string // as in the tree
	budgetBytes int
}{
	{"shell", []string{"index.html", "shell.js", "panels.js", "style.css", "icon.svg", "scenarios/index.json"}, 95_200},
	{"engine", []string{"engine.wasm", "engine-worker.js", "pair.js", "wasm_exec.js", "kernels/" + defaultProgram + ".js"}, 1_560_000},
	{"later", []string{"later.js", "later.css"}, 40_000},
	{"kernel", []string{"kernel.js", "kernel.css"}, 46_000},
	{"lab", []string{"lab.js", "lab.css"}, 25_500},
	{"real data", []string{"data/index.json", "data/speech-state-bf16.json"}, 130_000}, // of a first visit
	{"fit maps", []string{"fitmap.js", "fitmap.css"}, 8_000},
	{"lessons", []string{"lesson.js", "lesson.css", "lessons/index.json"}, 40_000},
	{"inspector", []string{"explain.js", "explain.css"}, 16_000},
	{"export", []string{"export.js"}, 20_000},
	{"L1", []string{"l1.js", "l1.css"}, 12_000},
	{"DRAM", []string{"dram.js", "dram.css"}, 12_000},
	{"capacity", []string{"buddy.js", "buddy.css"}, 10_000},
	{"launches", []string{"launches.js", "launches.css"}, 10_000},
	{"values", []string{"output.js", "output.css"}, 10_000},
	{"reproduction", []string{"repro.js", "repro.css"}, 60_000},
	{"its data", []string{"repro/index.json", "repro/claims-own.json", "repro/claims-calibrated.json", "repro/figures-own.json", "repro/figures-calibrated.json", "repro/silicon.json", "repro/formats.json"}, 400_000},
	{"element", []string{"burst-scope.js"}, 10_000},
	{"embed", []string{"embed.html", "embed.js", "embed.css", "posters/dct.svg"}, 40_000}, // before a click
	{"embed live", []string{"embed-page.js", "embed-live.js"}, 30_000},
	{"embed dialog", []string{"embedding.js"}, 15_000},
	{"view", []string{"view.wasm", "view.js", "view.html"}, 2_800_000},
	{"one file", []string{singleFile}, 7_000_000}, // as it lies on a disk
}

// designed are the budgets of the original design in bytes; the report shows them beside
// the enforced budgets.
var designed = map[string]int{"shell": 100_000, "embed": 40_000, "engine": 900_000, "view": 2_800_000, "one file": 7_000_000}

// roomy are the large files that are in no form, or in one far below its budget.
var roomy = []string{"view.wasm", "engine.wasm.js"}

// notInSingle are files that the one-file form does not use, although they are made before it.
var notInSingle = []string{"single.js", "engine.wasm.js", "embed.js", "embed.css", "embed-live.js", "embed-page.js", "embedding.js"}

// notKept are assets that are not needed without a network either.
var notKept = []string{"single.js", "engine.wasm.js"}

// inner are the HTML files that only frames load. They are requested by asset and
// published like scripts.
var inner = []string{"view.html"}

// public are the other files that keep their names, because browsers, other
// people's pages or scripts name them (patterns of path.Match). Every
// *.html that is not inner keeps its name too.
var public = []string{serviceWorker, singleFile, "manifest.webmanifest", "icon-*.png", "scenarios/*", "lessons/*", "burst-scope.js", "posters/*"}

// asWell are public files that the page also requests by asset, so that it gets the files
// of its own build.
var asWell = []string{"scenarios/index.json", "lessons/index.json"}
