//go:build linux && (amd64 || arm64) && !nogpu

package gpu

import "github.com/ebitengine/purego"

const defaultLibrary = "libcuda.so.1" // part of the driver, not of the CUDA toolkit

func openLibrary(name string) (binder, error) {
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	return func(function any, name string) bool {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return false
		}
		purego.RegisterFunc(function, address)
		return true
	}, nil
}
