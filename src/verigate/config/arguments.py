"""Validate the values that a configuration gives to arguments by their media specs.

Source: the third source document, validation: values inside JSON, so what is binary is base64.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.config.validation import check_inside_json
from verigate.domain.manifest import Argument, Capability, Manifest
from verigate.domain.media import resolve
from verigate.domain.object_merge import merge_objects
from verigate.errors import Fault
from verigate.formats import pointer

STDIN = "stdin"


def find_argument_faults(manifest: Manifest, config: Mapping[str, Any]) -> Iterator[Fault]:
    """Find the arguments of the adapter's capabilities whose value, or default, doesn't fit its media spec.

    Pointers are those of the configuration file. A missing value is reported when its capability runs.
    """
    merged = merge_objects(manifest.config_defaults, config)
    for capability in manifest.capabilities:
        values = capability.configuration_in(merged)
        own = merged.get(capability.name)
        for argument in capability.arguments:
            scoped = isinstance(own, Mapping) and argument.name in own
            path = (manifest.name, *((capability.name,) if scoped else ()), argument.name)
            yield from _find_faults(manifest, capability, argument, values, pointer.join(*path))
        stdin = values.get(STDIN) if capability.stdin is not None else None
        if stdin is not None and not isinstance(stdin, str):
            message = f"stdin of {capability.name} must be a string, the path of a file of the repository"
            yield Fault(message, pointer=pointer.join(manifest.name, STDIN))


def _find_faults(
    manifest: Manifest, capability: Capability, argument: Argument, values: Mapping[str, Any], place: str
) -> Iterator[Fault]:
    configured = argument.name in values
    value = values.get(argument.name, argument.default)
    if value is None:
        return
    spec = resolve(argument.media_spec, manifest.specs_of(capability))
    named = f"{argument.name!r} of {capability.name} is not valid {argument.media_spec}"
    for fault in check_inside_json(spec, value, argument.rules):
        message = f"{named}: {fault.message}"
        if configured:
            yield Fault(message, pointer=f"{place}{fault.pointer or ''}", hint=fault.hint)
        else:
            file = f"{manifest.folder}/{capability.file or 'manifest.json'}"
            yield Fault(f"the default of {message}", file=file, hint=fault.hint)
