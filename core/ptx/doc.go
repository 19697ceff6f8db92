// Package ptx holds what the parts of the PTX interpreter share: scalar types,
// state spaces, decoded instructions, kernels, launches and memory accesses. The
// rest of the simulator names these too. The work is done in four packages:
//
//   - syntax reads PTX text into a tree of declarations and statements;
//   - compile checks the tree and turns a kernel into decoded instructions;
//   - arith computes one lane of an operation, bit for bit as PTX defines it;
//   - execute runs decoded instructions on the 32 lanes of a warp.
//
// Package execute depends on decoded instructions and arith alone. Package compile
// chooses the lane functions of arith and depends on syntax.
//
// Where PTX leaves a choice, or this interpreter differs from a GPU:
//
//   - Lanes meet again at the immediate post-dominator of a branch. Exits in the
//     middle count as dead ends, so an early return in one arm does not keep the
//     other lanes apart.
//   - Lanes run in step until a part of them spins in a loop. For targets from sm_70
//     on, the warp then runs apart: paths of lanes run in turn and meet again where
//     they would have met. For older targets that is an endless loop, a fault.
//   - A .sync instruction waits for the lanes of its mask that have not exited, from
//     sm_70 on. Before, the mask restricts votes and matches.
//   - A barrier counts warps, as before Volta: a warp arrives once for all of its
//     threads, while it runs apart when all of its lanes have come.
//   - cp.async is a load into hidden registers and a store to shared memory: two
//     instructions of the warp, and more if the size of the source is given. The
//     copy has ended when the next instruction starts, so waiting for it is free.
//   - mma on f64 is a chain of fma in ascending k. On shorter floats, exact products
//     are added to C in f64, in ascending k, and the sum is rounded once; NVIDIA's
//     units cut off what lies far below the largest product. tf32 operands are cut to
//     their 19 bits, and whole numbers are summed exactly.
//   - The fragments of wmma are those of the mma instructions its shape consists of;
//     wmma.load and wmma.store are one access per lane and register, or per element
//     if the elements of a register are not adjacent in memory.
//   - An .aligned instruction on matrices is a fault if a lane is missing.
//   - wgmma.mma_async is executed when the last warp of its warp group comes; the others wait for
//     it. Its registers are in use until wgmma.wait_group, and it is a fault to touch them. A copy of
//     such a register by mov is legal, since compilers make them, and is in use too. What else PTX
//     leaves undefined is a fault: a warp group without four warps, operands that differ between its
//     threads, descriptors out of shared memory or with bits that must be zero, metadata that do not
//     ascend. wgmma.fence and fences between proxies order nothing;
//     the sanitizer wants them (README.md).
//   - A release is a fence in front of its access, an acquire one after it. On presets of compute capability 7.0 and
//     later, a fence of scope .gpu or .sys waits for the warp's stores, loads and atomics, and if it acquires, L1 forgets
//     its lines of global memory. A fence of scope .cta waits for loads alone: accesses of one SM take one path to each
//     slice of L2, in order. On earlier presets a fence waits for stores, and L1 keeps what it has until the launch ends.
//   - The shared memory of CTA r of a cluster has r+1 in the bits from 24 on of
//     its addresses; an address below that is of the own CTA.
//   - mbarrier.try_wait does not block: it gives false while the phase lasts. An mbarrier
//     object is its 64 bits in shared memory (arith/mbarrier.go). What PTX leaves undefined
//     is a fault: an object without init, a surplus arrival, a count of bytes out of range,
//     the state of a forgotten phase, .noComplete that completes.
//   - cp.async.bulk and cp.reduce.async.bulk are a read into hidden registers and a write,
//     32 elements a step, for one active lane after the other. Without a machine the copy has
//     ended when the next instruction starts, and the mbarrier has its bytes: a program that
//     forgets to wait has the right result. In a machine the copy unit carries it out
//     (sm/copies.go). A launch begins when the one before has ended, so griddepcontrol has
//     nothing to do.
//     setmaxnreg waits for registers of its CTA (execute/registers.go).
//   - An access of 256 bits is two of 128, aligned to 16 bytes each; an atomic
//     operation on a vector is one for each element. Cache policies are zero.
//   - A video instruction clamps the exact result of its operation; a second operation
//     gets its low 33 bits, with a sign. For targets from sm_50 on it is three
//     instructions, which extract elements and combine them.
//   - Small numbers (e4m3x2 to e2m1x2) are those of the OCP formats.
//   - Arithmetic on f16 and bf16 is exact and rounded once, also that of fma.bf16
//     and of conversions from f64 and 64-bit integers; bf16 keeps subnormal numbers.
//   - The .approx functions are correct to the last place or next to it, hence
//     inside the manual's bounds, and the same on every machine.
//   - f32 results that are NaN are 0x7fffffff, those of f16 and bf16 0x7fff; f64
//     passes the first NaN on.
//   - An integer divided by zero gives all ones; the remainder is the dividend.
//   - atom.add.f32 keeps subnormal numbers in global memory too.
//   - Where lanes of a store meet, the highest wins; atomics run in ascending
//     order of lanes.
//   - Registers and shared memory start as zero.
//   - README.md says how textures are filtered.
package ptx
