"""Finds the command burstscope and calls it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
from typing import Callable, Optional

_NAME = "burstscope.exe" if os.name == "nt" else "burstscope"
_MODULE = "module github.com/burstscope/burstscope"
_WRONG = "is it the program burstscope, and of this version? see burstscope.program()"
_found = None


class Error(Exception):
    """What the command said when it failed. status is 2 if its command line was at fault, else 1."""

    def __init__(self, message, status=1, command=()):
        super().__init__(message)
        self.status = status
        self.command = list(command)


def program() -> str:
    """Returns the path of the command: $BURSTSCOPE, or the one in this package, or burstscope on the PATH, or built from the
    checkout around this package or around the current folder."""
    global _found
    named = os.environ.get("BURSTSCOPE")
    if named:  # asked for each time, so that it can be set within a session
        path = shutil.which(named)
        if path is None:
            raise Error(f"BURSTSCOPE names {named}, which cannot be run: set it to the program burstscope, or unset it")
        return path
    if _found is None:
        _found = shutil.which(str(pathlib.Path(__file__).parent / _NAME)) or shutil.which("burstscope") or _build()
    return _found


def _watched(started, watch):
    """Returns what a program prints. watch gets each line of stderr at once; one that it takes is not returned."""
    out, lines = [], []
    reader = threading.Thread(target=lambda: out.append(started.stdout.read()), daemon=True)
    reader.start()
    for line in started.stderr:
        if not watch(line.decode("utf-8", "replace")):
            lines.append(line)
    reader.join()
    started.wait()
    return out[0], b"".join(lines)


def main():
    """Is the command burstscope of a wheel: the program takes the place of Python, where a system can do that."""
    try:
        path = program()
    except Error as e:
        sys.exit(str(e))
    if os.name == "nt":
        sys.exit(subprocess.run([path, *sys.argv[1:]], check=False).returncode)
    os.execv(path, [path, *sys.argv[1:]])


def _build():
    checkout = _checkout(pathlib.Path(__file__)) or _checkout(pathlib.Path.cwd() / "any")
    if checkout is None:
        raise Error("the program burstscope is missing: set BURSTSCOPE to it, put it on the PATH, or work below a checkout of its repository")
    if shutil.which("go") is None:
        raise Error(f"the program burstscope cannot be built in {checkout}, because Go is missing: see https://go.dev/dl/")
    binary = checkout / ".cache" / "python" / _NAME
    _start(["go", "build", "-o", str(binary), "./tools/burstscope"], cwd=checkout)
    return str(binary)


def _checkout(path):
    """Returns the nearest folder above path that holds Burstscope's go.mod."""
    for folder in path.resolve().parents:
        mod = folder / "go.mod"
        if mod.is_file() and mod.read_text("utf-8").splitlines()[:1] == [_MODULE]:
            return folder
    return None


def parsed(command, text, keys):
    """Returns the object of JSON that a command has printed, which has these keys."""
    if not text.strip():
        raise Error(f"{command} printed nothing, and no result: {_WRONG}")
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as e:
        raise Error(f"{command} printed no JSON ({e}): {_WRONG}") from None
    missing = [k for k in keys if k not in data] if isinstance(data, dict) else keys
    if missing:
        raise Error(f"{command} printed no result: it has no {', '.join(missing)}: {_WRONG}")
    return data


def _refuse(constant):
    raise ValueError(f"{constant} is no number of JSON")


def call(*words: object, watch: Optional[Callable[[str], bool]] = None) -> str:
    """Runs the command with these words and returns what it prints: call("machine", "describe", "gtx480"). watch is
    called with each line that it prints on stderr meanwhile, and says whether it was one of progress, and no fault."""
    return _start([program(), *(str(w) for w in words)], watch=watch)


def _start(command, cwd=None, watch=None):
    try:
        started = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except (OSError, ValueError) as e:  # a ValueError says that a word holds the character NUL
        raise Error(f"{command[0]} cannot be started: {getattr(e, 'strerror', None) or e}", 1, command) from None
    with started:
        try:
            out, err = _watched(started, watch) if watch else started.communicate()
        except BaseException:  # an interrupted cell must not leave the program behind
            started.kill()
            raise
    if started.returncode != 0:
        said = err.decode("utf-8", "replace").strip()
        raise Error(said or f"{command[0]} ended with status {started.returncode} and no message", started.returncode, command)
    try:
        return out.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as e:
        raise Error(f"{command[0]} printed bytes that are not UTF-8, from byte {e.start} on: {_WRONG}", 1, command) from None
