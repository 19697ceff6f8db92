"""Builds the wheel of this package (PEP 517 and 660) with the standard library alone.

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
WHEEL = "Wheel-Version: 1.0\nGenerator: burstscope\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _description():
    return (METADATA + (HERE / "README.md").read_text("utf-8")).encode()


def _pack(folder, files):
    """Writes the wheel with these (name, bytes), always the same bytes for the same files."""
    name = f"burstscope-{VERSION}-py3-none-any.whl"
    files = files + [(f"{INFO}/METADATA", _description()), (f"{INFO}/WHEEL", WHEEL.encode())]
    record = ""
    for path, data in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    files.append((f"{INFO}/RECORD", (record + f"{INFO}/RECORD,,\n").encode()))
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _pack(wheel_directory, [(f"burstscope/{f.name}", f.read_bytes()) for f in sorted(PACKAGE.glob("*.py"))])


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _pack(wheel_directory, [("burstscope.pth", f"{HERE}\n".encode())])


def build_sdist(sdist_directory, config_settings=None):
    name = f"burstscope-{VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as sdist:
        for file in ["pyproject.toml", "README.md", *(f"{d.name}/{f.name}" for d in (PACKAGE, HERE / "build_backend") for f in sorted(d.glob("*.py")))]:
            sdist.add(HERE / file, f"{name}/{file}")
    return f"{name}.tar.gz"
