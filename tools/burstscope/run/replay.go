package run

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// replayPTX makes the access of a request: the word has the sector's number, and bit 31 is set for a write.
const replayPTX = `.version 6.0
.target sm_20
.address_size 64

.visible .entry replay(.param .u64 requests, .param .u64 data, .param .u32 count)
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [count];
  setp.ge.u32 %p1, %r4, %r5;
  @%p1 bra done;
  ld.param.u64 %rd1, [requests];
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.cg.u32 %r6, [%rd3];
  and.b32 %r7, %r6, 2147483647;
  mul.wide.u32 %rd4, %r7, 32;
  ld.param.u64 %rd5, [data];
  add.u64 %rd6, %rd5, %rd4;
  setp.lt.s32 %p2, %r6, 0;
  @%p2 bra write;
  ld.global.cg.u32 %r8, [%rd6];
  bra done;
write:
  st.global.u32 [%rd6], %r4;
done:
  ret;
}
`

// Bounds of a trace [ours]: a packed scenario has at most 16 MB, and a buffer 1 GB.
const (
	maxReplayBytes    = 256 << 20
	maxReplayRequests = 3_500_000
	maxReplaySpan     = 1 << 30
	replayBlock       = 256
)

func replayVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("requests replay", flag.ContinueOnError)
	target := cli.FileFlag(flags, "out")
	size := flags.Int("bytes", mem.SectorBytes, "")
	preset := flags.String("preset", "", "")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "trace")); err != nil {
		return err
	}
	switch {
	case name == "" || *target == "":
		return cli.Usagef("burstscope requests replay: name a trace, and a file with --out")
	case *size < mem.SectorBytes || *size > 1024 || *size%mem.SectorBytes != 0:
		return cli.Usagef("--bytes %d: burstscope requests replay: give a multiple of %d up to 1024", *size, mem.SectorBytes)
	}
	text, err := cli.ReadPlain(name, maxReplayBytes)
	if err != nil {
		return err
	}
	list, err := parseRequests(name, text, *size/mem.SectorBytes)
	if err != nil {
		return err
	}
	s, err := list.scenario(filepath.Base(name), *preset)
	if err != nil {
		return err
	}
	b := authoring.Marshal(s)
	if len(b) > scenario.MaxMsgpackBytes {
		return fmt.Errorf("%s: %d accesses are more than a scenario holds: cut the trace", name, len(list.accesses))
	}
	if err := disk.Write(*target, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d accesses to %d sectors; run it with: burstscope run %s\n", *target,
		len(list.accesses), list.span/mem.SectorBytes, *target)
	return err
}

// requests are the accesses of a trace: sectors above the lowest address, with bit 31 for writes.
type requests struct {
	accesses []uint32
	span     uint64 // bytes from the lowest address to the highest
}

// parseRequests reads a trace of DRAMsim3 (ADDRESS READ|WRITE CYCLE) or of Ramulator 2 (LD|ST ADDRESS); each request
// is so many sectors.
func parseRequests(name string, text []byte, sectors int) (*requests, error) {
	var addresses []uint64
	var writes []bool
	low, high := uint64(math.MaxUint64), uint64(0)
	number := 0
	for line := range bytes.Lines(text) {
		number++
		words := strings.Fields(string(line))
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		addr, write, err := parseRequest(words)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if (len(addresses)+1)*sectors > maxReplayRequests {
			return nil, fmt.Errorf("%s:%d: more than %d accesses: cut the trace", name, number, maxReplayRequests)
		}
		addr -= addr % mem.SectorBytes
		addresses, writes = append(addresses, addr), append(writes, write)
		low, high = min(low, addr), max(high, addr)
	}
	if len(addresses) == 0 {
		return nil, fmt.Errorf("%s: it has no requests: write ADDRESS READ|WRITE CYCLE, or LD|ST ADDRESS", name)
	}
	low -= low % mem.LineBytes
	span := high - low
	if span <= maxReplaySpan { // otherwise the last request may end beyond the last address
		span += uint64(sectors) * mem.SectorBytes
	}
	if span > maxReplaySpan {
		return nil, fmt.Errorf("%s: its addresses span %d bytes, and at most %d are simulated: cut the trace", name, span,
			maxReplaySpan)
	}
	list := &requests{span: (span + mem.LineBytes - 1) / mem.LineBytes * mem.LineBytes}
	for i, addr := range addresses {
		for k := range sectors {
			word := uint32((addr-low)/mem.SectorBytes) + uint32(k)
			if writes[i] {
				word |= 1 << 31
			}
			list.accesses = append(list.accesses, word)
		}
	}
	return list, nil
}

func parseRequest(words []string) (addr uint64, write bool, err error) {
	where, what := words[0], ""
	switch {
	case len(words) == 2 && (words[0] == "LD" || words[0] == "ST"):
		where, what = words[1], words[0]
	case len(words) == 3:
		if what = words[1]; what != "READ" && what != "WRITE" {
			return 0, false, fmt.Errorf("%s is neither READ nor WRITE", fault.Quote(what))
		}
		if _, err := strconv.ParseUint(words[2], 10, 64); err != nil {
			return 0, false, fmt.Errorf("%s is no cycle", fault.Quote(words[2]))
		}
	default:
		return 0, false, fmt.Errorf("%s is no request: write ADDRESS READ|WRITE CYCLE, or LD|ST ADDRESS",
			fault.Quote(strings.Join(words, " ")))
	}
	base := 0 // as the prefix says
	if what == "READ" || what == "WRITE" {
		where, base = strings.TrimPrefix(strings.TrimPrefix(where, "0x"), "0X"),
			16 // DRAMsim3 reads hexadecimal without a prefix too
	}
	addr, err = strconv.ParseUint(where, base, 64)
	if err != nil {
		return 0, false, fmt.Errorf("%s is no address", fault.Quote(where))
	}
	return addr, what == "WRITE" || what == "ST", nil
}

// scenario is a program that makes the accesses.
func (r *requests) scenario(title, preset string) (*scenario.Scenario, error) {
	words := make([]byte, 0, 4*len(r.accesses))
	for _, w := range r.accesses {
		words = binary.LittleEndian.AppendUint32(words, w)
	}
	s := scenario.Default("vecadd")
	s.Title = "Requests of " + title
	s.Workload = scenario.Workload{PTX: &scenario.PTX{
		File: "replay.ptx", Source: replayPTX, Entry: "replay", Repeat: 1, Base: mem.DefaultBase,
		Grid: []int{(len(r.accesses) + replayBlock - 1) / replayBlock}, Block: []int{replayBlock},
		Args: []scenario.Arg{
			{Spec: "in:requests", Data: words}, {Spec: fmt.Sprintf("out:data:%d", r.span)}, {Spec: fmt.Sprintf("u32:%d",
				len(r.accesses))},
		},
	}}
	if preset != "" {
		if err := s.Set("machine.preset", preset); err != nil {
			return nil, err
		}
	}
	return s, s.Validate()
}
