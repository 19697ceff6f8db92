// Command serve serves a built page on this machine and opens the browser.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/burstscope/burstscope/tools/serve/static"
)

func main() {
	o := static.Options{Out: os.Stdout}
	flag.StringVar(&o.Dir, "dir", "dist", "folder to serve")
	flag.IntVar(&o.Port, "port", 8080, "port on 127.0.0.1; if it is in use, the next free port is taken")
	flag.StringVar(&o.Path, "path", "/", "path below which to serve the page, as on a host where it is part of a site")
	noOpen := flag.Bool("no-open", false, "do not open a browser")
	flag.Parse()
	o.Open = !*noOpen
	if err := static.Serve(o); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}
