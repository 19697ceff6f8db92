// Command build makes the page: it compiles the engine and the view to
// WebAssembly, bundles the TypeScript, packs the scenarios, runs the default
// scenario for the numbers that the page shows before the engine is loaded, and compares
// the sizes with the budget.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/guides"
	"github.com/burstscope/burstscope/tools/translate"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "root of the repository")
	flag.StringVar(&o.out, "out", "dist", "folder to write, relative to the root")
	flag.StringVar(&o.carry, "carry", "", "folder of an earlier build whose versions are copied; versions in the -out folder are always kept")
	flag.BoolVar(&o.compress, "compress", true, "write .br and .gz files and the size report")
	flag.BoolVar(&o.check, "check", false, "fail if a form of the page is over its budget (needs -compress)")
	flag.BoolVar(&o.quick, "quick", false, "compress the large files whose budgets leave room in seconds, not in a minute; their .br files are larger")
	flag.BoolVar(&o.patch, "patch", true, "patch the WebAssembly files; without it they are larger (tools/wasmlink)")
	flag.BoolVar(&o.worker, "worker", false, "build the Cloudflare Worker too, into wasm/edge/build")
	newest := flag.Bool("newest", false, "build only the engine, with the newest Go that the module proxy lists, and compare a run of it under node with a native one")
	sources := flag.Bool("sources", false, "write only the TypeScript that is made of Go (tools/translate)")
	flags := flag.Bool("flags", false, "write only the flags with which the page's programs are compiled, for GOFLAGS")
	flag.Parse()
	do := run
	switch {
	case *newest:
		do = func(o options) error { return tryNewest(o.root, os.Stdout) }
	case *flags:
		do = func(options) error { fmt.Println(strings.Join(compileFlags(), " ")); return nil }
	case *sources:
		do = func(o options) error { return translate.Write(o.root) }
	}
	if err := do(o); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

type options struct {
	root, out, carry string
	compress, check  bool
	quick            bool
	patch, worker    bool
}

// run makes the page. Every step reads the repository and writes files with plain names
// into a stage. The order matters only if a step reads the output of another. At the end
// the stage is published into dist.
func run(o options) error {
	root, dist := o.root, filepath.Join(o.root, o.out)
	cache := filepath.Join(root, ".cache")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(cache, "stage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	compiler, err := installed()
	if err != nil {
		return err
	}
	p := newPatcher(compiler, o.patch, func(line string) { fmt.Println("  " + line) })
	var posters []*embedPoster
	var early sync.WaitGroup
	steps := []struct {
		name string
		do   func() error
	}{
		{"scripts", func() error { return bundle(root, stage) }},
		{"engine", func() error {
			err := compileWasm(root, stage, "engine", p)
			if err == nil && o.compress {
				early.Go(func() { compressEarly(stage, cache) })
			}
			return err
		}},
		{"view", func() error { return compileWasm(root, stage, "view", p) }},
		{"kernels", func() error { return packKernels(stage) }},
		{"scenarios", func() error { return packScenarios(root, stage) }},
		{"lessons", func() error { return packLessons(stage) }},
		{"reproduction", func() error { return packRepro(root, stage) }},
		{"real data", func() error { return packData(root, stage) }},
		{"costs", func() error { return packCosts(root, stage) }},
		{"glue", func() error { return p.copyGlue(stage) }},
		{"posters", func() (err error) { posters, err = writeEmbedPosters(root, stage); return err }},
		{"page", func() error { return writePage(root, stage, posters) }},
		{"icons", func() error { return writeInstallable(root, stage) }},
		{"embed", func() error { return writeEmbed(root, stage, posters) }},
		{"one file", func() error { return writeSingle(stage, cache, experiment.Version) }},
	}
	for _, step := range steps {
		start := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Printf("  %-10s %5.1f s\n", step.name, time.Since(start).Seconds())
	}
	if err := clean(dist, experiment.Version); err != nil {
		return err
	}
	made, err := publish(stage, dist, experiment.Version)
	if err != nil {
		return fmt.Errorf("publishing: %w", err)
	}
	if err := writeCompanion(root, dist, posters); err != nil {
		return fmt.Errorf("companion page: %w", err)
	}
	if err := guides.Write(root, filepath.Join(dist, "guides")); err != nil {
		return fmt.Errorf("guides: %w", err)
	}
	if err := writeGallery(root, dist); err != nil {
		return fmt.Errorf("gallery: %w", err)
	}
	if err := carry(o.carry, dist); err != nil {
		return err
	}
	if err := writeVersions(dist, experiment.Version); err != nil {
		return err
	}
	if err := writeHostFiles(dist); err != nil {
		return err
	}
	if err := checkLinks(dist); err != nil {
		return err
	}
	pinned, err := pinnedGo(root)
	if err != nil {
		return err
	}
	enforced := !p.left && compiler.Version == pinned
	if o.worker {
		start := time.Now()
		gzipBytes, err := buildWorker(root, p)
		if err == nil && enforced {
			err = checkWorker(gzipBytes)
		}
		if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		fmt.Printf("  %-10s %5.1f s  %.1f kB after gzip, of %.1f kB\n", "worker", time.Since(start).Seconds(), kB(gzipBytes), kB(workerBudgetBytes))
	}
	if !o.compress {
		return nil
	}
	start := time.Now()
	early.Wait()
	report := &sizeReport{Go: compiler.Version, Patched: !p.left, Enforced: enforced}
	err = report.weigh(dist, cache, made, o.quick)
	if err == nil && o.quick && report.over() != "" {
		err = report.weigh(dist, cache, made, false)
	}
	if err != nil {
		return fmt.Errorf("sizes: %w", err)
	}
	fmt.Printf("  %-10s %5.1f s\n%s", "sizes", time.Since(start).Seconds(), report)
	if over := report.over(); o.check && over != "" {
		return errors.New(over)
	}
	return nil
}
