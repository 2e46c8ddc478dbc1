"""What a spec ID means in the adapters that were found: every table that says so, and what is built in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.manifest import Manifest, Registry
from verigate.domain.media import BUILT_IN, MediaSpec, MediaSpecError, list_builtin_ids, resolve
from verigate.formats.near_names import find_near

STEPS = {
    2: "step 2: built in",
    4: "steps 1 and 4: a string in the table",
    5: "steps 1 and 5: an object in the table",
}
"""Where a resolution ended, of the five steps of the third source document; step 3 is the error."""


class Meaning(Struct, frozen=True):
    """One resolution. ``adapter`` and ``file`` say whose table it is, None where it is built in."""

    spec: MediaSpec
    adapter: str | None = None
    file: str | None = None

    @property
    def step(self) -> str:
        """Which of the five steps ended it, in words."""
        return STEPS[self.spec.step]


class UnknownSpecError(ValueError):
    """No table has the ID and it isn't built in; ``nearest`` are IDs that may be meant."""

    def __init__(self, message: str, nearest: tuple[str, ...]) -> None:
        super().__init__(message)
        self.nearest = nearest


def find_meanings(registry: Registry, spec_id: str, adapter: str | None = None) -> tuple[Meaning, ...]:
    """What ``spec_id`` resolves to, table by table in the order of the search; of ``adapter`` alone where it is named.

    Raises UnknownSpecError with the nearest IDs, and KeyError where no adapter has that name.
    """
    manifests = [manifest for manifest in registry.manifests if adapter in {None, manifest.name}]
    if adapter is not None and not manifests:
        raise KeyError(adapter)
    found: list[Meaning] = []
    said: str | None = None
    known = {*list_builtin_ids()}
    for manifest in manifests:
        for file, table in _list_tables(manifest):
            known |= table.keys()
            try:
                spec = resolve(spec_id, table)
            except MediaSpecError as problem:
                said = said or (str(problem) if spec_id in table else None)
                continue
            if spec.origin != BUILT_IN:
                found.append(Meaning(spec, manifest.name, file))
    try:
        tables = "any media_specs table" if adapter is None else f"the media_specs of {adapter}"
        found.append(Meaning(resolve(spec_id, {}, table_name=tables)))
    except MediaSpecError as problem:
        said = said or str(problem).partition("; nearest")[0]
    if not found:
        raise UnknownSpecError(said or "", tuple(find_near(spec_id, known)))
    return tuple(found)


def _list_tables(manifest: Manifest) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if manifest.media_specs:
        yield f"{manifest.folder}/manifest.json", manifest.media_specs
    for capability in manifest.capabilities:
        if capability.media_specs:
            yield f"{manifest.folder}/{capability.file}", capability.media_specs
