package gpu

import "unsafe"

// status is a CUresult of the driver.
type status int32

// Values of CUresult that this package tells apart (CUDA Driver API, "Data types used by
// CUDA driver", enum CUresult).
const (
	success                status = 0
	errInvalidValue        status = 1
	errOutOfMemory         status = 2
	errStubLibrary         status = 34
	errNoDevice            status = 100
	errInvalidDevice       status = 101
	errNoBinary            status = 209
	errInvalidPTX          status = 218
	errCompilerNotFound    status = 221
	errUnsupportedPTX      status = 222
	errNotFound            status = 500
	errNotReady            status = 600
	errIllegalAddress      status = 700
	errLaunchResources     status = 701
	errLaunchTimeout       status = 702
	errAssert              status = 710
	errHardwareStack       status = 714
	errIllegalInstruction  status = 715
	errMisalignedAddress   status = 716
	errInvalidAddressSpace status = 717
	errInvalidPC           status = 718
	errLaunchFailed        status = 719
	errSystemMismatch      status = 803
)

// calls are the functions of the driver that this package uses, with the types of cuda.h.
// Handles are uintptr, device pointers uint64.
type calls struct {
	initialize    func(flags uint32) status
	driverVersion func(version *int32) status
	errorName     func(code status, text **byte) status
	errorText     func(code status, text **byte) status

	deviceCount     func(count *int32) status
	deviceGet       func(device *int32, ordinal int32) status
	deviceName      func(name *byte, length int32, device int32) status
	deviceMemory    func(bytes *uint64, device int32) status
	deviceAttribute func(value *int32, attribute int32, device int32) status

	contextCreate  func(context *uintptr, flags uint32, device int32) status
	contextDestroy func(context uintptr) status
	contextCurrent func(context uintptr) status

	moduleLoad        func(module *uintptr, image *byte, options uint32, names *int32, values *uintptr) status
	moduleUnload      func(module uintptr) status
	moduleFunction    func(function *uintptr, module uintptr, name string) status
	functionAttribute func(value *int32, attribute int32, function uintptr) status
	functionSet       func(function uintptr, attribute, value int32) status
	functionParam     func(function, index uintptr, offset, bytes *uintptr) status // nil before CUDA 12.4

	memoryAlloc func(address *uint64, bytes uintptr) status
	memoryFree  func(address uint64) status
	memoryFill  func(address uint64, value uint8, bytes uintptr) status
	memoryWrite func(address uint64, source *byte, bytes uintptr) status
	memoryRead  func(destination *byte, address uint64, bytes uintptr) status
	memoryInfo  func(free, total *uintptr) status

	launch func(function uintptr, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes uint32, stream uintptr, params *unsafe.Pointer, extra uintptr) status

	streamQuery      func(stream uintptr) status
	eventCreate      func(event *uintptr, flags uint32) status
	eventDestroy     func(event uintptr) status
	eventRecord      func(event, stream uintptr) status
	eventElapsedTime func(milliseconds *float32, start, stop uintptr) status
}

type symbol struct {
	name     string
	function any // pointer to a field of calls
	optional bool
}

// symbols lists the names under which the library exports the functions. A suffix _v2 is the
// version that cuda.h has given 64-bit sizes since CUDA 3.2 or 4.0.
func (c *calls) symbols() []symbol {
	return []symbol{
		{"cuInit", &c.initialize, false},
		{"cuDriverGetVersion", &c.driverVersion, false},
		{"cuGetErrorName", &c.errorName, false},
		{"cuGetErrorString", &c.errorText, false},
		{"cuDeviceGetCount", &c.deviceCount, false},
		{"cuDeviceGet", &c.deviceGet, false},
		{"cuDeviceGetName", &c.deviceName, false},
		{"cuDeviceTotalMem_v2", &c.deviceMemory, false},
		{"cuDeviceGetAttribute", &c.deviceAttribute, false},
		{"cuCtxCreate_v2", &c.contextCreate, false},
		{"cuCtxDestroy_v2", &c.contextDestroy, false},
		{"cuCtxSetCurrent", &c.contextCurrent, false},
		{"cuModuleLoadDataEx", &c.moduleLoad, false},
		{"cuModuleUnload", &c.moduleUnload, false},
		{"cuModuleGetFunction", &c.moduleFunction, false},
		{"cuFuncGetAttribute", &c.functionAttribute, false},
		{"cuFuncSetAttribute", &c.functionSet, false},
		{"cuFuncGetParamInfo", &c.functionParam, true},
		{"cuMemAlloc_v2", &c.memoryAlloc, false},
		{"cuMemFree_v2", &c.memoryFree, false},
		{"cuMemsetD8_v2", &c.memoryFill, false},
		{"cuMemcpyHtoD_v2", &c.memoryWrite, false},
		{"cuMemcpyDtoH_v2", &c.memoryRead, false},
		{"cuMemGetInfo_v2", &c.memoryInfo, false},
		{"cuLaunchKernel", &c.launch, false},
		{"cuStreamQuery", &c.streamQuery, false},
		{"cuEventCreate", &c.eventCreate, false},
		{"cuEventDestroy_v2", &c.eventDestroy, false},
		{"cuEventRecord", &c.eventRecord, false},
		{"cuEventElapsedTime", &c.eventElapsedTime, false},
	}
}

// binder sets *function to the exported function of that name and reports whether the
// library has it.
type binder func(function any, name string) bool
