package buddy

import (
	"math"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// CopiesEntry is device memory with a host that copies over the link (section IV-B, FF_HPGMG).
var CopiesEntry = system.Entry{
	Group: "backing", Name: "copies", Title: "device memory and copies of the host",
	About: "All data lie in device memory. Between two launches the host copies over the link, and the launch waits " +
		"for it. The counters of the link leave the copies out.",
	Settings: []system.Setting{
		{Name: "copyKB", Title: "copies", Unit: "KB", High: 1 << 22, Default: 1024,
			About: "KB that the host copies between two launches, in each direction at once. The paper names programs with " +
				"such copies and no sizes [ours]."},
		linkSetting("gbPerSecond", 150, ""),
	},
	Idle: func(p system.Part, r *system.Counts) string {
		switch {
		case p.Int("copyKB") == 0:
			return "did nothing: it copies 0 KB"
		case r.Launches < 2:
			return "did nothing: the program has one launch, and copies lie between two"
		}
		return ""
	},
	Configure: func(p system.Part, g *parameter.GPU, _ *machine.Job) error {
		// KB over GB/s is in units of 1.024 us.
		cycles := float64(p.Int("copyKB")) / float64(p.Int("gbPerSecond")) * 1.024 * float64(g.CoreMHz)
		g.LaunchGapCycles += int(math.Ceil(cycles))
		return nil
	},
}
