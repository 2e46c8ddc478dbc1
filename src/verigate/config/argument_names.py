"""Find keys of an adapter's configuration that name no argument: a misspelt one would silently keep its default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.config.arguments import STDIN
from verigate.domain.manifest import Capability, Manifest
from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.near_names import suggest_name


def find_unknown_names(manifest: Manifest, own: Mapping[str, Any]) -> Iterator[Fault]:
    """Find the keys of ``own``, the adapter's entry in the configuration file, that nothing reads.

    Known are arguments, capabilities and what the manifest's ``config`` declares. Only an adapter whose capabilities
    have arguments is looked at, unless its schema says by ``additionalProperties`` that it takes other keys.
    """
    schema = manifest.config_schema or {}
    if schema.get("patternProperties") or schema.get("additionalProperties"):
        return
    properties = schema.get("properties")
    declared = properties if isinstance(properties, Mapping) else {}
    settings = {*manifest.config_defaults, *declared, *_list_flag_keys(manifest)}
    capabilities = {each.name: each for each in manifest.capabilities}
    arguments = {name for each in manifest.capabilities for name in _list_arguments(each)}
    for key, value in own.items():
        if key in settings or key in arguments:
            continue
        if key not in capabilities:
            known = {*settings, *arguments, *capabilities}
            yield _report(key, manifest.name, pointer.join(manifest.name, key), known)
        elif not isinstance(value, Mapping):
            yield Fault(f"the arguments of {key} must be an object", pointer=pointer.join(manifest.name, key))
        else:
            known = settings | _list_arguments(capabilities[key])
            for name in value:
                if name not in known:
                    yield _report(name, key, pointer.join(manifest.name, key, name), known)


def _report(key: str, of: str, place: str, known: set[str]) -> Fault:
    return Fault(f"{of} has no argument {key!r}", pointer=place, hint=suggest_name(key, known))


def _list_arguments(capability: Capability) -> set[str]:
    names = {argument.name for argument in capability.arguments}
    return names | {STDIN} if capability.stdin is not None else names


def _list_flag_keys(manifest: Manifest) -> set[str]:
    """List the keys that flags of its capabilities read."""
    flags = (each.flags.get(name) for each in manifest.capabilities for name in ("env_from", "network_if"))
    return {key for key in flags if isinstance(key, str)}
