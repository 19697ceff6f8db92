"""Builds the wheel of this package (PEP 517 and 660) with the standard library alone.

With the settings program (a file) and platform (its tag) the wheel holds the program burstscope, and needs nothing else:
pip wheel -C program=burstscope -C platform=manylinux_2_17_x86_64 ./tools/python

setuptools would do the same, but pip fetches it from the network, and its versions differ.
"""

import base64
import hashlib
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = HERE / "burstscope"
VERSION = re.search(r'^VERSION = "(.+)"', (PACKAGE / "__init__.py").read_text("utf-8"), re.MULTILINE)[1]
INFO = f"burstscope-{VERSION}.dist-info"

METADATA = f"""\
Metadata-Version: 2.1
Name: burstscope
Version: {VERSION}
Summary: Runs the GPU memory-system simulator Burstscope and reads its results
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: burstscope\nRoot-Is-Purelib: {pure}\n"
# pip makes a command burstscope that starts the wheel's program. A wheel without one has none: it would find itself.
COMMAND = "[console_scripts]\nburstscope = burstscope._program:main\n"
PLAIN, PROGRAM = 0o100644, 0o100755


def _description():
    return (METADATA + (HERE / "README.md").read_text("utf-8")).encode()


def _pack(folder, files, platform="any"):
    """Writes the wheel with these (name, bytes, mode), always the same bytes for the same files."""
    name = f"burstscope-{VERSION}-py3-none-{platform}.whl"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    info = {"METADATA": _description(), "WHEEL": (WHEEL.format(pure=str(platform == "any").lower()) + tags).encode()}
    if platform != "any":
        info["entry_points.txt"] = COMMAND.encode()
    files = files + [(f"{INFO}/{path}", data, PLAIN) for path, data in info.items()]
    record = ""
    for path, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    files.append((f"{INFO}/RECORD", (record + f"{INFO}/RECORD,,\n").encode(), PLAIN))
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data, mode in files:
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, mode << 16  # 3: the mode is one of Unix, on every host
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def _sources(folder):
    return sorted(f for f in folder.iterdir() if f.suffix == ".py" or f.name == "py.typed")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    files = [(f"burstscope/{f.name}", f.read_bytes(), PLAIN) for f in _sources(PACKAGE)]
    if ("program" in settings) != ("platform" in settings):
        raise ValueError("the settings program and platform belong together: give both, or none")
    if "program" not in settings:
        return _pack(wheel_directory, files)
    if not re.fullmatch(r"[a-z0-9_.]+", settings["platform"]) or settings["platform"] == "any":
        raise ValueError(f"platform {settings['platform'][:40]!r} is no tag of a platform: use one such as win_amd64")
    program = pathlib.Path(settings["program"])
    files.append(("burstscope/" + ("burstscope.exe" if settings["platform"].startswith("win") else "burstscope"), program.read_bytes(), PROGRAM))
    return _pack(wheel_directory, files, settings["platform"])


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _pack(wheel_directory, [("burstscope.pth", f"{HERE}\n".encode(), PLAIN)])


def build_sdist(sdist_directory, config_settings=None):
    name = f"burstscope-{VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as sdist:
        for file in ["pyproject.toml", "README.md", *(f"{d.name}/{f.name}" for d in (PACKAGE, HERE / "build_backend") for f in _sources(d))]:
            sdist.add(HERE / file, f"{name}/{file}")
    return f"{name}.tar.gz"
