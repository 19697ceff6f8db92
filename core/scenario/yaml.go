package scenario

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// MaxTextBytes is the size of the largest scenario read as text.
const MaxTextBytes = 1 << 20

// ParseYAML reads an authored scenario; JSON is YAML. file names it in messages.
// Faults carry file:line:column.
func ParseYAML(file string, b []byte) (*Scenario, error) {
	if len(b) > MaxTextBytes {
		return nil, one(file, fmt.Sprintf("the scenario has %d bytes of text", len(b)), fmt.Sprintf("at most %d are read; pack large data as msgpack", MaxTextBytes))
	}
	if err := checkDensity(file, b); err != nil {
		return nil, err
	}
	root, err := readYAML(file, b)
	if err != nil {
		return nil, err
	}
	r := yamlReader{file: file}
	v, err := r.value(root, 0)
	if err != nil {
		return nil, err
	}
	return fromTree(&v)
}

// checkDensity refuses text with more structure than any scenario before the
// library makes a node of 160 bytes of each comma. It counts what could begin a
// node outside quotes and block text, roughly, erring on the side of reading.
func checkDensity(file string, b []byte) error {
	const limit = 4 * maxNodes
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
			return one(fmt.Sprintf("%s:%d", file, line), fmt.Sprintf("more than %d entries", limit), "no scenario needs so many")
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
	begins := true // a quote here would begin quoted text, not stand inside a word
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
	// The library reports what it calls impossible by panicking.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, one(file, "this is not YAML", "check the text")
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(b))
	var document, second yaml.Node
	if err := d.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, one(file, "the scenario is empty", "name at least a workload: `workload: {name: vecadd}`")
		}
		return nil, yamlError(file, err)
	}
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, yamlError(file, err)
		}
		return nil, one(fmt.Sprintf("%s:%d", file, second.Line), "a second document", "keep one scenario in a file")
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, one(file, "the scenario is empty", "name at least a workload: `workload: {name: vecadd}`")
	}
	return document.Content[0], nil
}

// yamlError moves the line of a syntax error ("yaml: line 3: ...") to the front.
func yamlError(file string, err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	where := file
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if line, text, ok := strings.Cut(rest, ": "); ok {
			where, message = file+":"+line, text
		}
	}
	return one(where, message, "correct the YAML")
}

// yamlReader turns nodes of the library into values.
type yamlReader struct {
	file  string
	nodes int
}

func (r *yamlReader) value(n *yaml.Node, depth int) (value, error) {
	v := value{where: fmt.Sprintf("%s:%d:%d", r.file, n.Line, n.Column)}
	if r.nodes++; r.nodes > maxNodes {
		return v, one(v.where, fmt.Sprintf("more than %d values", maxNodes), "no scenario needs so many")
	}
	if depth > maxDepth {
		return v, one(v.where, fmt.Sprintf("nested more than %d deep", maxDepth), "no scenario needs so much")
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return v, one(v.where, "anchors and aliases are not read", "write the value out")
	}
	if n.Kind != yaml.ScalarNode && n.ShortTag() != "!!map" && n.ShortTag() != "!!seq" {
		return v, one(v.where, "the tag "+quote(n.Tag)+" is not read", "remove it")
	}
	switch n.Kind {
	case yaml.MappingNode:
		v.kind = kindMap
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, err := r.value(n.Content[i], depth+1)
			if err != nil {
				return v, err
			}
			if key.kind != kindText {
				return v, one(key.where, "a key that is "+key.describe(), "keys are text")
			}
			item, err := r.value(n.Content[i+1], depth+1)
			if err != nil {
				return v, err
			}
			v.keys = append(v.keys, key.text)
			v.items = append(v.items, item)
		}
	case yaml.SequenceNode:
		v.kind = kindList
		for _, child := range n.Content {
			item, err := r.value(child, depth+1)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, item)
		}
	default:
		return v, r.scalar(n, &v)
	}
	return v, nil
}

func (r *yamlReader) scalar(n *yaml.Node, v *value) error {
	switch tag := n.ShortTag(); tag {
	case "!!str":
		v.kind, v.text = kindText, n.Value
	case "!!int":
		text, ok := decimal(n.Value)
		if !ok {
			return one(v.where, "the number "+quoteNumber(n.Value)+" is out of range", "give a whole number of at most 64 bits")
		}
		v.kind, v.text = kindInteger, text
	case "!!binary":
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if err != nil {
			return one(v.where, "the binary data are not base64", "encode the bytes as base64")
		}
		v.kind, v.binary = kindBinary, data
	case "!!null":
		v.kind, v.text = kindOther, "nothing"
	case "!!bool":
		v.kind, v.text = kindOther, "a truth value"
	case "!!float":
		v.kind, v.text = kindOther, "the number "+quoteNumber(n.Value)
	case "!!timestamp":
		v.kind, v.text = kindOther, "the date "+quoteNumber(n.Value)
	case "!!merge":
		return one(v.where, "merge keys (<<) are not read", "write the values out")
	default:
		return one(v.where, "the tag "+quote(tag)+" is not read", "remove it")
	}
	return nil
}

// decimal turns an integer of YAML (1_000, 0x10, 0o17, 0b1) into decimal digits.
func decimal(s string) (string, bool) {
	s = strings.TrimPrefix(strings.ReplaceAll(s, "_", ""), "+")
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return strconv.FormatInt(n, 10), true
	}
	n, err := strconv.ParseUint(s, 0, 64)
	return strconv.FormatUint(n, 10), err == nil
}
