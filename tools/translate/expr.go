package translate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// expr writes an expression. Binary expressions get parentheses, so that the precedence
// of operators does not matter.
func (t *translator) expr(e ast.Expr) string {
	if tv := t.info.Types[e]; tv.Value != nil {
		return literal(tv.Value)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.expr(e.X)
	case *ast.Ident:
		return t.ident(e)
	case *ast.SelectorExpr:
		return t.selector(e)
	case *ast.CallExpr:
		return t.call(e)
	case *ast.BinaryExpr:
		return t.binary(e, e.Op, e.X, e.Y)
	case *ast.UnaryExpr:
		return t.unary(e)
	case *ast.StarExpr:
		return t.expr(e.X)
	case *ast.IndexExpr:
		typ := t.info.TypeOf(e.X).Underlying()
		if p, ok := typ.(*types.Pointer); ok {
			typ = p.Elem().Underlying()
		}
		switch typ.(type) {
		case *types.Slice, *types.Array:
			return t.expr(e.X) + "[" + t.expr(e.Index) + "]!"
		case *types.Signature:
			return t.expr(e.X) // an instance of a generic function
		}
		t.refuse(e, "only slices and arrays have elements here")
	case *ast.SliceExpr:
		if isString(t.info.TypeOf(e.X)) {
			t.refuse(e, "a part of a string has no translation, because JavaScript counts strings in other units")
		}
		low, high := "0", ""
		if e.Low != nil {
			low = t.expr(e.Low)
		}
		if e.High != nil {
			high = ", " + t.expr(e.High)
		}
		return t.expr(e.X) + ".slice(" + low + high + ")"
	case *ast.CompositeLit:
		return t.composite(e)
	case *ast.FuncLit:
		return t.closure(e)
	}
	t.refuse(e, "this expression has no translation")
	return ""
}

// value writes an expression whose value is stored or passed on, as a value of a type.
// A mutable struct is copied, as in Go.
func (t *translator) value(e ast.Expr, typ types.Type) string {
	if t.info.Types[e].IsNil() {
		return t.zero(e, typ)
	}
	text := t.expr(e)
	name := valueStruct(t.info.TypeOf(e))
	if name == nil || !t.mutable[name] {
		return text
	}
	switch ast.Unparen(e).(type) {
	case *ast.CompositeLit, *ast.CallExpr:
		return text // a new object needs no copy
	}
	t.copied[name] = true
	return text + ".copy()"
}

func (t *translator) ident(e *ast.Ident) string {
	obj := t.info.Uses[e]
	if obj == nil {
		obj = t.info.Defs[e]
	}
	if obj == t.receiver && obj != nil {
		return "this"
	}
	switch obj := obj.(type) {
	case *types.Nil:
		return "undefined" // the other side of a comparison
	case *types.Var, *types.Func:
		if name, ok := t.names[obj]; ok {
			return name
		}
		if obj.Parent() == t.pkg.Scope() {
			t.known(e, obj)
			return obj.Name()
		}
	}
	t.refuse(e, "%s has no translation", e.Name)
	return ""
}

func (t *translator) selector(e *ast.SelectorExpr) string {
	s := t.info.Selections[e]
	if s == nil {
		t.refuse(e, "%s of another package has no translation", e.Sel.Name)
	}
	if s.Kind() == types.MethodExpr {
		t.refuse(e, "a method as a function has no translation")
	}
	t.known(e, s.Obj())
	return t.expr(e.X) + t.path(s) + "." + e.Sel.Name
}

// path names the embedded fields on the way to a selected field.
func (t *translator) path(s *types.Selection) string {
	text := ""
	typ := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := types.Unalias(typ).(*types.Pointer); ok {
			typ = p.Elem()
		}
		f := typ.Underlying().(*types.Struct).Field(i)
		text += "." + f.Name()
		typ = f.Type()
	}
	return text
}

func (t *translator) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.SUB:
		return "(-" + t.expr(e.X) + ")"
	case token.NOT:
		return "(!" + t.expr(e.X) + ")"
	case token.AND:
		if structOf(t.info.TypeOf(e.X)) != nil {
			return t.expr(e.X) // objects are references
		}
		t.refuse(e, "only structs have addresses here")
	}
	t.refuse(e, "the operator %s has no translation", e.Op)
	return ""
}

var comparisons = map[token.Token]string{
	token.EQL: "===", token.NEQ: "!==", token.LSS: "<", token.LEQ: "<=", token.GTR: ">", token.GEQ: ">=",
}

func (t *translator) binary(n ast.Node, op token.Token, left, right ast.Expr) string {
	typ := t.info.TypeOf(left)
	if tv := t.info.Types[left]; tv.Value != nil && op != token.SHR && op != token.SHL {
		typ = t.info.TypeOf(right)
	}
	x, y := t.expr(left), t.expr(right)
	if word, ok := comparisons[op]; ok {
		if _, ok := typ.Underlying().(*types.Slice); ok {
			t.refuse(n, "a slice is not compared here; compare its length")
		}
		if valueStruct(typ) != nil {
			t.refuse(n, "structs are not compared here; compare their fields")
		}
		return fmt.Sprintf("(%s %s %s)", x, word, y)
	}
	switch op {
	case token.LAND, token.LOR:
		return fmt.Sprintf("(%s %s %s)", x, op, y)
	case token.ADD, token.SUB:
		return mask(typ, fmt.Sprintf("(%s %s %s)", x, op, y))
	case token.MUL:
		if bits(typ) == 32 {
			return fmt.Sprintf("(Math.imul(%s, %s) >>> 0)", x, y)
		}
		return mask(typ, fmt.Sprintf("(%s * %s)", x, y))
	case token.QUO:
		if isInteger(typ) {
			return fmt.Sprintf("Math.trunc(%s / %s)", x, y)
		}
		return mask(typ, fmt.Sprintf("(%s / %s)", x, y))
	case token.REM:
		return fmt.Sprintf("(%s %% %s)", x, y)
	case token.AND, token.OR, token.XOR:
		if bits(typ) > 0 {
			return mask(typ, fmt.Sprintf("(%s %s %s)", x, op, y))
		}
	case token.SHR:
		if bits(typ) > 0 {
			return fmt.Sprintf("(%s >>> %s)", x, y)
		}
		if t.info.Types[right].Value != nil {
			return fmt.Sprintf("Math.floor(%s / 2 ** %s)", x, y)
		}
	case token.SHL:
		if bits(typ) > 0 {
			return mask(typ, fmt.Sprintf("(%s << %s)", x, y))
		}
		if t.info.Types[right].Value != nil {
			return fmt.Sprintf("(%s * 2 ** %s)", x, y)
		}
	}
	t.refuse(n, "%s of %s has no translation", op, typ)
	return ""
}

func (t *translator) composite(e *ast.CompositeLit) string {
	typ := t.info.TypeOf(e)
	if p, ok := types.Unalias(typ).(*types.Pointer); ok { // an element of a list of pointers
		typ = p.Elem()
	}
	switch u := typ.Underlying().(type) {
	case *types.Struct:
		return t.structLit(e, typ, u)
	case *types.Slice, *types.Array:
		elem := typ.Underlying().(interface{ Elem() types.Type }).Elem()
		list, next := map[int64]string{}, int64(0)
		for _, item := range e.Elts {
			if kv, ok := item.(*ast.KeyValueExpr); ok {
				next, _ = constant.Int64Val(t.info.Types[kv.Key].Value)
				item = kv.Value
			}
			list[next] = t.value(item, elem)
			next++
		}
		size := int64(len(list))
		if a, ok := u.(*types.Array); ok {
			size = a.Len()
		}
		items := make([]string, size)
		for i := range items {
			if items[i] = list[int64(i)]; items[i] == "" {
				items[i] = t.zero(e, elem)
			}
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	t.refuse(e, "a literal of type %s has no translation", typ)
	return ""
}

func (t *translator) structLit(e *ast.CompositeLit, typ types.Type, u *types.Struct) string {
	args := make([]string, u.NumFields())
	last := 0
	for i, item := range e.Elts {
		if kv, ok := item.(*ast.KeyValueExpr); ok {
			item = kv.Value
			for k := range args {
				if u.Field(k).Name() == kv.Key.(*ast.Ident).Name {
					i = k
				}
			}
		}
		args[i] = t.value(item, u.Field(i).Type())
		last = max(last, i+1)
	}
	if name := structOf(typ); name.Pkg() != t.pkg {
		t.foreign[name] = true
		for i := range args {
			if args[i] == "" {
				args[i] = t.zero(e, u.Field(i).Type())
			}
			args[i] = u.Field(i).Name() + ": " + args[i]
		}
		return "{ " + strings.Join(args, ", ") + " }"
	}
	args = args[:last]
	for i := range args {
		if args[i] == "" {
			args[i] = "undefined" // the default
		}
	}
	return "new " + t.typeOf(e, typ) + "(" + strings.Join(args, ", ") + ")"
}

func (t *translator) closure(e *ast.FuncLit) string {
	head := strings.Replace(t.parameters(e.Type), "): ", "): ", 1) + " => {\n"
	before, depth, breakers := t.out, t.depth, t.breakers
	t.out, t.breakers = bytes.Buffer{}, nil
	t.body(e.Type, e.Body)
	text := t.out.String()
	t.out, t.depth, t.breakers = before, depth, breakers
	return head + text + strings.Repeat("  ", t.depth) + "}"
}

// arguments writes the arguments of a call.
func (t *translator) arguments(e *ast.CallExpr) string {
	var list []string
	signature, _ := t.info.TypeOf(e.Fun).Underlying().(*types.Signature)
	for i, a := range e.Args {
		var typ types.Type
		if signature != nil && i < signature.Params().Len() {
			typ = signature.Params().At(i).Type()
		}
		text := t.value(a, typ)
		if _, ok := t.info.TypeOf(a).(*types.Tuple); ok {
			text = "..." + text // all results of a call
		}
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			text = "..." + text
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func (t *translator) call(e *ast.CallExpr) string {
	fun := ast.Unparen(e.Fun)
	if t.info.Types[fun].IsType() {
		return t.conversion(e)
	}
	switch f := fun.(type) {
	case *ast.Ident:
		if b, ok := t.info.Uses[f].(*types.Builtin); ok {
			return t.builtin(e, b.Name())
		}
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok {
			if p, ok := t.info.Uses[id].(*types.PkgName); ok {
				return t.library(e, p.Imported().Path()+"."+f.Sel.Name)
			}
		}
	}
	return t.expr(fun) + "(" + t.arguments(e) + ")"
}

// conversion converts between numbers: to an integer it truncates, to a smaller integer
// it keeps the lower bits.
func (t *translator) conversion(e *ast.CallExpr) string {
	to, from := t.info.TypeOf(e), t.info.TypeOf(e.Args[0])
	x := t.expr(e.Args[0])
	if isString(to) && isString(from) {
		return x
	}
	a, ok1 := from.Underlying().(*types.Basic)
	b, ok2 := to.Underlying().(*types.Basic)
	if !ok1 || !ok2 || a.Info()&b.Info()&types.IsNumeric == 0 && !(a.Info()&types.IsNumeric != 0 && b.Info()&types.IsNumeric != 0) {
		t.refuse(e, "a conversion from %s to %s has no translation", from, to)
	}
	if isInteger(to) && !isInteger(from) {
		x = "Math.trunc(" + x + ")"
	}
	if n := bits(to); n > 0 && bits(from) > 0 && bits(from) <= n {
		return x
	}
	return mask(to, x)
}

func (t *translator) builtin(e *ast.CallExpr, name string) string {
	switch name {
	case "len":
		if c, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok && isString(t.info.TypeOf(e.Args[0])) == false && len(c.Args) == 1 && isString(t.info.TypeOf(c.Args[0])) {
			return "[..." + t.expr(c.Args[0]) + "].length" // of []rune(text)
		}
		if isString(t.info.TypeOf(e.Args[0])) {
			t.refuse(e, "the length of a string has no translation; count its []rune")
		}
		return t.expr(e.Args[0]) + ".length"
	case "min", "max":
		return "Math." + name + "(" + t.arguments(e) + ")"
	case "append":
		return "[..." + t.expr(e.Args[0]) + ", " + t.appended(e) + "]"
	case "make":
		if s, ok := t.info.TypeOf(e).Underlying().(*types.Slice); ok {
			if v := t.info.Types[e.Args[1]].Value; v != nil && literal(v) == "0" {
				return "[]"
			}
			return "Array.from({ length: " + t.expr(e.Args[1]) + " }, () => " + t.zero(e, s.Elem()) + ")"
		}
	}
	t.refuse(e, "%s has no translation here", name)
	return ""
}

// appended writes the elements that append adds.
func (t *translator) appended(e *ast.CallExpr) string {
	rest := *e
	rest.Args = e.Args[1:]
	return t.arguments(&rest)
}

// same maps functions of Go's library to equal functions of JavaScript.
var same = map[string]string{
	"math.Floor": "Math.floor", "math.Ceil": "Math.ceil", "math.Abs": "Math.abs", "math.Sqrt": "Math.sqrt",
	"math.Log1p": "Math.log1p", "math.Log2": "Math.log2", "math.Round": "round", "math.Trunc": "Math.trunc", "strconv.Itoa": "String",
}

func (t *translator) library(e *ast.CallExpr, name string) string {
	if word, ok := same[name]; ok {
		return word + "(" + t.arguments(e) + ")"
	}
	arg := func(i int) string { return t.expr(e.Args[i]) }
	constantArg := func(i int) string {
		if v := t.info.Types[e.Args[i]].Value; v != nil {
			return literal(v)
		}
		return ""
	}
	switch {
	case name == "strconv.FormatUint":
		return "(" + arg(0) + ").toString(" + arg(1) + ")"
	case name == "strconv.FormatFloat" && constantArg(1) == "102" && constantArg(2) == "-1" && constantArg(3) == "64":
		return "String(" + arg(0) + ")"
	case name == "strings.ReplaceAll":
		return arg(0) + ".replaceAll(" + arg(1) + ", " + arg(2) + ")"
	case name == "strings.Join":
		return arg(0) + ".join(" + arg(1) + ")"
	case name == "fmt.Sprintf":
		return t.sprintf(e)
	}
	t.refuse(e, "%s has no translation", name)
	return ""
}

// sprintf writes a text with integers and texts in it.
func (t *translator) sprintf(e *ast.CallExpr) string {
	v := t.info.Types[e.Args[0]].Value
	if v == nil {
		t.refuse(e, "the format must be a constant")
	}
	parts := []string{}
	rest := constant.StringVal(v)
	next := 1
	plain := ""
	for rest != "" {
		at := strings.IndexByte(rest, '%')
		if at < 0 || at+1 == len(rest) {
			plain += rest
			break
		}
		verb := rest[at+1]
		plain += rest[:at]
		rest = rest[at+2:]
		if verb == '%' {
			plain += "%"
			continue
		}
		if next >= len(e.Args) || verb != 'd' && verb != 's' || (verb == 'd') != isInteger(t.info.TypeOf(e.Args[next])) {
			t.refuse(e, "only %%d of integers, %%s of strings and %%%% have a translation")
		}
		parts = append(parts, strconv.Quote(plain), "String("+t.expr(e.Args[next])+")")
		plain = ""
		next++
	}
	if plain != "" || len(parts) == 0 {
		parts = append(parts, strconv.Quote(plain))
	}
	return "(" + strings.Join(parts, " + ") + ")"
}
