package command

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestOneListOfCommands: the help, the completion of each shell and the error of an unknown name show every command.
func TestOneListOfCommands(t *testing.T) {
	shown := map[string]string{"help": mustCall(t, "help")}
	for _, shell := range []string{"bash", "fish", "zsh"} {
		shown[shell] = mustCall(t, "completion", shell)
	}
	_, _, shown["error"] = call("nothing")
	for what, text := range shown {
		for _, name := range cli.Names(Verbs()) {
			if !strings.Contains(text, name) {
				t.Errorf("%s does not name %s", what, name)
			}
		}
	}
	if status, _, errs := call("completion", "dos"); status != cli.ExitUsage ||
		!strings.Contains(errs, "bash, fish or zsh") {
		t.Errorf("status %d: %s", status, errs)
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: the completion was not run, because there is no bash")
	}
	script := shown["bash"] + "COMP_WORDS=(burstscope sch); COMP_CWORD=1; _burstscope; echo ${COMPREPLY[*]}"
	if out, err := exec.Command("bash", "-c", script).CombinedOutput(); err != nil || string(out) != "scheme\n" {
		t.Errorf("bash completes sch to %q: %v", out, err)
	}
}
