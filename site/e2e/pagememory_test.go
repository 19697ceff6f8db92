package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/tools/serve/static"
)

// memoryVariable names the built pages that TestPageMemory measures, separated by colons; ./build.sh bench
// memory sets it.
const memoryVariable = "BURSTSCOPE_MEMORY_OF"

// memoryScenarios are the shipped ones, and a program that fills the L2 of a large GPU.
var memoryScenarios = []string{"s=tp", "s=bs", "s=dct", "s=vecadd", "s=matmul", "s=tp&workload.size=1024"}

// TestPageMemory prints how much memory the engines of each page have, in MB, after a run of both sides and after
// two cycles of its past: for every preset and every shipped scenario. It takes minutes, so the whole
// test run leaves it out.
func TestPageMemory(t *testing.T) {
	if os.Getenv(memoryVariable) == "" {
		t.Skip("run ./build.sh bench memory")
	}
	for _, folder := range filepath.SplitList(os.Getenv(memoryVariable)) {
		files, err := static.Handler(folder)
		if err != nil {
			t.Fatal(err)
		}
		server := newServer(files)
		defer server.Close()
		t.Logf("%s: memory of the engines with the past of both sides, MB, and how many engines", folder)
		t.Logf("%-10s %s", "preset", strings.Join(memoryScenarios, "  "))
		for _, name := range preset.Names() {
			t.Run(name, func(t *testing.T) {
				b := launch(t, withoutGraphics)
				row := fmt.Sprintf("%-10s", name)
				for _, s := range memoryScenarios {
					row += fmt.Sprintf(" %*s", len(s)+1, b.engineMemory(t, fmt.Sprintf("%s/#v=1&%s&machine.preset=%s&picture=plain", server.URL, s, name)))
				}
				t.Log(row)
			})
		}
	}
}

// engineMemory opens a page of its own, so that no memory is left of another run.
func (b *browser) engineMemory(t *testing.T, url string) string {
	p := b.openLean(t, url)
	defer p.do(chromedp.Navigate("about:blank"))
	p.wait(`S.phase === "done" || S.phase === "error"`)
	if p.state().Phase == "error" {
		return "refused"
	}
	end := int(p.state().Cycles)
	p.seek(end/3, 1536, false, false)
	last := p.seek(2*end/3, 1536, false, false)
	engines := max(p.state().Engines, 1)
	memory := max(last["A"].MemoryBytes, last["B"].MemoryBytes)
	if engines == 2 {
		memory = last["A"].MemoryBytes + last["B"].MemoryBytes
	}
	return fmt.Sprintf("%.0f (%d)", memory/1e6, engines)
}
