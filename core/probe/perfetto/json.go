package perfetto

import (
	"strconv"

	"github.com/burstscope/burstscope/core/jsontext"
)

// chunkBytes is the number of bytes that are collected before they are passed on.
const chunkBytes = 1 << 16

// begin starts one trace event: its comma, name, phase, time and track.
func (w *Writer) begin(name string, phase byte, ps uint64, pid, tid int) {
	if w.events > 0 {
		w.buf = append(w.buf, ',')
	}
	w.events++
	w.buf = append(w.buf, "\n{\"name\":"...)
	w.buf = jsontext.AppendQuote(w.buf, name)
	w.buf = append(w.buf, `,"ph":"`...)
	w.buf = append(w.buf, phase, '"')
	if phase != 'M' {
		w.buf = append(w.buf, `,"ts":`...)
		w.buf = microseconds(w.buf, ps)
	}
	w.number(`,"pid":`, uint64(pid))
	w.number(`,"tid":`, uint64(tid))
}

// finish ends a trace event.
func (w *Writer) finish() {
	w.buf = append(w.buf, '}')
	if len(w.buf) >= chunkBytes {
		w.handOn()
	}
}

func (w *Writer) handOn() {
	w.written += len(w.buf)
	w.write(w.buf)
	w.buf = w.buf[:0]
}

// number appends literal text and a number.
func (w *Writer) number(before string, n uint64) {
	w.buf = append(w.buf, before...)
	w.buf = strconv.AppendUint(w.buf, n, 10)
}

// text appends literal text and a string that needs no quoting, in quotes.
func (w *Writer) text(before, s string) {
	w.buf = append(w.buf, before...)
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, s...)
	w.buf = append(w.buf, '"')
}

// address appends literal text and an address in hexadecimal.
func (w *Writer) address(before string, a uint64) {
	w.buf = append(w.buf, before...)
	w.buf = append(w.buf, `"0x`...)
	w.buf = strconv.AppendUint(w.buf, a, 16)
	w.buf = append(w.buf, '"')
}

func (w *Writer) duration(ps uint64) {
	w.buf = append(w.buf, `,"dur":`...)
	w.buf = microseconds(w.buf, ps)
}

// microseconds writes picoseconds as microseconds, exactly.
func microseconds(b []byte, ps uint64) []byte {
	b = strconv.AppendUint(b, ps/psPerMicrosecond, 10)
	rest := ps % psPerMicrosecond
	if rest == 0 {
		return b
	}
	var digits [6]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = byte('0' + rest%10)
		rest /= 10
	}
	n := len(digits)
	for digits[n-1] == '0' {
		n--
	}
	return append(append(b, '.'), digits[:n]...)
}
