"""Progress bars of tqdm or rich, where one of them is installed, and lines otherwise."""

import re
import sys

# What the command prints after each run (`   3 of 16  HASH  NAME  done`), before the first and at the end.
_RUN = re.compile(r"\s*(\d+) of (\d+)\b")
_OTHER = re.compile(r"\d+ runs\b|The estimate comes from costs\b")


class Watch:
    """Shows a bar for the lines of progress of the command, unless its title is None. Called with a line, it says
    whether it was one."""

    def __init__(self, title):
        self._title, self._bar = title, None

    def __call__(self, line):
        run = _RUN.match(line)
        if run is None:
            return _OTHER.match(line) is not None
        if self._title is not None:
            self._bar = self._bar or Bar(int(run[2]), self._title)
            self._bar.at(int(run[1]))
        return True

    def close(self):
        if self._bar:
            self._bar.close()


class Bar:
    """A bar of a number of runs. at(n) says how many are done."""

    def __init__(self, total, title):
        self.total, self.done = total, 0
        self._bar = self._task = None
        try:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=total, desc=title, unit="run")
            return
        except ImportError:
            pass
        try:
            from rich.progress import Progress

            self._bar = Progress()
            self._task = self._bar.add_task(title, total=total)
            self._bar.start()
        except ImportError:
            pass

    def at(self, n):
        n, before = min(n, self.total), self.done
        if n <= before:
            return
        self.done = n
        if self._task is not None:
            self._bar.update(self._task, completed=n)
        elif self._bar is not None:
            self._bar.update(n - before)
        else:
            print(f"{n} of {self.total} runs", file=sys.stderr, flush=True)

    def close(self):
        if self._task is not None:
            self._bar.stop()
        elif self._bar is not None:
            self._bar.close()
