"""Burstscope from Python: run, sweep, compare, and draw. README.md beside it explains each.

Every function starts the command burstscope, so its results are those of the command line, bit
by bit. Nothing outside Python's standard library is needed.
"""

from ._chart import Chart, figure
from ._kernel import Kernel, kernel
from ._program import Error, call, program
from ._result import Comparison, Result, Rows, compare, embed_from, reproduce, run, sweep

# VERSION is that of the simulator, which a test compares. A newer program also works: each result
# has the version of the program that made it.
VERSION = "0.4.0"

__all__ = [
    "Chart", "Comparison", "Error", "Kernel", "Result", "Rows",
    "call", "compare", "embed_from", "figure", "kernel", "program", "reproduce", "run", "sweep",
]
