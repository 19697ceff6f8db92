package machine

import (
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
)

// gtx480, gtx580 and mini are the presets most tests run on.
func gtx480() *parameter.GPU { return built("gtx480") }
func gtx580() *parameter.GPU { return built("gtx580v4") }
func mini() *parameter.GPU   { return built("mini") }

// built returns a preset.
func built(name string) *parameter.GPU {
	s, err := preset.GPU(name)
	if err != nil {
		panic(err)
	}
	return s
}

// presets are the names of all presets; in WebAssembly, which only has to give the same
// results, of one for each fabric and kind of memory.
func presets() []string {
	if testing.Short() {
		return []string{"gtx480", "gtx580b", "mini", "v100"}
	}
	return preset.Names()
}
