// Package constructs uses every part of Go that has a translation, in the cases where
// JavaScript would differ.
package constructs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

type pair struct {
	a int
	b string
}

type counter struct {
	pair
	n    uint8
	wide uint32
	list []pair
	next *counter
	call func(int) int
}

func (c *counter) bump(by int) { c.n += uint8(by); c.wide = c.wide*1664525 + 1013904223; c.a++ }

func (c counter) sum() (total int) {
	for _, p := range c.list {
		total += p.a
	}
	return total
}

type measured interface{ sum() int }

func largest[T measured](list []T) (best T, sum int) {
	for _, v := range list {
		if s := v.sum(); s > sum {
			best, sum = v, s
		}
	}
	return best, sum
}

var table = [...]string{2: "two", 0: "zero"}

// Results runs all cases.
func Results() []string {
	var out []string
	say := func(format string, n int) { out = append(out, strings.ReplaceAll(format, "$", strconv.Itoa(n))) }

	say("quotients $", -7/2*100+7%3)
	say("mixed $", (17/4)*(-17%5))
	say("shifts $", int(uint32(1)<<31>>3))
	small := uint8(250)
	small += 10
	say("wraps $", int(small))
	say("cuts $", int(math.Abs(-3.7))*10+int(-math.Abs(3.7)))
	say("low bits $", int(uint16(70000+len(out))))

	c := counter{pair: pair{1, "x"}, n: 254, wide: 12345}
	c.bump(3)
	d := c // a copy: later assignments do not change it
	c.bump(1)
	c.list = append(c.list, pair{5, "y"}, pair{a: 6})
	say("promoted $", c.a*10+d.a)
	say("counters $", int(c.n)*1000+int(d.n))
	say("wide $", int(c.wide))
	say("result $", c.sum())
	for _, k := range []counter{c, d} {
		k.n = 9
	}
	say("loops copy $", int(c.n))
	each := &c.list[1]
	each.a = 40
	say("elements are shared $", c.list[1].a)
	_, best := largest([]counter{d, c})
	say("generic $", best)

	x := 1
	if x := x + 1; x > 1 {
		say("shadowed $", x)
	}
	say("outer $", x)
	a, b := 3, 4
	a, b = b, a
	say("swapped $", a*10+b)
	total := 0

	for i := range 10 {
		switch {
		case i%2 == 0:
			continue
		case i > 6:
			total += 0
		}
		total += i
	}
	say("odd numbers $", total)
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		total += j
	}
	say("two counters $", total)
	switch y := total % 3; y {
	case 0, 1:
		say("low $", y)
	default:
		say("high $", y)
	}
	c.call = func(n int) int { return n + total }
	if c.next == nil && c.call != nil {
		say("called $", c.call(1))
	}
	var grid [3]pair
	grid[1].a = 8
	say("zero values $", grid[0].a+grid[1].a+len(grid[2].b2())+len(c.list[:1]))
	out = append(out, fmt.Sprintf("%d %% of %s", 12, table[2]+table[0]+table[1]), strconv.FormatFloat(0.1+0.2, 'f', -1, 64),
		strconv.FormatFloat(math.Round(-2.5)+math.Floor(-1.5), 'f', -1, 64), strconv.FormatUint(48879, 16), strings.Join([]string{"p", "q"}, "–"))
	early := float32(0.1)
	say("single precision $", int(float64(early)*1e12))
	say("letters $", len([]rune("→é")))
	return out
}

func (p pair) b2() []string { return nil }
