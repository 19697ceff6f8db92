package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
)

// TestAPanicNamesItsCalls: the error of a panic says where it arose.
func TestAPanicNamesItsCalls(t *testing.T) {
	p := (*fault.Panic)(nil)
	err := fault.Guard(func() error { panic("in the grader") })
	if !errors.As(err, &p) {
		t.Fatal(err)
	}
	if text := OfPanic(p, "this submission").Error(); !strings.Contains(text, "internal error: in the grader: this is a fault of burstscope") || !strings.Contains(text, "tools/burstscope/cli.TestAPanicNamesItsCalls") {
		t.Error(text)
	}
}
