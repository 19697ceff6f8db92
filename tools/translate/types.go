package translate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"
)

// typeOf writes a type. A pointer has the type of its target, so code that may have a
// nil pointer compares with nil first.
func (t *translator) typeOf(n ast.Node, typ types.Type) string {
	switch typ := types.Unalias(typ).(type) {
	case *types.Basic:
		switch {
		case typ.Kind() == types.Int8 || typ.Kind() == types.Int16: // no file needs their wrapping yet
		case typ.Info()&types.IsNumeric != 0 && typ.Info()&types.IsComplex == 0:
			return "number"
		case typ.Info()&types.IsString != 0:
			return "string"
		case typ.Info()&types.IsBoolean != 0:
			return "boolean"
		}
	case *types.Named:
		if typ.Obj().Pkg() != t.pkg {
			if _, ok := typ.Underlying().(*types.Struct); ok {
				t.foreign[typ.Obj()] = true
				return typ.Obj().Name()
			}
			return t.typeOf(n, typ.Underlying())
		}
		t.known(n, typ.Obj())
		return typ.Obj().Name()
	case *types.TypeParam:
		return typ.Obj().Name()
	case *types.Pointer:
		if structOf(typ) != nil {
			return t.typeOf(n, typ.Elem())
		}
	case *types.Slice:
		if bits(typ.Elem()) > 0 {
			return "ArrayLike<number>" // typed arrays in the page
		}
		return t.typeOf(n, typ.Elem()) + "[]"
	case *types.Array:
		return t.typeOf(n, typ.Elem()) + "[]"
	case *types.Signature:
		return "(" + strings.Replace(t.signature(n, typ), "): ", ") => ", 1) + ")"
	}
	t.refuse(n, "the type %s has no translation", typ)
	return ""
}

// known refuses objects declared in a file that is not translated.
func (t *translator) known(n ast.Node, obj types.Object) {
	file := t.fset.Position(obj.Pos()).Filename
	if obj.Pkg() == t.pkg && !t.files[file] {
		t.refuse(n, "%s is declared in %s, which is not translated", obj.Name(), filepath.Base(file))
	}
}

// zero writes the zero value of a type.
func (t *translator) zero(n ast.Node, typ types.Type) string {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		switch t.typeOf(n, u) {
		case "number":
			return "0"
		case "string":
			return `""`
		}
		return "false"
	case *types.Slice:
		return "[]"
	case *types.Array:
		return "Array.from({ length: " + strconv.FormatInt(u.Len(), 10) + " }, () => " + t.zero(n, u.Elem()) + ")"
	case *types.Struct:
		return "new " + t.typeOf(n, typ) + "()"
	}
	return "undefined!" // a pointer or a function
}

// literal writes a constant.
func literal(v constant.Value) string {
	switch v.Kind() {
	case constant.String:
		return strconv.Quote(constant.StringVal(v))
	case constant.Bool:
		return strconv.FormatBool(constant.BoolVal(v))
	}
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		return i.ExactString()
	}
	f, _ := constant.Float64Val(v)
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// mask wraps a result to the range of its type, if that range is smaller than the
// integers that JavaScript's numbers hold exactly.
func mask(typ types.Type, text string) string {
	b, ok := typ.Underlying().(*types.Basic)
	if !ok {
		return text
	}
	switch b.Kind() {
	case types.Uint8:
		return "(" + text + " & 255)"
	case types.Uint16:
		return "(" + text + " & 65535)"
	case types.Uint32:
		return "(" + text + " >>> 0)"
	case types.Int32:
		return "(" + text + " | 0)"
	case types.Float32:
		return "Math.fround(" + text + ")"
	}
	return text
}

func isInteger(typ types.Type) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isString(typ types.Type) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// bits is the width of an unsigned integer type if 32-bit operators can handle it, or 0.
func bits(typ types.Type) int {
	b, ok := typ.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	switch b.Kind() {
	case types.Uint8:
		return 8
	case types.Uint16:
		return 16
	case types.Uint32:
		return 32
	}
	return 0
}
