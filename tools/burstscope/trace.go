package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/probe/perfetto"
)

// traced runs a plan and writes its events to a file, packed if its name ends in
// .gz. maxMegabytes bounds the file before packing.
func traced(plan *experiment.Plan, name string, maxMegabytes int) (result *experiment.Result, err error) {
	const most, least = 4000, perfetto.MinMaxBytes / 1_000_000
	if maxMegabytes < least || maxMegabytes > most {
		return nil, usagef("--trace-limit %d: burstscope run: want %d to %d megabytes", maxMegabytes, least, most)
	}
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return nil, err
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fileError("cannot write", err)
	}
	defer func() {
		if failed := f.Close(); err == nil && failed != nil {
			err = fileError("cannot write", failed)
		}
	}()
	buffered := bufio.NewWriter(f)
	var out io.Writer = buffered
	var packed *gzip.Writer
	if strings.HasSuffix(name, ".gz") {
		packed = gzip.NewWriter(buffered)
		out = packed
	}
	var failed error
	t := study.Trace(plan, maxMegabytes*1_000_000, func(b []byte) {
		if failed == nil {
			_, failed = out.Write(b)
		}
	})
	for {
		done, err := t.Step()
		if err != nil {
			return nil, err
		}
		if done || failed != nil {
			break
		}
	}
	if failed == nil {
		sum := t.Close()
		fmt.Fprint(os.Stderr, traceText(name, sum))
	}
	if packed != nil && failed == nil {
		failed = packed.Close()
	}
	if failed == nil {
		failed = buffered.Flush()
	}
	if failed != nil {
		return nil, fileError("cannot write", failed)
	}
	return t.Run().Result(), nil
}

// traceText says what a trace holds.
func traceText(name string, s perfetto.Summary) string {
	text := fmt.Sprintf("%s: %d events, %.1f MB; open it in ui.perfetto.dev or chrome://tracing\n", name, s.Events, float64(s.Bytes)/1e6)
	if s.LeftOut > 0 {
		text += fmt.Sprintf("%s: whole up to %.3f us; %d later events are left out: raise --trace-limit\n", name, s.Microseconds, s.LeftOut)
	}
	return text
}
