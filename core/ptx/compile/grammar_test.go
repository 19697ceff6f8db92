package compile

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// grammarRule is a line of testdata/grammar.txt.
type grammarRule struct {
	line   int
	text   string
	target string
}

// grammarRules reads the file, with its definitions replaced.
func grammarRules(t *testing.T) (rules []grammarRule) {
	t.Helper()
	b, err := os.ReadFile("testdata/grammar.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"{{", "\x01", "}}", "\x02"}
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if name, value, ok := strings.Cut(line, ": "); ok && !strings.ContainsAny(name, " {.#") {
			names = append(names, "$"+name, value)
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		r := grammarRule{line: i + 1, text: strings.NewReplacer(names...).Replace(line), target: "sm_100a"}
		if rest, ok := strings.CutPrefix(r.text, "@"); ok {
			r.target, r.text, _ = strings.Cut(rest, " ")
		}
		rules = append(rules, r)
	}
	return rules
}

// forms makes every form of a rule.
func (r grammarRule) forms(yield func(string)) { r.expand("", r.text, yield) }

func (r grammarRule) expand(done, rest string, yield func(string)) {
	from := strings.IndexByte(rest, '{')
	if from < 0 {
		yield(grammarOperands(done + rest))
		return
	}
	depth, start := 0, from+1
	var ways []string
	end := from
	for ; ; end++ {
		switch rest[end] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 || depth == 1 && rest[end] == '|' {
			ways = append(ways, strings.ReplaceAll(rest[start:end], "/", "|"))
			start = end + 1
		}
		if depth == 0 {
			break
		}
	}
	done += rest[:from]
	rest = rest[end+1:]
	if strings.HasPrefix(ways[0], "=") {
		for _, way := range ways {
			if word, text, _ := strings.Cut(way[1:], ":"); strings.Contains(done+" ", word) {
				r.expand(done, text+rest, yield)
				return
			}
		}
		panic(fmt.Sprintf("grammar.txt:%d: no way behind %s", r.line, done))
	}
	name := ""
	if len(ways[0]) > 1 && ways[0][1] == '=' {
		name, ways[0] = ways[0][:1], ways[0][2:]
	}
	for _, way := range ways {
		tail := rest
		if name != "" {
			for _, end := range []string{">", "*", "+"} {
				tail = strings.ReplaceAll(tail, "<"+name+end, "<"+way+end)
			}
		}
		r.expand(done, way+tail, yield)
	}
}

// grammarRegisters are the registers of each type.
var grammarRegisters = map[string]string{
	"pred": "%p", "b8": "%b", "u8": "%h", "s8": "%h", "b16": "%h", "u16": "%h", "s16": "%h", "f16": "%h", "bf16": "%h",
	"b32": "%r", "u32": "%r", "s32": "%r", "f16x2": "%r", "bf16x2": "%r", "u16x2": "%r", "s16x2": "%r",
	"b64": "%rd", "u64": "%rd", "s64": "%rd", "f32": "%f", "f64": "%d", "b128": "%x",
	"u16+": "%r", "s16+": "%r", "u32+": "%rd", "s32+": "%rd",
}

// grammarOperands puts registers in the places of their types.
func grammarOperands(text string) string {
	var b strings.Builder
	used := map[string]int{}
	register := func(t string) string {
		name, ok := grammarRegisters[t]
		if !ok {
			panic(text + ": no registers of " + t)
		}
		used[name]++
		return fmt.Sprint(name, used[name]-1)
	}
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			return strings.NewReplacer("\x01", "{", "\x02", "}").Replace(b.String())
		}
		var word string
		word, text, _ = strings.Cut(rest, ">")
		t, count, vector := strings.Cut(word, "*")
		switch {
		case word == "addr":
			b.WriteString("%rd9")
		case vector:
			var list []string
			for range int(count[0] - '0') {
				list = append(list, register(t))
			}
			b.WriteString("{" + strings.Join(list, ", ") + "}")
		default:
			b.WriteString(register(word))
		}
	}
}

// grammarModule is a module around a form, which is its line 6.
func grammarModule(form, target string) string {
	return ".version 9.0\n.target " + target + "\n.address_size 64\n" +
		".func (.reg .b32 q) f(.reg .b32 a) { add.u32 q, a, 1; ret; }\n" +
		".global .texref t; .global .b8 g[64]; .const .b8 c[64]; .visible .entry k(.param .u64 p) { .reg .b8 %b<9>; " +
		".shared .align 16 .b8 s[64]; .local .align 16 .b8 l[64]; .reg .pred %p<9>; .reg .b16 %h<40>; .reg .b32 %r<40>; " +
		".reg .b64 %rd<40>; .reg .f32 %f<40>; .reg .f64 %d<40>; .reg .b128 %x<9>; ts: .branchtargets L; " +
		"pt: .callprototype (.reg .b32 a) _ (.reg .b32 b);\n" +
		form + "\nL: ret;\n}\n"
}

// refusals reads the list of refused forms, with the reason of each: the comment after it, or that of the form above.
func refusals(t *testing.T) (forms, why []string) {
	t.Helper()
	b, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(b), "```ptx\n")
	if !ok {
		t.Fatal("README.md has no list of refused forms")
	}
	list, _, _ = strings.Cut(list, "```")
	reason := ""
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		form, comment, ok := strings.Cut(line, "//")
		if ok {
			reason = strings.TrimSpace(comment)
		}
		forms, why = append(forms, strings.TrimSpace(form)), append(why, reason)
	}
	return forms, why
}

// TestGrammar makes every form of the grammar. Each is supported, or refused for a reason that stands in the list; and
// every reason that the program knows is that of a form.
func TestGrammar(t *testing.T) {
	_, listed := refusals(t)
	count, used := 0, map[string]bool{}
	for _, r := range grammarRules(t) {
		wrong := 0
		r.forms(func(form string) {
			count++
			_, err := Load("form.ptx", []byte(grammarModule(form, r.target)))
			if err == nil || wrong > 0 {
				return
			}
			_, reason, _ := strings.Cut(strings.TrimSuffix(err.Error(), ")"), " (")
			if used[reason] = true; !slices.Contains(listed, reason) {
				wrong++
				t.Errorf("grammar.txt:%d: %s: %v", r.line, form, err)
			}
		})
	}
	if count < 10000 {
		t.Errorf("the grammar has %d forms only", count)
	}
	for _, row := range strings.Split(strings.TrimSpace(reasons), "; ") {
		if _, reason, _ := strings.Cut(strings.TrimSuffix(row, ";"), "="); !used[reason] {
			t.Errorf("no form of the grammar is refused for %q", reason)
		}
	}
}

// TestGrammarHasEveryInstruction: the table knows each instruction of the PTX ISA, and no other.
func TestGrammarHasEveryInstruction(t *testing.T) {
	known := map[string]bool{}
	for _, r := range grammarRules(t) {
		r.forms(func(form string) {
			known[form[:strings.IndexAny(form, ". ;")]] = true
		})
	}
	for _, name := range strings.Fields(instructions) {
		if !known[name] {
			t.Errorf("the grammar has no %s", name)
		}
		delete(known, name)
	}
	for name := range known {
		t.Errorf("%s is no instruction of PTX", name)
	}
}
