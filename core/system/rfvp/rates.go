package rfvp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx"
)

// change gives the register of the drop rate another value before a launch (section 2.3: an instruction sets it). It
// holds for the launches of a kernel, or of all (*), from one of them on, counted from 0.
type change struct {
	kernel string
	from   int
	rate   Rate
}

// mendRates says how to write changes.
const mendRates = "write KERNEL:RATE;KERNEL@N:RATE with rates of 0 to 1000 thousandths; @N begins at the kernel's " +
	"launch N, counted from 0, and * is every kernel"

// parseRates reads the changes of a run.
func parseRates(text string) (list []change, err error) {
	for part := range strings.SplitSeq(text, ";") {
		where, rate, _ := strings.Cut(strings.TrimSpace(part), ":")
		kernel, from, later := strings.Cut(where, "@")
		c := change{kernel: kernel}
		n, err := strconv.Atoi(rate)
		if c.rate = Rate(n); later && err == nil {
			c.from, err = strconv.Atoi(from)
		}
		if err != nil || kernel == "" || n < 0 || n > 1000 || c.from < 0 {
			return nil, fmt.Errorf("%s sets no drop rate", fault.Quote(part))
		}
		list = append(list, c)
	}
	return list, nil
}

// ratesOf returns the drop rate of each launch: that of the last change that holds for it, or else drop.
func ratesOf(text string, launches []*ptx.Launch, drop Rate) ([]Rate, error) {
	var list []change
	if text != "" {
		var err error
		if list, err = parseRates(text); err != nil {
			return nil, err
		}
	}
	rates, before := make([]Rate, len(launches)), map[string]int{}
	held := make([]bool, len(list))
	for i, l := range launches {
		rates[i] = drop
		for k, c := range list {
			number := before[l.Kernel.Name]
			if c.kernel == "*" {
				number = i
			} else if c.kernel != l.Kernel.Name {
				continue
			}
			if number >= c.from {
				rates[i], held[k] = c.rate, true
			}
		}
		before[l.Kernel.Name]++
	}
	for k, c := range list {
		if !held[k] {
			return nil, fmt.Errorf("the program has no launch %d of kernel %s", c.from, fault.Quote(c.kernel))
		}
	}
	return rates, nil
}
