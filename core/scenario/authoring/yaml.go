package authoring

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
	"go.yaml.in/yaml/v4"
)

// ParseYAML reads a scenario as YAML. file names it in messages.
// Faults carry file:line:column.
func ParseYAML(file string, b []byte) (*scenario.Scenario, error) {
	if len(b) > scenario.MaxTextBytes {
		return nil, fault.Refuse(file, fmt.Sprintf("the scenario has %d bytes of text", len(b)), fmt.Sprintf("at most %d are read; pack large data as msgpack", scenario.MaxTextBytes))
	}
	v, err := ParseTree(file, b)
	if err != nil {
		return nil, err
	}
	return scenario.FromTree(v, steps.Validate)
}

// checkDensity refuses text with more structure than any scenario before the
// library makes a node of 160 bytes of each comma. It roughly counts the characters
// outside quotes and block text that can begin a node, and in doubt counts too few.
func checkDensity(file string, b []byte) error {
	const limit = 4 * scenario.MaxNodes
	count, blockIndent := 0, -1
	var quote byte
	for line := 1; len(b) > 0; line++ {
		text := b
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			text, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		if blockIndent >= 0 {
			if indent > blockIndent || len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			blockIndent = -1
		}
		quote = countLine(text, quote, &count)
		if count > limit {
			return fault.Refuse(fmt.Sprintf("%s:%d", file, line), fmt.Sprintf("more than %d entries", limit), "a scenario needs fewer")
		}
		if quote == 0 && blockHeader.Match(text) {
			blockIndent = indent
		}
	}
	return nil
}

// blockHeader matches the end of a line that begins a block of literal text.
var blockHeader = regexp.MustCompile(`(^|[:\-] )[|>][+\-0-9]*\s*$`)

// indicators are the characters that begin or separate nodes.
const indicators = "[]{},:?-&*!"

// countLine adds the indicators of a line outside quotes to count and returns the
// quote that is open at its end. Double quotes may span lines.
func countLine(text []byte, quote byte, count *int) byte {
	begins := true // a quote here begins quoted text; elsewhere it is part of a word
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case begins && (c == '"' || c == '\''):
			quote = c
		case strings.IndexByte(indicators, c) >= 0:
			*count++
		}
		if c != ' ' {
			begins = strings.IndexByte(indicators, c) >= 0
		}
	}
	if quote == '\'' {
		return 0
	}
	return quote
}

// readYAML returns the root of the only document in b.
func readYAML(file string, b []byte) (root *yaml.Node, err error) {
	// The library panics in cases that it considers impossible.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fault.Refuse(file, "this is not YAML", "check the text")
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(b))
	var document, second yaml.Node
	if err := d.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fault.Refuse(file, "the scenario is empty", "name at least a workload: `workload: {name: vecadd}`")
		}
		return nil, yamlError(file, b, err)
	}
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, yamlError(file, b, err)
		}
		return nil, fault.Refuse(fmt.Sprintf("%s:%d", file, second.Line), "a second document", "keep one scenario in a file")
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, fault.Refuse(file, "the scenario is empty", "name at least a workload: `workload: {name: vecadd}`")
	}
	return document.Content[0], nil
}

// yamlError names the line of a syntax error. That of the library ("yaml: line 3: ...") is where the map or the text around
// the fault begins, or the line before it.
func yamlError(file string, b []byte, err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if _, text, ok := strings.Cut(rest, ": "); ok {
			message = text
		}
	}
	return fault.Refuse(fmt.Sprintf("%s:%d", file, faultyLine(b)), message, "correct the YAML")
}

// faultyLine is the line with which a text stops being YAML: the text before it is YAML, and with it none of the next
// lines makes it YAML again, as they would if it began something that takes several lines.
func faultyLine(b []byte) int {
	var ends []int // of lines
	for i, c := range b {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	ends = append(ends, len(b))
	tries := 64 // a megabyte of YAML takes some 20 ms
	reads := func(lines int) bool {
		tries--
		d := yaml.NewDecoder(bytes.NewReader(b[:ends[lines-1]]))
		var err error
		for documents := 0; err == nil && documents < 2; documents++ {
			err = d.Decode(new(yaml.Node))
		}
		return err == nil || errors.Is(err, io.EOF)
	}
	good, bad := 0, len(ends)
	for tries > 0 {
		for good+1 < bad && tries > 0 {
			if middle := (good + bad) / 2; reads(middle) {
				good = middle
			} else {
				bad = middle
			}
		}
		ahead := bad + 1
		for ahead < len(ends) && ahead <= bad+20 && tries > 0 && !reads(ahead) {
			ahead++
		}
		if ahead >= len(ends) || ahead > bad+20 || tries <= 0 {
			break
		}
		good, bad = ahead, len(ends)
	}
	return bad
}

// yamlReader turns nodes of the library into values.
type yamlReader struct {
	file  string
	nodes int
}

func (r *yamlReader) value(n *yaml.Node, depth int) (scenario.Value, error) {
	v := scenario.Value{Where: fmt.Sprintf("%s:%d:%d", r.file, n.Line, n.Column)}
	if r.nodes++; r.nodes > scenario.MaxNodes {
		return v, fault.Refuse(v.Where, fmt.Sprintf("more than %d values", scenario.MaxNodes), "a scenario needs fewer")
	}
	if depth > scenario.MaxDepth {
		return v, fault.Refuse(v.Where, fmt.Sprintf("nested more than %d deep", scenario.MaxDepth), "a scenario needs less nesting")
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return v, fault.Refuse(v.Where, "anchors and aliases are not read", "write the value out")
	}
	if n.Kind != yaml.ScalarNode && n.ShortTag() != "!!map" && n.ShortTag() != "!!seq" {
		return v, fault.Refuse(v.Where, "the tag "+fault.Quote(n.Tag)+" is not read", "remove it")
	}
	switch n.Kind {
	case yaml.MappingNode:
		v.Kind = scenario.IsMap
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, err := r.value(n.Content[i], depth+1)
			if err != nil {
				return v, err
			}
			if key.Kind != scenario.IsText {
				return v, fault.Refuse(key.Where, "a key that is "+key.Describe(), "keys are text")
			}
			item, err := r.value(n.Content[i+1], depth+1)
			if err != nil {
				return v, err
			}
			if (item.Kind == scenario.IsMap || item.Kind == scenario.IsList) && slices.Contains(v.Keys, key.Text) {
				item.Where = key.Where // the fault is the key: what it holds may begin in the next line
			}
			v.Keys = append(v.Keys, key.Text)
			v.Items = append(v.Items, item)
		}
	case yaml.SequenceNode:
		v.Kind = scenario.IsList
		for _, child := range n.Content {
			item, err := r.value(child, depth+1)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
	default:
		return v, r.scalar(n, &v)
	}
	return v, nil
}

func (r *yamlReader) scalar(n *yaml.Node, v *scenario.Value) error {
	switch tag := n.ShortTag(); tag {
	case "!!str":
		v.Kind, v.Text = scenario.IsText, n.Value
	case "!!int":
		text, ok := scenario.Decimal(n.Value)
		if !ok {
			return fault.Refuse(v.Where, "the number "+scenario.QuoteNumber(n.Value)+" is out of range", "give a whole number of at most 64 bits")
		}
		v.Kind, v.Text = scenario.IsInteger, text
	case "!!binary":
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if err != nil {
			return fault.Refuse(v.Where, "the binary data are not base64", "encode the bytes as base64")
		}
		v.Kind, v.Binary = scenario.IsBinary, data
	case "!!null":
		v.Kind, v.Text = scenario.IsOther, "nothing"
	case "!!bool":
		v.Kind, v.Text = scenario.IsOther, "a truth value"
	case "!!float":
		if n.Value == "-0" && n.Style&yaml.TaggedStyle == 0 { // to the library a fraction, to a person a whole number
			v.Kind, v.Text = scenario.IsInteger, "0"
			break
		}
		v.Kind, v.Text = scenario.IsOther, "the number "+scenario.QuoteNumber(n.Value)
	case "!!timestamp":
		v.Kind, v.Text = scenario.IsOther, "the date "+scenario.QuoteNumber(n.Value)
	case "!!merge":
		return fault.Refuse(v.Where, "merge keys (<<) are not read", "write the values out")
	default:
		return fault.Refuse(v.Where, "the tag "+fault.Quote(tag)+" is not read", "remove it")
	}
	return nil
}
