package suite

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math/big"
	"math/bits"
	"time"
)

// each computes n numbers one by one.
func each[T any](n int, f func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

func uint128(x *big.Int) (low, high uint64) {
	mod := new(big.Int).Lsh(big.NewInt(1), 128)
	x = new(big.Int).Mod(x, mod)
	return new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1)).Uint64(), new(big.Int).Rsh(x, 64).Uint64()
}

func bitTricks(i int, v uint32, y uint64) uint32 {
	ffs := uint32(0)
	if v != 0 {
		ffs = uint32(bits.TrailingZeros32(v)) + 1
	}
	s := int32(v)
	last := uint32(9)
	if s < 0 {
		last = 5
	} else if s > 1000 {
		last = 7
	}
	if s < 0 {
		s = -s
	}
	r := uint32(0)
	for _, next := range []uint32{
		uint32(bits.OnesCount32(v)), uint32(bits.LeadingZeros32(v)), bits.Reverse32(v), ffs,
		uint32(bits.OnesCount64(y)), uint32(bits.LeadingZeros64(y)), uint32(bits.Reverse64(y) >> 17), uint32(bits.TrailingZeros64(y)),
		bits.ReverseBytes32(v), uint32(bits.ReverseBytes64(y) >> 5), bits.RotateLeft32(v, i&31), uint32(bits.RotateLeft64(y, i)),
		uint32(int32(v) << 7 >> 13), uint32(int64(y<<9) >> 40), uint32(s) + last,
	} {
		r = r*31 + next
	}
	return r
}

func pcg(state *uint64) uint32 {
	old := *state
	*state = old*6364136223846793005 + 1442695040888963407
	return bits.RotateLeft32(uint32((old>>18^old)>>27), -int(old>>59))
}

var bytePrograms = []program{
	{file: "bytes", name: "hash table", build: func(p *plan) {
		const slots, n = 256, 180
		key, value := p.words(n), p.words(n)
		sums := map[uint32]uint32{}
		for i := range key {
			key[i] %= 150 // some come again
			sums[key[i]] += value[i]
		}
		wanted := each(64, func(int) uint32 { return p.Uint32() % 200 })
		want := each(64, func(i int) uint32 {
			if s, ok := sums[wanted[i]]; ok {
				return s
			}
			return 1<<32 - 1
		})
		keys, values, out := p.put(bytes.Repeat([]byte{255}, 4*slots)), p.zeros(4*slots), p.zeros(256)
		p.run("hashInsert", x(3), x(64), p.put(key), p.put(value), keys, values, uint32(slots), int32(n))
		p.run("hashLookUp", x(2), x(32), p.put(wanted), keys, values, uint32(slots), out)
		p.want(out, want)
		p.checks = append(p.checks, func(read func(*buffer) []byte) error {
			taken := 0
			for i, k := range int32s(read(keys)) {
				if k == -1 {
					continue
				}
				taken++
				for at := mixKey(uint32(k)) % slots; at != uint32(i); at = (at + 1) % slots {
					if int32s(read(keys))[at] == -1 {
						return fmt.Errorf("key %d lies behind a free slot", k)
					}
				}
			}
			if taken != len(sums) {
				return fmt.Errorf("%d keys in the table, want %d", taken, len(sums))
			}
			return nil
		})
	}},
	{file: "bytes", name: "lists by compare and swap", build: func(p *plan) {
		const lists, n = 7, 128
		key := p.words(n)
		head, next := p.zeros(8*lists), p.zeros(4*n)
		p.run("pushLists", x(2), x(64), p.put(key), head, next, int32(lists))
		p.checks = append(p.checks, func(read func(*buffer) []byte) error {
			links, seen := int32s(read(next)), 0
			for i := range lists {
				h := binary.LittleEndian.Uint64(read(head)[8*i:])
				length := 0
				for at := int32(uint32(h)) - 1; at >= 0; at = links[at] {
					if length++; length > n || key[at]%lists != uint32(i) {
						return fmt.Errorf("list %d holds %d", i, at)
					}
				}
				if seen += length; length != int(h>>32) {
					return fmt.Errorf("list %d counts %d and has %d", i, h>>32, length)
				}
			}
			if seen != n {
				return fmt.Errorf("%d elements in all lists, want %d", seen, n)
			}
			return nil
		})
	}},
	{file: "bytes", name: "histogram", build: func(p *plan) {
		in, want := p.bytes(3000, 90), make([]uint32, 256)
		for _, v := range in {
			want[v]++
		}
		out := p.zeros(1024)
		p.run("histogramShared", x(3), x(128), p.put(in), out, int32(3000))
		p.want(out, want)
	}},
	{file: "bytes", name: "text search", build: func(p *plan) {
		text, pattern := p.text(400), []byte("a?b")
		want := places(text, pattern)
		place, count := p.zeros(1600), p.zeros(4)
		p.run("findText", x(4), x(128), p.put(text), int32(400), p.put(pattern), int32(3), place, count)
		p.want(count, []int32{int32(len(want))})
		p.wantSet(place, want)
	}},
	{file: "bytes", name: "sieve", build: func(p *plan) {
		const n = 1500
		out := p.zeros(n + 1)
		p.run("sieve", x(1), x(64), out, int32(n))
		p.want(out, each(n+1, func(i int) byte {
			if i > 1 && !big.NewInt(int64(i)).ProbablyPrime(0) {
				return 1
			}
			return 0
		}))
	}},
	{file: "bytes", name: "CRC-32", build: func(p *plan) {
		in := p.bytes(32*21, 256)
		out := p.zeros(128)
		p.run("crc32", x(1), x(32), p.put(in), int32(21), out)
		p.want(out, each(32, func(i int) uint32 { return crc32.ChecksumIEEE(in[21*i : 21*i+21]) }))
	}},
	{file: "bytes", name: "base 64", build: func(p *plan) {
		in := p.bytes(3*64, 256)
		out := p.zeros(256)
		p.run("base64", x(2), x(32), p.put(in), out)
		p.want(out, []byte(base64.StdEncoding.EncodeToString(in)))
	}},
	{file: "bytes", name: "FNV of strings", build: func(p *plan) {
		in, begin := p.bytes(2000, 256), make([]int32, 65)
		for i := range 64 {
			begin[i+1] = begin[i] + p.Int31n(30)
		}
		out := p.zeros(512)
		p.run("fnv64", x(1), x(64), p.put(in), p.put(begin), out)
		p.want(out, each(64, func(i int) uint64 {
			h := fnv.New64a()
			h.Write(in[begin[i]:begin[i+1]])
			return h.Sum64()
		}))
	}},
	{file: "bytes", name: "powers modulo", build: func(p *plan) {
		a, e, m := p.longs(32), p.longs(32), p.longs(32)
		for i := range m {
			e[i] >>= 40
			m[i]++
		}
		out := p.zeros(256)
		p.run("powerModulo", x(1), x(32), p.put(a), p.put(e), p.put(m), out)
		p.want(out, each(32, func(i int) uint64 {
			of := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
			return new(big.Int).Exp(of(a[i]), of(e[i]), of(m[i])).Uint64()
		}))
	}},
	{file: "bytes", name: "products of 128 bits", build: func(p *plan) {
		a, b, want := p.longs(64), p.longs(64), make([]uint64, 256)
		for i := range a {
			of := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
			u := new(big.Int).Mul(of(a[i]), of(b[i]))
			u.Add(u, new(big.Int).Lsh(of(a[i]), 37))
			s := new(big.Int).Mul(big.NewInt(int64(a[i])), big.NewInt(int64(b[i])))
			s.Sub(s, of(b[i]))
			want[4*i], want[4*i+1] = uint128(u)
			want[4*i+2], want[4*i+3] = uint128(s)
		}
		out := p.zeros(2048)
		p.run("wideProducts", x(1), x(64), p.put(a), p.put(b), out)
		p.want(out, want)
	}},
	{file: "bytes", name: "greatest common divisor", build: func(p *plan) {
		a, b := p.longs(64), p.longs(64)
		for i := range a {
			a[i], b[i] = a[i]>>20*60, b[i]>>20*84
		}
		out := p.zeros(512)
		p.run("greatestDivisor", x(2), x(32), p.put(a), p.put(b), out)
		p.want(out, each(64, func(i int) uint64 {
			return new(big.Int).GCD(nil, nil, new(big.Int).SetUint64(a[i]), new(big.Int).SetUint64(b[i])).Uint64()
		}))
	}},
	{file: "bytes", name: "bit tricks", build: func(p *plan) {
		a, b := p.words(128), p.longs(128)
		a[5], b[7] = 0, 0
		out := p.zeros(512)
		p.run("bitTricks", x(2), x(64), p.put(a), p.put(b), out)
		p.want(out, each(128, func(i int) uint32 { return bitTricks(i, a[i], b[i]) }))
	}},
	{file: "bytes", name: "four bytes at a time", build: func(p *plan) {
		a, b := p.words(64), p.words(64)
		total, difference := make([]uint32, 64), make([]uint32, 64)
		for i := range a {
			for k := 0; k < 32; k += 8 {
				u, v := a[i]>>k&255, b[i]>>k&255
				total[i] |= min(u+v, 255) << k
				difference[i] += max(u, v) - min(u, v)
			}
		}
		sums, differences := p.zeros(256), p.zeros(256)
		p.run("packedBytes", x(2), x(32), p.put(a), p.put(b), sums, differences)
		p.want(sums, total)
		p.want(differences, difference)
	}},
	{file: "bytes", name: "xorshift", build: func(p *plan) {
		state, want := p.words(64), make([]uint32, 64)
		first := p.put(state)
		for i := range state {
			for range 50 {
				v := state[i]
				v ^= v << 13
				v ^= v >> 17
				v ^= v << 5
				state[i] = v
				want[i] += v
			}
		}
		out := p.zeros(256)
		p.run("xorshift", x(2), x(32), first, out, int32(50))
		p.want(first, state)
		p.want(out, want)
	}},
	{file: "bytes", name: "Monte Carlo", build: func(p *plan) {
		inside := uint32(0)
		for t := range uint64(64) {
			state := t*2654435761 + 12345
			for range 100 {
				u := float32(pcg(&state)>>8) * (1.0 / (1 << 24))
				v := float32(pcg(&state)>>8) * (1.0 / (1 << 24))
				if float32(u*u)+float32(v*v) < 1 {
					inside++
				}
			}
		}
		hits := p.zeros(4)
		p.run("monteCarloPi", x(2), x(32), hits, int32(100))
		p.want(hits, []uint32{inside})
	}},
	{file: "bytes", name: "Collatz", build: func(p *plan) {
		out := p.zeros(400)
		p.run("collatz", x(2), x(50), out)
		p.want(out, each(100, func(i int) (steps int32) {
			for n := i + 1; n != 1; steps++ {
				if n%2 == 1 {
					n = 3*n + 1
				} else {
					n /= 2
				}
			}
			return steps
		}))
	}},
	{file: "bytes", name: "dates of days", build: func(p *plan) {
		days := p.ints(64, -500000, 500000)
		out := p.zeros(256)
		p.run("dates", x(2), x(32), p.put(days), out)
		p.want(out, each(64, func(i int) int32 {
			d := time.Unix(int64(days[i])*86400, 0).UTC()
			return int32(d.Year()*10000 + int(d.Month())*100 + d.Day())
		}))
	}},
}
