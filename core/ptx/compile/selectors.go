package compile

import (
	"slices"
	"strings"
)

// opcode is a supported instruction.
type opcode struct {
	name string
	sel  func(*selector)
}

// opcodes holds every instruction that is supported, sorted by name. A map would be
// filled by code when the program starts, which takes more room in the page's engine.
var opcodes = [...]opcode{
	{"abs", selectAbs}, {"activemask", selectActivemask}, {"add", selectAdd}, {"addc", selectAddc},
	{"and", selectAnd}, {"applypriority", selectLineHint}, {"atom", selectAtom}, {"bar", selectBar},
	{"barrier", selectBar}, {"bfe", selectBfe}, {"bfi", selectBfi}, {"bfind", selectBfind},
	{"bmsk", selectBmsk}, {"bra", selectBra}, {"brev", selectBrev}, {"brkpt", selectNothing},
	{"brx", selectBrx}, {"call", selectCall}, {"clz", selectClz}, {"cnot", selectCnot},
	{"copysign", selectCopysign}, {"cos", selectCos}, {"cp", selectCp}, {"createpolicy", selectCreatePolicy},
	{"cvt", selectCvt}, {"cvta", selectCvta}, {"discard", selectLineHint}, {"div", selectDiv},
	{"dp2a", selectDp2a}, {"dp4a", selectDp4a}, {"elect", selectElect}, {"ex2", selectEx2},
	{"exit", selectExit}, {"fence", selectFence}, {"fma", selectFma}, {"fns", selectFns},
	{"getctarank", selectCTARank}, {"griddepcontrol", selectNothing}, {"isspacep", selectIsspacep},
	{"ld", selectLd}, {"ldmatrix", selectLdmatrix}, {"ldu", selectLd}, {"lg2", selectLg2}, {"lop3", selectLop3},
	{"mad", selectMad}, {"mad24", selectMad24}, {"madc", selectMadc}, {"mapa", selectMapa}, {"match", selectMatch},
	{"max", selectMax}, {"mbarrier", selectMbarrier}, {"membar", selectMembar}, {"min", selectMin},
	{"mma", selectMma}, {"mov", selectMov}, {"movmatrix", selectMovmatrix}, {"mul", selectMul},
	{"mul24", selectMul24}, {"nanosleep", selectNothing}, {"neg", selectNeg}, {"not", selectNot},
	{"or", selectOr}, {"pmevent", selectNothing}, {"popc", selectPopc}, {"prefetch", selectPrefetch},
	{"prefetchu", selectPrefetch}, {"prmt", selectPrmt}, {"rcp", selectRcp}, {"red", selectRed},
	{"redux", selectRedux}, {"rem", selectRem}, {"ret", selectReturn}, {"rsqrt", selectRsqrt},
	{"sad", selectSad}, {"selp", selectSelp}, {"set", selectSet}, {"setmaxnreg", selectRegisters},
	{"setp", selectSetp}, {"shf", selectShf}, {"shfl", selectShfl}, {"shl", selectShl}, {"shr", selectShr},
	{"sin", selectSin}, {"slct", selectSlct}, {"sqrt", selectSqrt}, {"st", selectSt},
	{"stmatrix", selectStmatrix}, {"sub", selectSub}, {"subc", selectSubc}, {"szext", selectSzext},
	{"tanh", selectTanh}, {"tensormap", selectTensormap}, {"testp", selectTestp}, {"tex", selectTex}, {"trap", selectTrap},
	{"vabsdiff", selectVideo}, {"vabsdiff2", selectVideoVector}, {"vabsdiff4", selectVideoVector},
	{"vadd", selectVideo}, {"vadd2", selectVideoVector}, {"vadd4", selectVideoVector},
	{"vavrg2", selectVideoVector}, {"vavrg4", selectVideoVector}, {"vmad", selectVideoMad}, {"vmax", selectVideo},
	{"vmax2", selectVideoVector}, {"vmax4", selectVideoVector}, {"vmin", selectVideo},
	{"vmin2", selectVideoVector}, {"vmin4", selectVideoVector}, {"vote", selectVote}, {"vset", selectVideo},
	{"vset2", selectVideoVector}, {"vset4", selectVideoVector}, {"vshl", selectVideo}, {"vshr", selectVideo},
	{"vsub", selectVideo}, {"vsub2", selectVideoVector}, {"vsub4", selectVideoVector},
	{"wgmma", selectWgmma}, {"wmma", selectWmma}, {"xor", selectXor},
}

// selectorOf returns the function that selects an instruction, nil if the instruction is
// not supported.
func selectorOf(name string) func(*selector) {
	i, ok := slices.BinarySearchFunc(opcodes[:], name, func(o opcode, name string) int { return strings.Compare(o.name, name) })
	if !ok {
		return librarySelector(name)
	}
	return opcodes[i].sel
}
