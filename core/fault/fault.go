// Package fault describes faults of an input: where, what is wrong, and what to do.
package fault

import "strings"

// Fault is one fault of an input.
type Fault struct {
	// Path names the value, such as memory.codec; empty for the whole input.
	Path string `json:"path"`
	// Where is the place in the input: file:line:column, or "byte N" in msgpack.
	Where   string `json:"where,omitempty"`
	Message string `json:"message"`
	// Mend says what to do.
	Mend string `json:"mend"`
	// Fixes are settings of which each one mends the fault, the nearest first; none if no
	// single setting does.
	Fixes []Fix `json:"fixes,omitempty"`
}

// Fix is a value for a path.
type Fix struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Fixes lists values for paths: a path, its value, the next path ...
func Fixes(pairs ...string) []Fix {
	var list []Fix
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, Fix{Path: pairs[i], Value: pairs[i+1]})
	}
	return list
}

func (f *Fault) String() string {
	var b strings.Builder
	for _, part := range []string{f.Where, f.Path, f.Message} {
		if part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(part)
	}
	if f.Mend != "" {
		b.WriteString(": ")
		b.WriteString(f.Mend)
	}
	return b.String()
}

// Errors lists every fault found.
type Errors struct{ List []Fault }

func (e *Errors) Error() string {
	lines := make([]string, len(e.List))
	for i := range e.List {
		lines[i] = e.List[i].String()
	}
	return strings.Join(lines, "\n")
}

// Add appends a fault of a path.
func (e *Errors) Add(path, message, mend string) {
	e.List = append(e.List, Fault{Path: path, Message: message, Mend: mend})
}

// OrNil turns an empty list into no error.
func (e *Errors) OrNil() error {
	if len(e.List) == 0 {
		return nil
	}
	return e
}

// Refuse returns a single fault of an input as an error.
func Refuse(where, message, mend string) error {
	return &Errors{[]Fault{{Where: where, Message: message, Mend: mend}}}
}

// At returns a single fault of a path as an error.
func At(path, message, mend string) error {
	return &Errors{[]Fault{{Path: path, Message: message, Mend: mend}}}
}
