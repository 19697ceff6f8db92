package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Firefox and WebKit. chromedp speaks to Chromium alone, so these have drivers of their own: Firefox that
// of puppeteer-core (firefox.mjs), WebKit its own WebDriver. Both get the same commands.

// driver is a running browser with one window.
type driver interface {
	open(url string) error
	// eval gives the value of an expression as JSON, or that of the promise it is.
	eval(expression string) (json.RawMessage, error)
	picture(file string) error
}

// programOf looks for a program of the other browsers, and says how to get it.
func programOf(t *testing.T, variable, install string, names ...string) string {
	t.Helper()
	if os.Getenv(skipVariable) == "1" {
		t.Skip("SKIPPED: no test in a browser was made, because " + skipVariable + "=1")
	}
	if os.Getenv(variable) == "none" {
		t.Skip("SKIPPED: no test in this browser was made, because " + variable + "=none")
	}
	if set := os.Getenv(variable); set != "" {
		names = []string{set}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("%s is missing. Install it (%s), or name it in %s; %s=none leaves its tests out", names[0], install, variable, variable)
	return ""
}

// group runs a command in a process group of its own, which ends as a whole with the test.
func group(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", strings.Join(cmd.Args, " "), err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		end(cmd.Process.Pid)
		<-ended
		if t.Failed() && said.Len() > 0 {
			t.Logf("%s said:\n%s", filepath.Base(cmd.Path), said.String())
		}
	})
}

// end ends a process group, gently first.
func end(leader int) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		for range 50 {
			if syscall.Kill(-leader, signal) != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// onDisplay is a command on a virtual display with Mesa's renderer, so that there is WebGL 2.
func onDisplay(command ...string) *exec.Cmd {
	if _, err := exec.LookPath("xvfb-run"); err == nil {
		command = append([]string{"xvfb-run", "-a", "-s", "-screen 0 1400x1000x24"}, command...)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=1")
	return cmd
}

// firefox is a Firefox behind firefox.mjs.
type firefox struct {
	in  io.Writer
	out *bufio.Reader
}

func startFirefox(t *testing.T) driver {
	t.Helper()
	path := programOf(t, "FIREFOX", "apt install firefox-esr, or https://www.mozilla.org/firefox/", "firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox")
	cmd := onDisplay("node", "firefox.mjs", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	group(t, cmd)
	f := &firefox{in: in, out: bufio.NewReader(out)}
	var started struct{ Process int }
	if err := f.answer(&started); err != nil {
		t.Fatalf("Firefox does not start: %v", err)
	}
	// Puppeteer gives the browser a group of its own.
	t.Cleanup(func() { end(started.Process) })
	return f
}

func (f *firefox) answer(to any) error {
	line, err := f.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, to)
}

func (f *firefox) ask(command map[string]string) (json.RawMessage, error) {
	data, err := json.Marshal(command)
	if err != nil {
		return nil, err
	}
	if _, err := f.in.Write(append(data, '\n')); err != nil {
		return nil, err
	}
	var a struct {
		Value json.RawMessage
		Error string
	}
	if err := f.answer(&a); err != nil {
		return nil, err
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	return a.Value, nil
}

func (f *firefox) open(url string) error {
	_, err := f.ask(map[string]string{"url": url})
	return err
}

func (f *firefox) eval(expression string) (json.RawMessage, error) {
	return f.ask(map[string]string{"expression": expression})
}

func (f *firefox) picture(file string) error {
	_, err := f.ask(map[string]string{"picture": file})
	return err
}

// webkit is a MiniBrowser behind WebKitWebDriver (https://www.w3.org/TR/webdriver2/).
type webkit struct{ session string } // its URL

// miniBrowser is where distributions put WebKitGTK's small browser.
var miniBrowser = []string{"/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser"}

func startWebKit(t *testing.T) driver {
	t.Helper()
	path := programOf(t, "WEBKIT_DRIVER", "apt install webkit2gtk-driver dbus", "WebKitWebDriver")
	var binary string
	for _, pattern := range miniBrowser {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			binary = found[0]
			break
		}
	}
	if binary == "" {
		t.Fatalf("WebKitGTK's MiniBrowser is at none of %s. It comes with apt install webkit2gtk-driver; WEBKIT_DRIVER=none leaves its tests out", strings.Join(miniBrowser, ", "))
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	cmd := onDisplay("dbus-run-session", "--", path, "--host=127.0.0.1", "--port="+strconv.Itoa(port))
	// Its processes cannot make a sandbox inside a container; the pages under test are our own.
	cmd.Env = append(cmd.Env, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1")
	group(t, cmd)
	driver := fmt.Sprintf("http://127.0.0.1:%d", port)
	var made struct{ SessionID string }
	wanted := map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": binary, "args": []string{"--automation"}},
		"timeouts":                 map[string]any{"script": patience.Milliseconds(), "pageLoad": patience.Milliseconds()},
	}}}
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		data, err := wire(http.MethodPost, driver+"/session", wanted)
		if err == nil {
			err = json.Unmarshal(data, &made)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.ECONNREFUSED) || time.Since(begin) > patience {
			t.Fatalf("WebKit does not start: %v", err)
		}
	}
	w := &webkit{driver + "/session/" + made.SessionID}
	t.Cleanup(func() { _, _ = wire(http.MethodDelete, w.session, nil) })
	return w
}

// wire sends a command of WebDriver and gives its value.
func wire(method, url string, parameters any) (json.RawMessage, error) {
	data, err := json.Marshal(parameters)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var a struct{ Value json.RawMessage }
	if err := json.NewDecoder(answer.Body).Decode(&a); err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		var fault struct{ Error, Message string }
		_ = json.Unmarshal(a.Value, &fault)
		return nil, fmt.Errorf("%s: %s", fault.Error, fault.Message)
	}
	return a.Value, nil
}

func (w *webkit) open(url string) error {
	_, err := wire(http.MethodPost, w.session+"/url", map[string]string{"url": url})
	return err
}

func (w *webkit) eval(expression string) (json.RawMessage, error) {
	script := `const done = arguments[0]; (async () => (` + expression + "\n" + `))().then((v) => done({v: v ?? null}), (e) => done({e: String(e?.message ?? e)}));`
	data, err := wire(http.MethodPost, w.session+"/execute/async", map[string]any{"script": script, "args": []any{}})
	if err != nil {
		return nil, err
	}
	var a struct {
		V json.RawMessage
		E *string
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, err
	}
	if a.E != nil {
		return nil, errors.New(*a.E)
	}
	return a.V, nil
}

func (w *webkit) picture(file string) error {
	data, err := wire(http.MethodGet, w.session+"/screenshot", nil)
	if err != nil {
		return err
	}
	var coded string
	if err := json.Unmarshal(data, &coded); err != nil {
		return err
	}
	picture, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return err
	}
	return os.WriteFile(file, picture, 0o644)
}
