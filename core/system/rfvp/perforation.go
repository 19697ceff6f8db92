package rfvp

import (
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/system"
)

// PerforationEntry skips iterations of the loops around approximate loads. It changes the program and not the machine:
// experiment.Study loads the text that approximate.Perforate makes.
var PerforationEntry = system.Entry{
	Group: "loads", Name: Perforation, Title: "loop perforation", About: "No load is predicted: loops around approximate loads skip a share of their iterations, which RFVP compares itself with (section 6.1).",
	Settings: []system.Setting{
		{Name: "skip", Title: "skipped iterations", Unit: "thousandths", Low: 1, High: 999, Default: 500, About: "Iterations that do not run, evenly spread: 500 is every second one."},
		{Name: "which", Title: "approximate loads", Optional: true, Check: func(text string) error { _, err := approximate.Parse(text); return err }, Mend: approximate.Mend,
			About: "Loads whose innermost loops skip: marked, safe, all, or KERNEL:LINES and KERNEL:BUFFERS. Without it: the loads behind .pragma \"approximate\", or else those of safe buffers."},
	},
	Approximates: true,
}

// Perforation is the name of the entry that skips iterations of loops.
const Perforation = "perforation"
