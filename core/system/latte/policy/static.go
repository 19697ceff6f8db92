package policy

import "github.com/burstscope/burstscope/core/tape"

// fixed keeps every line under one mode.
type fixed Mode

func static(m Mode) func(Params) Policy { return func(Params) Policy { return fixed(m) } }

func (f fixed) Mode(int) Mode    { return Mode(f) }
func (fixed) Hit(Hit)            {}
func (fixed) Miss(int, bool)     {}
func (fixed) End(*Phase) Grounds { return Grounds{} }
func (fixed) State(t *tape.Tape) {}
