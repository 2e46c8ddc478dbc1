"""Phase 1: merge the layers of configuration, the last of which wins, and record which layer set which key.

Tables merge key by key. Everything else, arrays too, is replaced as a whole: a table by a value, and a value by a
table. A null removes a key that an earlier layer has set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct


class LayerName(StrEnum):
    """The layers in their order; a later one wins."""

    BASE = "base defaults"
    SKILL = "skill defaults"
    USER = "user options"
    ENFORCED = "system enforced"


class Layer(Struct, frozen=True):
    """One layer: its values and their source."""

    name: LayerName
    source: str
    values: Mapping[str, Any]


class KeyOrigin(Struct, frozen=True):
    """One key of the result: its JSON pointer, its value, its layer, and the earlier layers that had set it too.

    A key that a null removed is ``removed``.
    """

    pointer: str
    value: Any
    layer: LayerName
    source: str
    overrides: tuple[LayerName, ...] = ()
    removed: bool = False


class MergedConfig(Struct, frozen=True):
    """The result, and the origin of each key, by pointer."""

    values: dict[str, Any]
    origins: tuple[KeyOrigin, ...]


def merge(layers: Iterable[Layer]) -> MergedConfig:
    """Merge all layers. Raises ValueError if they are out of order."""
    names = list(LayerName)
    values: dict[str, Any] = {}
    origins: dict[str, KeyOrigin] = {}
    last = -1
    for layer in layers:
        if names.index(layer.name) < last:
            raise ValueError(f"the layer {layer.name.value!r} comes after a later one")
        last = names.index(layer.name)
        _apply(values, layer.values, layer, "", origins)
    return MergedConfig(values, tuple(origins[pointer] for pointer in sorted(origins)))


def _apply(
    into: dict[str, Any], values: Mapping[str, Any], layer: Layer, pointer: str, origins: dict[str, KeyOrigin]
) -> None:
    for key, value in values.items():
        place = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
        present = into.get(key)
        if isinstance(value, Mapping) and isinstance(present, dict):
            _apply(present, value, layer, place, origins)
            continue
        before = _drop_origins(place, origins)
        if value is None:
            into.pop(key, None)
            origins[place] = KeyOrigin(place, None, layer.name, layer.source, before, removed=True)
        elif isinstance(value, Mapping) and value:
            into[key] = {}
            _apply(into[key], value, layer, place, origins)
            for inner, origin in list(origins.items()):
                if inner.startswith(f"{place}/"):
                    origins[inner] = KeyOrigin(inner, origin.value, origin.layer, origin.source, before, origin.removed)
        else:
            into[key] = _copy(value)
            origins[place] = KeyOrigin(place, into[key], layer.name, layer.source, before)


def _drop_origins(place: str, origins: dict[str, KeyOrigin]) -> tuple[LayerName, ...]:
    """Remove the origins at and below ``place``; return the layers that had set them."""
    found: list[LayerName] = []
    for pointer in sorted(origins):
        if pointer == place or pointer.startswith(f"{place}/"):
            origin = origins.pop(pointer)
            found += [*origin.overrides, origin.layer]
    return tuple(dict.fromkeys(found))


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list | tuple) else value
