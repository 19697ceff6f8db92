package gpu

import "fmt"

// Memory is an allocation on the device. The driver aligns it to 256 bytes at least.
type Memory struct {
	device  *Device
	address uint64
	bytes   uint64
}

// Alloc allocates device memory. Its contents are unknown.
func (d *Device) Alloc(bytes uint64) (*Memory, error) {
	leave, err := d.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	m := &Memory{device: d, bytes: bytes}
	code := d.driver.calls.memoryAlloc(&m.address, uintptr(bytes))
	if code == errOutOfMemory {
		var free, total uintptr
		d.driver.calls.memoryInfo(&free, &total)
		return nil, d.driver.failure(KindMemory, "cuMemAlloc", code, "%s has too little memory for %d bytes: %d of %d bytes are free; use smaller buffers, or end other programs on it", d.info.Name, bytes, free, total)
	}
	if code != success {
		return nil, d.failed("cuMemAlloc", code, fmt.Sprintf("%d bytes cannot be allocated", bytes))
	}
	return m, nil
}

// Address returns the device address.
func (m *Memory) Address() uint64 { return m.address }

// Bytes returns the size.
func (m *Memory) Bytes() uint64 { return m.bytes }

func (m *Memory) span(offset uint64, n int) error {
	if offset > m.bytes || uint64(n) > m.bytes-offset {
		return fmt.Errorf("%d bytes at offset %d lie outside of an allocation of %d bytes", n, offset, m.bytes)
	}
	return nil
}

// transfer runs a call on n bytes at the given offset, if there are any.
func (m *Memory) transfer(name string, offset uint64, n int, call func() status) error {
	if err := m.span(offset, n); err != nil || n == 0 {
		return err
	}
	leave, err := m.device.enter()
	if err != nil {
		return err
	}
	defer leave()
	if code := call(); code != success {
		return m.device.failed(name, code, fmt.Sprintf("%d bytes cannot be copied", n))
	}
	return nil
}

// Write copies data to the device.
func (m *Memory) Write(offset uint64, data []byte) error {
	return m.transfer("cuMemcpyHtoD", offset, len(data), func() status {
		return m.device.driver.calls.memoryWrite(m.address+offset, &data[0], uintptr(len(data)))
	})
}

// Read copies from the device into data.
func (m *Memory) Read(offset uint64, data []byte) error {
	return m.transfer("cuMemcpyDtoH", offset, len(data), func() status {
		return m.device.driver.calls.memoryRead(&data[0], m.address+offset, uintptr(len(data)))
	})
}

// Fill sets every byte.
func (m *Memory) Fill(value byte) error {
	return m.transfer("cuMemsetD8", 0, int(m.bytes), func() status {
		return m.device.driver.calls.memoryFill(m.address, value, uintptr(m.bytes))
	})
}

// Free gives the memory back.
func (m *Memory) Free() error {
	leave, err := m.device.enter()
	if err != nil {
		return err
	}
	defer leave()
	if code := m.device.driver.calls.memoryFree(m.address); code != success {
		return m.device.failed("cuMemFree", code, fmt.Sprintf("%d bytes cannot be given back", m.bytes))
	}
	return nil
}
