"""Read the two layers of a configuration file: the shipped one, and that of the repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.config.files import label, parse_json, read_bytes
from verigate.config.validation import validate
from verigate.errors import ConfigError, Fault
from verigate.formats.schema import locate_faults


class Layers(Struct, frozen=True):
    """Entries by name. A repository's entry replaces the shipped one of that name as a whole.

    ``file`` is the name of the repository's file in messages, ``source`` its text (None if there is none).
    """

    shipped: Mapping[str, Any]
    own: Mapping[str, Any]
    file: str
    source: bytes | None = None

    @property
    def merged(self) -> dict[str, Any]:
        """Return the entries in force."""
        return {**self.shipped, **self.own}


def read_layers(
    root: Path,
    builtin: Path,
    relative: str,
    kind: str,
    *,
    content: bytes | None = None,
    find_more: Callable[[Layers], Iterable[Fault]] = lambda _: (),
) -> Layers:
    """Read ``relative`` below both folders, and validate the repository's file; tests validate the shipped one.

    If both are one file, in the gate's own checkout, it is the repository's. ``content`` counts in place of the
    repository's file. Raises ConfigError with every fault; ``find_more`` adds those that no schema knows, and is asked
    only if there are others.
    """
    path = root / relative
    same = content is None and os.path.realpath(path) == os.path.realpath(builtin / relative)
    shipped = {} if same else _select_entries(_read_shipped(builtin / relative))
    file = label(path, root)
    source = read_bytes(path, shown=file) if content is None else content
    if source is None:
        return Layers(shipped, {}, file)
    value = parse_json(source, shown=file)
    faults = validate(kind, value, file=file, source=source)
    if faults:
        entries = _select_entries(value) if isinstance(value, dict) else {}
        found = Layers(
            shipped, {name: entry for name, entry in entries.items() if isinstance(entry, dict)}, file, source
        )
        raise ConfigError([*faults, *locate_faults(find_more(found), file=file, source=source)])
    return Layers(shipped, _select_entries(value), file, source)


def raise_faults(layers: Layers, faults: list[Fault]) -> None:
    """Raise ConfigError if there are faults, each with its line in the repository's file."""
    if faults:
        raise ConfigError(locate_faults(faults, file=layers.file, source=layers.source))


def _read_shipped(path: Path) -> Any:
    import orjson

    return orjson.loads(path.read_bytes()) if path.is_file() else {}


def _select_entries(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry for name, entry in document.items() if not name.startswith("$")}
