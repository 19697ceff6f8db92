"""Results as Python objects, and the functions that make them."""

import collections.abc
import csv
import html
import math
import os
import pathlib
import tempfile
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from ._program import Error, call, parsed
from ._progress import Watch

# The values of a setting, and all settings of a run.
Value = Union[str, int, float, bool]
Settings = Mapping[str, Value]

# What every result has; what it prints of itself needs them.
_KEYS = ("workload", "preset", "cycles", "resultHash", "stats", "metrics")
# Flags that change what the verbs print, which these functions read.
_PRINTED = ("help", "h", "format", "quiet", "dry_run", "list")


class Result(collections.abc.Mapping):
    """One run: the object that `burstscope run --format json` prints, with its names. r["cycles"] and
    r.cycles are the same; r.stats holds every counter."""

    def __init__(self, data: Dict[str, Any], origin: Optional[Tuple[str, Settings]] = None):
        self._data = data
        self._origin = origin  # the scenario and settings of a run, for a link to it

    def __getitem__(self, name):
        return self._data[name]

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)

    def __getattr__(self, name):
        if name.startswith("_"):  # copies and pickles ask for such names before there are data
            raise AttributeError(name)
        if name in self._data:
            return self._data[name]
        raise AttributeError(f"a result has no {name}: it has {', '.join(self._data)}")

    def __repr__(self):
        return f"<{self.workload} on {self.preset}: {self.cycles:,} cycles, result {self.resultHash[:12]}>"

    def _repr_html_(self):
        """The numbers of the run; below them the run itself, if embed_from has named a site and the site has the scenario."""
        shown = [(k, self._data[k]) for k in ("workload", "preset", *_COMPARED, "resultHash") if k in self._data]
        return _html(("number", "value"), shown) + self._frame()

    def _frame(self):
        scenario, settings = self._origin or ("", {})
        if not _site or not scenario.isidentifier():  # a file is not on the site
            return ""
        # Side B of the page has the memory scheme; side A is the run without it (site/EMBED.md).
        keys = [("s", scenario)] + [(("B." if k.startswith("memory.") else "") + k, _text(v)) for k, v in settings.items()]
        state = "&".join(f"{quote(k)}={quote(v)}" for k, v in keys)
        address = html.escape(f"{_site}embed.html#v=1&{state}")
        return f'<iframe src="{address}" title="Burstscope: {html.escape(scenario)}" width="100%" height="600" loading="lazy"></iframe>'

    def frame(self) -> Any:
        """Returns a frame of pandas, or of polars, with the names and values of all counters and metrics."""
        return _framed([{"name": k, "value": v} for part in ("metrics", "stats") for k, v in self._data[part].items()], ["name", "value"])

    def value(self, name: str) -> Union[int, float]:
        """Returns a number by its name among the figures, the metrics or the counters."""
        for place in (self._data, self.metrics, self.stats):
            if isinstance(place.get(name), (int, float)):
                return place[name]
        raise KeyError(f"a result has no number {name}: see its keys, and those of its metrics and stats")


class Comparison(list):
    """Rows (name, first, second, second/first). The ratio is None where the first is 0."""

    def __repr__(self):
        return _table(("name", "first", "second", "ratio"), self)

    def _repr_html_(self):
        return _html(("name", "first", "second", "ratio"), self)


class Rows(list):
    """The results of a sweep: dictionaries with the settings and the numbers of a run. Its run is under "result"."""

    def where(self, settings: Settings) -> "Rows":
        """Returns the rows with these values."""
        return Rows(r for r in self if all(r.get(k) == v for k, v in settings.items()))

    def columns(self) -> "list[str]":
        """Returns the names of the values without the result, in the order of the first row."""
        return [k for k in self[0] if k != "result"] if self else []

    def frame(self) -> Any:
        """Returns a frame with a row for each run: of pandas if it is installed, otherwise of polars."""
        return _framed([{k: v for k, v in r.items() if k != "result"} for r in self], self.columns())

    def csv(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the rows as CSV, without the results' other parts."""
        with open(path, "w", newline="", encoding="utf-8") as out:
            table = csv.DictWriter(out, self.columns(), extrasaction="ignore", lineterminator="\n")
            table.writeheader()
            table.writerows(self)

    def _cells(self):
        return [[r.get(c) for c in self.columns()[:8]] for r in self]

    def __repr__(self):
        return _table(self.columns()[:8], self._cells())

    def _repr_html_(self):
        return _html(self.columns()[:8], self._cells())


_site = ""


def embed_from(address: str) -> None:
    """Lets results in a notebook show their run in a site of Burstscope, such as http://127.0.0.1:8080/ of `burstscope
    serve`. An empty address ends that."""
    global _site
    if address and not address.startswith(("http://", "https://")):
        raise ValueError(f"{address[:40]!r} is no address of a site: begin it with http:// or https://")
    _site = address.rstrip("/") + "/" if address else ""


def run(scenario: Union[str, "os.PathLike[str]"], settings: Optional[Settings] = None, **flags: Any) -> Result:
    """Runs a scenario, by its name or its file, and returns its Result.

    settings are those of run --set, in this order: {"memory.codec": "e2mc16"}. Other flags of the
    verb are keywords: approximate="marked", paranoid=True.
    """
    text = call("run", scenario, *_assignments("--set", settings), *_flags("run", flags), "--quiet", "--format", "json")
    return _result(parsed("burstscope run", text, _KEYS), (str(scenario), dict(settings or {})))


def _result(data, origin=None):
    for name in ("metrics", "stats"):
        if not isinstance(data[name], dict):
            raise Error(f"a result's {name} are not a map of numbers: is the program burstscope of this version?")
    return Result(data, origin)


def sweep(
    scenario: Union[str, "os.PathLike[str]"],
    vary: Mapping[str, Iterable[Value]],
    settings: Optional[Settings] = None,
    jobs: Optional[int] = None,
    store: Union[str, "os.PathLike[str]", None] = None,
    stats: Sequence[str] = (),
    progress: bool = False,
    **flags: Any,
) -> Rows:
    """Runs every combination of vary and returns its Rows; the last name of vary changes fastest.

    vary maps paths to lists of values: {"memory.mag": [16, 32]}. settings hold for all runs. jobs is
    the number of runs at a time. With store, a folder, the results are kept there and a second sweep
    does not make them again. progress shows a bar of tqdm or rich. Each row has the varied settings, the numbers of the run, and the metrics and
    counters named by stats.
    """
    words = [f"--jobs={jobs}"] if jobs is not None else []
    lists = {path: [_text(v) for v in values] for path, values in vary.items()}
    for path, texts in lists.items():
        if not texts or any("," in text for text in texts):
            raise Error(f"vary {path}: give at least one value, and no value with a comma")
        words.append(f"--vary={path}={','.join(texts)}")
    points = math.prod(len(texts) for texts in lists.values())
    words += [*_assignments("--set", settings), *_flags("sweep", flags), "--format", "jsonl"]
    with tempfile.TemporaryDirectory() as temporary:
        text = _shown(progress, f"{scenario}", "sweep", scenario, f"--store={store or temporary}", *words)
    rows = Rows()
    for line in text.splitlines():
        row = parsed("burstscope sweep", line, ("settings", "result"))
        if not isinstance(row["result"], dict) or any(k not in row["result"] for k in _KEYS):
            raise Error("burstscope sweep printed a row without a result: is the program burstscope of this version?")
        if not isinstance(row["settings"], dict) or any(path not in row["settings"] for path in vary):
            raise Error(f"burstscope sweep printed a row without its settings of {', '.join(vary)}: is the program burstscope of this version?")
        result = _result(row["result"], (str(scenario), {**(settings or {}), **{path: row["settings"][path] for path in vary}}))
        cells = {path: row["settings"][path] for path in vary}
        cells.update({name: result.value(name) for name in stats})
        for number in (True, False):  # numbers first: a table shows the first columns
            kinds = (int, float) if number else (str,)
            cells.update({k: v for k, v in result.items() if isinstance(v, kinds) and k not in cells})
        cells["result"] = result
        rows.append(cells)
    if not rows or "shard" not in flags and len(rows) != points:
        raise Error(f"burstscope sweep printed {len(rows)} results of {points} runs: some are missing")
    return rows


def _shown(progress, title, *words):
    """Calls the command, with a bar of its runs if progress is wanted."""
    watch = Watch(title if progress else None)
    try:
        return call(*words, watch=watch)
    finally:
        watch.close()


# The columns of a claim, of which those without a number are None.
_CLAIM = ("id", "paper", "tier", "statement", "verdict", "measured", "paperValue", "unit")


def reproduce(
    paper: Optional[str] = None,
    out: Union[str, "os.PathLike[str]"] = "reproduction",
    store: Union[str, "os.PathLike[str]"] = "results",
    progress: bool = False,
    **flags: Any,
) -> Rows:
    """Makes the missing runs of the papers' figures and claims, writes all figures below out, and returns the claims as
    Rows: what the paper states, what was measured, and the verdict.

    paper is one of them, such as "SLC"; without it all are made. store is the folder of results, from which a stopped
    reproduction goes on. Other flags of the verb are keywords: quick=True, as_is=True, jobs=4.
    """
    if "check" in flags:
        raise Error("reproduce takes no check, which gives no claims: burstscope.call('reproduce', '--check', 5) says whether 5 runs repeat", 2)
    words = [f"--out={out}", f"--store={store}", *_flags("reproduce", {"paper": paper, **flags})]
    _shown(progress, paper or "reproduction", "reproduce", *words)
    rows = Rows()
    index = _read(pathlib.Path(out) / "index.json", ("claims",))
    for data in index["claims"]:
        for claim in _read(pathlib.Path(out) / data / "claims.json", ("claims",))["claims"]:
            rows.append({"data": data, **{name: claim.get(name) for name in _CLAIM}})
    return rows


def _read(path, keys):
    return parsed(f"the reproduction in {path}", path.read_text("utf-8"), keys)


def _framed(rows, columns):
    try:
        import pandas

        return pandas.DataFrame(rows, columns=columns)
    except ImportError:
        pass
    try:
        import polars
    except ImportError:
        raise Error("a frame needs pandas or polars: install one of them") from None
    return polars.DataFrame({c: [r.get(c) for r in rows] for c in columns}, strict=False)


# The numbers that compare shows if it is not told which.
_COMPARED = ("cycles", "dramReadBytes", "dramWriteBytes", "burstsRead", "burstsWritten", "burstsSaved", "warpInstructions", "error")


def compare(first: Result, second: Result, names: Sequence[str] = _COMPARED) -> Comparison:
    """Returns the numbers of two results beside each other. A ratio of cycles below 1 means that the second is faster."""
    rows = Comparison()
    for name in names:
        a, b = first.value(name), second.value(name)
        rows.append((name, a, b, b / a if a else None))
    return rows


def _assignments(flag, settings):
    return [f"{flag}={path}={_text(value)}" for path, value in (settings or {}).items()]


def _text(value):
    if value is None:
        raise Error("None is no value of a setting: leave the setting out")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flags(verb, flags):
    """Returns keywords as flags: check_dram=True is --check-dram. None is no flag."""
    for name in flags:
        if name in _PRINTED:
            raise Error(f"{verb} takes no {name}, because it reads what the command prints: burstscope.call({verb!r}, ...) returns any text", 2)
    return [f"--{name.replace('_', '-')}={_text(value)}" for name, value in flags.items() if value is not None]


def _cell(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _table(head, rows):
    cells = [list(head)] + [[_cell(v) for v in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    return "\n".join("  ".join(v.ljust(w) for v, w in zip(row, widths)).rstrip() for row in cells)


def _html(head, rows):
    line = lambda tag, row: "<tr>" + "".join(f"<{tag}>{html.escape(_cell(v))}</{tag}>" for v in row) + "</tr>"
    return "<table>" + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"
