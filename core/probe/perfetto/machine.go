package perfetto

// Machine gives the numbers of the tracks, and the times of commands.
type Machine struct {
	Name        string
	SMs         int
	Slices      int
	Controllers int
	Channels    int // of all controllers
	Banks       int // of a channel
	Launches    int // of the program
	MAGBytes    int
	CoreMHz     uint64
	DRAMMHz     uint64

	// In DRAM cycles: from a column command to its first data, and the times of activates,
	// precharges and bursts. Events of refreshes carry their time.
	ReadLatency, WriteLatency   uint64
	Activate, Precharge, Bursts uint64
}

const psPerMicrosecond = 1_000_000

// core and dram convert cycles to picoseconds, rounded down.
func (m *Machine) core(cycles uint64) uint64 { return cycles * psPerMicrosecond / m.CoreMHz }
func (m *Machine) dram(cycles uint64) uint64 { return cycles * psPerMicrosecond / m.DRAMMHz }

// controllerOf returns the controller of a channel.
func (m *Machine) controllerOf(channel int) int { return channel * m.Controllers / m.Channels }

// Stamp names the run of the trace.
type Stamp struct {
	Version      string
	ScenarioHash string
	Workload     string
	Scheme       string
}

// Process numbers. SMs, controllers and channels count on from the first of their kind.
const (
	pidGPU        = 1
	pidSM         = 1000
	pidL2         = 2000
	pidController = 3000
	pidChannel    = 4000
	pidLink       = 5000
)

// Thread numbers within a process.
const (
	tidCTA      = 1   // + lane
	tidWarp     = 100 // + slot
	tidLaunch   = 2
	tidMetadata = 1 // + 2 x channel of the controller
	tidCodec    = 2 // + 2 x channel of the controller
	tidBus      = 1
	tidAllBanks = 2
	tidBank     = 10 // + bank
	tidLink     = 1  // + 2 x channel of the link, + 1 for data that leave
)
