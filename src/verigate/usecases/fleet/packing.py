"""Pack what a worker found into bytes, and unpack them: a worker may send anything."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.errors import EvidenceError
from verigate.usecases.fleet.reports import REPORT_FILE

MOST_FILES = 10_000
MOST_BYTES = 512 * 1024 * 1024
_LONGEST_PATH = 600


def pack(folder: Path) -> bytes:
    """Return the report and the sealed folders below ``folder`` as a compressed tar file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        for path in _list_files(folder):
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            content = path.read_bytes()
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def _list_files(folder: Path) -> Iterator[Path]:
    for path in sorted((folder / ARTIFACTS_FOLDER).rglob("*")):
        if path.is_file() and not path.is_symlink() and ".locks" not in path.parts:
            yield path
    yield folder / REPORT_FILE


def unpack(content: bytes, folder: Path) -> None:
    """Write the files into ``folder``, which is new. Raises EvidenceError for what no worker of ours sends."""
    total = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r|gz") as archive:
            for count, member in enumerate(archive, 1):
                total += max(0, member.size)
                if count > MOST_FILES or total > MOST_BYTES:
                    raise EvidenceError(f"it has more than {MOST_FILES} files or {MOST_BYTES} bytes")
                _check(member)
                stream = archive.extractfile(member)
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as file:
                    file.write(stream.read() if stream is not None else b"")
    except (tarfile.TarError, EOFError, OSError, ValueError) as problem:
        raise EvidenceError(f"it can't be unpacked: {problem}") from problem


def _check(member: tarfile.TarInfo) -> None:
    name = member.name
    parts = name.split("/")
    known = name == REPORT_FILE or parts[0] == ARTIFACTS_FOLDER
    plain = all(part not in {"", ".", ".."} for part in parts) and name.isprintable() and "\\" not in name
    if not member.isreg() or not known or not plain or len(name) > _LONGEST_PATH:
        raise EvidenceError(f"it has {ascii(name)[:200]}, which no worker sends")
