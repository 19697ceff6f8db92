package scheme

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/fault"
)

// Latencies returns the cycles that the setting gives for the compressor and the
// decompressor, nil where they are the codec's own.
func (m Memory) Latencies() (compress, decompress *int, err error) {
	if m.Latency() == "" {
		return nil, nil, nil
	}
	return latencies(m.Latency())
}

// latencyPattern is the notation of latencies for programs that have only the table: two numbers up to
// codecs.MaxLatencyCycles.
const latencyPattern = "^(" + latencyNumber + ")/(" + latencyNumber + ")$"

const latencyNumber = `0|[1-9]\d{0,2}|1\d{3}|2[0-4]\d{2}|2500`

func checkLatencies(text string) error {
	_, _, err := latencies(text)
	return err
}

func latencies(text string) (compress, decompress *int, err error) {
	c, d, ok := strings.Cut(text, "/")
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
		return nil, nil, fmt.Errorf("%s is no pair of latencies of 0 to %d cycles", fault.Quote(text), codecs.MaxLatencyCycles)
	}
	return compress, decompress, nil
}
