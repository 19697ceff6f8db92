package machine

import "github.com/burstscope/burstscope/core/mem"

// Snapshot returns an independent copy of the machine at its current cycle, with
// the probe off. Device memory is shared until one of the two writes it, so a
// snapshot costs the caches and queues plus what changes afterwards.
func (m *Machine) Snapshot() (*Machine, error) {
	job := m.job
	job.Tap = nil
	job.Image = new(mem.Image)
	job.Image.CopyFrom(m.job.Image)
	if m.job.Sampler != nil {
		job.Sampler = m.job.Sampler.Clone()
	}
	c, err := rebuild(m, job)
	if err != nil {
		return nil, err
	}
	c.copyState(m)
	return c, nil
}

// Restore takes the machine back to a snapshot made of it. Its probe, if any,
// stays on.
func (m *Machine) Restore(s *Machine) {
	m.job.Image.CopyFrom(s.job.Image)
	if s.job.Sampler != nil {
		m.job.Sampler = s.job.Sampler.Clone()
	}
	m.copyState(s)
}

func rebuild(m *Machine, job Job) (*Machine, error) {
	c := &Machine{spec: m.spec, job: job, amap: m.amap, arena: mem.NewArena(0), atomics: newAtomics(), localBase: m.localBase, localWords: m.localWords, code: m.code, parameters: m.parameters}
	room, err := c.fit()
	if err != nil {
		return nil, err
	}
	c.buildSMs(room)
	if err := c.buildMemory(); err != nil {
		return nil, err
	}
	c.wire()
	c.engine.Seal()
	return c, nil
}

// copyState copies everything that changes while running, except the image.
func (m *Machine) copyState(src *Machine) {
	m.engine.CopyFrom(&src.engine)
	m.dispatcher.CopyFrom(src.dispatcher)
	for i := range m.sms {
		m.sms[i].CopyFrom(src.sms[i])
	}
	m.requests.CopyFrom(src.requests)
	m.replies.CopyFrom(src.replies)
	for i := range m.slices {
		m.slices[i].CopyFrom(src.slices[i])
	}
	for i := range m.memory {
		m.memory[i].CopyFrom(src.memory[i])
		m.memStats[i] = src.memStats[i]
	}
	if m.trainer != nil {
		m.trainer.trained, m.trainer.err = src.trainer.trained, src.trainer.err
		m.observe()
	}
	m.arena.CopyFrom(src.arena)
	m.atomics.CopyFrom(src.atomics)
	for i := range m.packets {
		m.packets[i].CopyFrom(src.packets[i])
	}
	for i := range m.blocks {
		m.blocks[i].CopyFrom(src.blocks[i])
		m.fills[i].CopyFrom(src.fills[i])
	}
	for i := range m.grants {
		m.grants[i].CopyFrom(src.grants[i])
		m.dones[i].CopyFrom(src.dones[i])
	}
	m.err = src.err
}
