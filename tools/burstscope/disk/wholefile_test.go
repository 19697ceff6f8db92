package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// A file that cannot be written completely leaves the earlier file unchanged, or no
// file, and no temporary file.
func TestFailedWriteKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.bin")
	full := func(w io.Writer) error {
		if _, err := w.Write([]byte("half")); err != nil {
			return err
		}
		return &os.PathError{Op: "write", Path: "elsewhere", Err: syscall.ENOSPC}
	}
	for _, before := range []string{"", "good"} {
		if before != "" {
			if err := Write(name, []byte(before)); err != nil {
				t.Fatal(err)
			}
		}
		err := WriteWith(name, full)
		if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "cannot write: "+name+": ") || !strings.Contains(err.Error(), "free some space") || strings.Contains(err.Error(), "permission") {
			t.Errorf("%v", err)
		}
		if before == "" && len(clitest.NamesIn(t, dir)) > 0 {
			t.Errorf("left behind: %v", clitest.NamesIn(t, dir))
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "good" || !slices.Equal(clitest.NamesIn(t, dir), []string{"out.bin"}) {
		t.Errorf("%q %v, with %v", got, err, clitest.NamesIn(t, dir))
	}
}

// A file that is replaced keeps its permissions, and a link still leads to it.
func TestReplacedFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := errors.Join(os.WriteFile(name, []byte("old"), 0o600), os.Symlink("a", link)); err != nil {
		t.Skip("no links here:", err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if target, _ := os.Readlink(link); err != nil || string(got) != "new" || info.Mode() != 0o600 || target != "a" {
		t.Errorf("%q %v, mode %v, link to %q", got, err, info.Mode(), target)
	}
	if err := Write(dir, nil); !errors.Is(err, syscall.EISDIR) || !strings.Contains(err.Error(), "not a folder") {
		t.Errorf("a folder: %v", err)
	}
	if err := Write(filepath.Join(dir, "nowhere", "x"), nil); err == nil || !strings.Contains(err.Error(), filepath.Join("nowhere", "x")) {
		t.Errorf("no folder: %v", err)
	}
	if err := Write(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s was replaced by a file: %v %v", os.DevNull, info, err)
	}
}
