package sm

import (
	"fmt"

	"github.com/burstscope/burstscope/core/ptx/execute"
)

// Waiting describes, for the watchdog's report, what the resident warps wait for; "" if
// there are none.
func (m *SM) Waiting() string {
	if m.live == 0 {
		return ""
	}
	barrier, memory, fence := 0, 0, 0
	where := ""
	for i := range m.warps[:m.config.Warps] {
		w := &m.warps[i]
		if !w.live || w.exited && w.loads == 0 && w.stores == 0 {
			continue
		}
		switch {
		case w.atBarrier:
			barrier++
		case w.fence != 0:
			fence++
		case w.loads > 0 || w.stores > 0:
			memory++
		default:
			continue
		}
		if where == "" {
			where = fmt.Sprintf("; warp slot %d is at line %d", i, m.lsu.warpInstr(m.pcOf(i)).Line)
		}
	}
	if t := m.port.translator; t != nil && len(t.held) > 0 {
		where += fmt.Sprintf("; %d packets wait for translations", len(t.held))
	}
	return fmt.Sprintf("%d warps at a barrier, %d at a fence, %d waiting for memory, %d memory operations queued%s", barrier, fence, memory, m.lsu.length, where)
}

// alive yields the resident warps that have not exited.
func (m *SM) alive(yield func(*execute.Warp) bool) {
	for i := range m.warps[:m.config.Warps] {
		if w := &m.warps[i]; w.live && !w.exited && !yield(w.warp) {
			return
		}
	}
}
