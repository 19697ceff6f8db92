//go:build js

package main

import (
	"errors"
	"fmt"
	"syscall/js"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/scenario"
)

const (
	// maxContentsBytes bounds a buffer of the page's own kernel [ours]: four times what a
	// scenario holds, so that the page can say how much is too much.
	maxContentsBytes = 64 << 20
	// maxArrayChoices bounds the names among which a reader chooses [ours].
	maxArrayChoices = 1 << 10
)

// contents answers with the elements of a file for a buffer or a texture, or with the names of
// its arrays if it has several and none is chosen.
func contents(msg js.Value) {
	go func() {
		reply := object{"type": "contents", "id": msg.Get("id"), "what": ""}
		if err := readContents(msg, reply); err != nil {
			reply["what"] = err.Error()
		}
		post(reply)
	}()
}

func readContents(msg js.Value, reply object) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	r, err := newBlobReader(msg.Get("blob"), func() bool { return false })
	if err != nil {
		return err
	}
	f, err := datafile.Open(r, r.size, datafile.Options{Name: r.name(), Array: text(msg, "array")})
	if err != nil {
		return err
	}
	if len(f.Arrays) > 1 && text(msg, "array") == "" {
		if f.Format == datafile.Index {
			return errors.New("an index has no elements of its own: choose the file with the array")
		}
		var names []any
		for i := range f.Arrays[:min(len(f.Arrays), maxArrayChoices)] {
			names = append(names, f.Arrays[i].Name)
		}
		reply["arrays"] = names
		return nil
	}
	data, element, err := scenario.Contents(f, maxContentsBytes)
	if err != nil {
		return err
	}
	reply["data"], reply["element"], reply["raw"] = uint8Array(data), element, f.Format == datafile.Raw
	return nil
}
