//go:build js

package main

import (
	"strings"
	"syscall/js"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/fault"
)

// texts are the kernels of shipped programs, by name. The worker fetches them
// (site/src/engine/worker.ts) when a run needs them.
type texts map[string]programText

type programText struct{ ptx, cuda string }

// sums lists each program as "name=SUM,", where SUM is the first digits of the SHA-256 of its PTX and
// CUDA. The build sets it (tools/build/kernels.go): an engine runs only the kernels of its build.
var sums string

const sumDigits = 16

// fetch has the form of kernels.Fetch.
func (t texts) fetch(name string) (ptx, cuda string, err error) {
	if known, ok := t[name]; ok {
		return known.ptx, known.cuda, nil
	}
	refuse := func(message, mend string) (string, string, error) {
		return "", "", fault.At("workload.name", message, mend)
	}
	answer := js.Global().Call("burstscopeKernels", name)
	if answer.Type() != js.TypeObject {
		return refuse("the kernels of "+name+" could not be loaded", "check the connection and run again")
	}
	ptx, cuda = text(answer, "ptx"), text(answer, "cuda")
	h := digest.New()
	h.Write([]byte(ptx))
	h.Write([]byte(cuda))
	if !strings.Contains(sums, name+"="+h.Hex()[:sumDigits]+",") {
		return refuse("the kernels of "+name+" are not those of this version", "reload the page")
	}
	t[name] = programText{ptx, cuda}
	return ptx, cuda, nil
}
