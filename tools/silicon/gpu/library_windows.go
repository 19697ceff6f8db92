//go:build windows && (amd64 || arm64) && !nogpu

package gpu

import (
	"syscall"

	"github.com/ebitengine/purego"
)

const defaultLibrary = "nvcuda.dll" // part of the driver, not of the CUDA toolkit

func openLibrary(name string) (binder, error) {
	handle, err := syscall.LoadLibrary(name)
	if err != nil {
		return nil, err
	}
	return func(function any, name string) bool {
		address, err := syscall.GetProcAddress(handle, name)
		if err != nil {
			return false
		}
		purego.RegisterFunc(function, address)
		return true
	}, nil
}
