"""Kernels on arrays: kernel(ptx)(x, out=y)."""

import math
import pathlib
import re
import tempfile
from typing import Any, Optional, Sequence, Union

from ._program import Error, call, parsed
from ._result import Result, Settings, _assignments, _flags

# A size in one to three dimensions.
Extent = Union[int, Sequence[int]]

# The types of numbers in kernels, by those of NumPy.
_TYPES = {
    "float32": "f32", "float64": "f64", "int8": "s8", "int16": "s16", "int32": "s32", "int64": "s64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
}
_ENTRY = re.compile(r"\.entry\s+([A-Za-z_$%][\w$]*)\s*(?:\(([^)]*)\))?")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PARAM = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)")


class Kernel:
    """A kernel of a PTX program. Called with arrays and numbers it runs, writes its outputs into the arrays of out, and
    returns the Result of the run."""

    def __init__(self, source: str, entry: Optional[str] = None, block: Optional[Extent] = None, shared: int = 0):
        self.source, self.block, self.shared = source, block, shared
        entries = dict(_ENTRY.findall(_COMMENT.sub(" ", source)))
        if not entries:
            raise ValueError("the text has no .entry: give a PTX program, a file of one, or an object with .asm['ptx']")
        if entry is None and len(entries) > 1:
            raise ValueError(f"the program has several kernels: name one with entry: {', '.join(entries)}")
        if entry is not None and entry not in entries:
            raise ValueError(f"the program has no kernel {entry[:40]}: use one of {', '.join(entries)}")
        self.entry = entry or next(iter(entries))
        self.parameters = _PARAM.findall(entries[self.entry])

    def __repr__(self):
        return f"<kernel {self.entry}({', '.join(self.parameters)})>"

    def __call__(
        self,
        *arguments: Any,
        out: Any = (),
        grid: Optional[Extent] = None,
        block: Optional[Extent] = None,
        settings: Optional[Settings] = None,
        **flags: Any,
    ) -> Result:
        """Runs the kernel.

        arguments are those of the kernel in order: NumPy arrays (or anything with __array__) for pointers, numbers for
        numbers. Arrays of out are outputs: one that is among the arguments starts with its contents; one that is not is
        appended to the arguments and starts with zeros. grid and block are a number or a tuple; without a grid there is
        a thread for each element of the first array. settings are those of exec --set; functional=True runs without a
        machine.
        """
        numpy = _numpy()
        outs = list(out) if isinstance(out, (list, tuple)) else [out]
        for y in outs:
            if not isinstance(y, numpy.ndarray) or not y.flags.c_contiguous or not y.flags.writeable:
                raise ValueError("an array of out must be a NumPy array that can be written, with its elements in order")
            if sum(a is y for a in arguments) > 1:
                raise ValueError("an array of out is given twice: each argument has a buffer of its own, so its contents would be unclear")
        given = len(arguments)  # those after them are outputs alone, and start with zeros
        arguments = (*arguments, *(y for y in outs if not any(y is a for a in arguments)))
        if self.parameters and len(arguments) != len(self.parameters):
            listed = ", ".join(self.parameters)
            raise ValueError(f"{self.entry} takes {len(self.parameters)} arguments, and {len(arguments)} are given: {listed}")
        threads = _extent(block or self.block or 256)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "k.ptx").write_text(self.source, encoding="utf-8")
            specs, first = [], None
            for i, a in enumerate(arguments):
                if _is_number(a):
                    specs.append(self._number(i, a))
                    continue
                array = numpy.ascontiguousarray(a)
                if array.dtype.name not in _TYPES or array.size == 0:
                    raise ValueError(f"argument {i} has {array.size} elements of {array.dtype}: give elements of {', '.join(_TYPES)}")
                first = array if first is None else first
                source, target = folder / f"in{i}.bin", folder / f"out{i}.bin"
                if i < given:
                    source.write_bytes(array.tobytes())
                if not any(a is y for y in outs):
                    specs.append(f"in:{source}")
                else:
                    specs.append(f"inout:{source}:{target}" if i < given else f"out:{target}:{array.nbytes}")
            words = ["exec", folder / "k.ptx", "--entry", self.entry, "--block", ",".join(map(str, threads)), "--grid", _grid(grid, threads, first)]
            if self.shared and "shared" not in flags:
                flags["shared"] = self.shared
            text = call(*words, *_assignments("--set", settings), *_flags("exec", flags), "--format", "json", "--arg", *specs)
            for i, a in enumerate(arguments):
                if any(a is y for y in outs):
                    a[...] = numpy.frombuffer((folder / f"out{i}.bin").read_bytes(), a.dtype).reshape(a.shape)
        data = parsed("burstscope exec", text, ("workload",))
        for name, empty in (("stats", {}), ("metrics", {}), ("preset", ""), ("cycles", 0), ("resultHash", "")):
            data.setdefault(name, empty)  # a run without a machine has no figures of one
        return Result(data)

    def _number(self, i, a):
        kind = self.parameters[i] if i < len(self.parameters) else "u32"
        if kind[0] == "b":
            kind = "u" + kind[1:]
        return f"{kind}:{a}"


def _grid(grid, block, first):
    if grid is None:
        if first is None:
            raise ValueError("without an array a grid must be given")
        grid = -(-first.size // math.prod(block))
    return ",".join(map(str, _extent(grid)))


def kernel(program: Any, entry: Optional[str] = None, block: Optional[Extent] = None) -> Kernel:
    """Returns the Kernel of a PTX text, of a file that ends in .ptx, or of what Triton compiles (its .asm['ptx'])."""
    asm = getattr(program, "asm", None)
    if asm is not None:
        if "ptx" not in asm:
            raise ValueError("the compiled object has no .asm['ptx']: compile it for an NVIDIA GPU")
        about = getattr(program, "metadata", None)  # of triton.compile: warps of a block, bytes of dynamic shared memory
        warps = getattr(about, "num_warps", None)
        return Kernel(asm["ptx"], entry, block or (32 * warps if warps else None), getattr(about, "shared", None) or 0)
    if isinstance(program, pathlib.Path) or isinstance(program, str) and "\n" not in program and program.endswith(".ptx"):
        return Kernel(pathlib.Path(program).read_text("utf-8"), entry, block)
    if not isinstance(program, str):
        raise TypeError(f"{type(program).__name__} is no PTX: give a text, a file, or what triton.compile returns")
    return Kernel(program, entry, block)


def _numpy():
    try:
        import numpy
    except ImportError:
        raise Error("kernels on arrays need NumPy: pip install numpy") from None
    return numpy


def _is_number(a):
    return isinstance(a, (int, float)) or type(a).__module__ == "numpy" and getattr(a, "ndim", 1) == 0


def _extent(n):
    return tuple(n) if isinstance(n, (list, tuple)) else (n,)
