"""Facts about single files that earlier calls found, and those that this one finds.

The gate gives them to a capability with the flag ``keeps_facts``, in the folder GATE_FACTS: ``known`` is what was kept
under the same adapter, configuration, tools and gate, and ``found`` what is to be kept. A fact's name has to hold all
that it depends on beyond these: the bytes that were read, and whatever else of the file it says.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Raw, json

KNOWN, FOUND = "known", "found"
MAX_BYTES = 32 << 20
"""Of all facts together; what was not used for longest is left out."""


class Facts:
    """The facts of one call, in ``folder``; without one nothing is known, and nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known = {} if folder is None else _read(folder / KNOWN)
        self._used: dict[str, bytes] = {}

    @classmethod
    def of_call(cls, environ: Mapping[str, str]) -> Facts:
        """Open those that the gate gives to this call."""
        folder = environ.get("GATE_FACTS")
        return cls(Path(folder) if folder else None)

    @property
    def are_kept(self) -> bool:
        """Whether anybody keeps what is found."""
        return self._folder is not None

    def find(self, name: str, kind: Any = Any) -> Any:
        """Return a known fact as the type ``kind``, None without one, or for one of another type."""
        content = self._known.get(name)
        if content is None:
            return None
        try:
            fact = json.decode(content, type=kind)
        except DecodeError:
            return None
        self._used[name] = content
        return fact

    def note(self, name: str, fact: Any) -> None:
        """Note a fact that JSON can hold, and that ``find`` would return equal."""
        if self._folder is not None:
            self._used[name] = json.encode(fact)

    def save(self) -> None:
        """Write what is to be kept: the facts of this call, then earlier ones as far as there is room."""
        if self._folder is None or self._used.keys() <= self._known.keys():
            return
        kept: dict[str, Raw] = {}
        size = 0
        for name, content in {**self._used, **{k: v for k, v in self._known.items() if k not in self._used}}.items():
            size += len(name) + len(content) + 6
            if size > MAX_BYTES:
                break
            kept[name] = Raw(content)
        (self._folder / FOUND).write_bytes(json.encode(kept))


def name_fact(*parts: bytes | str) -> str:
    """Return a name for what depends on ``parts``, each of them by its whole content."""
    digest = hashlib.sha256()
    for part in parts:
        content = part if isinstance(part, bytes) else os.fsencode(part)
        digest.update(b"%d:" % len(content) + content)
    return digest.hexdigest()


def _read(path: Path) -> dict[str, bytes]:
    try:
        return {name: bytes(fact) for name, fact in json.decode(path.read_bytes(), type=dict[str, Raw]).items()}
    except (OSError, DecodeError):
        return {}
