package serve

import (
	"cmp"
	"flag"
	"io"
	"os"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/serve/static"
)

const serveHelp = `usage: burstscope serve [FOLDER] [flags]

Serves the page on this machine and opens it in the browser. FOLDER holds the built
page: the unpacked archive burstscope-VERSION-site.tar.gz of a release, or dist after
./build.sh build. Without FOLDER it is the one that the variable BURSTSCOPE_SITE names,
or dist in the current folder.

  --port N      the port (8080); if it is in use, the next free one; 0 takes any
  --host A      the address to listen at ($BURSTSCOPE_HOST, or 127.0.0.1: only this
                machine); 0.0.0.0 in a container
  --path P      the path below which the page is served (/)
  --no-open     do not open a browser

examples:
  burstscope serve burstscope-0.4.0-site
  docker run -p 8080:8080 burstscope:0.4.0 serve
`

func serveVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	port := flags.Int("port", 8080, "")
	host := flags.String("host", os.Getenv("BURSTSCOPE_HOST"), "")
	path := flags.String("path", "/", "")
	noOpen := flags.Bool("no-open", false, "")
	var dir string
	if err := cli.Parse(flags, args, cli.OneWord(&dir, "folder")); err != nil {
		return err
	}
	if *port < 0 || *port > 65535 {
		return cli.Usagef("--port %d: burstscope serve: give a number from 0 to 65535", *port)
	}
	dir = cmp.Or(dir, os.Getenv("BURSTSCOPE_SITE"), "dist")
	return static.Serve(static.Options{Dir: dir, Host: *host, Port: *port, Path: *path, Open: !*noOpen, Out: out})
}
