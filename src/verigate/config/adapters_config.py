"""Read config/adapters.json, which maps an adapter's name to its configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from verigate.config.builtin import ADAPTERS_FILE
from verigate.config.layers import Layers, read_layers
from verigate.config.schemas import find_schema
from verigate.domain.manifest import Manifest
from verigate.domain.object_merge import merge_objects
from verigate.domain.origin import Origin
from verigate.errors import ConfigError, Fault
from verigate.formats import pointer
from verigate.formats.near_names import suggest_name
from verigate.formats.schema import MAX_FAULTS, Schema, SchemaError, find_outside_references, locate_faults


def load_adapters_config(root: Path, builtin: Path) -> Layers:
    """Read the file and check it against its schema. Raises ConfigError with all its faults.

    Defaults are in the manifests. The file in the gate's own checkout configures the gate itself and doesn't ship.
    """
    return replace(read_layers(root, builtin, ADAPTERS_FILE, "adapters"), shipped={})


def resolve_adapters_config(layers: Layers, manifests: Iterable[Manifest]) -> Mapping[str, Mapping[str, Any]]:
    """Resolve what the file configures for each adapter, and check it over the defaults of its manifest.

    Defaults are left out: adapters may have one name, and each is to be run with its own. The first of those counts
    for the check. Raises ConfigError with every fault: an unknown adapter, a
    configuration that its manifest's schema rejects, an unusable schema, an unknown argument, an argument whose value
    doesn't fit its media spec.
    """
    by_name: dict[str, Manifest] = {}
    for manifest in manifests:
        by_name.setdefault(manifest.name, manifest)
    entries = layers.merged
    faults = [
        Fault(f"no adapter is called {name!r}", pointer=pointer.join(name), hint=suggest_name(name, by_name))
        for name in islice((name for name in entries if name not in by_name), MAX_FAULTS)
    ]
    resolved: dict[str, Mapping[str, Any]] = {}
    for name, manifest in sorted(by_name.items()):
        resolved[name] = entries.get(name, {})
        whole = merge_objects(manifest.config_defaults, resolved[name])
        ships = manifest.launcher is not None or manifest.origin is Origin.BUILTIN
        if ships and name not in entries:
            # Of what ships with the gate little is configured, and the defaults of the others are held valid by tests.
            continue
        faults += _find_faults(manifest, whole)
        if any(capability.arguments or capability.stdin for capability in manifest.capabilities):
            from verigate.config.argument_names import find_unknown_names
            from verigate.config.arguments import find_argument_faults

            faults += islice(find_unknown_names(manifest, entries.get(name, {})), MAX_FAULTS)
            faults += find_argument_faults(manifest, whole)
    if faults:
        raise ConfigError(locate_faults(faults, file=layers.file, source=layers.source))
    return resolved


def _find_faults(manifest: Manifest, value: Mapping[str, Any]) -> list[Fault]:
    if manifest.config_schema is None:
        return []
    outside = find_outside_references(manifest.config_schema)
    if outside:
        where = f"{manifest.folder}/manifest.json"
        return [Fault(f"config.schema refers to {outside[0]}; a $ref may only lead inside it", file=where)]
    try:
        found = Schema(manifest.config_schema, find_schema).find_faults(dict(value))
    except SchemaError as problem:
        return [Fault(f"config.schema: {problem}", file=f"{manifest.folder}/manifest.json")]
    base = pointer.join(manifest.name)
    return [Fault(fault.message, pointer=f"{base}{fault.pointer or ''}", hint=fault.hint) for fault in found]
