package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestPageFolders(t *testing.T) {
	for _, c := range []struct{ from, text, want string }{
		{"page/shell.ts", `import { Engine } from "../engine/engine";`, ""},
		{"lab/page.ts", `import "../../lab.css";`, ""},
		{"lab/page.ts", `import { map } from "./map";`, ""},
		{"lab/page.ts", `const words = 'import { x } from "../page/shell"';`, ""},
		{"lab/page.ts", "// import from \"../page/shell\"\n", ""},

		{"state/state.ts", "// The state.\n\n" + `import type { Page } from "../page/shell";`, "site/src/state/state.ts:3: state may not import page"},
		{"state/state.ts", "import {\n  a,\n  b,\n} from '../engine/engine';", "site/src/state/state.ts:4: state may not import engine"},
		{"state/state.ts", `export { a } from "../engine/engine";`, "state may not import engine"},
		{"state/state.ts", `const a = await import("../engine/engine");`, "state may not import engine"},
		{"state/state.ts", `import "../engine/engine";`, "state may not import engine"},
		{"lab/page.ts", `import { x } from "../lessons/page";`, "lab may not import lessons"},
		{"lab/page.ts", `import { x } from "../../e2e/x";`, "lab may not import site/e2e"},
		{"lab/page.ts", `import { x } from "../unheard/x";`, "lab may not import unheard"},
		{"unheard/x.ts", "", "site/src/unheard has no row"},
		{"flat.ts", "", "site/src/. has no row"},
	} {
		findings := checkFolders(tree(t, "site/src/"+c.from, c.text))
		if c.want == "" {
			expect(t, findings)
		} else {
			expect(t, findings, c.want)
		}
	}
}

func TestPageCycles(t *testing.T) {
	for _, c := range []struct{ b, want string }{
		{`export type B = 1;`, ""},
		{`import type { C } from "./c";`, ""},
		{`const a = import("./a");`, ""},
		{`import type { A } from "./a";`, "site/src/lab/a.ts: imports itself by way of site/src/lab/b.ts, site/src/lab/a.ts"},
		{`import { b } from "./b";`, "site/src/lab/b.ts: imports itself by way of site/src/lab/b.ts"},
	} {
		files := tree(t, "site/src/lab/a.ts", `import { b } from "./b";`)
		files.Files = append(files.Files, tree(t, "site/src/lab/b.ts", c.b).Files...)
		findings := checkCycles(files)
		if c.want == "" {
			expect(t, findings)
		} else {
			expect(t, findings, c.want)
		}
	}
}

// Every folder has a row in the table, and a line in the document that says what it
// holds; the table names no folder that does not exist.
func TestPageFoldersAreDescribed(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root + "/" + pageRoot)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(root + "/" + pageRoot + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
			if !strings.Contains(string(readme), "| `"+e.Name()+"` |") {
				t.Errorf("%s/README.md does not say what %s holds", pageRoot, e.Name())
			}
		}
	}
	rows := slices.Concat(pageLayers...)
	slices.Sort(rows)
	if !slices.Equal(rows, folders) {
		t.Errorf("the table has rows for %q, the page has the folders %q", rows, folders)
	}
}
