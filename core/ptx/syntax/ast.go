package syntax

import "github.com/burstscope/burstscope/core/ptx"

// Module is a parsed PTX translation unit.
type Module struct {
	File         string
	VersionMajor int
	VersionMinor int
	Target       string // sm_35
	AddressBits  int    // 32 or 64

	Root      *Scope
	Functions []*Function // in source order; the index is the function's address
	Variables []*Variable // module scope, in source order
	files     []sourceFile
	aliases   []alias
	Lines     []string
}

// alias is .alias name, target.
type alias struct {
	name, target string
	at, targetAt Position
}

type sourceFile struct {
	index uint64
	name  string
}

// FileName returns the name of the .file with a number, "" if there is none.
func (m *Module) FileName(index uint32) string {
	for _, f := range m.files {
		if f.index == uint64(index) {
			return f.name
		}
	}
	return ""
}

// SymbolKind says what a name stands for.
type SymbolKind uint8

const (
	SymbolRegister SymbolKind = iota
	SymbolVariable
	SymbolFunction
	SymbolLabel
	SymbolTargets   // .branchtargets or .calltargets
	SymbolPrototype // .callprototype
)

type Symbol struct {
	Kind     SymbolKind
	At       Position
	Register *Register
	Variable *Variable
	Function *Function
	Label    int // index of the instruction it stands before
	Targets  []Operand
	Proto    *Function
}

// Register is a declared register or one element of a vector register.
type Register struct {
	Name   string
	Type   ptx.Scalar
	Vector []*Register // its elements, for .v2 and .v4
}

// Variable is anything with an address: .global .const .shared .local .param.
type Variable struct {
	Name     string
	Scoped   string // name in the module of a .global declared in a function
	At       Position
	Space    ptx.Space
	Type     ptx.Scalar
	Vector   int // elements of a vector type, 0 or 1 for a scalar
	Align    uint64
	Bytes    uint64
	Extern   bool
	Texture  bool        // .texref; its value is a handle, and it takes no memory
	Flexible bool        // declared with []
	Provided bool        // of the library, not of the text
	Plain    []byte      // the numbers of the initial value
	Init     []InitPiece // the addresses in it
	Owner    *Function   // nil at module scope
}

// InitPiece is an address in an initial value.
type InitPiece struct {
	Offset  uint64
	Bytes   int
	Value   uint64
	Name    string // the symbol whose address is added
	Generic bool
	Masked  bool // 0xff00(name): one byte of the address, shifted down by shift
	Shift   int
	At      Position
}

// Scope is a block of declarations.
type Scope struct {
	parent *Scope
	Names  map[string]*Symbol
	ranges []registerRange
}

type registerRange struct {
	prefix string
	typ    ptx.Scalar
	vector int
	count  uint64
	at     Position
}

// Function is a kernel or a device function.
type Function struct {
	Name      string
	At        Position
	Entry     bool
	extern    bool // .extern, or declared without a body
	Defined   bool
	Provided  bool // the body comes from the library
	Index     int  // position in Module.functions
	Returns   []*Symbol
	Params    []*Symbol
	Scope     *Scope
	Code      []*Statement
	Marked    []int32     // lines of the statements after .pragma "approximate"
	Variables []*Variable // .shared, .local and .param of the body
	// Copies, in local memory, of parameters whose address is used (addressed.go).
	Copies  map[*Variable]*Variable
	End     Position // the closing brace
	ReqNTID [3]uint32
	// ReqCluster is .reqnctapercluster, MaxClusterRank .maxclusterrank.
	ReqCluster      [3]uint32
	MaxClusterRank  int
	ExplicitCluster bool
	MaxNTID         [3]uint32
	// MaxRegisters is .maxnreg, MinCTAs .minnctapersm.
	MaxRegisters, MinCTAs int
}

// Statement is one instruction of the text.
type Statement struct {
	At       Position
	Guard    *Operand // nil without
	Opcode   string
	Mods     []Modifier
	Operands []Operand
	Scope    *Scope
	Loc      Loc
}

// Loc is the source position given by the last .loc before a statement. The .file
// with that number may follow later in the text.
type Loc struct {
	File, Line uint32 // line 0 without a .loc
}

// Modifier is a word after a dot of an opcode.
type Modifier struct {
	Text string
	At   Position
}

// OperandKind says what an operand is.
type OperandKind uint8

const (
	OperandName    OperandKind = iota // register, variable, label, function
	OperandInteger                    // value
	OperandFloat                      // value: bits; single
	OperandAddress                    // [base + offset]
	OperandVector                     // {list}
	OperandList                       // (list), of call
	OperandSink                       // _
)

// Operand is one operand of a statement. A module may have millions, so the fields
// that few operands need are stored apart.
type Operand struct {
	Kind    OperandKind
	Special ptx.SpecialRegister
	Negate  bool // !p
	Minus   bool // -%r
	Single  bool // OperandFloat: the bits are an f32's
	Whole   bool // OperandVector: the halves of a register of 128 bits
	At      Position
	Name    string
	Value   uint64  // constant, or offset of an address
	Sym     *Symbol // by resolve
	rare    *rareFields
}

// rareFields are the parts of an operand that few operands have.
type rareFields struct {
	list    []Operand
	pair    *Operand
	element string
	index   uint64
	indexed bool     // array[...]
	by      *Operand // register of array[%r + 3]
}

func (o *Operand) more() *rareFields {
	if o.rare == nil {
		o.rare = &rareFields{}
	}
	return o.rare
}

// List returns the elements of a vector or list, or the coordinates of an address.
func (o *Operand) List() []Operand {
	if o.rare == nil {
		return nil
	}
	return o.rare.list
}

// SetList gives a vector its elements.
func (o *Operand) SetList(list []Operand) { o.more().list = list }

// Pair returns q of an operand p|q, or nil.
func (o *Operand) Pair() *Operand {
	if o.rare == nil {
		return nil
	}
	return o.rare.pair
}

// Element returns the word after the dot of %tid.x, or nothing.
func (o *Operand) Element() string {
	if o.rare == nil {
		return ""
	}
	return o.rare.element
}

// Indexed reports whether the operand is an element of an array: array[3], array[%r] or array[%r + 3].
func (o *Operand) Indexed() bool { return o.rare != nil && o.rare.indexed }

// Index returns the 3 of array[3] and array[%r + 3], or 0.
func (o *Operand) Index() uint64 {
	if o.rare == nil {
		return 0
	}
	return o.rare.index
}

// By returns the register of array[%r + 3], or nil.
func (o *Operand) By() *Operand {
	if o.rare == nil {
		return nil
	}
	return o.rare.by
}
