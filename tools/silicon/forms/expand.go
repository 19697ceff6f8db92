package forms

import "strings"

// expand replaces braces by each of the words between them: add{.rn,.rz}.f32.
func expand(text string) []string {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return []string{text}
	}
	end := open + strings.IndexByte(text[open:], '}')
	var list []string
	for _, word := range strings.Split(text[open+1:end], ",") {
		for _, rest := range expand(text[end+1:]) {
			list = append(list, text[:open]+word+rest)
		}
	}
	return list
}

// words splits a list of kinds.
func words(list string) []string { return strings.Fields(list) }

// catalog collects forms.
type catalog struct{ list []Form }

// simple adds instructions of one result: the opcodes in braces, the kind of the result
// and the kinds of the operands.
func (c *catalog) simple(opcodes, result, operands string) {
	for _, name := range expand(opcodes) {
		in := words(operands)
		text := name + " %y0"
		for i := range in {
			text += ", %x" + string(rune('0'+i))
		}
		c.list = append(c.list, Form{Text: text + ";", In: in, Out: words(result)})
	}
}

// text adds instructions as they stand; << and >> enclose what is expanded, because the
// text may have braces of its own.
func (c *catalog) text(text, result, operands string) {
	marked := strings.NewReplacer("{", "\x01", "}", "\x02", "<<", "{", ">>", "}").Replace(text)
	for _, one := range expand(marked) {
		one = strings.NewReplacer("\x01", "{", "\x02", "}").Replace(one)
		c.list = append(c.list, Form{Text: one, In: words(operands), Out: words(result)})
	}
}

// times replaces T in a text by each of the types.
func times(types string, add func(t string)) {
	for _, t := range words(types) {
		add(t)
	}
}
