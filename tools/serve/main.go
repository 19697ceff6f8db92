// Command serve serves a built page on this machine and opens the browser.
package main

import (
	"errors"
	"flag"
	"fmt"
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

	"github.com/burstscope/burstscope/tools/serve/static"
)

func main() {
	dir := flag.String("dir", "dist", "folder to serve")
	port := flag.Int("port", 8080, "port on 127.0.0.1; if it is in use, the next free port is taken")
	path := flag.String("path", "/", "path below which to serve the page, as on a host where it is part of a site")
	noOpen := flag.Bool("no-open", false, "do not open a browser")
	flag.Parse()
	if err := serve(*dir, *path, *port, !*noOpen && os.Getenv("CI") == ""); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func serve(dir, path string, port int, open bool) error {
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return fmt.Errorf("%s holds no index.html; run ./build.sh build first", dir)
	}
	handler, err := static.Handler(dir)
	if err != nil {
		return err
	}
	listener, err := listen(port)
	if err != nil {
		return err
	}
	if path = strings.Trim(path, "/"); path != "" {
		path += "/"
	}
	url := fmt.Sprintf("http://%s/%s", listener.Addr(), path)
	fmt.Printf("Burstscope: %s   (Ctrl-C stops it)\n", url)
	if open {
		openBrowser(url)
	}
	server := &http.Server{Handler: static.Under(path, handler), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// listen takes the first free port from the one asked for; 0 asks the host.
func listen(port int) (net.Listener, error) {
	const tries = 20
	for p := port; ; p++ {
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
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
