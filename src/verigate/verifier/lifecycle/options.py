"""Parse the user's options for an engine that is a program: the ``config`` of its executions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from verigate.errors import UsageError
from verigate.formats.near_names import suggest_nearest
from verigate.verifier.program import Program

SOURCE = "optionsSource"
"""The key of a config with the source of the options, for people."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of one program. ``command`` replaces its own; ``settings`` are the user's layer of its configuration.

    ``skill`` is a skill's folder; ``inputs`` and ``parameters`` are what it declares, by name: a file by its path.
    ``session`` False never resumes one, also where the profile asks for that. Seconds: ``timeout_s`` of one call,
    ``silence_s`` without output, ``grace_s`` between TERM and KILL.
    """

    command: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    env_from: tuple[str, ...] = ()
    skill: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    session: bool = True
    timeout_s: float | None = None
    silence_s: float | None = None
    grace_s: float = 2.0
    model: str | None = None
    instructions: str | None = None
    source: str = "the engine's options"


def parse_options(program: Program, config: Mapping[str, Any]) -> Options:
    """Parse the options in an execution's config. Raises UsageError that names an unknown one."""
    where = str(config.get(SOURCE, Options().source))
    key = program.capabilities.instructions_path_key
    known = [name for name in Options.__struct_fields__ if name not in {"instructions", "source"}]
    if program.capabilities.supports_instructions_bundle:
        known.append(key)
    found: dict[str, Any] = {}
    for name, value in config.items():
        if name == SOURCE:
            continue
        if name not in known:
            raise UsageError(
                f"{program.type} has no option {name!r}",
                where=where,
                hint=suggest_nearest(name, known) or f"known: {', '.join(sorted(known))}",
            )
        found["instructions" if name == key else name] = value
    try:
        return msgspec.convert({**found, "source": where}, Options)
    except msgspec.ValidationError as problem:
        hint = "docs/engines.md says what each option is"
        raise UsageError(f"an option of {program.type} can't be used: {problem}", where=where, hint=hint) from problem
