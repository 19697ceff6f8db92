package experiment

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// Kept things are the parts of a study that later runs take over: the exact output and the
// symbol statistics. A kept thing is keptMagic; its key and its content, each with its length
// before it (u32); and SHA-256 over all of that in hexadecimal digits. Who reads one must know its key, so a damaged
// thing, or one of another program or version, is an error and nothing else.

const (
	keptMagic = "burstscope kept 1\n"
	sumBytes  = 64 // SHA-256 in hexadecimal digits
)

// SideKey names everything that a side of the page depends on, what it shows included: the
// whole scenario, the reader's image and the version.
func SideKey(s *scenario.Scenario) string { return keptKey("side", s.LessonHash()) }

// TablesKey names everything that the symbol statistics of a scenario depend on; empty if its
// codes are not made from a run without compression.
func TablesKey(s *scenario.Scenario) string {
	if !NeedsStatistics(s) {
		return ""
	}
	return keptKey("tables", UncompressedKey(s), codingOf(&s.Memory))
}

// KeptExactKey is ExactKey with the version, because exact outputs are kept beyond it.
func KeptExactKey(s *scenario.Scenario) (string, error) {
	key, err := ExactKey(s)
	return keptKey("exact", key), err
}

func keptKey(kind string, of ...string) string {
	key := kind + " " + Version
	for _, part := range of {
		key += " " + part
	}
	return key
}

// KeepExact returns the exact output as a kept thing, nil before a run has computed it.
func (s *Study) KeepExact(key string) []byte {
	if err := s.settle(); err != nil || !s.known {
		return nil
	}
	b := binary.LittleEndian.AppendUint64(nil, s.threadInstructions)
	b = binary.LittleEndian.AppendUint64(b, s.warpInstructions)
	for _, output := range s.exact {
		b = appendPart(b, output)
	}
	b = appendPrinted(b, &s.printed)
	return Seal(key, b)
}

// UseExact takes over an exact output with this key.
func (s *Study) UseExact(key string, kept []byte) error {
	b, err := Unseal(key, kept)
	if err != nil {
		return err
	}
	if len(b) < 16 {
		return errCut
	}
	threads, warps := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	b = b[16:]
	var exact [][]byte
	for _, i := range s.plan.Program.Outputs() {
		var output []byte
		if output, b, err = cutPart(b); err != nil {
			return err
		}
		if want := s.plan.Program.Buffers[i].Bytes; uint64(len(output)) != want {
			return fmt.Errorf("output %d has %d bytes, and the program has %d", i, len(output), want)
		}
		exact = append(exact, output)
	}
	printed, err := parsePrinted(b)
	if err != nil {
		return err
	}
	s.exact, s.threadInstructions, s.warpInstructions = exact, threads, warps
	s.printed, s.known, s.exactRun = printed, true, nil
	return nil
}

// Known reports whether the exact output is there.
func (s *Study) Known() bool { return s.aside == nil && s.known }

// StepTables works on the symbol statistics of m, which needs some, for about the given
// number of cycles. It reports whether they are complete. A run does the same by itself.
func (s *Study) StepTables(m *scheme.Memory, cycles uint64) (done bool, err error) {
	return s.stepProfile(m, cycles)
}

// HasTables reports whether the symbol statistics of m are complete.
func (s *Study) HasTables(m *scheme.Memory) bool {
	p := s.profileOf(m)
	return p != nil && p.complete
}

// KeepTables returns the symbol statistics of m as a kept thing, nil before they are complete.
func (s *Study) KeepTables(key string, m *scheme.Memory) []byte {
	if !s.HasTables(m) {
		return nil
	}
	return Seal(key, s.profileOf(m).counts.AppendBinary(nil))
}

// UseTables takes over symbol statistics of m with this key.
func (s *Study) UseTables(key string, m *scheme.Memory, kept []byte) error {
	b, err := Unseal(key, kept)
	if err != nil {
		return err
	}
	counts, err := codecs.ParseTrainer(b)
	if err != nil {
		return err
	}
	if !counts.Serves(codingOf(m)) {
		return fmt.Errorf("the statistics do not serve %s", codingOf(m))
	}
	if p := s.profileOf(m); p != nil {
		*p = profile{mag: m.MAG(), counts: counts, complete: true}
		return nil
	}
	s.profiles = append(s.profiles, &profile{mag: m.MAG(), counts: counts, complete: true})
	return nil
}

var errCut = errors.New("a kept thing is cut off")

// Seal makes a kept thing.
func Seal(key string, content []byte) []byte {
	b := make([]byte, 0, len(keptMagic)+len(key)+len(content)+8+sumBytes)
	b = append(b, keptMagic...)
	b = appendPart(b, []byte(key))
	b = appendPart(b, content)
	return append(b, digest.Hex(b)...)
}

// Unseal returns the content of a kept thing with this key.
func Unseal(key string, b []byte) ([]byte, error) {
	end := len(b) - sumBytes
	if end < len(keptMagic) || string(b[:len(keptMagic)]) != keptMagic {
		return nil, errors.New("it is not a kept thing")
	}
	if digest.Hex(b[:end]) != string(b[end:]) {
		return nil, errors.New("a kept thing is damaged")
	}
	name, rest, err := cutPart(b[len(keptMagic):end])
	if err != nil {
		return nil, err
	}
	if string(name) != key {
		return nil, errors.New("a kept thing belongs to another run")
	}
	content, rest, err := cutPart(rest)
	if err == nil && len(rest) > 0 {
		err = errCut
	}
	return content, err
}

func appendPart(b, part []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
}

func cutPart(b []byte) (part, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errCut
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > uint64(len(b)) {
		return nil, nil, errCut
	}
	return b[:n:n], b[n:], nil
}

// Desk keeps the study of the latest program for the runs that follow.
type Desk struct {
	of    *scenario.Scenario
	study *Study
}

// Study returns the study of a scenario's program on its machine: the one on the desk, or a new
// one in its place.
func (d *Desk) Study(s *scenario.Scenario, p *Plan) (*Study, error) {
	if d.of != nil && sameProgram(d.of, s) {
		return d.study, nil
	}
	*d = Desk{}
	study, err := NewStudy(p)
	if err == nil {
		*d = Desk{s, study}
	}
	return study, err
}

// Clear takes the study off the desk.
func (d *Desk) Clear() { *d = Desk{} }

// sameProgram reports whether two scenarios differ only in their schemes.
func sameProgram(a, b *scenario.Scenario) bool {
	x, y := *a, *b
	x.Scheme, y.Scheme = scheme.Default(), scheme.Default()
	return x.Hash() == y.Hash()
}
