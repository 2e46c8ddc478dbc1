"""What an adapter declares about itself, and the registry of who provides what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

CAPABILITY_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*:[a-z0-9][a-z0-9_-]*")
"""``domain:action``, as in the second source document."""

DEFAULT_TIMEOUT_S = 60.0
DEFAULT_VOLATILE = ("/timestamp", "/duration", "/metadata")
"""JSON pointers that never enter a digest in artifacts of capabilities declared as strings."""


class Origin(StrEnum):
    """Where an adapter was found, in order of precedence."""

    REPOSITORY = "repository"
    PATH = "path"
    NPM = "npm"
    PACKAGE = "package"
    BUILTIN = "builtin"


class SandboxPolicy(Struct, frozen=True):
    """The manifest's ``sandbox``. ``timeout_s`` in seconds, ``memory_mb`` in MiB (None: unlimited)."""

    tools: tuple[str, ...] = ()
    timeout_s: float = DEFAULT_TIMEOUT_S
    network: bool = False
    memory_mb: int | None = None
    read_only: bool = False


class Argument(Struct, frozen=True):
    """An argument of a capability; it is passed by ``cli_flag`` or, without one, at ``position``."""

    name: str
    media_spec: str
    required: bool = False
    cli_flag: str | None = None
    position: int | None = None
    default: Any = None
    description: str = ""


class Output(Struct, frozen=True):
    """A declared artifact: task-relative ``path``, its media spec ID, its volatile JSON pointers."""

    path: str
    media_spec: str | None = None
    volatile: tuple[str, ...] = ()


class Capability(Struct, frozen=True):
    """One ``domain:action``. ``needs`` is None where undeclared: all earlier capabilities are needed then."""

    name: str
    description: str = ""
    as_string: bool = True
    needs: tuple[str, ...] | None = None
    inputs: tuple[str, ...] | None = None
    arguments: tuple[Argument, ...] = ()
    outputs: tuple[Output, ...] = ()
    destructive: bool = False
    triggers: tuple[str, ...] = ()
    urn: str | None = None
    flags: Mapping[str, Any] = field(default_factory=dict)

    @property
    def domain(self) -> str:
        """What stands before the colon."""
        return self.name.partition(":")[0]

    @property
    def slug(self) -> str:
        """``domain.action``, for file names."""
        return self.name.replace(":", ".")


class Manifest(Struct, frozen=True):
    """manifest.json of one adapter.

    ``folder`` is the absolute path of the folder that holds it, ``digest`` the sha256 of its bytes,
    ``media_specs`` its table as written (spec ID -> string or object).
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

    @property
    def entry_path(self) -> str:
        """Absolute path of the executable."""
        return f"{self.folder}/{self.entry}"

    def capability(self, name: str) -> Capability:
        """The declaration of ``name``; raises KeyError if this adapter doesn't provide it."""
        for capability in self.capabilities:
            if capability.name == name:
                return capability
        raise KeyError(name)


class Registry(Struct, frozen=True):
    """Who provides which capability. The first provider in each tuple wins, the others are shadowed."""

    manifests: tuple[Manifest, ...] = ()
    providers: Mapping[str, tuple[Manifest, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def provider(self, capability: str) -> Manifest | None:
        """The adapter that serves ``capability``, or None."""
        found = self.providers.get(capability, ())
        return found[0] if found else None
