package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// writePrinted shows what the program has printed. Characters that steer a terminal are replaced.
func writePrinted(out io.Writer, p *experiment.Printed) error {
	if p == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString("The program printed:\n")
	for line := range strings.Lines(p.Text) {
		for i, field := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(fault.Visible(field))
		}
		b.WriteByte('\n')
	}
	if p.DroppedCalls > 0 {
		fmt.Fprintf(&b, "(There is room for %s bytes. The text of %s more calls of threads was dropped.)\n",
			cli.Group(execute.PrintedBytes), cli.Group(p.DroppedCalls))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(out, b.String())
	return err
}

// printedTo says where a program's text goes: into the report of a person, and beside one for other programs.
func printedTo(out io.Writer, format string) io.Writer {
	if format == "text" {
		return out
	}
	return os.Stderr
}

// printedBefore shows what a program has printed before its fault, and returns the fault.
func printedBefore(out io.Writer, format string, err error) error {
	var stopped *experiment.Stopped
	if errors.As(err, &stopped) {
		return errors.Join(writePrinted(printedTo(out, format), &stopped.Printed), err)
	}
	return err
}
