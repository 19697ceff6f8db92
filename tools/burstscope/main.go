// Command burstscope runs scenarios and PTX programs on the simulated machines. It also
// measures files, makes figures and checks lessons. `burstscope help` lists its verbs.
package main

import (
	"os"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/command"
)

func main() { os.Exit(cli.Run(command.Verbs(), os.Args[1:], os.Stdout, os.Stderr)) }
