package machine

import (
	"errors"
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/tape"
)

// ErrNotNow is the answer of WriteState at the few cycles between the end of the sample and the
// first use of its codes, which a stored state cannot express.
var ErrNotNow = errors.New("machine: the controllers are about to change their codes; try again some cycles later")

// WriteState stores the machine's state, for ReadState in a machine of the same job. Its bytes are those
// of the program in memory, so only the same program can read them. Paranoid machines are not
// stored: their proofs are not state. Between the first cycles of trained codes
// it returns ErrNotNow.
//
// The form is: three blobs with their length (u32): whether the sample is complete (one byte), the sample,
// and the code table of L1; then the state of the parts and device memory.
func (m *Machine) WriteState(w io.Writer) error {
	if m.job.Paranoid {
		return errors.New("machine: the state of a run with --paranoid cannot be stored")
	}
	for _, c := range m.memory {
		if c.Switching() {
			return ErrNotNow
		}
	}
	var trained, sample, table []byte
	if m.job.Sampler != nil {
		trained = []byte{0}
		if m.trainer.trained {
			trained[0] = 1
		}
		sample = m.job.Sampler.AppendBinary(nil)
	}
	if c, ok := m.stores.(cache.Coded); ok {
		table = c.AppendTable(nil)
	}
	for _, blob := range [][]byte{trained, sample, table} {
		if err := tape.WritePart(w, blob); err != nil {
			return err
		}
	}
	s := m.Save(nil)
	if err := s.record.Write(w); err != nil {
		return err
	}
	return s.image.Write(w)
}

// ReadState gives a machine that has not run the state that another machine of the same job wrote.
func (m *Machine) ReadState(r io.Reader) error {
	var blobs [3][]byte
	for i := range blobs {
		var err error
		if blobs[i], err = tape.ReadPart(r, maxSampleBytes); err != nil {
			return err
		}
	}
	s := &Saved{}
	if m.job.Sampler != nil {
		sampler, err := m.job.Sampler.Parse(blobs[1])
		if err != nil {
			return fmt.Errorf("machine: the stored state: %w", err)
		}
		if len(blobs[0]) != 1 {
			return errors.New("machine: the stored state does not say whether its sample is complete")
		}
		if blobs[0][0] != 0 {
			var scheme codec.Scheme
			if scheme, err = sampler.Scheme(); err != nil {
				return err
			}
			for _, c := range m.memory {
				c.Switched(scheme)
			}
		}
		m.job.Sampler, s.sampler = sampler, sampler
	}
	if c, ok := m.stores.(cache.Coded); ok {
		if err := c.SetTable(blobs[2]); err != nil {
			return err
		}
	}
	// The codes that the parts refer to now come from the stored state.
	like := m.carrier().Save(m.state, nil)
	var err error
	if s.record, err = tape.Read(r, like); err != nil {
		return err
	}
	if s.image, err = m.job.Image.ReadPacked(r); err != nil {
		return err
	}
	m.Load(s)
	return nil
}

// maxSampleBytes bounds a sample: the counts of all 32-bit symbols of a large program have some
// hundred megabytes [ours].
const maxSampleBytes = 1 << 30
