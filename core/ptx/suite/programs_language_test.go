package suite

import (
	"slices"
)

func ackermann(m, n uint32) uint32 {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

func hanoi(n, from, to uint64, trace *uint64) int32 {
	if n == 0 {
		return 0
	}
	before := hanoi(n-1, from, 3-from-to, trace)
	*trace = *trace*7 + from*3 + to
	return before + 1 + hanoi(n-1, 3-from-to, to, trace)
}

// stackCode is a program of the stack machine: twenty times
// value := (value*5 + 3) & 0xffff.
var stackCode = []int32{
	0, 20, // push 20: the count
	1,       // push input
	0, 5, 4, // times 5            <- 3
	0, 3, 2, // plus 3
	9,       // & 0xffff
	6,       // count on top
	0, 1, 3, // minus 1
	6,    // value on top
	8,    // count again
	7, 3, // if it is not 0, go to 3
	10, // end with the value
}

func stackMachine(input int32) int32 {
	v := input
	for range 20 {
		v = (v*5 + 3) & 0xffff
	}
	return v
}

// descend adds up a row from the end, as the kernel's function does.
func descend(v [6]int32, i int) int32 {
	if i == 0 {
		return v[0]
	}
	next := v
	next[i-1] += v[i]
	return descend(next, i-1) + v[i]
}

var language = []program{
	{file: "language", name: "structures to functions", build: func(p *plan) {
		out := p.zeros(256)
		p.run("structuresToFunctions", x(1), x(64), out)
		p.want(out, each(64, func(t int) int32 {
			var v [6]int32
			for i := range v {
				v[i] = int32(t * i)
			}
			picked := v[t%6] + int32(t) + int32(t-t%6%3)
			changed, i := v, (t+1)%6
			changed[i] += 5
			changed[i*3%6] ^= 9
			return picked + (changed[0]+changed[5]*3+changed[i])*7 + descend(v, t%6)*11
		}))
	}},
	{file: "language", name: "Ackermann", build: func(p *plan) {
		out := p.zeros(256)
		p.run("recursionDeep", x(1), x(64), out)
		p.want(out, each(64, func(i int) uint32 { return ackermann(uint32(i%3), uint32(i%5)) }))
	}},
	{file: "language", name: "Hanoi", build: func(p *plan) {
		moves, trace := p.zeros(256), p.zeros(512)
		p.run("recursionPointers", x(1), x(64), moves, trace)
		traces := make([]uint64, 64)
		p.want(moves, each(64, func(i int) int32 {
			traces[i] = 1
			return hanoi(uint64(i%7), 0, 2, &traces[i])
		}))
		p.want(trace, traces)
	}},
	{file: "language", name: "table of functions", build: func(p *plan) {
		code := p.bytes(25, 256)
		out := p.zeros(256)
		p.run("functionTable", x(1), x(64), p.put(code), int32(25), out)
		p.want(out, each(64, func(t int) int32 {
			v := int32(t)
			for i, op := range code {
				a := int32(i + 1)
				switch (int(op) + t) & 3 {
				case 0:
					v += a
				case 1:
					v -= a
				case 2:
					v *= a
				default:
					v = max(v, a)
				}
			}
			return v
		}))
	}},
	{file: "language", name: "stack machine", build: func(p *plan) {
		in := p.ints(64, -1000, 1000)
		out := p.zeros(256)
		p.run("interpreter", x(2), x(32), p.put(stackCode), p.put(in), out)
		p.want(out, each(64, func(i int) int32 { return stackMachine(in[i]) }))
	}},
	{file: "language", name: "structures by value", build: func(p *plan) {
		m, in := p.floats(9, -1, 1), p.floats(96, -1, 1)
		flags := []int16{1, -1, 0}
		record := slices.Concat(encode(m), make([]byte, 4), encode(0.25), encode(flags), []byte{7, 0})
		out := p.zeros(384)
		p.run("structuresByValue", x(1), x(32), record, p.put(in), out, byte(3))
		p.want(out, each(96, func(k int) float32 {
			t, i := k/3, k%3
			sum := float32(0.25)
			for j := range 3 {
				sum += float32(m[3*i+j] * in[3*t+j])
			}
			if flags[(t+i)%3] > 0 {
				return sum * 3
			}
			return sum - 7
		}))
	}},
	{file: "language", name: "virtual functions", build: func(p *plan) {
		out := p.zeros(256)
		p.run("virtualCalls", x(1), x(64), out)
		p.want(out, each(64, func(t int) int32 {
			a, b := int32(t), int32(t+3)
			return [4]int32{0, a * a, a * b, a*b - (a-2)*(b-2)}[t%4]
		}))
	}},
	{file: "language", name: "shared memory of several types", build: func(p *plan) {
		in := p.ints(64, 0, 60000)
		out := p.zeros(512)
		p.runShared("carvedShared", x(1), x(64), 64*14, p.put(in), out)
		p.want(out, each(64, func(t int) float64 {
			return float64(in[63-t])*0.5 + float64(in[(t+1)%64]+1) + float64(in[t^1])
		}))
	}},
	{file: "language", name: "initialised variables", build: func(p *plan) {
		out, drawn := p.zeros(512), p.zeros(256)
		p.run("globalTables", x(2), x(32), out, drawn)
		levels := [4][8]float64{{1, 2, 3}, {4, 5}, {}, {6, 7, 8, 9, 10, 11, 12, 13}}
		p.want(out, each(64, func(t int) float64 { return levels[t&3][t>>2&7] * (float64(t%5) + 0.5) }))
		p.wantSet(drawn, each(64, func(i int) int32 { return int32(100 + 2*i) }))
	}},
	{file: "language", name: "votes", build: func(p *plan) {
		in := p.ints(64, -50, 50)
		in[40] = 77
		var positive, notLarge, odd, any [2]uint32
		for i, v := range in {
			bit := uint32(1) << (i % 32)
			if v&1 != 0 {
				odd[i/32] |= bit
				if v > 0 {
					positive[i/32] |= bit
				}
			} else if v > 10 {
				notLarge[i/32] |= bit
			}
			if v == 77 {
				any[i/32] = 1
			}
		}
		out := p.zeros(256)
		p.run("votes", x(1), x(64), p.put(in), out)
		p.want(out, each(64, func(i int) uint32 {
			r := positive[i/32]
			if in[i]&1 == 0 {
				r = ^notLarge[i/32]
			}
			return r + any[i/32] + 2 + 4
		}))
	}},
	{file: "language", name: "barriers that count", build: func(p *plan) {
		in := p.ints(100, -50, 50)
		count := int32(0)
		for _, v := range in {
			if v > 0 {
				count++
			}
		}
		out := p.zeros(400)
		p.run("barrierCounts", x(1), x(100), p.put(in), out)
		p.want(out, slices.Repeat([]int32{count*4 + 2}, 100))
	}},
	{file: "language", name: "producer and consumer", build: func(p *plan) {
		in := p.ints(320, -50, 50)
		out := p.zeros(1280)
		p.run("pipeline", x(1), x(64), p.put(in), out, int32(10))
		p.want(out, each(320, func(i int) int32 { return in[i/32*32+31-i%32]*3 + 1 }))
	}},
	{file: "language", name: "matrix in registers", build: func(p *plan) {
		in := p.ints(256, -50, 50)
		out := p.zeros(4 * 288)
		p.run("shuffleTranspose", x(1), x(32), p.put(in), out)
		p.want(out, each(288, func(k int) int32 {
			if k >= 256 {
				return in[(k-256)&^7|3]
			}
			lane, i := k/8, k%8
			return in[lane>>2*32+(lane&3)*8+i]
		}))
	}},
	{file: "language", name: "matching lanes", arch: 70, build: func(p *plan) {
		key, counts := p.ints(128, 0, 9), make([]int32, 9)
		for _, k := range key {
			counts[k]++
		}
		count, masks := p.zeros(36), p.zeros(512)
		p.run("matchKeys", x(2), x(64), p.put(key), count, masks)
		p.want(count, counts)
		p.want(masks, each(128, func(i int) (same uint32) {
			for lane := range 32 {
				if key[i&^31+lane] == key[i] {
					same |= 1 << lane
				}
			}
			return same ^ same<<1
		}))
	}},
	{file: "language", name: "redux", arch: 80, build: func(p *plan) {
		in := p.ints(32, -1e9, 1e9)
		var umax uint32
		var xor, or int32
		for _, v := range in {
			umax, xor, or = max(umax, uint32(v)), xor^v, or|v
		}
		results := []int32{sum(in), slices.Min(in), slices.Max(in), int32(umax), xor, or}
		out := p.zeros(4 * 192)
		p.run("reduceInstruction", x(1), x(32), p.put(in), out)
		p.want(out, each(192, func(i int) int32 { return results[i/32] }))
	}},
}
