package tape

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// pieceOf fills a piece by words.
func pieceOf(word func(i int) uint32) *piece {
	var p piece
	for i := range pieceWords {
		binary.NativeEndian.PutUint32(p[4*i:], word(i))
	}
	return &p
}

// Every piece comes back, and those of a GPU's state become as small as they should.
func TestCodes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		word func(i int) uint32
		most int
	}{
		"equal words":         {func(int) uint32 { return 7 }, bitBytes + 4},
		"spaced words":        {func(i int) uint32 { return 100 + 4*uint32(i) }, bitBytes + 8},
		"falling words":       {func(i int) uint32 { return 5 - 3*uint32(i) }, bitBytes + 8},
		"addresses":           {func(i int) uint32 { return [...]uint32{4096 + 64*uint32(i), 1}[i%2] }, bitBytes + 16},
		"one word":            {func(i int) uint32 { return uint32(i) / (pieceWords - 1) }, bitBytes + 4},
		"noise":               {func(int) uint32 { return random.Uint32() }, pieceBytes},
		"half noise":          {func(i int) uint32 { return random.Uint32() * (uint32(i) / (pieceWords / 2)) }, bitBytes + pieceBytes/2},
		"as long as itself":   {func(i int) uint32 { return uint32(i*i) * uint32(min(1, i/18)) }, pieceBytes},
		"just short of it":    {func(i int) uint32 { return uint32(i*i*i) * uint32(min(1, i/17)) }, pieceBytes},
		"first word not zero": {func(i int) uint32 { return 1 - uint32(min(i, 1)) }, bitBytes + 8},
	} {
		p := pieceOf(c.word)
		var room, back piece
		got := code(encode(p, room[:]))
		if len(got) > c.most {
			t.Errorf("%s: %d bytes, more than %d", name, len(got), c.most)
		}
		if got.decode(&back); back != *p {
			t.Errorf("%s: another piece comes back", name)
		}
	}
	for round := range 2000 {
		p := pieceOf(func(i int) uint32 { return uint32(i) * random.Uint32N(4) * uint32(random.IntN(round%50+1)) })
		var room, back piece
		if code(encode(p, room[:])).decode(&back); back != *p {
			t.Fatalf("round %d: another piece comes back", round)
		}
	}
}

// A stored record is the same state, whatever its codes are.
func TestStoredRecordHasNoCodes(t *testing.T) {
	p, tp := example(), NewTape()
	for i := range p.fixed {
		p.fixed[i] = uint32(i * i)
	}
	r := tp.Save(p.state, nil)
	var stored bytes.Buffer
	if err := r.Write(&stored); err != nil {
		t.Fatal(err)
	}
	raw := binary.NativeEndian.AppendUint32(nil, 299*299)
	if !bytes.Contains(stored.Bytes(), raw) {
		t.Error("the stored record does not have its words")
	}
	again, err := Read(&stored, r)
	if err != nil {
		t.Fatal(err)
	}
	var back part
	tp.Load(back.state, again)
	if back.fixed != p.fixed || len(back.list) != len(p.list) || again.NewBytes(nil) != r.NewBytes(nil) {
		t.Errorf("loaded %+v", back)
	}
}

func BenchmarkSave(b *testing.B) {
	state := make([]uint32, 1<<22)
	for i := range state {
		state[i] = uint32(i) * uint32(i%7)
	}
	tp := NewTape()
	b.SetBytes(int64(4 * len(state)))
	for b.Loop() {
		tp.Save(func(t *Tape) { Values(t, state) }, nil)
	}
}
