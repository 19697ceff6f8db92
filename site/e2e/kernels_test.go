package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/burstscope/burstscope/tools/serve/static"
)

// TestKernels: the engine loads the kernels of a program once, when a run needs them, and says
// what is wrong with an answer. A later run asks again.
func TestKernels(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	at := "/" + readBuild(t).Files["kernels/vecadd.js"]
	var answer atomic.Pointer[string] // nil = the file
	var asked atomic.Int32
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == at {
			asked.Add(1)
			if text := answer.Load(); text != nil {
				w.Header().Set("Content-Type", "text/javascript")
				if *text == "" {
					w.WriteHeader(http.StatusNotFound)
				}
				fmt.Fprint(w, *text)
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	data, err := os.ReadFile(filepath.Join(dist, at))
	if err != nil {
		t.Fatal(err)
	}
	var kernels struct{ PTX, CUDA string }
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(string(data), "self.burstscopeLoaded="), ";\n")), &kernels); err != nil || kernels.PTX == "" || kernels.CUDA == "" {
		t.Fatalf("%v: %.60s", err, data)
	}
	const missing, other = "The kernels of vecadd could not be loaded. (side A, workload.name) Check the connection and run again.", "The kernels of vecadd are not those of this version. (side A, workload.name) Reload the page."
	set := func(text string) { answer.Store(&text) }
	set("")
	p := open(t, server.URL+"/#v=1&"+quick+"&s=vecadd")
	for i, c := range []struct{ name, answer, want string }{
		{"no file", "", missing},
		{"no script", "<!doctype html>Log in", missing},
		{"an empty script", "// nothing", missing},
		{"kernels of another type", "self.burstscopeLoaded={ptx: 1, cuda: null};", other},
		{"changed kernels", strings.Replace(string(data), "add.f32", "sub.f32", 1), other},
	} {
		if i > 0 {
			set(c.answer)
			eval[any](p, `document.getElementById("run").click()`)
		}
		p.wait(fmt.Sprintf(`S.run === %d && S.phase === "error"`, i+1))
		p.settle()
		if m := p.state().Messages; len(m) != 1 || m[0].String() != c.want {
			t.Errorf("%s: messages %v", c.name, m)
		}
	}
	answer.Store(nil)
	asked.Store(0)
	for range 2 {
		eval[any](p, `document.getElementById("run").click()`)
		p.wait(`S.phase === "running"`)
		if s := p.finish(); len(s.Messages) != 0 || s.ResultHashes["A"] == "" {
			t.Errorf("with the file: messages %v", s.Messages)
		}
	}
	// Each engine has its own copy; none asks a second time.
	if n, engines := int(asked.Load()), p.state().Engines; n < 1 || n > engines {
		t.Errorf("%d engines asked for the file %d times", engines, n)
	}
}
