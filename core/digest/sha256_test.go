package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand"
	"testing"
)

// The example of FIPS 180-4's companion document: SHA-256 of "abc".
func TestPublishedExample(t *testing.T) {
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := Hex([]byte("abc")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// twin is the standard library's. The program has it natively, and plain in WebAssembly; both are tested everywhere.
func twin(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Every length around the ends of blocks, written whole and in random pieces.
func TestHashIsThatOfTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for length := range 300 {
		b := make([]byte, length)
		r.Read(b)
		want := twin(b)
		if got := Hex(b); got != want {
			t.Fatalf("%d bytes: %s, want %s", length, got, want)
		}
		h, p := New(), newPlain()
		for rest := b; len(rest) > 0; {
			n := 1 + r.Intn(len(rest))
			h.Write(rest[:n])
			p.Write(rest[:n])
			rest = rest[n:]
		}
		if got, plain := h.Hex(), p.Hex(); got != want || plain != want {
			t.Fatalf("%d bytes in pieces: %s, in plain Go %s, want %s", length, got, plain, want)
		}
	}
}

func FuzzHash(f *testing.F) {
	f.Add([]byte("abc"), 1)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		cut = min(max(cut, 0), len(b))
		h, p := New(), newPlain()
		for _, part := range [][]byte{b[:cut], b[cut:]} {
			h.Write(part)
			p.Write(part)
		}
		if got, plain := h.Hex(), p.Hex(); got != twin(b) || plain != twin(b) {
			t.Errorf("%x: %s, in plain Go %s, want %s", b, got, plain, twin(b))
		}
	})
}

func TestWriteAllocatesNothing(t *testing.T) {
	h, p, b := New(), newPlain(), make([]byte, 1000)
	if n := testing.AllocsPerRun(10, func() { h.Write(b); p.Write(b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
