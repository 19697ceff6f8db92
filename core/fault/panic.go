package fault

import (
	"fmt"
	"runtime/debug"
)

// Panic is a panic of the program as an error: a mistake in Burstscope, not in its input.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("internal error: %v", p.Value) }

// Guard calls do and returns its panic as an error, so that one run of many cannot end the others. Each goroutine needs a guard
// of its own; the error of one may be the panic of another, and stays what it is.
func Guard(do func() error) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Panic:
			err = v
		default:
			err = &Panic{v, debug.Stack()}
		}
	}()
	return do()
}
