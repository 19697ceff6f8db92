package e2e

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// edgeWorker is the site behind its Cloudflare Worker, in workerd on this machine.
type edgeWorker struct {
	url     string
	persist string // folder of KV and R2
	stop    func()
}

// startWorker runs wrangler dev with stores of its own and waits until it answers.
func startWorker(t *testing.T) *edgeWorker {
	t.Helper()
	if os.Getenv(skipVariable) == "1" {
		t.Skip("SKIPPED: the Worker was not tested under workerd, because " + skipVariable + "=1")
	}
	program, err := filepath.Abs("node_modules/wrangler/bin/wrangler.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("SKIPPED: the Worker was not tested under workerd, because wrangler is not installed: run npm ci --prefix site/e2e --ignore-scripts")
	}
	folder, err := filepath.Abs(root + "/wasm/edge")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(folder, "build", "app.wasm"), filepath.Join(dist, "store.json")} {
		if _, err := os.Stat(file); err != nil {
			t.Fatalf("the Worker is not built: run ./build.sh build (%v)", err)
		}
	}
	home, port := t.TempDir(), freePort(t)
	// A copy of the site: wrangler starts anew whenever a file of it changes, and tests
	// keep their pictures there.
	files := filepath.Join(home, "site")
	if err := os.CopyFS(files, os.DirFS(dist)); err != nil {
		t.Fatal(err)
	}
	w := &edgeWorker{url: "http://127.0.0.1:" + strconv.Itoa(port), persist: filepath.Join(home, "state")}
	cmd := exec.Command("node", program, "dev", "--local", "--ip", "127.0.0.1", "--port", strconv.Itoa(port), "--inspector-port", "0",
		"--assets", files, "--persist-to", w.persist, "--show-interactive-dev-session=false")
	cmd.Dir = folder
	// A home of its own, so that neither settings nor logs of the machine have a part.
	cmd.Env = append(os.Environ(), "CI=1", "WRANGLER_SEND_METRICS=false", "HOME="+home, "XDG_CONFIG_HOME="+home, "WRANGLER_LOG_PATH="+filepath.Join(home, "logs"), "NO_COLOR=1")
	said := &words{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatalf("wrangler does not start: %v", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	w.stop = sync.OnceFunc(func() {
		// The group: wrangler, workerd and what else it started.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	})
	t.Cleanup(func() {
		w.stop()
		if t.Failed() {
			t.Logf("wrangler said:\n%s", said.unusual())
		}
	})
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		select {
		case <-ended:
			t.Fatalf("wrangler ended:\n%s", said)
		default:
		}
		if answer, err := http.Get(w.url + "/store.json"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return w
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("the Worker does not answer:\n%s", said)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// words collects what a program says, from more than one goroutine.
type words struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

// unusual leaves out what was asked and answered: hundreds of lines, in which a failure would be lost.
func (w *words) unusual() string {
	var kept []string
	for line := range strings.Lines(w.String()) {
		if !strings.Contains(line, "[wrangler:info]") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// holds tells whether a store, "kv" or "r2", has a file of exactly these bytes.
func (w *edgeWorker) holds(t *testing.T, store string, want []byte) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(filepath.Join(w.persist, "v3", store), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Equal(data, want)
		return err
	})
	if err != nil {
		t.Fatal(fmt.Errorf("the store %s of wrangler dev: %w", store, err))
	}
	return found
}
