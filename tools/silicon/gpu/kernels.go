package gpu

import (
	"encoding/binary"
	"time"
)

// toolsPTX holds the kernels of this package. Every driver since CUDA 9 takes them.
//
// spin waits on the global timer and stores the nanoseconds and the clocks that passed. It
// begins and ends at a change of the timer, whose step is up to a microsecond.
//
// sweep reads a buffer and writes nothing, so that the L2 holds no dirty lines. The store
// keeps the loads alive; the buffer's zeros never make it happen.
const toolsPTX = `.version 6.0
.target sm_50
.address_size 64

.visible .entry spin(.param .u64 out, .param .u64 nanoseconds)
{
	.reg .pred %p;
	.reg .b64 %out, %length, %now, %begin, %end, %first, %last;
	ld.param.u64 %out, [out];
	ld.param.u64 %length, [nanoseconds];
	cvta.to.global.u64 %out, %out;
	mov.u64 %now, %globaltimer;
tick:
	mov.u64 %begin, %globaltimer;
	setp.eq.u64 %p, %begin, %now;
	@%p bra tick;
	mov.u64 %first, %clock64;
	add.u64 %end, %begin, %length;
wait:
	mov.u64 %now, %globaltimer;
	setp.lt.u64 %p, %now, %end;
	@%p bra wait;
	mov.u64 %last, %clock64;
	sub.u64 %now, %now, %begin;
	sub.u64 %last, %last, %first;
	st.global.u64 [%out], %now;
	st.global.u64 [%out+8], %last;
	ret;
}

.visible .entry sweep(.param .u64 data, .param .u64 bytes)
{
	.reg .pred %p;
	.reg .b32 %sum, %a, %b, %c, %d, %thread, %width;
	.reg .b64 %data, %end, %step, %at;
	ld.param.u64 %data, [data];
	ld.param.u64 %end, [bytes];
	cvta.to.global.u64 %data, %data;
	add.u64 %end, %end, %data;
	mov.u32 %thread, %ctaid.x;
	mov.u32 %width, %ntid.x;
	mov.u32 %a, %tid.x;
	mad.lo.u32 %thread, %thread, %width, %a;
	mul.wide.u32 %at, %thread, 16;
	add.u64 %at, %at, %data;
	mov.u32 %a, %nctaid.x;
	mul.lo.u32 %a, %a, %width;
	mul.wide.u32 %step, %a, 16;
	mov.u32 %sum, 0;
	setp.ge.u64 %p, %at, %end;
	@%p bra done;
read:
	ld.global.v4.u32 {%a, %b, %c, %d}, [%at];
	or.b32 %sum, %sum, %a;
	or.b32 %sum, %sum, %b;
	or.b32 %sum, %sum, %c;
	or.b32 %sum, %sum, %d;
	add.u64 %at, %at, %step;
	setp.lt.u64 %p, %at, %end;
	@%p bra read;
	setp.eq.u32 %p, %sum, 0;
	@%p bra done;
	st.global.u32 [%data], %sum;
done:
	ret;
}
`

// word returns the bytes of a parameter of 8 bytes.
func word(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

// tool launches a kernel of this package.
func (d *Device) tool(entry string, grid, block uint32, params ...[]byte) error {
	if d.tools == nil {
		m, err := d.Load("the kernels of burstscope", []byte(toolsPTX))
		if err != nil {
			return err
		}
		d.tools = m
	}
	k, err := d.tools.Kernel(entry)
	if err != nil {
		return err
	}
	return d.launch(k, [3]uint32{grid, 1, 1}, [3]uint32{block, 1, 1}, 0, params)
}

// spin keeps the device busy for a time. Launches that follow are in line when it ends.
func (d *Device) spin(t time.Duration) error {
	if d.clocks == nil {
		m, err := d.Alloc(16)
		if err != nil {
			return err
		}
		d.clocks = m
	}
	return d.tool("spin", 1, 1, word(d.clocks.Address()), word(uint64(t.Nanoseconds())))
}

// toolLimit bounds a kernel of this package: it works for some milliseconds.
const toolLimit = 10 * time.Second

// MeasureClock measures the clock of the SMs over a millisecond, in MHz.
func (d *Device) MeasureClock() (float64, error) {
	if err := d.spin(time.Millisecond); err != nil {
		return 0, err
	}
	if err := d.Wait(toolLimit); err != nil {
		return 0, err
	}
	var passed [16]byte
	if err := d.clocks.Read(0, passed[:]); err != nil {
		return 0, err
	}
	nanoseconds, clocks := binary.LittleEndian.Uint64(passed[:]), binary.LittleEndian.Uint64(passed[8:])
	return float64(clocks) / float64(nanoseconds) * 1000, nil
}

// FlushL2 reads twice the size of the L2, so that it holds none of a program's lines, and
// no dirty ones.
func (d *Device) FlushL2() error {
	if d.flushed == nil {
		m, err := d.Alloc(2 * max(d.info.L2Bytes, 1<<20))
		if err != nil {
			return err
		}
		if err := m.Fill(0); err != nil {
			return err
		}
		d.flushed = m
	}
	return d.tool("sweep", uint32(8*max(d.info.SMs, 1)), 256, word(d.flushed.Address()), word(d.flushed.Bytes()))
}
