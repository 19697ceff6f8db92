package compile

import (
	"strings"
	"testing"
)

// TestEveryInstructionHasHelp: the help has a line for each instruction of the table, in its order, and no other.
func TestEveryInstructionHasHelp(t *testing.T) {
	lines := strings.Split(Help, "\n")
	if len(lines) != len(opcodes) {
		t.Errorf("%d lines of help for %d instructions", len(lines), len(opcodes))
	}
	for i, line := range lines[:min(len(lines), len(opcodes))] {
		head, does, _ := strings.Cut(line, ": ")
		name, _, _ := strings.Cut(head, " ")
		if name != opcodes[i].name || does == "" {
			t.Fatalf("%q stands where the help of %s is due", line, opcodes[i].name)
		}
	}
}
