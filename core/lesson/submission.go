package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/jsontext"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
)

// Schema and version of a submission; the page writes both.
const (
	Schema        = "burstscope-submission"
	SchemaVersion = 1
	// MaxBytes bounds a submission: 40 answers of 4000 bytes, and the other fields.
	MaxBytes = 256 << 10

	maxNameBytes    = 200
	maxSettings     = 32
	maxSettingBytes = 64
	maxEntries      = 40
)

// Submission is the file that a student hands in.
type Submission struct {
	Program    string
	LessonName string
	LessonHash string
	Student    string
	Steps      []Entry
	// Written is the digest in the file, Digest the digest computed from its contents.
	Written, Digest string
}

// Entry records a student's actions in one step.
type Entry struct {
	Step   int // from 1
	Answer string
	// Answered and Ran are positions in the order of the student's actions, from 1; 0
	// means never. A prediction comes before its run.
	Answered, Ran int
	Settings      map[string]string
	A, B          Side
}

// Side names the scenario and the result of one side by their hashes.
type Side struct{ ScenarioHash, ResultHash string }

// Read reads a submission. Input may be hostile, so it uses the reader of scenarios, with
// its bounds on nesting and values. Every error has its place.
func Read(file string, b []byte) (*Submission, error) {
	if len(b) > MaxBytes {
		return nil, fault.Refuse(file, "larger than any submission", fmt.Sprintf("at most %d bytes are read", MaxBytes))
	}
	tree, err := scenario.ParseJSONTree(file, b)
	if err != nil {
		return nil, err
	}
	r := reader{}
	s := r.submission(tree)
	if len(r.faults) > 0 {
		return nil, &fault.Errors{List: r.faults}
	}
	if i := slices.Index(tree.Keys, "digest"); i >= 0 {
		tree.Keys, tree.Items = slices.Delete(tree.Keys, i, i+1), slices.Delete(tree.Items, i, i+1)
	}
	s.Digest = digest.Hex(canonical(nil, tree))
	return s, nil
}

// reader takes a submission from a tree and lists the errors.
type reader struct{ faults []fault.Fault }

func (r *reader) fault(v *scenario.Value, path, message, mend string) {
	r.faults = append(r.faults, fault.Fault{Path: path, Where: v.Where, Message: message, Mend: mend})
}

const mendFile = "export it again from the page"

// fields looks up the keys of a map, which must have exactly these keys.
func (r *reader) fields(v *scenario.Value, path string, keys ...string) []*scenario.Value {
	found := make([]*scenario.Value, len(keys))
	if v.Kind != scenario.IsMap {
		r.fault(v, path, "want a map, not "+v.Describe(), mendFile)
		return nil
	}
	for i, key := range v.Keys {
		at := slices.Index(keys, key)
		switch {
		case at < 0:
			r.fault(&v.Items[i], path, "no such key: "+fault.Quote(key), "keys are "+strings.Join(keys, ", "))
		case found[at] != nil:
			r.fault(&v.Items[i], join(path, key), "the key is given twice", mendFile)
		default:
			found[at] = &v.Items[i]
		}
	}
	for i, key := range keys {
		if found[i] == nil {
			r.fault(v, join(path, key), "it is missing", mendFile)
		}
	}
	if slices.Contains(found, nil) {
		return nil
	}
	return found
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func (r *reader) text(v *scenario.Value, path string, most int) string {
	switch {
	case v.Kind != scenario.IsText:
		r.fault(v, path, "want text, not "+v.Describe(), mendFile)
	case len(v.Text) > most:
		r.fault(v, path, fmt.Sprintf("%d bytes of text", len(v.Text)), fmt.Sprintf("at most %d are read", most))
	case !utf8.ValidString(v.Text):
		r.fault(v, path, "the text is not UTF-8", mendFile)
	case strings.IndexFunc(v.Text, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }) >= 0:
		r.fault(v, path, "control characters in the text", mendFile)
	default:
		return v.Text
	}
	return ""
}

func (r *reader) hash(v *scenario.Value, path string, needed bool) string {
	s := r.text(v, path, 64)
	if s == "" && !needed {
		return s
	}
	if len(s) != 64 || strings.Trim(s, "0123456789abcdef") != "" {
		r.fault(v, path, "want a hash of 64 hexadecimal digits", mendFile)
	}
	return s
}

func (r *reader) number(v *scenario.Value, path string, most int) int {
	n, err := strconv.Atoi(v.Text)
	if v.Kind != scenario.IsInteger || err != nil || n < 0 || n > most {
		r.fault(v, path, "want a whole number from 0 to "+strconv.Itoa(most)+", not "+v.Describe(), mendFile)
		return 0
	}
	return n
}

func (r *reader) submission(v *scenario.Value) *Submission {
	s := &Submission{}
	top := r.fields(v, "", "schema", "version", "program", "lesson", "student", "steps", "digest")
	if top == nil {
		return s
	}
	if schema := r.text(top[0], "schema", maxNameBytes); schema != Schema {
		r.fault(top[0], "schema", "not a submission: "+fault.Quote(schema), "want "+Schema)
		return s
	}
	if n := r.number(top[1], "version", 1000); n != SchemaVersion {
		r.fault(top[1], "version", fmt.Sprintf("version %d", n), fmt.Sprintf("this program reads version %d", SchemaVersion))
		return s
	}
	s.Program = r.text(top[2], "program", maxNameBytes)
	if l := r.fields(top[3], "lesson", "name", "hash"); l != nil {
		s.LessonName, s.LessonHash = r.text(l[0], "lesson.name", maxNameBytes), r.hash(l[1], "lesson.hash", true)
	}
	s.Student = r.text(top[4], "student", maxNameBytes)
	s.Written = r.hash(top[6], "digest", true)
	if top[5].Kind != scenario.IsList || len(top[5].Items) > maxEntries {
		r.fault(top[5], "steps", "want a list of at most "+strconv.Itoa(maxEntries)+" steps, not "+top[5].Describe(), mendFile)
		return s
	}
	for i := range top[5].Items {
		s.Steps = append(s.Steps, r.entry(&top[5].Items[i], fmt.Sprintf("steps[%d]", i)))
	}
	return s
}

func (r *reader) entry(v *scenario.Value, path string) Entry {
	e := Entry{Settings: map[string]string{}}
	f := r.fields(v, path, "step", "answer", "answered", "ran", "settings", "a", "b")
	if f == nil {
		return e
	}
	const mostEvents = 1_000_000
	e.Step = r.number(f[0], path+".step", maxEntries)
	e.Answer = r.text(f[1], path+".answer", steps.MaxAnswerBytes)
	e.Answered, e.Ran = r.number(f[2], path+".answered", mostEvents), r.number(f[3], path+".ran", mostEvents)
	settings := f[4]
	if settings.Kind != scenario.IsMap || len(settings.Keys) > maxSettings {
		r.fault(settings, path+".settings", "want a map of at most "+strconv.Itoa(maxSettings)+" values, not "+settings.Describe(), mendFile)
		return e
	}
	for i, key := range settings.Keys {
		at := path + ".settings." + strings.Trim(fault.Quote(key), `"`)
		if _, twice := e.Settings[key]; twice || len(key) > maxSettingBytes || !utf8.ValidString(key) {
			r.fault(&settings.Items[i], at, "no path, or given twice", mendFile)
			continue
		}
		e.Settings[key] = r.text(&settings.Items[i], at, maxSettingBytes)
	}
	for i, side := range []*Side{&e.A, &e.B} {
		at := path + "." + string("ab"[i])
		if h := r.fields(f[5+i], at, "scenario", "result"); h != nil {
			side.ScenarioHash, side.ResultHash = r.hash(h[0], at+".scenario", false), r.hash(h[1], at+".result", false)
		}
	}
	return e
}

// canonical appends the canonical form of a tree, which is digested: keys sorted, no space,
// texts as JSON.stringify writes them. A new layout of the file does not change the
// digest.
func canonical(b []byte, v *scenario.Value) []byte {
	switch v.Kind {
	case scenario.IsMap:
		order := make([]int, len(v.Keys))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(x, y int) int { return strings.Compare(v.Keys[x], v.Keys[y]) })
		b = append(b, '{')
		for _, i := range order {
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(jsontext.AppendQuote(b, v.Keys[i]), ':')
			b = canonical(b, &v.Items[i])
		}
		return append(b, '}')
	case scenario.IsList:
		b = append(b, '[')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = canonical(b, &v.Items[i])
		}
		return append(b, ']')
	case scenario.IsText:
		return jsontext.AppendQuote(b, v.Text)
	}
	return append(b, v.Text...)
}
