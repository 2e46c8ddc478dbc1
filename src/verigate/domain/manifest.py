"""Values of an adapter's manifest, and the registry of capabilities and their providers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from verigate.domain.origin import Origin as Origin  # noqa: PLC0414 - re-exported from here

CAPABILITY_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*:[a-z0-9][a-z0-9_-]*")
"""``domain:action``, as in the second source document."""

DEFAULT_TIMEOUT_S = 60.0
DEFAULT_VOLATILE = ("/timestamp", "/duration", "/metadata")
"""JSON pointers that never enter a digest in artifacts of capabilities declared as strings."""


BASE, CLAIM, COMMITMENT, RULES = "base", "claim", "commitment", "rules"
ONE_RULE = "rules:"
"""What a name of one rule begins with in ``sees``: ``rules:samples``."""

SEEN = (BASE, CLAIM, COMMITMENT, RULES)
"""What a call can see of the task but the subject: the version it is compared with, what was said, the profile."""


class SandboxPolicy(Struct, frozen=True):
    """The manifest's ``sandbox``. ``timeout_s`` in seconds, ``memory_mb`` in MiB (None: unlimited)."""

    tools: tuple[str, ...] = ()
    timeout_s: float = DEFAULT_TIMEOUT_S
    network: bool = False
    memory_mb: int | None = None
    read_only: bool = False


class Argument(Struct, frozen=True):
    """An argument of a capability; it is passed by ``cli_flag`` or, without one, at ``position``.

    ``rules`` is a JSON Schema beyond that of the media spec.
    """

    name: str
    media_spec: str
    required: bool = False
    cli_flag: str | None = None
    position: int | None = None
    default: Any = None
    description: str = ""
    rules: Mapping[str, Any] | None = None


class Output(Struct, frozen=True):
    """A declared artifact: task-relative ``path``, its media spec ID, its volatile JSON pointers.

    ``rules`` is a JSON Schema beyond that of the media spec.
    """

    path: str
    media_spec: str | None = None
    volatile: tuple[str, ...] = ()
    rules: Mapping[str, Any] | None = None


class Capability(Struct, frozen=True):
    """One ``domain:action``. ``needs`` is None where undeclared: all earlier capabilities are needed then.

    ``reads`` are capabilities that it waits for if they are planned, and whose artifacts it does without otherwise.

    ``sees`` is what of SEEN it is shown, and single rules, ``rules:KEY``: facts about the subject alone hold for every
    task with the same subject.

    One that a cap definition declares has a ``command``, the entry's first argument, and prints its only output;
    ``file`` is then the definition's name, ``stdin`` the spec ID of what it reads, ``media_specs`` its own table.
    """

    name: str
    description: str = ""
    as_string: bool = True
    needs: tuple[str, ...] | None = None
    reads: tuple[str, ...] = ()
    sees: tuple[str, ...] = SEEN
    inputs: tuple[str, ...] | None = None
    arguments: tuple[Argument, ...] = ()
    outputs: tuple[Output, ...] = ()
    destructive: bool = False
    triggers: tuple[str, ...] = ()
    urn: str | None = None
    flags: Mapping[str, Any] = field(default_factory=dict)
    command: str | None = None
    stdin: str | None = None
    file: str | None = None
    media_specs: Mapping[str, Any] | None = None

    @property
    def domain(self) -> str:
        """The part before the colon."""
        return self.name.partition(":")[0]

    @property
    def slug(self) -> str:
        """``domain.action``, for file names."""
        return self.name.replace(":", ".")

    def configuration_in(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the adapter's configuration for this capability: the keys under its own name take precedence."""
        own = config.get(self.name)
        return {**config, **own} if isinstance(own, Mapping) else config


class Manifest(Struct, frozen=True):
    """manifest.json of one adapter.

    ``folder`` is the absolute path of the folder that holds it, ``digest`` the sha256 of its bytes,
    ``media_specs`` its table as written (spec ID -> string or object). Of a tool in TOML, ``entry`` is its file and
    ``launcher`` the absolute path of the program that calls the tool as that file says.
    """

    name: str
    version: str
    entry: str
    folder: str
    origin: Origin
    digest: str
    description: str = ""
    capabilities: tuple[Capability, ...] = ()
    sandbox: SandboxPolicy = field(default_factory=SandboxPolicy)
    config_defaults: Mapping[str, Any] = field(default_factory=dict)
    config_schema: Mapping[str, Any] | None = None
    media_specs: Mapping[str, Any] = field(default_factory=dict)
    doctor: str | None = None
    warnings: tuple[str, ...] = ()
    launcher: str | None = None

    @property
    def entry_path(self) -> str:
        """Absolute path of the executable."""
        return self.launcher or f"{self.folder}/{self.entry}"

    def specs_of(self, capability: Capability) -> Mapping[str, Any]:
        """Return the table in which a capability's spec IDs are looked up."""
        return self.media_specs if capability.media_specs is None else capability.media_specs

    def capability(self, name: str) -> Capability:
        """Return the declaration of ``name``. Raises KeyError if this adapter doesn't provide it."""
        for capability in self.capabilities:
            if capability.name == name:
                return capability
        raise KeyError(name)


class Registry(Struct, frozen=True):
    """The providers of each capability. The first in each tuple is used, the others are shadowed."""

    manifests: tuple[Manifest, ...] = ()
    providers: Mapping[str, tuple[Manifest, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def provider(self, capability: str) -> Manifest | None:
        """Return the adapter that serves ``capability``, None if there is none."""
        found = self.providers.get(capability, ())
        return found[0] if found else None
