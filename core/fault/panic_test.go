package fault

import (
	"errors"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	if err := Guard(func() error { return nil }); err != nil {
		t.Error(err)
	}
	own := errors.New("own")
	if err := Guard(func() error { return own }); err != own {
		t.Error(err)
	}
	var list []int
	var p *Panic
	err := Guard(func() error { list[3] = 1; return nil })
	if !errors.As(err, &p) || !strings.Contains(err.Error(), "internal error: runtime error: index out of range [3]") || !strings.Contains(string(p.Stack), "panic_test.go") {
		t.Errorf("%v", err)
	}
}
