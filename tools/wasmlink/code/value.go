package code

// ValueBegin is where the value begins that ends in front of at, -1 if that is not known.
func ValueBegin(content []Instruction, at int) int {
	for need := 1; need > 0; {
		at--
		if at < 0 {
			return -1
		}
		takes, gives := Effect(content[at].Op)
		if gives < 0 {
			return -1
		}
		need += takes - gives
	}
	return at
}

// Effect is how many values an instruction takes from the stack and how many it puts there.
// gives is -1 if that is not known here.
func Effect(op byte) (takes, gives int) {
	switch {
	case op == OpLocalGet, op == OpGlobalGet, op >= OpI32Const && op <= OpF64Const:
		return 0, 1
	case op >= OpFirstLoad && op < OpFirstStore, op == OpLocalTee, op == OpI32Eqz, op == OpI64Eqz:
		return 1, 1
	case op >= 0x46 && op <= 0x4f, op >= 0x51 && op <= 0x66: // comparisons
		return 2, 1
	case op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b, op >= 0x8b && op <= 0x91, op >= 0x99 && op <= 0x9f, op >= 0xa7 && op <= 0xc4: // functions of one number
		return 1, 1
	case op >= 0x6a && op <= 0x78, op >= 0x7c && op <= 0x8a, op >= 0x92 && op <= 0x98, op >= 0xa0 && op <= 0xa6: // functions of two numbers
		return 2, 1
	case op == OpSelect:
		return 3, 1
	}
	return 0, -1
}
