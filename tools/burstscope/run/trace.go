package run

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/probe/perfetto"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// traced runs a plan and writes its events to a file, compressed if its name ends in
// .gz. maxMegabytes bounds the file before compression. A failed run leaves no file.
func traced(plan *experiment.Plan, name string, maxMegabytes int, m *Meter) (*experiment.Result, error) {
	const most, least = 4000, perfetto.MinMaxBytes / 1_000_000
	if maxMegabytes < least || maxMegabytes > most {
		return nil, cli.Usagef("--trace-limit %d: burstscope run: want %d to %d megabytes", maxMegabytes, least, most)
	}
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return nil, err
	}
	var result *experiment.Result
	var sum perfetto.Summary
	var runError error // the run's, not the file's
	err = disk.WriteWith(name, func(w io.Writer) (err error) {
		buffered := bufio.NewWriter(w)
		if !strings.HasSuffix(name, ".gz") {
			result, sum, runError, err = trace(study, plan, maxMegabytes, buffered, m)
		} else {
			packed := gzip.NewWriter(buffered)
			if result, sum, runError, err = trace(study, plan, maxMegabytes, packed, m); err == nil {
				err = packed.Close()
			}
		}
		if runError != nil {
			return runError
		}
		if err != nil {
			return err
		}
		return buffered.Flush()
	})
	if runError != nil {
		return nil, runError
	}
	if err != nil {
		return nil, err
	}
	fmt.Fprint(m.Out, traceText(name, sum))
	return result, nil
}

// trace runs a plan and writes its events. It stops at the first fault and returns
// faults of the run and of the writer separately.
func trace(study *experiment.Study, plan *experiment.Plan, maxMegabytes int, out io.Writer, m *Meter) (result *experiment.Result, sum perfetto.Summary, runError, writeError error) {
	t := study.Trace(plan, maxMegabytes*1_000_000, func(b []byte) {
		if writeError == nil {
			_, writeError = out.Write(b)
		}
	})
	for done := false; !done && writeError == nil; {
		if done, runError = t.Step(); runError != nil {
			return nil, sum, runError, nil
		}
		m.show(t.Run().Progress)
	}
	if writeError != nil {
		return nil, sum, nil, writeError
	}
	sum = t.Close()
	return t.Run().Result(), sum, nil, writeError
}

// traceText describes the content of a trace.
func traceText(name string, s perfetto.Summary) string {
	text := fmt.Sprintf("%s: %d events, %.1f MB; open it in ui.perfetto.dev or chrome://tracing\n", name, s.Events, float64(s.Bytes)/1e6)
	if s.LeftOut > 0 {
		text += fmt.Sprintf("%s: complete up to %.3f us; %d later events are left out: raise --trace-limit\n", name, s.Microseconds, s.LeftOut)
	}
	return text
}
