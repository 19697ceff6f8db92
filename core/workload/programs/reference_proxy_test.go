package programs

import (
	"fmt"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/workload"
)

// checkProxy follows every launch of a proxy, thread by thread.
func checkProxy(p *workload.Program, before, after [][]byte) error {
	mixed := func(x uint32) uint32 {
		x ^= x >> 16
		x *= 2146121005
		x ^= x >> 15
		x *= 2221713035
		x ^= x >> 16
		return x
	}
	var memory [][]uint32
	for _, b := range before {
		v := make([]uint32, len(b)/4)
		for i := range v {
			v[i] = uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24
		}
		memory = append(memory, v)
	}
	for n, l := range p.Launches {
		list, far, out := memory[l.Args[0].Buffer], memory[l.Args[1].Buffer], memory[l.Args[2].Buffer]
		arg := func(i int) uint32 { return uint32(l.Args[i].Bits) }
		first, taps, stride, reach, work, shares, bits, epoch := arg(6), arg(7), arg(8), arg(9), arg(10), arg(11), arg(12), arg(13)
		wide := l.Entry == "stream"
		element := func(v []uint32, i uint32) uint32 { return (v[4*i] + v[4*i+1]) ^ (v[4*i+2] + v[4*i+3]) }
		farSize := len(far)
		if wide {
			farSize /= 4
		}
		if int(arg(3)) != len(list)/4 || int(arg(4)) != farSize || int(arg(5)) != len(out)/4 {
			return fmt.Errorf("launch %d: sizes of its arrays", n)
		}
		written := map[uint32]uint32{}
		for thread := range l.Grid[0] * l.Block[0] {
			i := first + thread
			x := mixed(element(list, i%arg(3)) + i)
			sum := uint32(0)
			for t := range taps {
				at := (i + t*stride + uint32(uint64(x)*uint64(reach)/(1<<32))) % arg(4)
				if wide {
					sum += element(far, at)
				} else {
					sum += far[at]
				}
				x = 1664525*x + 1013904223
			}
			x = mixed(x + sum)
			for range work {
				x = 1664525*x + 1013904223
			}
			quad := i % arg(5)
			entry, class := quad/8, 0
			u := entry % 8 * 32
			if grain := shares / (1 << 24); grain < 32 {
				u = mixed(uint32(float64(entry)/math.Exp2(float64(grain)))+epoch) % 256
			}
			for _, limit := range []uint32{shares % 256, shares / 256 % 256, shares / 65536 % 256} {
				if limit <= u {
					class++
				}
			}
			for k := range uint32(4) {
				v := x
				switch b := bits >> (8 * class) % 256; {
				case b == 255:
					v = 0
				case b <= 23: // a float from 1 to 2 with b random bits after the point
					v = math.Float32bits(1 + float32(x>>9>>(23-b))/float32(math.Exp2(float64(b))))
				}
				if _, twice := written[4*quad+k]; twice {
					return fmt.Errorf("launch %d writes word %d twice", n, 4*quad+k)
				}
				written[4*quad+k] = v
				x = 1664525*x + 1013904223
			}
		}
		for at, v := range written {
			out[at] = v
		}
	}
	for i, want := range memory {
		for w, v := range want {
			if got := uint32(after[i][4*w]) | uint32(after[i][4*w+1])<<8 | uint32(after[i][4*w+2])<<16 | uint32(after[i][4*w+3])<<24; got != v {
				return fmt.Errorf("%s: word %d is %#x, want %#x", p.Buffers[i].Name, w, got, v)
			}
		}
	}
	return nil
}

// TestProxiesStandForThePaper: sixteen programs by the paper's names, and nothing else.
func TestProxiesStandForThePaper(t *testing.T) {
	seen := map[string]bool{}
	for _, paper := range []string{
		"351.palm", "352.ep", "354.cg", "355.seismic", "356.sp", "357.csp", "360.ilbdc", "370.bt", "FF_HPGMG", "FF_Lulesh",
		"AlexNet", "InceptionV2", "SqueezeNet", "VGG16", "ResNet50", "BigLSTM",
	} {
		name, data, ok := Proxy(paper)
		if !ok || seen[data] {
			t.Fatalf("%s: %s %s", paper, name, data)
		}
		seen[data] = true
		p := mustBuild(t, name, Params{Size: 1, Data: data})
		if n := p.FootprintBytes(); n > 1<<20 || n < 1<<20*95/100 {
			t.Errorf("%s has %d bytes", paper, n)
		}
		if len(p.Launches)%proxySteps != 0 {
			t.Errorf("%s: %d launches do not divide among ten snapshots", paper, len(p.Launches))
		}
	}
	if n := len(hpcProxies) + len(dlProxies); n != len(seen) {
		t.Errorf("%d proxies", n)
	}
	if _, _, ok := Proxy("353.clvrleaf"); ok {
		t.Error("a program that the paper does not have")
	}
}
