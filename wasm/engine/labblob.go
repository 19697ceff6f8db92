//go:build js

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"syscall/js"
)

// blobPieceBytes is the part of a file that each reader holds in memory at a time.
const blobPieceBytes = 1 << 20

// blobReader reads a file of the page piece by piece. Its calls wait for the browser,
// so they must run in a goroutine.
type blobReader struct {
	blob  js.Value
	size  int64
	gone  func() bool // reports whether the survey was cancelled
	piece []byte
	at    int64 // offset of piece in the file
}

func newBlobReader(blob js.Value, gone func() bool) (*blobReader, error) {
	// A Blob, or what site/src/protocol/lentfile.ts makes of a file.
	if blob.Type() != js.TypeObject || blob.Get("slice").Type() != js.TypeFunction || blob.Get("size").Type() != js.TypeNumber {
		return nil, errors.New("there is no file in the message")
	}
	return &blobReader{blob: blob, size: int64(blob.Get("size").Float()), gone: gone}, nil
}

// name is the name of the file; a Blob that is no File has none.
func (b *blobReader) name() string { return text(b.blob, "name") }

// errNoFile is the error of a file that an index needs and the reader did not give.
var errNoFile = fmt.Errorf("%w in the page", fs.ErrNotExist)

// beside finds the files of an index among those that came with it. A page does not know
// their folders.
func beside(blobs js.Value, gone func() bool) func(name string) (io.ReaderAt, int64, error) {
	return func(name string) (io.ReaderAt, int64, error) {
		if blobs.Type() == js.TypeObject {
			for i := range blobs.Length() {
				if text(blobs.Index(i), "name") != path.Base(name) {
					continue
				}
				r, err := newBlobReader(blobs.Index(i), gone)
				if err != nil {
					return nil, 0, err
				}
				return r, r.size, nil
			}
		}
		return nil, 0, errNoFile
	}
}

func (b *blobReader) ReadAt(p []byte, offset int64) (int, error) {
	n := 0
	for n < len(p) {
		at := offset + int64(n)
		if at >= b.size {
			return n, io.EOF
		}
		if at < b.at || at >= b.at+int64(len(b.piece)) {
			if err := b.fetch(at); err != nil {
				return n, err
			}
		}
		n += copy(p[n:], b.piece[at-b.at:])
	}
	return n, nil
}

// fetch reads the piece that holds a byte.
func (b *blobReader) fetch(at int64) error {
	if b.gone() {
		return errLabCancelled
	}
	begin := at - at%blobPieceBytes
	end := min(begin+blobPieceBytes, b.size)
	got, err := await(b.blob.Call("slice", float64(begin), float64(end)).Call("arrayBuffer"))
	if err != nil {
		return fmt.Errorf("the browser cannot read the file at byte %d (%w): was it moved or changed? Choose it again", begin, err)
	}
	bytes := js.Global().Get("Uint8Array").New(got)
	if n := bytes.Get("length").Int(); int64(n) != end-begin {
		return fmt.Errorf("the file ends at byte %d, and it had %d bytes before: was it changed? Choose it again", begin+int64(n), b.size)
	}
	if cap(b.piece) < blobPieceBytes {
		b.piece = make([]byte, blobPieceBytes)
	}
	b.piece, b.at = b.piece[:end-begin], begin
	js.CopyBytesToGo(b.piece, bytes)
	return nil
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	answer := make(chan settled, 1)
	kept := js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer <- settled{value: args[0]}
		return nil
	})
	defer kept.Release()
	broken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer <- settled{err: errors.New(js.Global().Get("String").Invoke(args[0]).String())}
		return nil
	})
	defer broken.Release()
	promise.Call("then", kept, broken)
	s := <-answer
	return s.value, s.err
}

// pause lets the worker read its messages.
func pause() {
	done := make(chan struct{}, 1)
	next := js.FuncOf(func(js.Value, []js.Value) any {
		done <- struct{}{}
		return nil
	})
	defer next.Release()
	js.Global().Call("burstscopeYield", next)
	<-done
}
