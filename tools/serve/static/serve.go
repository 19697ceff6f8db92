package static

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Options say what is served, and where.
type Options struct {
	Dir  string // the built page
	Host string // address to listen at; empty: 127.0.0.1, so that only this machine reaches the page
	Port int    // if it is in use, the next free port is taken; 0 asks the host
	Path string // path below which the page is served
	Open bool   // open a browser, unless this is a machine of CI
	Out  io.Writer
}

// Serve serves a built page until the program ends.
func Serve(o Options) error {
	if _, err := os.Stat(filepath.Join(o.Dir, "index.html")); err != nil {
		return fmt.Errorf("%s holds no index.html; name the folder of a built page (./build.sh build makes one in dist)",
			o.Dir)
	}
	handler, err := Handler(o.Dir)
	if err != nil {
		return err
	}
	listener, err := listen(cmp.Or(o.Host, "127.0.0.1"), o.Port)
	if err != nil {
		return err
	}
	path := strings.Trim(o.Path, "/")
	if path != "" {
		path += "/"
	}
	url := fmt.Sprintf("http://%s/%s", visible(listener.Addr()), path)
	fmt.Fprintf(o.Out, "Burstscope: %s   (Ctrl-C stops it)\n", url)
	if o.Open && os.Getenv("CI") == "" {
		openBrowser(url)
	}
	server := &http.Server{Handler: Under(path, handler), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// visible is an address that a browser can open: one that listens everywhere is reached at this machine's own.
func visible(at net.Addr) string {
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return at.String()
}

// listen takes the first free port from the one asked for; 0 asks the host.
func listen(host string, port int) (net.Listener, error) {
	const tries = 20
	for p := port; ; p++ {
		listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(p)))
		if err == nil || p == 0 || p == 65535 || p == port+tries || !errors.Is(err, syscall.EADDRINUSE) {
			return listener, err
		}
	}
}

// openBrowser opens the page in the host's browser. It reports no failure, because the
// printed URL always works.
func openBrowser(url string) {
	var command *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		command = exec.Command("open", url)
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
		command = exec.Command("xdg-open", url)
	}
	if command.Start() == nil {
		go func() { _ = command.Wait() }()
	}
}
