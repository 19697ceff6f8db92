package rfvp

import (
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/workload"
)

// PerforationEntry skips iterations of the loops around approximate loads. It changes the program and not the machine.
var PerforationEntry = system.Entry{
	Group: "loads", Name: Perforation, Title: "loop perforation", About: "No load is predicted: loops around approximate loads skip a share of their iterations, which RFVP compares itself with (section 6.1).",
	Settings: []system.Setting{
		{Name: "skip", Title: "skipped iterations", Unit: "thousandths", Low: 1, High: 999, Default: 500, About: "Iterations that do not run, evenly spread: 500 is every second one."},
		{Name: "which", Title: "approximate loads", Optional: true, Check: func(text string) error { _, err := approximate.Parse(text); return err }, Mend: approximate.Mend,
			About: "Loads whose innermost loops skip: marked, safe, all, or KERNEL:LINES and KERNEL:BUFFERS. Without it: the loads behind .pragma \"approximate\", or else those of safe buffers."},
	},
	Approximates: true, Rewrite: perforate,
}

// perforate returns the text of a program whose loops skip iterations.
func perforate(p system.Part, program *workload.Program, loaded *approximate.Program) ([]byte, error) {
	if len(program.Modules) > 0 {
		return nil, fault.At("loads.policy",
			"loops are perforated in programs of one module without fills and copies", "use another policy")
	}
	which, err := approximate.Parse(p.Word("which"))
	if err != nil {
		return nil, fault.At("loads.which", err.Error(), approximate.Mend)
	}
	list, err := which.Loads(loaded)
	if err != nil {
		return nil, fault.At("loads.which", err.Error(), approximate.Mend)
	}
	perforated, err := approximate.Perforate(string(program.PTX), loaded.Launches, list, p.Int("skip"))
	if err != nil {
		return nil, fault.At("loads.which", err.Error(),
			"name a load in a loop without barriers, whose end does not depend on loaded values")
	}
	return []byte(perforated.Text), nil
}

// Perforation is the name of the entry that skips iterations of loops.
const Perforation = "perforation"
