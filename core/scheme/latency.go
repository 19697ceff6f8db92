package scheme

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/fault"
)

// Latencies returns the cycles that Latency sets for the compressor and the
// decompressor, nil where they are the codec's own.
func (m *Memory) Latencies() (compress, decompress *int, err error) {
	if m.Latency == "" {
		return nil, nil, nil
	}
	c, d, ok := strings.Cut(m.Latency, "/")
	cycles := func(text string) *int {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n > codecs.MaxLatencyCycles || strconv.FormatUint(n, 10) != text {
			ok = false
		}
		i := int(n)
		return &i
	}
	compress, decompress = cycles(c), cycles(d)
	if !ok {
		return nil, nil, fmt.Errorf("%s is no pair of latencies of 0 to %d cycles", fault.Quote(m.Latency), codecs.MaxLatencyCycles)
	}
	return compress, decompress, nil
}
