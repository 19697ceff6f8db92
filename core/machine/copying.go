package machine

import (
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sm"
)

// Copying returns the copy under way that a request belongs to, in a cycle in which the request has not been answered;
// nil for requests of other instructions.
func (m *Machine) Copying(request uint32) *execute.Copying {
	if i := sm.SMOf(request); i >= 0 && i < len(m.sms) {
		return m.sms[i].Copying(request)
	}
	return nil
}
