package compile

// Help says for each supported instruction, one a line and in the order of opcodes, what its operands are and what it
// does. Operands are written as in the PTX ISA, section "Instruction Set".
const Help = `abs d, a: d = |a|
activemask d: d = mask of the lanes that execute it
add d, a, b: d = a + b; with .cc it keeps the carry
addc d, a, b: d = a + b + carry
and d, a, b: d = a & b
applypriority [a], size: sets the eviction priority of a line in L2
atom d, [a], b: d = memory at a, which becomes what the operation makes of it and b
bar a, b: waits until the threads of the CTA, or b of them, have arrived at barrier a
barrier a, b: waits until the threads of the CTA, or b of them, have arrived at barrier a
bfe d, a, b, c: d = the c bits of a from bit b on
bfi d, a, b, c, e: d = b with e of its bits, from bit c on, replaced by a
bfind d, a: d = position of the highest bit of a that is not its sign
bmsk d, a, b: d = b ones from bit a on
bra label: goes on at the label, in the lanes whose predicate holds
brev d, a: d = a with its bits in reverse order
brkpt: a breakpoint; does nothing here
brx index, table: goes on at the label of that index
call (d), f, (a, ...): calls a function
clz d, a: d = number of zeros before the first one of a
cnot d, a: d = 1 if a is 0, else 0
copysign d, a, b: d = |b| with the sign of a
cos d, a: d = cosine of a, approximate
cp [d], [a], size: copies from global to shared memory without waiting
createpolicy d: d = a policy for evictions from L2
cvt d, a: d = a in another type, rounded as the modifiers say
cvta d, a: d = an address of one state space as a generic one; with .to the other way
discard [a], size: the contents of a line are no longer needed
div d, a, b: d = a / b
dp2a d, a, b, c: d = c + products of two numbers of 16 bits in a and two of 8 in b
dp4a d, a, b, c: d = c + the four products of the bytes of a and b
elect d|p, mask: chooses one lane of the mask; p holds in that lane
ex2 d, a: d = 2 to the power a, approximate
exit: ends the thread
fence: orders accesses to memory before it and after it
fma d, a, b, c: d = a * b + c, rounded once
fns d, a, b, c: d = position of the c-th one of a from bit b on
getctarank d, a: d = rank in the cluster of the CTA whose shared memory holds a
griddepcontrol: starts a dependent launch, or waits for the launch before
isspacep p, a: p = whether a is in that state space
ld d, [a]: d = memory at a
ldmatrix d, [a]: loads 8 x 8 matrices from shared memory, a row from each lane's address
ldu d, [a]: d = memory at a, the same address in all lanes
lg2 d, a: d = logarithm of a to base 2, approximate
lop3 d, a, b, c, table: d = the logic function of a, b and c that the table of 8 bits gives
mad d, a, b, c: d = a * b + c; .lo and .hi keep a half of the product, .wide all
mad24 d, a, b, c: d = a * b + c of 24-bit factors
madc d, a, b, c: d = a * b + c + carry
mapa d, a, b: d = the address of a in the shared memory of CTA b of the cluster
match d, a, mask: d = mask of the lanes with an equal a
max d, a, b: d = the greater of a and b
mbarrier [a]: arrives at, or waits for, a barrier in shared memory
membar: orders accesses to memory before it and after it
min d, a, b: d = the smaller of a and b
mma d, a, b, c: d = a x b + c of matrices held by the warp
mov d, a: d = a
movmatrix d, a: transposes an 8 x 8 matrix held by the warp
mul d, a, b: d = a * b; .lo and .hi keep a half of the product, .wide all
mul24 d, a, b: d = a * b of 24-bit factors
nanosleep t: pauses the thread; takes no time here
neg d, a: d = -a
not d, a: d = ~a
or d, a, b: d = a | b
pmevent a: counts an event of the profiler; does nothing here
popc d, a: d = number of ones of a
prefetch [a]: brings a line into a cache
prefetchu [a]: brings a line into the uniform cache
prmt d, a, b, c: d = four of the eight bytes of a and b, chosen by c
rcp d, a: d = 1 / a
red [a], b: memory at a becomes what the operation makes of it and b
redux d, a, mask: d = sum, minimum, maximum or logic of a over the lanes of the mask
rem d, a, b: d = remainder of a / b
ret: returns from a function; ends the thread in a kernel
rsqrt d, a: d = 1 / square root of a, approximate
sad d, a, b, c: d = c + |a - b|
selp d, a, b, p: d = a if p holds, else b
set d, a, b: d = all ones, or 1.0, if the comparison of a and b holds, else 0
setmaxnreg n: changes the number of registers of each thread
setp p|q, a, b: p = whether the comparison of a and b holds, q = the contrary
shf d, a, b, c: d = the pair b, a shifted by c bits, one half of it
shfl d|p, a, b, c: d = a of another lane: up, down, bfly or idx
shl d, a, b: d = a << b
shr d, a, b: d = a >> b; with the sign if the type has one
sin d, a: d = sine of a, approximate
slct d, a, b, c: d = a if c >= 0, else b
sqrt d, a: d = square root of a
st [a], b: memory at a = b
stmatrix [a], b: stores 8 x 8 matrices to shared memory, a row to each lane's address
sub d, a, b: d = a - b; with .cc it keeps the borrow
subc d, a, b: d = a - b - borrow
szext d, a, b: d = the low b bits of a, with sign or zeros above
tanh d, a: d = hyperbolic tangent of a, approximate
tensormap [a], b: changes a field of a tensor map
testp p, a: p = whether a is finite, infinite, a number, NaN, normal or subnormal
tex d, [t, c]: d = the texel of texture t at coordinates c
trap: ends the program with a fault
vabsdiff d, a, b, c: |a - b| of bytes or halves, then combined with c
vabsdiff2 d, a, b, c: |a - b| of two pairs of halves
vabsdiff4 d, a, b, c: |a - b| of four pairs of bytes
vadd d, a, b, c: a + b of bytes or halves, then combined with c
vadd2 d, a, b, c: a + b of two pairs of halves
vadd4 d, a, b, c: a + b of four pairs of bytes
vavrg2 d, a, b, c: mean of two pairs of halves
vavrg4 d, a, b, c: mean of four pairs of bytes
vmad d, a, b, c: a * b + c of bytes or halves
vmax d, a, b, c: greater of bytes or halves, then combined with c
vmax2 d, a, b, c: greater of two pairs of halves
vmax4 d, a, b, c: greater of four pairs of bytes
vmin d, a, b, c: smaller of bytes or halves, then combined with c
vmin2 d, a, b, c: smaller of two pairs of halves
vmin4 d, a, b, c: smaller of four pairs of bytes
vote d, p: whether p holds in all, any or equal lanes; .ballot gives their mask
vset d, a, b, c: comparison of bytes or halves, then combined with c
vset2 d, a, b, c: comparison of two pairs of halves
vset4 d, a, b, c: comparison of four pairs of bytes
vshl d, a, b, c: a << b of bytes or halves, then combined with c
vshr d, a, b, c: a >> b of bytes or halves, then combined with c
vsub d, a, b, c: a - b of bytes or halves, then combined with c
vsub2 d, a, b, c: a - b of two pairs of halves
vsub4 d, a, b, c: a - b of four pairs of bytes
wgmma d, a, b: d = a x b + d of matrices, by four warps, from shared memory
wmma d, a, b, c: loads, multiplies or stores matrices held by the warp
xor d, a, b: d = a ^ b`
