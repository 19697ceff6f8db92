package memctrl

import "github.com/burstscope/burstscope/core/mem"

// Request and Reply are the messages of a channel's links to its L2 slice.
type (
	Request = mem.BlockRequest
	Reply   = mem.BlockReply
)
