"""Find and read the files of shards. Whoever can write to where CI keeps them may have written anything."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from verigate import __version__
from verigate.config.files import read_bytes
from verigate.config.validation import validate
from verigate.domain.range_shard import MOST_SHARDS, SHARD_KIND, Shard
from verigate.errors import EvidenceError, UsageError
from verigate.formats.canonical_json import NoCanonicalFormError
from verigate.formats.strict_json import MAX_BYTES, MAX_NAME, StrictJsonError, loads
from verigate.formats.visible import format_path
from verigate.reporting.range_shard import SEAL, seal_document

_MOST_ENTRIES = 20_000


class ShardFile(NamedTuple):
    """A shard as its file has it; ``shown`` is the path for messages."""

    shown: str
    shard: Shard
    document: Mapping[str, Any]

    @property
    def plan(self) -> Mapping[str, Any]:
        """What the shards of one range have in common."""
        return {key: self.document[key] for key in ("gate", "base", "tip", "policy", "commits", "merges")}


def find_shard_files(places: Iterable[Path]) -> tuple[Path, ...]:
    """Find the files: those that are named, and each ``*.json`` at any depth of the folders that are.

    Raises UsageError for a place that isn't there, a folder without any, and more of them than there can be shards.
    """
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            below = sorted(_walk(place))
            if not below:
                raise UsageError("there is no *.json in it", where=str(place), hint="name the folder with the shards")
            found += below
        elif place.exists():
            found.append(place)
        else:
            hint = "gate verify --range --shard writes it"
            raise UsageError("there is no such file or folder", where=str(place), hint=hint)
    if len(found) > MOST_SHARDS:
        raise UsageError(f"these are {len(found)} files, more than {MOST_SHARDS}", where="gate merge")
    return tuple(found)


def _walk(folder: Path) -> Iterator[Path]:
    entries = 0
    for place, folders, names in os.walk(folder):
        folders.sort()
        entries += len(names) + len(folders)
        if entries > _MOST_ENTRIES:
            raise UsageError("there is too much in it", where=str(folder), hint="name the folder with the shards")
        yield from (Path(place, name) for name in names if name.endswith(".json"))


def read_shard_file(path: Path) -> ShardFile:
    """Read a shard. Raises ConfigError for a file that can't be read, EvidenceError for one that is no intact shard."""
    shown = format_path(path)
    content = read_bytes(path, shown=shown, max_bytes=MAX_BYTES)
    if content is None:
        raise EvidenceError("it is gone", where=shown)
    try:
        document = loads(content, max_name=MAX_NAME)
    except StrictJsonError as problem:
        raise EvidenceError(str(problem.to_fault()), where=shown, hint="run this shard again") from None
    # First: a gate of another version may write another shape.
    version = document.get("gate") if isinstance(document, dict) else None
    if isinstance(version, str) and version != __version__:
        hint = "use one version of the gate for all shards and for gate merge"
        raise EvidenceError(f"it is of the gate {version[:100]!r}, and this is {__version__}", where=shown, hint=hint)
    if faults := validate(SHARD_KIND, document):
        raise EvidenceError(f"it is no shard: {faults[0]}", where=shown, hint="gate merge reads shards alone")
    try:
        intact = seal_document(document) == document[SEAL]
    except NoCanonicalFormError as problem:
        raise EvidenceError(f"it is no shard: {problem}", where=shown) from None
    if not intact:
        raise EvidenceError("it was changed since it was written", where=shown, hint="run this shard again")
    number, of = document["shard"]["number"], document["shard"]["of"]
    if number > of:
        raise EvidenceError(f"it is no shard: there is no {number} of {of}", where=shown)
    return ShardFile(shown, Shard(number, of), document)
