package translate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (t *translator) block(list []ast.Stmt) {
	t.depth++
	for _, s := range list {
		t.stmt(s)
	}
	t.depth--
}

func (t *translator) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		t.line("%s;", t.expr(s.X))
	case *ast.AssignStmt:
		t.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		x := t.place(s.X)
		t.line("%s = %s;", x, mask(t.info.TypeOf(s.X), fmt.Sprintf("(%s %s 1)", t.expr(s.X), op)))
	case *ast.DeclStmt:
		t.declaration(s)
	case *ast.BlockStmt:
		t.line("{")
		t.block(s.List)
		t.line("}")
	case *ast.IfStmt:
		t.conditional(s)
	case *ast.ForStmt:
		t.loop(s)
	case *ast.RangeStmt:
		t.rangeLoop(s)
	case *ast.SwitchStmt:
		t.switchStmt(s)
	case *ast.ReturnStmt:
		t.returnStmt(s)
	case *ast.BranchStmt:
		t.branch(s)
	case *ast.EmptyStmt:
	default:
		t.refuse(s, "this statement has no translation")
	}
}

// branch writes break or continue of the innermost loop. It refuses a break inside a
// switch, which in Go leaves only the switch.
func (t *translator) branch(s *ast.BranchStmt) {
	if s.Label != nil || s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		t.refuse(s, "%s has no translation", s.Tok)
	}
	if s.Tok == token.BREAK && len(t.breakers) > 0 && t.breakers[len(t.breakers)-1] == token.SWITCH {
		t.refuse(s, "a break in a switch has no translation")
	}
	t.line("%s;", s.Tok)
}

func (t *translator) declaration(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok == token.CONST {
		return // their values are written at each use
	}
	if d.Tok != token.VAR {
		t.refuse(s, "a type inside a function has no translation")
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, id := range v.Names {
			typ := t.info.Defs[id].Type()
			value := t.zero(v, typ)
			if i < len(v.Values) {
				value = t.value(v.Values[i], typ)
			}
			t.line("let %s: %s = %s;", t.declare(id), t.typeOf(v, typ), value)
		}
	}
}

// place writes the left side of an assignment.
func (t *translator) place(e ast.Expr) string {
	if _, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		t.refuse(e, "an assignment through a pointer has no translation; assign its fields")
	}
	return strings.TrimSuffix(t.expr(e), "!")
}

var operators = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.SHR_ASSIGN: token.SHR, token.SHL_ASSIGN: token.SHL,
}

func (t *translator) assign(s *ast.AssignStmt) {
	if op, ok := operators[s.Tok]; ok {
		t.line("%s = %s;", t.place(s.Lhs[0]), t.binary(s, op, s.Lhs[0], s.Rhs[0]))
		return
	}
	if s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		t.refuse(s, "%s has no translation", s.Tok)
	}
	if len(s.Lhs) == 1 {
		t.assignOne(s)
		return
	}
	// The values are evaluated before any name is declared: "x, y := y, x".
	var values []string
	for i, e := range s.Rhs {
		values = append(values, t.value(e, t.placeType(s, i)))
	}
	right := values[0]
	if len(values) > 1 {
		right = "[" + strings.Join(values, ", ") + "]"
	}
	places := make([]string, len(s.Lhs))
	fresh, named := 0, 0
	for i, e := range s.Lhs {
		id, ok := e.(*ast.Ident)
		if ok && id.Name == "_" {
			continue
		}
		named++
		if ok && s.Tok == token.DEFINE && t.info.Defs[id] != nil {
			fresh++
			places[i] = t.declare(id)
		} else {
			places[i] = t.place(e)
		}
	}
	switch {
	case fresh == len(places) && fresh == len(values):
		// No value can use a new name, so separate declarations mean the same.
		for i, place := range places {
			t.line("let %s = %s;", place, values[i])
		}
	case fresh == named && fresh > 0:
		t.line("let [%s] = %s;", strings.Join(places, ", "), right)
	case fresh > 0:
		for i, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok && id.Name != "_" && t.info.Defs[id] != nil {
				t.line("let %s: %s;", places[i], t.typeOf(s, t.info.Defs[id].Type()))
			}
		}
		fallthrough
	default:
		t.line("[%s] = %s;", strings.Join(places, ", "), right)
	}
}

// placeType is the type of the i-th place of an assignment, if it has one.
func (t *translator) placeType(s *ast.AssignStmt, i int) types.Type {
	if id, ok := s.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
		return nil
	}
	return t.info.TypeOf(s.Lhs[i])
}

func (t *translator) assignOne(s *ast.AssignStmt) {
	left, right := s.Lhs[0], s.Rhs[0]
	id, isName := left.(*ast.Ident)
	if isName && id.Name == "_" {
		t.line("%s;", t.expr(right))
		return
	}
	if s.Tok == token.DEFINE {
		typ := t.info.Defs[id].Type()
		value := t.value(right, typ)
		t.line("let %s: %s = %s;", t.declare(id), t.typeOf(s, typ), value)
		return
	}
	// "list = append(list, x)" adds in place.
	if c, ok := ast.Unparen(right).(*ast.CallExpr); ok {
		if f, ok := c.Fun.(*ast.Ident); ok {
			if b, ok := t.info.Uses[f].(*types.Builtin); ok && b.Name() == "append" && t.expr(c.Args[0]) == t.expr(left) {
				t.line("%s.push(%s);", t.expr(left), t.appended(c))
				return
			}
		}
	}
	t.line("%s = %s;", t.place(left), t.value(right, t.info.TypeOf(left)))
}

func (t *translator) conditional(s *ast.IfStmt) {
	if s.Init != nil {
		t.line("{")
		t.depth++
		t.stmt(s.Init)
		defer func() {
			t.depth--
			t.line("}")
		}()
	}
	t.line("if (%s) {", bare(t.expr(s.Cond)))
	t.block(s.Body.List)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		t.line("} else {")
		t.block(e.List)
	case *ast.IfStmt:
		t.line("} else {")
		t.block([]ast.Stmt{e})
	}
	t.line("}")
}

// bare takes the parentheses off a binary expression that stands alone.
func bare(text string) string {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case '"':
			return text
		}
		if depth == 0 && i < len(text)-1 {
			return text
		}
	}
	return text[1 : len(text)-1]
}

func (t *translator) loop(s *ast.ForStmt) {
	// The variables of the head need their own block.
	if s.Init != nil {
		t.line("{")
		t.depth++
		t.stmt(s.Init)
	}
	cond, post := "", ""
	if s.Cond != nil {
		cond = " " + bare(t.expr(s.Cond))
	}
	if s.Post != nil {
		post = " " + t.simple(s.Post)
	}
	t.line("for (;%s;%s) {", cond, post)
	t.inLoop(s.Body)
	t.line("}")
	if s.Init != nil {
		t.depth--
		t.line("}")
	}
}

func (t *translator) inLoop(body *ast.BlockStmt) {
	t.breakers = append(t.breakers, token.FOR)
	t.block(body.List)
	t.breakers = t.breakers[:len(t.breakers)-1]
}

// simple writes a statement of one line without its end.
func (t *translator) simple(s ast.Stmt) string {
	before, depth := t.out, t.depth
	t.out = bytes.Buffer{}
	t.depth = 0
	t.stmt(s)
	text := t.out.String()
	t.out, t.depth = before, depth
	if strings.Count(text, "\n") != 1 {
		t.refuse(s, "this statement does not fit the head of a loop")
	}
	return strings.TrimSuffix(strings.TrimSpace(text), ";")
}

func (t *translator) rangeLoop(s *ast.RangeStmt) {
	if s.Tok == token.ASSIGN {
		t.refuse(s, "a loop over variables that exist has no translation")
	}
	typ := t.info.TypeOf(s.X).Underlying()
	name := func(e ast.Expr, other string) string {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			return t.declare(id)
		}
		return t.nameFor(nil, other)
	}
	over := t.expr(s.X)
	if isInteger(typ) {
		i := name(s.Key, "i")
		end := over
		if t.info.Types[s.X].Value == nil {
			end = t.nameFor(nil, "end")
			t.line("for (let %s = 0, %s = %s; %s < %s; %s++) {", i, end, over, i, end, i)
		} else {
			t.line("for (let %s = 0; %s < %s; %s++) {", i, i, end, i)
		}
		t.inLoop(s.Body)
		t.line("}")
		return
	}
	var elem types.Type
	switch u := typ.(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	default:
		t.refuse(s, "only numbers, slices and arrays can be ranged over here")
	}
	list, end := t.nameFor(nil, "list"), t.nameFor(nil, "end")
	i := name(s.Key, "i")
	t.line("for (let %s = 0, %s = %s, %s = %s.length; %s < %s; %s++) {", i, list, over, end, list, i, end, i)
	if id, ok := s.Value.(*ast.Ident); ok && id.Name != "_" {
		element := list + "[" + i + "]!"
		if n := valueStruct(elem); n != nil && t.mutable[n] {
			t.copied[n] = true
			element += ".copy()"
		}
		t.line("  let %s: %s = %s;", t.declare(id), t.typeOf(s, elem), element)
	}
	t.inLoop(s.Body)
	t.line("}")
}

func (t *translator) switchStmt(s *ast.SwitchStmt) {
	t.line("{")
	t.depth++
	if s.Init != nil {
		t.stmt(s.Init)
	}
	tag := ""
	if s.Tag != nil {
		tag = t.nameFor(nil, "tag")
		t.line("let %s: %s = %s;", tag, t.typeOf(s, t.info.TypeOf(s.Tag)), t.expr(s.Tag))
	}
	t.breakers = append(t.breakers, token.SWITCH)
	word := "if"
	var otherwise *ast.CaseClause
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			otherwise = clause
			continue
		}
		var tests []string
		for _, e := range clause.List {
			if tag == "" {
				tests = append(tests, t.expr(e))
			} else {
				tests = append(tests, fmt.Sprintf("%s === %s", tag, t.expr(e)))
			}
		}
		t.line("%s (%s) {", word, strings.Join(tests, " || "))
		t.block(clause.Body)
		word = "} else if"
	}
	switch {
	case otherwise != nil && word == "if":
		t.block(otherwise.Body)
	case otherwise != nil:
		t.line("} else {")
		t.block(otherwise.Body)
		t.line("}")
	case word != "if":
		t.line("}")
	}
	t.breakers = t.breakers[:len(t.breakers)-1]
	t.depth--
	t.line("}")
}

func (t *translator) returnStmt(s *ast.ReturnStmt) {
	var list []string
	for i, e := range s.Results {
		list = append(list, t.value(e, t.resultTypes[min(i, len(t.resultTypes)-1)]))
	}
	if len(list) == 0 {
		list = t.results
	}
	switch len(list) {
	case 0:
		t.line("return;")
	case 1:
		t.line("return %s;", list[0])
	default:
		t.line("return [%s];", strings.Join(list, ", "))
	}
}
