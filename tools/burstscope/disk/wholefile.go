// Package disk reads and writes files whole: a name stands for the old file or for the new one at any moment.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	"github.com/burstscope/burstscope/tools/input"
)

// Write writes a file. If that fails, an earlier file of this name stays unchanged.
func Write(name string, b []byte) error {
	return WriteWith(name, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// WriteStored does the same and makes the folder if necessary. It replaces any file of
// the name, even a pipe.
func WriteStored(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return Fault("cannot write", err)
	}
	return replace(path, path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// WriteWith writes what fill writes to a file. The bytes go to a temporary file in
// the same folder, which is renamed when all bytes are on the disk: if the process or
// the machine stops at any moment, the name stands for the whole old file or the whole
// new one. A device or a pipe is written to directly. Every file of the command is
// written here.
func WriteWith(name string, fill func(io.Writer) error) error {
	target, err := replaceable(name)
	if err != nil {
		return Fault("cannot write", err)
	}
	if target == "" {
		return writeInPlace(name, fill)
	}
	return replace(target, name, fill)
}

// replace puts a new file in the place of target. Errors use the given name for it.
func replace(target, name string, fill func(io.Writer) error) error {
	f, err := createBeside(target)
	if err != nil {
		return Fault("cannot write", named(err, name))
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if old, absent := os.Lstat(target); err == nil && absent == nil && old.Mode().IsRegular() {
		err = os.Chmod(f.Name(), old.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		os.Remove(f.Name())
		return Fault("cannot write", named(err, name))
	}
	return nil
}

// replaceable follows links and returns the path of the regular file that a name stands
// for, existing or new; it returns "" for a device or a pipe. It refuses a read-only
// file, because a rename would replace it.
func replaceable(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return name, nil
	case err != nil:
		return "", err
	case info.IsDir():
		return "", &fs.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
	case !info.Mode().IsRegular():
		return "", nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(name)
}

// createBeside creates a file with an unused name in the folder of target, and removes those that killed processes have left
// there. The name begins with a dot, so that readers of a store skip it, and tells the process.
func createBeside(target string) (*os.File, error) {
	RemoveStale(filepath.Dir(target))
	for {
		name := filepath.Join(filepath.Dir(target), writingName(thisHost(), os.Getpid(), rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func writeInPlace(name string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return Fault("cannot write", err)
	}
	err = fill(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return Fault("cannot write", named(err, name))
	}
	return nil
}

// named replaces the name of a temporary file in an error by the caller's name.
func named(err error, name string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: name, Err: p.Err}
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return &fs.PathError{Op: l.Op, Path: name, Err: l.Err}
	}
	return err
}

// Fault describes a fault of a file: what, where, why, and what to do.
func Fault(what string, err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %s: %w: %s", what, p.Path, p.Err, mendFile(p.Err))
}

func mendFile(err error) string {
	if errors.As(err, new(input.NotRegular)) {
		return "name a file, or copy the contents to one"
	}
	for _, m := range []struct {
		err  error
		mend string
	}{
		{fs.ErrNotExist, "check the name"},
		{fs.ErrPermission, "check its permissions and those of its folder"},
		{syscall.ENOSPC, "free some space on its disk, or name a file on another disk"},
		{syscall.EDQUOT, "your share of the disk is used up: delete some files, or name a file on another disk"},
		{syscall.EFBIG, "raise the limit on the size of files (ulimit -f), or name a file on another disk"},
		{syscall.EROFS, "name a file in a folder that can be written"},
		{syscall.EISDIR, "name a file, not a folder"},
		{syscall.ENAMETOOLONG, "give it a shorter name"},
	} {
		if errors.Is(err, m.err) {
			return m.mend
		}
	}
	return "check the name and the disk"
}
