package disk

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestStaleFiles: what a killed process has left is removed, and nothing else.
func TestStaleFiles(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run", "^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dead, own, host := ended.Process.Pid, os.Getpid(), thisHost()
	files := map[string]bool{ // whether the file stays
		writingName(host, dead, 1):       false,
		writingName(host, own, 2):        true,
		writingName(host+1, dead, 3):     true, // perhaps alive there
		".writing-0123456789abcdef":      true, // of an earlier version, and young
		".writing-notes":                 true,
		"a" + writingName(host, dead, 4): true,
	}
	old := map[string]bool{
		writingName(host+1, dead, 5): false,
		writingName(host, own, 6):    true, // its process lives
		".writing-fedcba9876543210":  false,
		".writing-old notes":         true,
	}
	dir := t.TempDir()
	folders := []string{filepath.Join(dir, experiment.Version), filepath.Join(dir, experiment.Version, ".states"), filepath.Join(dir, "plain")}
	for _, folder := range folders {
		for _, set := range []map[string]bool{files, old} {
			for name := range set {
				if err := WriteStored(filepath.Join(folder, "x"), nil); err != nil { // looks at the folder before the others are there
					t.Fatal(err)
				}
				looked.Delete(folder)
				if err := os.WriteFile(filepath.Join(folder, name), []byte("half"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		for name := range old {
			at := time.Now().Add(-staleAfter - time.Hour)
			if err := os.Chtimes(filepath.Join(folder, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(filepath.Join(folder, writingName(host, dead, 7)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range folders[:2] {
		RemoveStale(folder)
	}
	if err := Write(filepath.Join(folders[2], "trace.json"), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		left := clitest.NamesIn(t, folder)
		for _, set := range []map[string]bool{files, old} {
			for name, stays := range set {
				if slices.Contains(left, name) != stays {
					t.Errorf("%s: %s: want it there: %v", folder, name, stays)
				}
			}
		}
	}
}
