package approximate

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
)

// statement is what the pass knows about an instruction: the names that it reads and writes.
type statement struct {
	opcode  string // with its modifiers
	guard   string
	writes  []string
	reads   []string // without the address and the guard
	address []string
}

// Names for what lies in memory of a CTA or thread: the pass does not tell places apart.
const (
	inShared = "shared memory"
	inLocal  = "local memory"
)

// withoutResult are the operations whose first operand is read.
var withoutResult = []string{
	"st", "red", "bra", "brx", "ret", "exit", "trap", "bar", "barrier", "membar", "fence", "prefetch", "prefetchu", "cp", "stmatrix", "discard",
}

// statements reads the text of a kernel.
func statements(k *ptx.Kernel) []statement {
	list := make([]statement, len(k.Code))
	for pc := range k.Code {
		list[pc] = parse(textOf(k, pc))
		list[pc].throughMemory(&k.Code[pc])
	}
	return list
}

// textOf returns the text of one instruction. A line of PTX may have several.
func textOf(k *ptx.Kernel, pc int) string {
	n := 0 // statements of the line in front
	for i := pc; i > 0 && k.Code[i-1].Line == k.Code[pc].Line; i-- {
		if k.Code[i-1].Column != k.Code[i].Column {
			n++
		}
	}
	for _, part := range strings.Split(k.Text[pc], ";") {
		part = strings.TrimLeft(part, " \t{}")
		if label := strings.IndexByte(part, ':'); label >= 0 && !strings.ContainsAny(part[:label], " \t") {
			part = strings.TrimLeft(part[label+1:], " \t{}")
		}
		if part == "" || part[0] == '.' {
			continue
		}
		if n == 0 {
			return part
		}
		n--
	}
	return ""
}

func parse(text string) (s statement) {
	if rest, ok := strings.CutPrefix(text, "@"); ok {
		s.guard, text, _ = strings.Cut(strings.TrimPrefix(rest, "!"), " ")
	}
	text = strings.TrimLeft(text, " \t")
	end := strings.IndexAny(text, " \t")
	if end < 0 {
		s.opcode = text
		return s
	}
	s.opcode = text[:end]
	operation, _, _ := strings.Cut(s.opcode, ".")
	result := !strings.HasPrefix(s.opcode, "wmma.store")
	for _, w := range withoutResult {
		result = result && w != operation
	}
	for _, operand := range operands(text[end:]) {
		switch {
		case strings.HasPrefix(operand, "["):
			s.address = append(s.address, names(operand)...)
		case result:
			s.writes = names(operand)
		default:
			s.reads = append(s.reads, names(operand)...)
		}
		result = false
	}
	return s
}

// operands splits a list at the commas outside of brackets.
func operands(text string) (list []string) {
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}

// names returns the words of an operand that can be names.
func names(operand string) []string {
	return strings.FieldsFunc(operand, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '$' || r == '%')
	})
}

// throughMemory adds what the instruction reads from or writes to memory of its CTA.
func (s *statement) throughMemory(in *ptx.Instr) {
	if in.Mem == nil || !in.IsMemory {
		return
	}
	place := ""
	switch in.Mem.Space {
	case ptx.SpaceShared:
		place = inShared
	case ptx.SpaceLocal:
		place = inLocal
	default:
		return
	}
	if in.Mem.Kind == ptx.AccessLoad || in.Mem.Kind == ptx.AccessAtomic {
		s.reads = append(s.reads, place)
	}
	if in.Mem.Kind != ptx.AccessLoad {
		s.writes = append(s.writes, place)
	}
}
