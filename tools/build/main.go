// Command build makes the page: it compiles the engine and the view to
// WebAssembly, bundles the TypeScript, packs the scenarios, runs the default
// scenario for the numbers a reader sees before anything is loaded, and weighs
// the result against the budget.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	root := flag.String("root", ".", "root of the tree")
	out := flag.String("out", "dist", "folder to write, relative to the root")
	compress := flag.Bool("compress", true, "write .br files and the size report")
	check := flag.Bool("check", false, "fail if a form of the page is over its budget (needs -compress)")
	flag.Parse()
	if err := run(*root, *out, *compress, *check); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// run makes the page. Every step reads the tree and writes to dist; the order
// matters only where a step reads what another wrote.
func run(root, out string, compress, check bool) error {
	dist := filepath.Join(root, out)
	if err := clean(dist); err != nil {
		return err
	}
	steps := []struct {
		name string
		do   func() error
	}{
		{"scripts", func() error { return bundle(root, dist) }},
		{"engine", func() error { return compileWasm(root, dist, "engine") }},
		{"view", func() error { return compileWasm(root, dist, "view") }},
		{"scenarios", func() error { return packScenarios(root, dist) }},
		{"page", func() error { return writePage(root, dist) }},
	}
	for _, step := range steps {
		start := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Printf("  %-10s %5.1f s\n", step.name, time.Since(start).Seconds())
	}
	if !compress {
		return nil
	}
	start := time.Now()
	report, err := weigh(dist, filepath.Join(root, ".cache", "brotli"))
	if err != nil {
		return fmt.Errorf("sizes: %w", err)
	}
	fmt.Printf("  %-10s %5.1f s\n%s", "sizes", time.Since(start).Seconds(), report)
	if over := report.over(); check && over != "" {
		return errors.New(over)
	}
	return nil
}

// kept is what other tools write into dist and a build leaves alone.
const kept = "screenshots"

// clean empties dist, so that nothing of an older build is served.
func clean(dist string) error {
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == kept {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dist, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
