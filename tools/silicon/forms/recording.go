package forms

import (
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
)

// Row is what a device made of one form.
type Row struct {
	Name   string
	Hash   string // of the results of all threads
	Errors Errors // of approximate forms
}

// Recording holds the rows of the catalog, in its order, and the device.
type Recording struct {
	Device, Driver string
	Rows           []Row
}

// Name identifies a form: its text, without operands where the opcode says all.
func (f *Form) Name() string {
	if strings.Contains(f.Text, "mma") {
		return f.Text[:strings.IndexByte(f.Text, ' ')]
	}
	name := strings.TrimSuffix(f.Text, ";")
	if opcode, operands, _ := strings.Cut(name, " "); !strings.ContainsAny(operands, "{[|;!") {
		name = opcode + ": " + strings.Join(f.In, " ") + " to " + strings.Join(f.Out, " ")
	}
	return name
}

// Hash returns eight digits for the results of a form.
func Hash(results []byte) string {
	h := fnv.New32a()
	h.Write(results)
	return fmt.Sprintf("%08x", h.Sum32())
}

// RowOf makes the row of a form.
func RowOf(f *Form, results []byte) Row {
	r := Row{Name: f.Name(), Hash: Hash(results)}
	if f.Approximate() {
		r.Errors = f.Errors(f.Operands(), results)
	}
	return r
}

// Write writes a recording.
func (r *Recording) Write(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"form", "hash", "ulps", "absolute error", r.Device, r.Driver})
	number := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	for _, row := range r.Rows {
		c.Write([]string{row.Name, row.Hash, number(row.Errors.Ulps), number(row.Errors.Absolute)})
	}
	c.Flush()
	return c.Error()
}

// ReadRecording reads what Write has written.
func ReadRecording(r io.Reader) (*Recording, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = -1
	lines, err := c.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || len(lines[0]) != 6 {
		return nil, fmt.Errorf("line 1: want form, hash, ulps, absolute error, the device and its driver")
	}
	out := &Recording{Device: lines[0][4], Driver: lines[0][5]}
	for i, line := range lines[1:] {
		if len(line) != 4 {
			return nil, fmt.Errorf("line %d: want 4 fields, found %d", i+2, len(line))
		}
		row := Row{Name: line[0], Hash: line[1]}
		for k, to := range []*float64{&row.Errors.Ulps, &row.Errors.Absolute} {
			if line[2+k] == "" {
				continue
			}
			if *to, err = strconv.ParseFloat(line[2+k], 64); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+2, err)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}
