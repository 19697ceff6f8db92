package correlate

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Row is one measurement of a recording.
type Row struct {
	Device            string
	Driver            string
	ComputeCapability string
	ClockMHz          float64 // of the SMs, measured beside the run
	MemoryClockMHz    float64
	Case
	Launches int
	Threads  uint64 // of all launches
	// Nanoseconds is the median of the repetitions. It covers all launches, from an event of
	// the driver before the first to one after the last.
	Nanoseconds, LeastNs, GreatestNs float64
	Cycles                           float64 // Nanoseconds at the measured clock
	// The figure of a microbenchmark; see package microbench.
	Figure, FigureLeast, FigureGreatest float64
	Unit                                string
	OutputHash                          string // SHA-256 of the output buffers, of a program; of all buffers, in the suite
	// OutputsEqual says whether the device's outputs are the simulator's: yes, no, or empty for
	// a microbenchmark, which stores times.
	OutputsEqual    string
	FirstDifference string
}

// columns are the header of a recording, which also tells its version.
var columns = []string{
	"device", "driver", "computeCapability", "clockMHz", "memoryClockMHz", "kind", "name", "size", "data", "launches", "threads",
	"timeNs", "leastNs", "greatestNs", "cycles", "figure", "figureLeast", "figureGreatest", "unit", "outputHash", "outputsEqual", "firstDifference",
}

// Bounds of a recording [ours]: a recording of all cases has some 300 rows.
const (
	MaxRecordingBytes = 4 << 20
	maxRecordingRows  = 10_000
	maxFieldBytes     = 1000
)

// fields are the texts of a row, in the order of columns.
func (r *Row) fields() []string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	round := func(v float64) string { return number(math.Round(v*1000) / 1000) }
	return []string{
		r.Device, r.Driver, r.ComputeCapability, round(r.ClockMHz), round(r.MemoryClockMHz), string(r.Kind), r.Name, strconv.Itoa(r.Size), r.Data,
		strconv.Itoa(r.Launches), strconv.FormatUint(r.Threads, 10), round(r.Nanoseconds), round(r.LeastNs), round(r.GreatestNs), round(r.Cycles),
		round(r.Figure), round(r.FigureLeast), round(r.FigureGreatest), r.Unit, r.OutputHash, r.OutputsEqual, r.FirstDifference,
	}
}

// WriteRecording writes the header and the rows.
func WriteRecording(w io.Writer, rows []Row) error {
	c := csv.NewWriter(w)
	if err := c.Write(columns); err != nil {
		return err
	}
	for i := range rows {
		if err := c.Write(rows[i].fields()); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// ReadRecording reads a recording. Errors name the file, the line and the column.
func ReadRecording(file string, text io.Reader) ([]Row, error) {
	limited := &io.LimitedReader{R: text, N: MaxRecordingBytes + 1}
	c := csv.NewReader(limited)
	c.FieldsPerRecord = -1
	header, err := c.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: the file is empty: a recording begins with a line of columns; make one with burstscope correlate record", file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if !slices.Equal(header, columns) {
		return nil, fmt.Errorf("%s:1: the columns belong to another version or file: want %s", file, strings.Join(columns, ","))
	}
	var rows []Row
	lines := map[Case]int{}
	var faults []error
	for {
		fields, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := c.FieldPos(0)
		if len(rows) == maxRecordingRows {
			return nil, fmt.Errorf("%s:%d: more than %d rows", file, line, maxRecordingRows)
		}
		row, err := parseRow(fields)
		if err == nil && lines[row.Case] > 0 {
			err = fmt.Errorf("%s is already in line %d: keep one of them", row.Case.Key(), lines[row.Case])
		}
		if err != nil {
			if faults = append(faults, fmt.Errorf("%s:%d: %w", file, line, err)); len(faults) == maxFaults {
				break
			}
			continue
		}
		lines[row.Case] = line
		rows = append(rows, *row)
	}
	if limited.N <= 0 {
		return nil, fmt.Errorf("%s: the file is larger than %d bytes", file, MaxRecordingBytes)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: there is no row after the columns", file)
	}
	return rows, nil
}

// maxFaults bounds the messages about one file [ours].
const maxFaults = 20

// parseRow reads the fields of a row.
func parseRow(fields []string) (*Row, error) {
	if len(fields) != len(columns) {
		return nil, fmt.Errorf("%d fields: want %d", len(fields), len(columns))
	}
	for i, f := range fields {
		if len(f) > maxFieldBytes {
			return nil, fmt.Errorf("%s: %d bytes: want at most %d", columns[i], len(f), maxFieldBytes)
		}
	}
	p := rowParser{fields: fields}
	r := &Row{
		Device: p.word("device"), Driver: p.word("driver"), ComputeCapability: p.word("computeCapability"),
		ClockMHz: p.positive("clockMHz"), MemoryClockMHz: p.number("memoryClockMHz"),
		Case: Case{Kind: Kind(p.word("kind")), Name: p.word("name"), Size: int(p.whole("size", math.MaxInt32)), Data: p.word("data")},

		Launches: int(p.whole("launches", math.MaxInt32)), Threads: p.whole("threads", 1<<53),
		Nanoseconds: p.positive("timeNs"), LeastNs: p.positive("leastNs"), GreatestNs: p.positive("greatestNs"), Cycles: p.positive("cycles"),
		Figure: p.number("figure"), FigureLeast: p.number("figureLeast"), FigureGreatest: p.number("figureGreatest"),
		Unit: p.text("unit"), OutputHash: p.text("outputHash"), OutputsEqual: p.text("outputsEqual"), FirstDifference: p.text("firstDifference"),
	}
	switch {
	case p.err != nil:
	case r.Kind != Microbenchmark && r.Kind != Program && r.Kind != Suite:
		p.fail("kind", "want %s, %s or %s", Microbenchmark, Program, Suite)
	case r.LeastNs > r.Nanoseconds || r.Nanoseconds > r.GreatestNs:
		p.fail("timeNs", "want a number from leastNs to greatestNs")
	case r.Kind == Microbenchmark && (r.Figure <= 0 || r.Unit == ""):
		p.fail("figure", "a microbenchmark has one above 0, and a unit")
	case !slices.Contains([]string{"", "yes", "no"}, r.OutputsEqual):
		p.fail("outputsEqual", "want yes, no or nothing")
	}
	return r, p.err
}

// rowParser reads fields by the names of their columns and keeps the first fault.
type rowParser struct {
	fields []string
	err    error
}

func (p *rowParser) text(column string) string { return p.fields[slices.Index(columns, column)] }

func (p *rowParser) fail(column, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s %.40q: %s", column, p.text(column), fmt.Sprintf(format, args...))
	}
}

func (p *rowParser) word(column string) string {
	text := p.text(column)
	if text == "" {
		p.fail(column, "it is empty")
	}
	return text
}

// mostNumber bounds every number of a row [ours]: far more than any, and far from overflow.
const mostNumber = 1e15

func (p *rowParser) number(column string) float64 {
	v, err := strconv.ParseFloat(p.text(column), 64)
	if err != nil || !(v >= 0 && v <= mostNumber) {
		p.fail(column, "want a number from 0 to %g", float64(mostNumber))
	}
	return v
}

func (p *rowParser) positive(column string) float64 {
	v := p.number(column)
	if v <= 0 {
		p.fail(column, "want a number above 0")
	}
	return v
}

func (p *rowParser) whole(column string, most uint64) uint64 {
	v, err := strconv.ParseUint(p.text(column), 10, 64)
	if err != nil || v > most {
		p.fail(column, "want a whole number from 0 to %d", most)
	}
	return v
}
