package sweep

import (
	"os"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// LoadFigure reads a figure by its name, in upper or lower case.
func LoadFigure(name string) (*claim.Figure, error) {
	if source, _ := claim.FigureSource(name); source == nil {
		return nil, cli.Usagef("unknown figure: %q: burstscope figure: name one of %s", name, strings.Join(claim.FigureNames(), ", "))
	}
	return claim.ReadFigure(name)
}

// FigureJobs returns the runs of a figure.
func FigureJobs(f *claim.Figure, reading *claim.Reading) ([]*claim.Job, error) {
	_, jobs, err := reading.Ledger(nil).Draw(f)
	return jobs, err
}

// Distinct returns jobs without repeats, in the order of the first.
func Distinct(jobs []*claim.Job) []*claim.Job {
	seen := map[string]bool{}
	return slices.DeleteFunc(jobs, func(j *claim.Job) bool {
		again := seen[j.Key]
		seen[j.Key] = true
		return again
	})
}

// ReadStore opens the store for verbs that only read. A folder named on the command
// line must exist.
func ReadStore(dir string, reading *claim.Reading) (*Store, error) {
	if dir != "" && dir != DefaultStore {
		if _, err := os.Stat(dir); err != nil {
			return nil, disk.Fault("no store", err)
		}
	}
	return OpenStore(StoreOf(dir, reading)), nil
}
