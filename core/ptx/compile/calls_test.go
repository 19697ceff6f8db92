package compile

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// chainOfCalls is a module of n functions, each of which calls the one before it
// twice: 2^n paths from the kernel to the first function.
func chainOfCalls(n int) string {
	var b strings.Builder
	b.WriteString(moduleHead + ".func f0() { .reg .b32 %r<3>; add.u32 %r0, %r1, %r2; ret; }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, ".func f%d() { .reg .b32 %%r<3>; mov.u32 %%r0, 1; call f%d; call f%d; add.u32 %%r1, %%r0, %%r0; ret; }\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, ".entry k() { call f%d; ret; }\n", n-1)
	return b.String()
}

func TestManyPathsOfCalls(t *testing.T) {
	for _, n := range []int{2, 40, 1000} {
		k := compileText(t, chainOfCalls(n), "k")
		// f0 needs two registers at once, each of the others one across its calls.
		if want := 2 + n - 1; k.RegistersPerThread != want {
			t.Errorf("%d functions: %d registers a thread, want %d", n, k.RegistersPerThread, want)
		}
	}
}

// A ring of functions with calls in both directions: every function may call every
// other, and each call waits for the registers of all.
func TestManyRecursiveFunctions(t *testing.T) {
	const n = 4000
	var b strings.Builder
	b.WriteString(moduleHead)
	for i := range n {
		fmt.Fprintf(&b, ".func f%d();\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, ".func f%d() { .reg .b32 %%r<3>; mov.u32 %%r0, 1; call f%d; call f%d; add.u32 %%r1, %%r0, %%r0; ret; }\n", i, (i+1)%n, (i+n-1)%n)
	}
	k := compileText(t, b.String()+".entry k() { call f0; ret; }\n", "k")
	if k.RegistersPerThread != n {
		t.Errorf("%d registers a thread, want %d", k.RegistersPerThread, n)
	}
	lists := map[*uint16]bool{}
	for i := range k.Code {
		if in := &k.Code[i]; in.Call != nil && len(in.Deps) > 0 {
			lists[&in.Deps[0]] = true
		}
	}
	if len(lists) != 1 {
		t.Errorf("%d lists of the registers of all recursive functions, want one", len(lists))
	}
}

// TestCallGraph compares groups, recursion and the deepest chain with walks along
// every path.
func TestCallGraph(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 3000 {
		n := 1 + r.Intn(7)
		g := callGraph{calls: make([][]int, n)}
		acyclic := r.Intn(2) == 0
		weight := make([]int, n)
		for i := range n {
			weight[i] = r.Intn(50)
			for range r.Intn(4) {
				if t := r.Intn(n); !acyclic || t > i {
					g.calls[i] = append(g.calls[i], t)
				}
			}
		}
		g.findComponents()
		var reaches func(from, to int, seen []bool) bool
		reaches = func(from, to int, seen []bool) bool {
			for _, t := range g.calls[from] {
				if t == to {
					return true
				}
				if !seen[t] {
					seen[t] = true
					if reaches(t, to, seen) {
						return true
					}
				}
			}
			return false
		}
		reach := func(a, b int) bool { return reaches(a, b, make([]bool, n)) }
		recursive := g.recursive()
		for i := range n {
			if recursive[i] != reach(i, i) {
				t.Fatalf("%v: function %d is recursive: %v", g.calls, i, recursive[i])
			}
			for k := range n {
				if same := i == k || reach(i, k) && reach(k, i); same != (g.component[i] == g.component[k]) {
					t.Fatalf("%v: functions %d and %d are in groups %d and %d", g.calls, i, k, g.component[i], g.component[k])
				}
			}
		}
		// The slow twin walks every path without repetition.
		var walk func(i int, active []bool) int
		walk = func(i int, active []bool) int {
			if active[i] {
				return 0
			}
			active[i] = true
			below := 0
			for _, t := range g.calls[i] {
				below = max(below, walk(t, active))
			}
			active[i] = false
			return weight[i] + below
		}
		got, want := g.deepest(weight), walk(0, make([]bool, n))
		if acyclic && got != want || got < want {
			t.Fatalf("%v with %v: deepest %d, want %d", g.calls, weight, got, want)
		}
	}
}
