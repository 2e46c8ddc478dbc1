"""Phase 1: resolve the configuration and write it as the engine's own file into the run folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.verifier.lifecycle.layers import Layer, LayerName, MergedConfig, merge
from verigate.verifier.lifecycle.skill import SkillManifest
from verigate.verifier.program import ConfigFile, Program


def resolve_config(program: Program, skill: SkillManifest, options: Mapping[str, Any], source: str) -> MergedConfig:
    """Resolve the four layers of a program's configuration. ``options`` are the user's, ``source`` is their file."""
    place, defaults = skill.read_settings(program.type.removesuffix("_cli"))
    return merge(
        (
            Layer(LayerName.BASE, program.type, program.defaults),
            Layer(LayerName.SKILL, place, defaults),
            Layer(LayerName.USER, source, options),
            Layer(LayerName.ENFORCED, program.type, program.enforced),
        )
    )


def write_config(file: ConfigFile, values: Mapping[str, Any], run_dir: Path) -> Path:
    """Write the configuration into the run folder, readable only by its owner."""
    path = run_dir / file.path
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps(values, indent=2, ensure_ascii=False) + "\n" if file.format == "json" else render_toml(values)
    path.touch(mode=0o600)
    path.write_text(text, "utf-8")
    return path


def render_toml(values: Mapping[str, Any]) -> str:
    """Render a table as TOML. TOML has no null: members without a value are left out."""
    import tomlkit

    return tomlkit.dumps(_drop_null(values))


def flatten_keys(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key that isn't a table: its dotted name and its value, both in TOML."""
    for key, value in values.items():
        name = f"{prefix}{_render_key(key)}"
        if isinstance(value, Mapping):
            yield from flatten_keys(value, f"{name}.")
        elif value is not None:
            yield name, _render_inline(value)


def _render_inline(value: Any) -> str:
    """Render a value as TOML on one line, with inline tables."""
    import tomlkit

    if isinstance(value, Mapping):
        members = (f"{_render_key(key)} = {_render_inline(item)}" for key, item in value.items() if item is not None)
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_render_inline(item) for item in value if item is not None) + "]"
    text: str = tomlkit.item(value).as_string()
    return text


def _render_key(key: str) -> str:
    bare = key and all(character.isascii() and (character.isalnum() or character in "-_") for character in key)
    return key if bare else json.dumps(key, ensure_ascii=False)


def _drop_null(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _drop_null(item) for key, item in value.items() if item is not None}
    return [_drop_null(item) for item in value if item is not None] if isinstance(value, list) else value
