package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestASweepRemovesStaleFiles: what killed processes have left beside results and states is gone after a sweep.
func TestASweepRemovesStaleFiles(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{filepath.Join(dir, experiment.Version), filepath.Join(dir, experiment.Version,
		".states")} {
		name := filepath.Join(folder, ".writing-fedcba9876543210")
		at := time.Now().Add(-30 * 24 * time.Hour)
		err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(name, []byte("half"), 0o644), os.Chtimes(name, at,
			at))
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is still there: %v", name, err)
			}
		}()
	}
	mustCall(t, clitest.SweepArgs(dir)...)
}
