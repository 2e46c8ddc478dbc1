"""Look up a spec ID in the tables of all adapters and in the built-in specs."""

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
"""Descriptions of the step that ended a resolution, of the five in the third source document; step 3 is the error."""


class Meaning(Struct, frozen=True):
    """One resolution. ``adapter`` and ``file`` name the table; None for a built-in spec."""

    spec: MediaSpec
    adapter: str | None = None
    file: str | None = None

    @property
    def step(self) -> str:
        """Description of the step that ended the resolution."""
        return STEPS[self.spec.step]


class UnknownSpecError(ValueError):
    """The ID is in no table and isn't built in; ``nearest`` are similar IDs."""

    def __init__(self, message: str, nearest: tuple[str, ...]) -> None:
        super().__init__(message)
        self.nearest = nearest


def find_meanings(registry: Registry, spec_id: str, adapter: str | None = None) -> tuple[Meaning, ...]:
    """Resolve ``spec_id`` in each table, in search order; with ``adapter`` only in that adapter's tables.

    Raises UnknownSpecError with similar IDs, and KeyError if no adapter has that name.
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
