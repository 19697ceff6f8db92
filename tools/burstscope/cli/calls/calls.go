// Package calls runs command lines in tests.
package calls

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// Of returns what runs a command line of some verbs, and the same for a line that must succeed.
func Of(verbs ...cli.Verb) (call func(args ...string) (status int, out, errs string),
	mustCall func(t *testing.T, args ...string) string) {
	call = func(args ...string) (status int, out, errs string) {
		var o, e bytes.Buffer
		status = cli.Run(verbs, args, &o, &e)
		return status, o.String(), e.String()
	}
	mustCall = func(t *testing.T, args ...string) string {
		t.Helper()
		status, out, errs := call(args...)
		if status != 0 || errs != "" {
			t.Fatalf("burstscope %s: status %d\n%s%s", strings.Join(args, " "), status, out, errs)
		}
		return out
	}
	return call, mustCall
}

// Program is the variable that makes a program of tests the command itself.
const Program = "BURSTSCOPE_PROGRAM"

// Main runs the tests of a package, or the command line of a process that a test has started.
func Main(m *testing.M, verbs ...cli.Verb) {
	if os.Getenv(Program) == "1" {
		os.Exit(cli.Run(verbs, os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
