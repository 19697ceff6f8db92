// Package input opens and reads the files that a person names. Every path of the command goes through it.
package input

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a file that is not a device, a pipe or a folder, and returns its size.
func Open(name string) (f *os.File, size int64, err error) {
	info, err := os.Stat(name) // before it is opened: a pipe would wait for its writer
	if err != nil {
		return nil, 0, err
	}
	if err := Regular(name, info); err != nil {
		return nil, 0, err
	}
	if f, err = os.Open(name); err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Regular returns an error for what is no regular file.
func Regular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: NotRegular{info.Mode()}}
}

// NotRegular is why an input is refused that is no file.
type NotRegular struct{ mode fs.FileMode }

func (n NotRegular) Error() string { return "it is a " + n.kind() + " and not a file" }

func (n NotRegular) kind() string {
	switch {
	case n.mode.IsDir():
		return "folder"
	case n.mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case n.mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// TooLarge is why an input is refused that has more bytes than are read.
type TooLarge struct{ Size, Limit int64 }

func (t TooLarge) Error() string {
	return fmt.Sprintf("it is too large: %d bytes, and at most %d are read", t.Size, t.Limit)
}

// Read reads a file of at most limit bytes. It takes memory for the size that the file states, once.
func Read(name string, limit int64) ([]byte, error) {
	f, size, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, TooLarge{size, limit}
	}
	var b bytes.Buffer
	b.Grow(int(size) + bytes.MinRead)
	// Some files state no size, such as those of /proc, and others grow.
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if size = int64(b.Len()); size > limit {
		return nil, TooLarge{size, limit}
	}
	return b.Bytes(), nil
}
