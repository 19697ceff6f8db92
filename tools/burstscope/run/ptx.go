package run

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/syntax"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

const ptxHelp = `usage: burstscope ptx check FILE...

Reads PTX files and prints one line for each, in order: ok (file: ok if there are
several), or the first error or unsupported feature, as file:line:column: message. A
line that begins with warning comes before the ok of a file: a hint to the caches that
no machine follows, once for each kernel. core/ptx/HINTS.md says what each hint does.

example:
  burstscope ptx check assets/kernels/dct.ptx mine.ptx
`

func ptxVerb(args []string, out io.Writer) error {
	if len(args) == 0 {
		return cli.Usagef("no action: burstscope ptx: say check")
	}
	switch args[0] {
	case "check":
		return checkPTX(args[1:], out)
	case "-h", "-help", "--help":
		return flag.ErrHelp
	}
	return cli.Usagef("unknown action: burstscope ptx %s: say check", args[0])
}

func checkPTX(args []string, out io.Writer) error {
	var names []string
	flags := flag.NewFlagSet("ptx check", flag.ContinueOnError)
	if err := cli.Parse(flags, args, func(word string) error { names = append(names, word); return nil }); err != nil {
		return err
	}
	if len(names) == 0 {
		return cli.Usagef("no file: burstscope ptx check: name one or more")
	}
	var failed error
	for _, name := range names {
		ignored, err := checkFile(name)
		if err != nil {
			failed = cli.ErrReported
			fmt.Fprintln(out, err)
			continue
		}
		for _, x := range ignored {
			fmt.Fprintf(out, "warning: %s:%d:%d: %s\n", name, x.Line, x.Column, x.Text)
		}
		if len(names) > 1 {
			fmt.Fprintf(out, "%s: ", name)
		}
		fmt.Fprintln(out, "ok")
	}
	return failed
}

// checkFile compiles every kernel of a file and returns the hints that no machine follows, or the first error.
func checkFile(name string) (ignored []ptx.IgnoredHint, err error) {
	source, err := cli.ReadPlain(name, disk.MaxPTXBytes)
	if err != nil {
		return nil, err
	}
	module, err := compile.Load(name, source)
	if err != nil {
		return nil, first(err)
	}
	// Variables get their addresses when a program is loaded; a check accepts any address.
	anywhere := func(string) uint64 { return 0xc000_0000 }
	for _, entry := range module.Entries() {
		k, err := compile.Kernel(module, entry, anywhere)
		if err != nil {
			return nil, first(err)
		}
		ignored = append(ignored, ptx.IgnoredHints(k, new(ptx.HintLimits))...)
	}
	return ignored, nil
}

// first returns the first error of a list.
func first(err error) error {
	var list syntax.Errors
	if errors.As(err, &list) && len(list) > 0 {
		return list[0]
	}
	return err
}
