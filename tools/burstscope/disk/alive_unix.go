//go:build unix

package disk

import (
	"errors"
	"syscall"
)

// alive reports whether a process of this host may be at work.
func alive(process int) bool { return !errors.Is(syscall.Kill(process, 0), syscall.ESRCH) }
