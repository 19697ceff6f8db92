"""Runs the texture cases on an NVIDIA GPU with CuPy, says where the simulator differs, and writes the recording.

    go test ./core/ptx/execute -run TestTexturesAsOnTheDevice -args -write-textures cases.json
    python3 textures.py cases.json textures-h200.csv
"""
import base64
import csv
import hashlib
import json
import sys

import cupy as cp
import numpy as np
from cupy.cuda import runtime as rt
from cupy.cuda import texture as tx

ELEMENTS = {"u8": np.uint8, "s8": np.int8, "u16": np.uint16, "s16": np.int16, "u32": np.uint32, "s32": np.int32, "f16": np.float16, "f32": np.float32}
ADDRESSES = [rt.cudaAddressModeClamp, rt.cudaAddressModeBorder, rt.cudaAddressModeWrap, rt.cudaAddressModeMirror]
SOURCE = r"""
extern "C" __global__ void fetch(const unsigned *in, unsigned *out, unsigned long long t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a, b, c, d, x = in[2 * i], y = in[2 * i + 1];
  BODY
  out[4 * i] = a; out[4 * i + 1] = b; out[4 * i + 2] = c; out[4 * i + 3] = d;
}
"""
kernels = {}


def kernel(dimensions, result, coordinate):
    key = (dimensions, result, coordinate)
    if key not in kernels:
        place, second = ("%5", "") if dimensions == 1 else ("%5, %6", ', "r"(y)')
        body = 'asm volatile("tex.%dd.v4.%s.%s {%%0,%%1,%%2,%%3}, [%%4, {%s}];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(t), "r"(x)%s);' % (
            dimensions, result, coordinate, place, second)
        kernels[key] = cp.RawKernel(SOURCE.replace("BODY", body), "fetch")
    return kernels[key]


def fetch(case):
    t = case["Texture"]
    width, height, channels = t["Width"], t["Height"], t["Channels"]
    form = case["Format"]
    element = np.dtype(ELEMENTS[form])
    kind = {"f": rt.cudaChannelFormatKindFloat, "s": rt.cudaChannelFormatKindSigned, "u": rt.cudaChannelFormatKindUnsigned}[form[0]]
    channel = tx.ChannelFormatDescriptor(*(8 * element.itemsize if i < channels else 0 for i in range(4)), kind)
    texels = np.frombuffer(base64.b64decode(case["Texels"]), element)
    row = width * channels * element.itemsize
    if t["Array"]:
        memory = tx.CUDAarray(channel, width, height)
        memory.copy_from(texels.reshape((height, -1) if height else -1))
        resource = tx.ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=memory)
    elif height:
        memory = cp.asarray(texels.reshape(height, -1))
        resource = tx.ResourceDescriptor(rt.cudaResourceTypePitch2D, arr=memory, chDesc=channel, width=width, height=height, pitchInBytes=row)
    else:
        memory = cp.asarray(texels)
        resource = tx.ResourceDescriptor(rt.cudaResourceTypeLinear, arr=memory, chDesc=channel, sizeInBytes=row)
    numbers = case["Result"] == "f32" and form[0] != "f"
    description = tx.TextureDescriptor(
        (ADDRESSES[t["Address"]],) * 2,
        rt.cudaFilterModeLinear if t["Linear"] else rt.cudaFilterModePoint,
        rt.cudaReadModeNormalizedFloat if numbers else rt.cudaReadModeElementType,
        normalizedCoords=int(t["Normalized"]),
    )
    bound = tx.TextureObject(resource, description)
    coordinates = cp.asarray(np.array(case["Coordinates"], np.uint32))
    n = len(coordinates)
    results = cp.zeros((n, 4), cp.uint32)
    kernel(2 if height else 1, case["Result"], "s32" if case["Whole"] else "f32")(
        ((n + 127) // 128,), (128,), (coordinates, results, cp.uint64(bound.ptr), cp.int32(n)))
    return results.get()


cases = json.load(open(sys.argv[1]))
device = "%s (CUDA %d)" % (rt.getDeviceProperties(0)["name"].decode(), rt.driverGetVersion())
with open(sys.argv[2], "w") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["case", device])
    for case in cases:
        got = fetch(case)
        out.writerow([case["Name"], hashlib.sha256(got.tobytes()).hexdigest()[:8]])
        wrong = (got != np.array(case["Results"], np.uint32)).any(axis=1)
        if wrong.any():
            first = int(np.argmax(wrong))
            print(case["Name"], ":", int(wrong.sum()), "differ, the first at", case["Coordinates"][first])
