package ptx

// Module is a parsed PTX translation unit whose instructions are all supported.
type Module struct {
	File         string
	VersionMajor int
	VersionMinor int
	Target       string // sm_35
	AddressBits  int    // 32 or 64

	phase     phase
	root      *scope
	functions []*function // in source order; the index is the function's address
	variables []*variable // module scope, in source order
	files     []sourceFile
	aliases   []alias
	lines     []string
}

// alias is .alias name, target.
type alias struct {
	name, target string
	at, targetAt position
}

type sourceFile struct {
	index uint64
	name  string
}

// fileName returns the name of the .file with a number, "" if there is none.
func (m *Module) fileName(index uint64) string {
	for _, f := range m.files {
		if f.index == index {
			return f.name
		}
	}
	return ""
}

// symbolKind says what a name stands for.
type symbolKind uint8

const (
	symbolRegister symbolKind = iota
	symbolVariable
	symbolFunction
	symbolLabel
	symbolTargets   // .branchtargets or .calltargets
	symbolPrototype // .callprototype
)

type symbol struct {
	kind     symbolKind
	at       position
	register *register
	variable *variable
	function *function
	label    int // index of the instruction it stands before
	targets  []operand
	proto    *function
}

// register is a declared register, or one element of a vector register.
type register struct {
	name   string
	typ    scalar
	vector []*register // its elements, for .v2 and .v4
}

// variable is anything with an address: .global .const .shared .local .param.
type variable struct {
	name     string
	scoped   string // name in the module of a .global declared in a function
	at       position
	space    Space
	typ      scalar
	vector   int // elements of a vector type, 0 or 1 for a scalar
	align    uint64
	bytes    uint64
	extern   bool
	flexible bool        // declared with []
	plain    []byte      // the numbers of the initial value
	init     []initPiece // the addresses in it
	owner    *function   // nil at module scope
}

// initPiece is an address in an initial value.
type initPiece struct {
	offset  uint64
	bytes   int
	value   uint64
	name    string // the symbol whose address is added
	generic bool
	masked  bool // 0xff00(name): one byte of the address, shifted down by shift
	shift   int
	at      position
}

// scope is a block of declarations.
type scope struct {
	parent *scope
	names  map[string]*symbol
	ranges []registerRange
}

type registerRange struct {
	prefix string
	typ    scalar
	vector int
	count  uint64
	at     position
}

// function is a kernel or a device function.
type function struct {
	name      string
	at        position
	entry     bool
	extern    bool // .extern, or declared without a body
	defined   bool
	index     int // position in Module.functions
	returns   []*symbol
	params    []*symbol
	scope     *scope
	code      []*statement
	variables []*variable // .shared, .local and .param of the body
	// copies, in local memory, of parameters whose address is used (addressed.go).
	copies  map[*variable]*variable
	end     position // the closing brace
	reqNTID [3]uint32
	maxNTID [3]uint32
}

// statement is one instruction of the text.
type statement struct {
	at       position
	guard    *operand // nil without
	opcode   string
	mods     []modifier
	operands []operand
	scope    *scope
	file     uint64 // number of the last .loc; the .file with that number may follow
	line     uint32 // 0 without one
}

type modifier struct {
	text string
	at   position
}

type operandKind uint8

const (
	operandName    operandKind = iota // register, variable, label, function
	operandInteger                    // value
	operandFloat                      // value: bits; single
	operandAddress                    // [base + offset]
	operandVector                     // {list}
	operandList                       // (list), of call
	operandSink                       // _
)

type operand struct {
	kind    operandKind
	at      position
	name    string
	element string // the word after the dot of %tid.x
	negate  bool   // !p
	minus   bool   // -%r
	single  bool
	whole   bool   // operandVector: the halves of a register of 128 bits
	value   uint64 // constant, or offset of an address
	index   uint64 // of an array: name[index]
	list    []operand
	pair    *operand // p|q: q
	sym     *symbol  // by resolve
	special specialRegister
}
