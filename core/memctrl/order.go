package memctrl

// Schedule is the order in which a channel serves reads and writes.
type Schedule uint8

const (
	// ScheduleDrain keeps reads and writes in two queues. Reads go first, and writes are
	// drained in batches.
	ScheduleDrain Schedule = iota
	// ScheduleJoint keeps both in one queue, as GPGPU-Sim 3.2.1 does.
	ScheduleJoint
)
