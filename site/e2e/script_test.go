package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// sameScript is a function for scripts of silentUnderNode: it prints what is not as it should be.
const sameScript = `
const same = (what: string, got: unknown, want: unknown): void => {
  const [g, w] = [JSON.stringify(got), JSON.stringify(want)];
  if (g !== w) console.log(what + ":\n" + g + ", want\n" + w);
};
`

// silentUnderNode runs a script that imports the page's sources under node, and fails if it prints
// anything.
func silentUnderNode(t *testing.T, script string) {
	t.Helper()
	built := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: sameScript + script, ResolveDir: "../src", Sourcefile: "script.ts", Loader: api.LoaderTS},
		Bundle: true, Format: api.FormatCommonJS, Platform: api.PlatformNode, LogLevel: api.LogLevelSilent,
	})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	node := exec.Command("node", "-")
	node.Stdin = strings.NewReader(string(built.OutputFiles[0].Contents))
	if out, err := node.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
